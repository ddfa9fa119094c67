/* The oracle's results for random cases, cached in files. */
#pragma once

#include "differential/random/random_case.h"
#include "warpsweep/engine.h"

/* Expected status, counters and times of a case. */
struct verdict {
    enum ws_status status;
    u64 counters[WS_COUNTERS];   /* including those that no kernel counts yet */
    struct ws_block_time *times; /* of each block; behind them, in the same memory, of each warp, block by block */
    struct ws_warp_time *warps;
    size_t block_count, warp_count;
};

/* Reads the result from its file, or runs the oracle and writes the file. Its name is a digest of the machine, the image and the
 * oracle's object code: everything that determines the result. To be freed by verdict_free. */
void verdict_make(const struct random_case *random_case, struct verdict *verdict);
void verdict_free(struct verdict *verdict);

/* Limit of cycles for a kernel on the case; beyond it the kernel has run away. */
u64 verdict_most_cycles(const struct verdict *verdict);

/* Whether docs/model/ defines the counters of a job with this status. */
bool counters_specified(enum ws_status status);

/* Whether a result equals the expected one; prints differences to standard error if shown. */
bool verdict_agrees(const struct verdict *verdict, const struct ws_job_result *result, bool shown);
