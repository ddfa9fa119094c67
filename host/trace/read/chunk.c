/* One chunk: a continuation of a thread's path. */
#include "trace/read/decode.h"

#include <inttypes.h>

#include "base/error.h"

enum ws_status wst_decode_failed(const struct wst_decoder *decoder, u32 thread, const char *what, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_bad_input, "block %" PRIu64 ", thread %u, after %" PRIu64 " instructions: %s", decoder->block,
                   thread, decoder->followers[thread].tally.instructions, what);
}

/* The image's word for an address. Returns the error of the address, or NULL. Private, constant and texture memory have no known
 * extent: an address there is wrong only if it must be kept and has no word. */
static inline const char *locate(const struct wst_decoder *decoder, const struct wst_node *node, bool kept, u64 address, u32 *word)
{
    const u32 bytes = 1u << node->shift;
    if (node->space == WS_SPACE_global)
        return wst_granule(&decoder->segments, address, bytes, node->atomic, &decoder->guesses[node->slot], word)
                   ? NULL
                   : "address outside all segments";
    *word = (u32)(address / 4);
    if (node->space == WS_SPACE_shared) {
        const u64 room = decoder->trace->launch.shared_bytes;
        return address < room && room - address >= bytes ? NULL : "address outside shared memory";
    }
    return !kept || address / 4 <= UINT32_MAX ? NULL : "offset of 2^34 bytes or more";
}

/* Where a thread's streams lie in the image. */
struct place {
    u32 *decisions, *accesses; /* of its lane; consecutive words of a lane are WS_LANES apart */
    u64 kept_most;
};

static struct place place_of(const struct wst_decoder *decoder, u32 thread)
{
    const struct wst_blocks *const blocks = decoder->blocks;
    const u64 ordinal = (decoder->block - blocks->first) / blocks->step;
    const struct ws_group *const group = &decoder->groups[ordinal * decoder->groups_per_block + thread / WS_LANES];
    const u64 in_section = (decoder->block - decoder->section->first_block) * decoder->trace->block_threads + thread;
    const u32 lane = thread % WS_LANES;
    return (struct place){.decisions = decoder->words + group->decisions + lane,
                          .accesses = decoder->words + group->accesses + lane,
                          .kept_most = wst_kept(&decoder->tallies[in_section], decoder->spaces)};
}

/* Follows the path along the chunk up to the first node it has no data for, and puts addresses into the image. Returns the error,
 * or NULL. */
static const char *follow(const struct wst_decoder *decoder, const struct wst_chunk *chunk, const struct place *place,
                          struct wst_follower *follower)
{
    struct wst_predictor *const own = decoder->predictors.threads + (size_t)chunk->thread * decoder->predictors.slots;
    const struct wst_node *const nodes = decoder->trace->graph.nodes, *node = nodes + follower->node;
    struct wst_cursor residuals = chunk->residuals;
    struct wst_tally tally = follower->tally;
    u64 decision = 0, left = chunk->accesses, kept = follower->kept;
    const char *defect = NULL;
    while (!defect) {
        u32 way = 0;
        if (node->kind == WST_NODE_DECIDE && decision < chunk->decisions) {
            way = (u32)(chunk->bits[decision / 8] >> (decision % 8)) & 1u;
            decision++;
        } else if (node->kind == WST_NODE_ACCESS && left) {
            struct wst_predictor *const mine = own + node->slot;
            struct wst_predictor *const asked = wst_predictor(&decoder->predictors, mine, node->slot);
            const u64 value = wst_expected(asked) + wst_unzigzag(wst_get_varint(&residuals));
            const bool keep = decoder->spaces >> node->space & 1u;
            u32 word;
            wst_learn(asked, mine, value);
            left--;
            tally.accesses[node->space]++;
            defect = locate(decoder, node, keep, value << node->shift, &word);
            if (!defect && keep && kept < place->kept_most)
                place->accesses[kept++ * WS_LANES] = word;
            else if (!defect && keep)
                defect = "more accesses than the table says";
        } else {
            break;
        }
        tally.instructions += node->steps[way];
        node = nodes + node->next[way];
    }
    tally.decisions += decision;
    *follower = (struct wst_follower){.node = (u32)(node - nodes), .kept = kept, .tally = tally};
    if (residuals.bad)
        return "addresses end inside a number";
    if (!defect && (decision < chunk->decisions || left || wst_left(&residuals)))
        return "its streams are longer than its path";
    return defect;
}

/* Appends the chunk's decision bits to those of its thread. False when unused bits are set. */
static bool put_decisions(const struct wst_chunk *chunk, u64 at, u32 *words)
{
    for (u64 bit = 0; bit < chunk->decisions; bit += 8, at += 8) {
        const u32 byte = chunk->bits[bit / 8], shift = (u32)(at % 32);
        const u32 valid = (u32)(chunk->decisions - bit < 8 ? chunk->decisions - bit : 8);
        if (byte >> valid)
            return false;
        words[at / 32 * WS_LANES] |= byte << shift;
        if (shift + valid > 32)
            words[(at / 32 + 1) * WS_LANES] |= byte >> (32 - shift);
    }
    return true;
}

enum ws_status wst_decode_chunk(struct wst_decoder *decoder, const struct wst_chunk *chunk, struct ws_error *error)
{
    struct wst_follower *const follower = &decoder->followers[chunk->thread];
    const struct place place = place_of(decoder, chunk->thread);
    const u64 in_section = (decoder->block - decoder->section->first_block) * decoder->trace->block_threads + chunk->thread;
    if (chunk->decisions > decoder->tallies[in_section].decisions - follower->tally.decisions)
        return wst_decode_failed(decoder, chunk->thread, "more decisions than the table says", error);
    if (!put_decisions(chunk, follower->tally.decisions, place.decisions))
        return wst_decode_failed(decoder, chunk->thread, "unused bits behind its decisions are set", error);
    const char *const defect = follow(decoder, chunk, &place, follower);
    return defect ? wst_decode_failed(decoder, chunk->thread, defect, error) : WS_STATUS_ok;
}
