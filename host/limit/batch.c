#include "limit/batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Limits of one engine call: words of rows, and cells, for timely interruption. */
#define MOST_ROW_WORDS (1u << 24)
#define MOST_CELLS     (1ull << 33)

void limit_batch_free(struct limit_batch *batch)
{
    free(batch->tokens);
    free(batch->tasks);
    *batch = (struct limit_batch){.aligner = batch->aligner};
}

static bool reserve(struct limit_batch *batch, u64 tokens)
{
    u64 room = batch->token_room ? batch->token_room : 1024;
    if (batch->token_count + tokens <= batch->token_room)
        return true;
    while (room < batch->token_count + tokens)
        room *= 2;
    u32 *const larger = room <= UINT32_MAX ? realloc(batch->tokens, (size_t)room * sizeof(u32)) : NULL;
    if (!larger)
        return false;
    batch->tokens = larger;
    batch->token_room = room;
    return true;
}

static void pad(struct limit_batch *batch)
{
    memset(batch->tokens + batch->token_count, 0, WS_ALIGN_PADDING * sizeof(u32));
    batch->token_count += WS_ALIGN_PADDING;
}

struct limit_place limit_batch_place(struct limit_batch *batch, const struct limit_sequence *sequence)
{
    const u32 length = sequence->length;
    batch->failed = batch->failed || !reserve(batch, 2ull * length + 2 * WS_ALIGN_PADDING);
    if (batch->failed)
        return (struct limit_place){0};
    if (batch->token_count == 0)
        pad(batch);
    const u32 at = (u32)batch->token_count;
    memcpy(batch->tokens + at, sequence->tokens, (size_t)length * sizeof(u32));
    for (u32 n = 0; n < length; n++)
        batch->tokens[at + length + n] = sequence->tokens[length - 1 - n];
    batch->token_count += 2ull * length;
    return (struct limit_place){.forward = at, .backward = at + length, .length = length};
}

void limit_batch_add(struct limit_batch *batch, const struct limit_place *one, const struct limit_place *other,
                     const struct limit_range *range, bool backward, void *owner)
{
    if (batch->count == batch->room) {
        const size_t room = batch->room ? 2 * batch->room : 256;
        struct limit_task *const larger = realloc(batch->tasks, room * sizeof *larger);
        batch->failed = batch->failed || !larger;
        if (!larger)
            return;
        batch->tasks = larger;
        batch->room = room;
    }
    const struct ws_align_task align = {
        .first = backward ? one->backward + one->length - range->first_end : one->forward + range->first,
        .second = backward ? other->forward + range->second : other->backward + other->length - range->second_end,
        .first_count = range->first_end - range->first,
        .second_count = range->second_end - range->second};
    batch->tasks[batch->count++] = (struct limit_task){.align = align, .owner = owner};
}

/* ---- Running ---- */

static u64 cells_of(const struct limit_task *task)
{
    return (u64)task->align.first_count * task->align.second_count;
}

/* Assigns rows to the tasks from first on, as many as fit one call; at least one. Returns the end; *words: words of the rows. */
static size_t take_some(struct limit_batch *batch, size_t first, u64 *words)
{
    size_t end = first;
    u64 cells = 0;
    *words = 0;
    while (end < batch->count) {
        struct limit_task *const task = &batch->tasks[end];
        if (end > first && (*words + task->align.second_count > MOST_ROW_WORDS || cells + cells_of(task) > MOST_CELLS))
            break;
        task->align.row = (u32)*words;
        *words += task->align.second_count;
        cells += cells_of(task);
        end++;
    }
    return end;
}

/* Data of one engine call in addition to the batch. */
struct call {
    struct ws_align_task *tasks;
    u32 *rows, *scores;
};

static enum ws_status call_engine(const struct limit_batch *batch, const struct call *call, size_t first, size_t end, u64 words,
                                  limit_take *take, struct ws_error *error)
{
    const struct limit_code *const code = batch->aligner->code;
    for (size_t n = first; n < end; n++)
        call->tasks[n - first] = batch->tasks[n].align;
    const struct ws_align_batch align = {.tasks = call->tasks,
                                         .count = end - first,
                                         .tokens = batch->tokens,
                                         .token_words = batch->token_count,
                                         .weights = code->weights,
                                         .weight_words = code->count,
                                         .rows = call->rows,
                                         .row_words = words,
                                         .scores = call->scores};
    WS_TRY(ws_engine_align(batch->aligner->engine, &align, error));
    for (size_t n = first; n < end; n++)
        take(batch->tasks[n].owner, call->rows + batch->tasks[n].align.row, call->scores[n - first]);
    return WS_STATUS_ok;
}

static enum ws_status run_some(const struct limit_batch *batch, size_t first, size_t end, u64 words, limit_take *take,
                               struct ws_error *error)
{
    const struct call call = {.tasks = calloc(end - first, sizeof *call.tasks),
                              .rows = calloc((size_t)words, sizeof(u32)),
                              .scores = calloc(end - first, sizeof(u32))};
    enum ws_status status;
    if (call.tasks && call.rows && call.scores)
        status = call_engine(batch, &call, first, end, words, take, error);
    else
        status = ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu alignments", end - first);
    free(call.tasks);
    free(call.rows);
    free(call.scores);
    return status;
}

/* Counts the cells of the batch before it runs. */
static enum ws_status account(const struct limit_batch *batch, struct ws_error *error)
{
    struct limit_aligner *const aligner = batch->aligner;
    aligner->alignments += batch->count;
    for (size_t n = 0; n < batch->count; n++)
        aligner->cells += cells_of(&batch->tasks[n]);
    if (aligner->cells <= aligner->options->most_cells)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_failed,
                   "aligning these threads takes at least %" PRIu64 " cells, at most %" PRIu64
                   " are allowed; fewer threads or a smaller input take fewer",
                   aligner->cells, aligner->options->most_cells);
}

enum ws_status limit_batch_run(struct limit_batch *batch, limit_take *take, struct ws_error *error)
{
    const struct ws_limit_options *const options = batch->aligner->options;
    if (batch->failed || !reserve(batch, WS_ALIGN_PADDING))
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu alignments", batch->count);
    pad(batch);
    WS_TRY(account(batch, error));
    u64 words;
    for (size_t first = 0, end; first < batch->count; first = end) {
        if (options->go_on && !options->go_on(options->context))
            return ws_fail(error, WS_STATUS_interrupted, "stopped while aligning");
        end = take_some(batch, first, &words);
        WS_TRY(run_some(batch, first, end, words, take, error));
    }
    return WS_STATUS_ok;
}
