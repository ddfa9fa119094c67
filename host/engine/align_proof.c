#include "engine/align_proof.h"

#include "base/error.h"
#include "base/random.h"
#include "engine/native/align.h"

/* Lengths around that of a strip of lanes; all tasks take their tokens from the same words. */
enum { LONGEST = 100, TASKS = 6, TOKENS = 5, WORDS = LONGEST + 2 * WS_ALIGN_PADDING };

static const u32 lengths[TASKS][2] = {{1, 1}, {1, LONGEST}, {31, 33}, {32, 32}, {33, 31}, {LONGEST, LONGEST}};

struct proof {
    struct ws_align_task tasks[TASKS];
    u32 tokens[WORDS], weights[TOKENS], rows[TASKS * LONGEST], scores[TASKS];
};

static struct ws_align_batch make(struct proof *proof)
{
    u64 seed = 1;
    for (u32 n = 0; n < WORDS; n++)
        proof->tokens[n] = (u32)(ws_random(&seed) >> 32) % TOKENS;
    for (u32 n = 0; n < TOKENS; n++)
        proof->weights[n] = n + 1;
    for (u32 n = 0; n < TASKS; n++)
        proof->tasks[n] = (struct ws_align_task){.first = WS_ALIGN_PADDING,
                                                 .second = WS_ALIGN_PADDING,
                                                 .first_count = lengths[n][0],
                                                 .second_count = lengths[n][1],
                                                 .row = n * LONGEST};
    return (struct ws_align_batch){.tasks = proof->tasks,
                                   .count = TASKS,
                                   .tokens = proof->tokens,
                                   .token_words = WORDS,
                                   .weights = proof->weights,
                                   .weight_words = TOKENS,
                                   .rows = proof->rows,
                                   .row_words = TASKS * LONGEST,
                                   .scores = proof->scores};
}

static enum ws_status compare(const struct proof *found, const struct proof *expected, struct ws_error *error)
{
    for (u32 n = 0; n < TASKS; n++) {
        for (u32 column = 0; column < lengths[n][1]; column++) {
            const u32 word = n * LONGEST + column;
            if (found->rows[word] != expected->rows[word])
                return ws_fail(error, WS_STATUS_mismatch, "alignment %u: weight %u is %u, expected %u", n, column,
                               found->rows[word], expected->rows[word]);
        }
        if (found->scores[n] != expected->scores[n])
            return ws_fail(error, WS_STATUS_mismatch, "alignment %u: its score is %u, expected %u", n, found->scores[n],
                           expected->scores[n]);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_align_prove(enum ws_status (*align)(void *state, const struct ws_align_batch *batch, struct ws_error *error),
                              void *state, struct ws_error *error)
{
    struct proof found = {.scores = {0}}, expected = {.scores = {0}};
    const struct ws_align_batch batch = make(&found), host = make(&expected);
    WS_TRY(align(state, &batch, error));
    WS_TRY(ws_native_align_run(1, &host, error));
    return compare(&found, &expected, error);
}
