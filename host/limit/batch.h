/* Alignments that an engine does at once. */
#pragma once

#include "limit/sequence.h"
#include "warpsweep/limit.h"

/* Where the tokens of a sequence lie among those of a batch. */
struct limit_place {
    u32 forward, backward, length; /* in order; the last one first */
};

/* What all alignments of a study share. */
struct limit_aligner {
    struct ws_engine *engine;
    const struct limit_code *code;
    const struct ws_limit_options *options;
    u64 cells, alignments;
};

/* Tasks being collected, each with what is to become of it. Starts as {.aligner = ...}. */
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

/* Adds the task of aligning tokens first, first + 1, ... below first_end of one sequence with those of another, all of them in
 * order or, with backward, from the last to the first. */
struct limit_range {
    u32 first, first_end, second, second_end;
};
void limit_batch_add(struct limit_batch *batch, const struct limit_place *one, const struct limit_place *other,
                     const struct limit_range *range, bool backward, void *owner);

/* Does all tasks in their order; take is given the owner of each, its row and its score. WS_STATUS_failed when the study takes too
 * many cells. */
typedef void limit_take(void *owner, const u32 *row, u32 score);
enum ws_status limit_batch_run(struct limit_batch *batch, limit_take *take, struct ws_error *error);
