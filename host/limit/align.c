#include "limit/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "limit/trace_back.h"

/* Adds the lanes of a sequence to an equal one. */
static void add_lanes(struct limit_sequence *to, const struct limit_sequence *from)
{
    for (u32 n = 0; n < to->length; n++)
        to->lanes[n] |= from->lanes[n];
}

void limit_warp_gather(struct limit_warp *warp)
{
    warp->groups = 0;
    for (u32 lane = 0; lane < warp->threads; lane++) {
        u32 left = warp->groups;
        while (left && !limit_sequence_equal(&warp->sequences[ws_ctz(left)], &warp->sequences[lane]))
            left &= left - 1;
        if (!left) {
            warp->groups |= ws_bit(lane);
            continue;
        }
        add_lanes(&warp->sequences[ws_ctz(left)], &warp->sequences[lane]);
        limit_sequence_free(&warp->sequences[lane]);
    }
    for (u32 lane = 0; lane < WS_LANES; lane++)
        warp->unknown[lane] = warp->groups & ~ws_bits_below(lane + 1);
}

/* ---- Scores ---- */

static void take_score(void *owner, const u32 *row, u32 score)
{
    (void)row;
    *(u64 *)owner += score;
}

static u64 weigh(const struct limit_code *code, const u32 *tokens, u32 count)
{
    u64 weight = 0;
    for (u32 n = 0; n < count; n++)
        weight += code->weights[tokens[n]];
    return weight;
}

/* Adds the segments of two groups; equal ones need no table. */
static void add_pair(struct limit_batch *batch, const struct limit_place *places, struct limit_warp *warp, u32 low, u32 high)
{
    const struct limit_sequence *const one = &warp->sequences[low], *const other = &warp->sequences[high];
    const u32 segments = ws_min(one->segments, other->segments);
    u64 *const score = &warp->scores[low][high];
    *score = 0;
    for (u32 n = 0; n < segments; n++) {
        const u32 first = limit_segment_first(one, n), rows = limit_segment_length(one, n);
        const u32 second = limit_segment_first(other, n), columns = limit_segment_length(other, n);
        const struct limit_range range = {first, first + rows, second, second + columns};
        if (rows == columns && memcmp(one->tokens + first, other->tokens + second, (size_t)rows * sizeof(u32)) == 0)
            *score += weigh(batch->aligner->code, one->tokens + first, rows);
        else if (rows && columns)
            limit_batch_add(batch, &places[low], &places[high], &range, false, score);
    }
}

static void add_unknown(struct limit_batch *batch, struct limit_warp *warp)
{
    struct limit_place places[WS_LANES];
    bool any = false;
    for (u32 left = warp->groups; left; left &= left - 1)
        any = any || warp->unknown[ws_ctz(left)];
    for (u32 left = any ? warp->groups : 0; left; left &= left - 1)
        places[ws_ctz(left)] = limit_batch_place(batch, &warp->sequences[ws_ctz(left)]);
    for (u32 left = warp->groups; left; left &= left - 1) {
        const u32 low = ws_ctz(left);
        for (u32 more = warp->unknown[low]; more; more &= more - 1)
            add_pair(batch, places, warp, low, ws_ctz(more));
        warp->unknown[low] = 0;
    }
}

/* Computes the scores of all pairs of groups. */
static enum ws_status score(struct limit_aligner *aligner, struct limit_warp *warps, u32 count, struct ws_error *error)
{
    struct limit_batch batch = {.aligner = aligner};
    for (u32 n = 0; n < count; n++)
        add_unknown(&batch, &warps[n]);
    const enum ws_status status = limit_batch_run(&batch, take_score, error);
    limit_batch_free(&batch);
    return status;
}

/* ---- Joining ---- */

/* The pair with the highest score; the first of several. */
static void choose(const struct limit_warp *warp, u32 *low, u32 *high)
{
    bool any = false;
    for (u32 left = warp->groups; left; left &= left - 1) {
        for (u32 more = left & (left - 1); more; more &= more - 1) {
            const u32 one = ws_ctz(left), other = ws_ctz(more);
            if (!any || warp->scores[one][other] > warp->scores[*low][*high]) {
                *low = one;
                *high = other;
            }
            any = true;
        }
    }
}

static bool join(struct limit_warp *warp, u32 low, u32 high, const u32 *matched)
{
    struct limit_sequence joined = {0};
    limit_sequence_join(&warp->sequences[low], &warp->sequences[high], matched, &joined);
    limit_sequence_free(&warp->sequences[low]);
    limit_sequence_free(&warp->sequences[high]);
    warp->sequences[low] = joined;
    warp->groups &= ~ws_bit(high);
    for (u32 lane = 0; lane < low; lane++)
        warp->unknown[lane] = warp->groups & ws_bit(low);
    warp->unknown[low] = warp->groups & ~ws_bits_below(low + 1);
    return !joined.failed;
}

/* One pair of each warp that has more than one group. */
struct chosen {
    struct limit_warp *warp;
    u32 low, high;
};

static u32 choose_all(struct limit_warp *warps, u32 count, struct chosen *chosen)
{
    u32 chosen_count = 0;
    for (u32 n = 0; n < count; n++) {
        struct chosen *const next = &chosen[chosen_count];
        if ((warps[n].groups & (warps[n].groups - 1)) == 0)
            continue;
        next->warp = &warps[n];
        choose(&warps[n], &next->low, &next->high);
        chosen_count++;
    }
    return chosen_count;
}

static enum ws_status match_and_join(struct limit_aligner *aligner, const struct chosen *chosen, u32 count,
                                     struct limit_pair *pairs, struct ws_error *error)
{
    bool failed = false;
    for (u32 n = 0; n < count; n++) {
        const struct limit_warp *const warp = chosen[n].warp;
        pairs[n] = (struct limit_pair){.first = &warp->sequences[chosen[n].low], .second = &warp->sequences[chosen[n].high]};
        pairs[n].matched = calloc(pairs[n].first->length, sizeof(u32));
        failed = failed || !pairs[n].matched;
    }
    enum ws_status status = failed ? WS_STATUS_no_memory : limit_trace_back(aligner, pairs, count, error);
    for (u32 n = 0; n < count; n++) {
        if (status == WS_STATUS_ok)
            failed = !join(chosen[n].warp, chosen[n].low, chosen[n].high, pairs[n].matched) || failed;
        free(pairs[n].matched);
    }
    return failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory for the columns of a warp") : status;
}

/* Joins a pair of groups in every warp that has one; *joined: number of these warps. */
static enum ws_status join_round(struct limit_aligner *aligner, struct limit_warp *warps, u32 count, u32 *joined,
                                 struct ws_error *error)
{
    struct chosen *const chosen = calloc(count, sizeof *chosen);
    struct limit_pair *const pairs = calloc(count, sizeof *pairs);
    enum ws_status status = WS_STATUS_no_memory;
    *joined = 0;
    if (chosen && pairs) {
        *joined = choose_all(warps, count, chosen);
        status = *joined ? match_and_join(aligner, chosen, *joined, pairs, error) : WS_STATUS_ok;
    } else {
        ws_fail(error, status, "out of memory for %u warps", count);
    }
    free(chosen);
    free(pairs);
    return status;
}

enum ws_status limit_align(struct limit_aligner *aligner, struct limit_warp *warps, u32 count, struct ws_error *error)
{
    u32 joined = 1;
    while (joined > 0) {
        WS_TRY(score(aligner, warps, count, error));
        WS_TRY(join_round(aligner, warps, count, &joined, error));
    }
    return WS_STATUS_ok;
}
