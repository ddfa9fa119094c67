/* An engine against the oracle, on random cases. */
#pragma once

#include "differential/judge/verdict.h"
#include "warpsweep/engine.h"

/* The cases to judge: `count` of that size from seed `first`, unless the environment changes it: WS_CASES: their number;
 * WS_MOST_CASES: their number, where it is larger; WS_SEED: the first (and, without WS_CASES, only) seed;
 * WS_CASE_SIZE=blocks,threads,statements,instructions: their size. */
struct judged_cases {
    u64 first;
    u32 count;
    struct case_size size;
    bool (*judges)(const struct ws_machine *machine); /* whether a case of the machine is judged; NULL: all are */
    const struct wanted *wanted;                      /* choices of all machines; NULL: any */
};
struct judged_cases judged_cases(u64 first, u32 count, const struct case_size *size);

/* Runs all cases on the engine in batches and returns the number that differ. The first differing case is shrunk while it still
 * differs, and printed with its seed, its machine and a command that reruns it. */
u32 judge_engine(struct ws_engine *engine, const struct judged_cases *cases);

/* Opens an engine or fails the test. */
struct ws_engine *engine_or_fail(const struct ws_engine_options *options);
