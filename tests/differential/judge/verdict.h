/* What the oracle says of a random case, kept in files from run to run. */
#pragma once

#include "differential/random/random_case.h"
#include "warpsweep/engine.h"

/* Status, counters and times that a case must have. */
struct verdict {
    enum ws_status status;
    u64 counters[WS_COUNTERS];   /* with those that no kernel counts yet */
    struct ws_block_time *times; /* of each block; behind them, in the same memory, of each warp, block by block */
    struct ws_warp_time *warps;
    size_t block_count, warp_count;
};

/* Reads the verdict from its file, or asks the oracle and writes the file. Its name is a digest of the machine, of the image and of
 * the oracle's object code, so that nothing that a verdict follows from can change unseen. To be freed by verdict_free. */
void verdict_make(const struct random_case *random_case, struct verdict *verdict);
void verdict_free(struct verdict *verdict);

/* Cycles that a kernel is given for the case: with more it has run away. */
u64 verdict_most_cycles(const struct verdict *verdict);

/* Whether docs/model/ says what the counters are of a job that ends so. */
bool counters_specified(enum ws_status status);

/* Whether a result is what the verdict says; where not and shown, prints what differs to standard error. */
bool verdict_agrees(const struct verdict *verdict, const struct ws_job_result *result, bool shown);
