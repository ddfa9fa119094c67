/* Alignments that an engine executes together. */
#pragma once

#include "limit/sequence.h"
#include "warpsweep/limit.h"

/* Position of a sequence's tokens in a batch. */
struct limit_place {
    u32 forward, backward, length; /* in order; in reverse order */
};

/* Data common to all alignments of a study. */
struct limit_aligner {
    struct ws_engine *engine;
    const struct limit_code *code;
    const struct ws_limit_options *options;
    u64 cells, alignments;
};

/* Tasks being collected, each with its owner. Starts as {.aligner = ...}. */
struct limit_batch {
    struct limit_aligner *aligner;
    u32 *tokens;
    u64 token_count, token_room;
    struct limit_task {
        struct ws_align_task align;
        void *owner;
    } * tasks;
    size_t count, room;
    bool failed; /* out of memory; nothing more is added */
};

void limit_batch_free(struct limit_batch *batch);

/* Adds the tokens of a sequence. */
struct limit_place limit_batch_place(struct limit_batch *batch, const struct limit_sequence *sequence);

/* Adds the task of aligning tokens first, first + 1, ... below first_end of one sequence with those of another, all in order or,
 * with backward, in reverse. */
struct limit_range {
    u32 first, first_end, second, second_end;
};
void limit_batch_add(struct limit_batch *batch, const struct limit_place *one, const struct limit_place *other,
                     const struct limit_range *range, bool backward, void *owner);

/* Executes all tasks in order; take receives the owner of each, its row and its score. WS_STATUS_failed if the study needs too many
 * cells. */
typedef void limit_take(void *owner, const u32 *row, u32 score);
enum ws_status limit_batch_run(struct limit_batch *batch, limit_take *take, struct ws_error *error);
