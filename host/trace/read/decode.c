#include "trace/read/decode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum ws_status wst_decoder_make(const struct ws_trace *trace, const struct wst_blocks *blocks, u32 spaces,
                                struct wst_decoder *decoder, struct ws_error *error)
{
    *decoder = (struct wst_decoder){.trace = trace, .blocks = blocks, .spaces = spaces};
    enum ws_status status = wst_unpacker_make(trace->descriptor, &decoder->unpacker, error);
    WS_THEN(status, wst_predictors_make(&trace->graph, trace->block_threads, &decoder->predictors, error));
    WS_THEN(status, wst_segments_place(&trace->launch, &decoder->segments, error));
    if (status == WS_STATUS_ok) {
        decoder->guesses = calloc(trace->graph.slots, sizeof *decoder->guesses);
        decoder->followers = calloc(trace->block_threads, sizeof *decoder->followers);
        if (!decoder->guesses || !decoder->followers)
            status = ws_no_memory(error);
    }
    if (status != WS_STATUS_ok)
        wst_decoder_free(decoder);
    return status;
}

void wst_decoder_free(struct wst_decoder *decoder)
{
    wst_unpacker_free(decoder->unpacker);
    wst_predictors_free(&decoder->predictors);
    wst_segments_free(&decoder->segments);
    free(decoder->guesses);
    free(decoder->followers);
    *decoder = (struct wst_decoder){0};
}

u64 wst_kept(const struct wst_tally *tally, u32 spaces)
{
    u64 kept = 0;
    for (u32 space = 1; space < WS_SPACES; space++)
        kept += spaces >> space & 1u ? tally->accesses[space] : 0;
    return kept;
}

static void begin_block(struct wst_decoder *decoder, u64 block)
{
    const struct wst_graph *const graph = &decoder->trace->graph;
    decoder->block = block;
    decoder->wanted = wst_has_block(decoder->blocks, block);
    if (!decoder->wanted)
        return;
    wst_predictors_next_block(&decoder->predictors);
    for (u32 n = 0; n < decoder->trace->block_threads; n++)
        decoder->followers[n] = (struct wst_follower){.node = graph->start, .tally = {.instructions = graph->start_steps}};
}

/* Checks that all threads of the current block reached their exits and match the table. */
static enum ws_status end_block(const struct wst_decoder *decoder, struct ws_error *error)
{
    const u32 threads = decoder->trace->block_threads;
    const struct wst_tally *const tallies = decoder->tallies + (decoder->block - decoder->section->first_block) * threads;
    for (u32 n = 0; decoder->wanted && n < threads; n++) {
        const struct wst_follower *const follower = &decoder->followers[n];
        const u8 kind = decoder->trace->graph.nodes[follower->node].kind;
        if (kind == WST_NODE_ASTRAY)
            return wst_decode_failed(decoder, n, "its path leaves the program or jumps for ever", error);
        if (kind != WST_NODE_END)
            return wst_decode_failed(decoder, n, "its streams are shorter than its path", error);
        if (memcmp(&follower->tally, &tallies[n], sizeof *tallies) != 0)
            return wst_decode_failed(decoder, n, "its path is not what the table says", error);
    }
    return WS_STATUS_ok;
}

/* Ends the current block and those up to the given one, and starts that one. */
static enum ws_status go_to_block(struct wst_decoder *decoder, u64 block, struct ws_error *error)
{
    while (decoder->block < block) {
        WS_TRY(end_block(decoder, error));
        begin_block(decoder, decoder->block + 1);
    }
    return WS_STATUS_ok;
}

/* Reads a chunk's head and finds its streams; *block receives its block. Each access takes at least a byte, which bounds the steps
 * of a path without decisions. */
static bool read_chunk(struct wst_cursor *cursor, const struct wst_decoder *decoder, struct wst_chunk *chunk, u64 *block)
{
    const u64 number = wst_get_varint(cursor);
    chunk->decisions = wst_get_varint(cursor);
    chunk->accesses = wst_get_varint(cursor);
    const u64 length = wst_get_varint(cursor);
    chunk->thread = (u32)(number % decoder->trace->block_threads);
    *block = decoder->section->first_block + number / decoder->trace->block_threads;
    chunk->bits = wst_get_block(cursor, chunk->decisions / 8 + (chunk->decisions % 8 != 0));
    const u8 *const residuals = wst_get_block(cursor, length);
    if (!residuals || chunk->accesses > length || number / decoder->trace->block_threads >= decoder->section->blocks)
        return false;
    chunk->residuals = (struct wst_cursor){.at = residuals, .end = residuals + length};
    return true;
}

static enum ws_status decode_frame(struct wst_decoder *decoder, const struct wst_frame *frame, struct ws_error *error)
{
    struct wst_cursor cursor;
    WS_TRY(wst_unpack(decoder->unpacker, frame, &cursor, error));
    while (wst_left(&cursor)) {
        struct wst_chunk chunk;
        u64 block;
        const u64 left = wst_left(&cursor);
        if (!read_chunk(&cursor, decoder, &chunk, &block) || block < decoder->block)
            return ws_fail(error, WS_STATUS_bad_input,
                           "frame at byte %" PRIu64 ": chunk at byte %" PRIu64 " of its contents is not sound", frame->offset,
                           frame->raw - left);
        WS_TRY(go_to_block(decoder, block, error));
        if (decoder->wanted)
            WS_TRY(wst_decode_chunk(decoder, &chunk, error));
    }
    return WS_STATUS_ok;
}

enum ws_status wst_decode_section(struct wst_decoder *decoder, struct ws_error *error)
{
    const struct wst_section *const section = decoder->section;
    begin_block(decoder, section->first_block);
    for (u32 n = 0; n + 1 < section->frames; n++)
        WS_TRY(decode_frame(decoder, &decoder->trace->index.frames[section->first_frame + n], error));
    WS_TRY(go_to_block(decoder, section->first_block + section->blocks - 1, error));
    return end_block(decoder, error);
}
