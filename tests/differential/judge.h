/* An engine against the oracle, on random cases. */
#ifndef WS_TESTS_JUDGE_H
#define WS_TESTS_JUDGE_H

#include "differential/random_case.h"
#include "warpsweep/engine.h"

/* Status, counters and times that a case must have. */
struct verdict {
    enum ws_status status;
    u64 counters[WS_COUNTERS];
    u64 *times;
    size_t time_count;
};
void verdict_make(const struct random_case *random_case, struct verdict *verdict);
void verdict_free(struct verdict *verdict);

/* Cycles that a kernel is given for the case: with more it has run away. */
u64 verdict_most_cycles(const struct verdict *verdict);

/* Whether docs/model.md says what the counters are of a job that ends so. */
bool counters_specified(enum ws_status status);

/* Whether a result is what the verdict says; where not and shown, prints what differs to standard error. */
bool verdict_agrees(const struct verdict *verdict, const struct ws_job_result *result, bool shown);

/* The cases to judge: `count` of that size from seed `first`, unless the environment says otherwise: WS_CASES so many, WS_SEED from
 * that one (and only that one without WS_CASES), WS_CASE_SIZE=blocks,threads,statements,instructions how large. */
struct judged_cases {
    u64 first;
    u32 count;
    struct case_size size;
};
struct judged_cases judged_cases(u64 first, u32 count, const struct case_size *size);

/* Runs all cases on the engine in batches and returns how many differ. The first that differs is made smaller as long as it
 * differs, and printed with its seed, its machine and what reruns it. */
u32 judge_engine(struct ws_engine *engine, const struct judged_cases *cases);

/* Opens an engine or fails the test. */
struct ws_engine *engine_or_fail(const struct ws_engine_options *options);

#endif
