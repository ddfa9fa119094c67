#include "limit/trace_back.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* A part of a pair's table that the alignment crosses from corner to corner. */
struct part {
    const struct limit_pair *pair;
    const struct limit_place *places; /* of first and second */
    struct limit_range range;
    u32 *beginnings; /* row of the first half, between its arrival and that of the second */
    u32 split;       /* exit of the alignment from the first half: number of tokens of the second sequence before it */
    bool failed;     /* out of memory */
};

/* Parts of one level. Starts as {0}. */
struct parts {
    struct part *parts;
    size_t count, room;
    bool failed;
};

static void add_part(struct parts *parts, const struct part *part)
{
    if (parts->count == parts->room) {
        const size_t room = parts->room ? 2 * parts->room : 64;
        struct part *const larger = realloc(parts->parts, room * sizeof *larger);
        parts->failed = parts->failed || !larger;
        if (!larger)
            return;
        parts->parts = larger;
        parts->room = room;
    }
    parts->parts[parts->count++] = *part;
}

/* Solves a part that needs no table; false for others. */
static bool settle(const struct part *part)
{
    const struct limit_range *const range = &part->range;
    const u32 rows = range->first_end - range->first, columns = range->second_end - range->second;
    const u32 *const first = part->pair->first->tokens + range->first, *const second = part->pair->second->tokens + range->second;
    u32 *const matched = part->pair->matched + range->first;
    if (rows == columns && memcmp(first, second, (size_t)rows * sizeof *first) == 0) {
        for (u32 n = 0; n < rows; n++)
            matched[n] = range->second + n;
        return true;
    }
    if (rows != 1)
        return rows == 0 || columns == 0;
    for (u32 n = 0; n < columns; n++) {
        if (second[n] == *first) {
            *matched = range->second + n;
            return true;
        }
    }
    return true;
}

/* Adds a part unless it is solved directly. */
static void add_open(struct parts *parts, const struct part *part)
{
    if (!settle(part))
        add_part(parts, part);
}

static u32 middle(const struct limit_range *range)
{
    return range->first + (range->first_end - range->first) / 2;
}

/* The first of the best exits from the first half. */
static void split(struct part *part, const u32 *endings)
{
    const u32 columns = part->range.second_end - part->range.second;
    u32 best = 0;
    for (u32 n = 0; n <= columns; n++) {
        const u32 weight = (n ? part->beginnings[n - 1] : 0) + (n < columns ? endings[columns - n - 1] : 0);
        if (n == 0 || weight > best) {
            best = weight;
            part->split = part->range.second + n;
        }
    }
}

/* The row of the first half arrives first, then that of the second, computed from its end. */
static void take(void *owner, const u32 *row, u32 score)
{
    struct part *const part = owner;
    const size_t bytes = (size_t)(part->range.second_end - part->range.second) * sizeof *row;
    (void)score;
    if (part->beginnings || part->failed) {
        if (!part->failed)
            split(part, row);
        free(part->beginnings);
        part->beginnings = NULL;
        return;
    }
    part->beginnings = malloc(bytes);
    part->failed = !part->beginnings;
    if (!part->failed)
        memcpy(part->beginnings, row, bytes);
}

static void add_halves(struct limit_batch *batch, struct part *part)
{
    struct limit_range above = part->range, below = part->range;
    above.first_end = below.first = middle(&part->range);
    limit_batch_add(batch, &part->places[0], &part->places[1], &above, false, part);
    limit_batch_add(batch, &part->places[0], &part->places[1], &below, true, part);
}

/* Halves every part; next receives the unsolved halves. */
static enum ws_status halve(struct limit_batch *batch, struct parts *parts, struct parts *next, struct ws_error *error)
{
    bool failed = parts->failed;
    batch->count = 0;
    for (size_t n = 0; n < parts->count; n++)
        add_halves(batch, &parts->parts[n]);
    const enum ws_status status = limit_batch_run(batch, take, error);
    for (size_t n = 0; n < parts->count; n++) {
        struct part *const part = &parts->parts[n];
        struct part half = *part;
        failed = failed || part->failed;
        free(part->beginnings); /* left over when the batch stopped */
        if (status != WS_STATUS_ok || part->failed)
            continue;
        half.range.first_end = middle(&part->range);
        half.range.second_end = part->split;
        add_open(next, &half);
        half.range = (struct limit_range){middle(&part->range), part->range.first_end, part->split, part->range.second_end};
        add_open(next, &half);
    }
    return failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory while aligning") : status;
}

static void add_pair(struct limit_batch *batch, const struct limit_pair *pair, struct limit_place *places, struct parts *parts)
{
    const u32 segments = ws_min(pair->first->segments, pair->second->segments);
    for (u32 n = 0; n < pair->first->length; n++)
        pair->matched[n] = LIMIT_UNMATCHED;
    places[0] = limit_batch_place(batch, pair->first);
    places[1] = limit_batch_place(batch, pair->second);
    for (u32 n = 0; n < segments; n++) {
        const u32 first = limit_segment_first(pair->first, n), second = limit_segment_first(pair->second, n);
        add_open(parts, &(struct part){.pair = pair,
                                       .places = places,
                                       .range = {first, first + limit_segment_length(pair->first, n), second,
                                                 second + limit_segment_length(pair->second, n)}});
    }
}

enum ws_status limit_trace_back(struct limit_aligner *aligner, const struct limit_pair *pairs, size_t count, struct ws_error *error)
{
    struct limit_batch batch = {.aligner = aligner};
    struct limit_place *const places = calloc(count, 2 * sizeof *places);
    struct parts parts = {0};
    if (!places)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu alignments", count);
    for (size_t n = 0; n < count; n++)
        add_pair(&batch, &pairs[n], places + 2 * n, &parts);
    enum ws_status status = parts.failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory while aligning") : WS_STATUS_ok;
    while (status == WS_STATUS_ok && parts.count > 0) {
        struct parts next = {0};
        status = halve(&batch, &parts, &next, error);
        free(parts.parts);
        parts = next;
        if (status == WS_STATUS_ok && parts.failed)
            status = ws_fail(error, WS_STATUS_no_memory, "out of memory while aligning");
    }
    free(parts.parts);
    free(places);
    limit_batch_free(&batch);
    return status;
}
