/* An engine against the oracle, on random cases. */
#pragma once

#include "differential/judge/verdict.h"
#include "warpsweep/engine.h"

/* The cases to judge: `count` of that size from seed `first`, unless the environment says otherwise: WS_CASES so many, WS_SEED from
 * that one (and only that one without WS_CASES), WS_CASE_SIZE=blocks,threads,statements,instructions how large. */
struct judged_cases {
    u64 first;
    u32 count;
    struct case_size size;
    bool (*judges)(const struct ws_machine *machine); /* whether a case of the machine is judged; NULL: all are */
};
struct judged_cases judged_cases(u64 first, u32 count, const struct case_size *size);

/* Runs all cases on the engine in batches and returns how many differ. The first that differs is made smaller as long as it
 * differs, and printed with its seed, its machine and what reruns it. */
u32 judge_engine(struct ws_engine *engine, const struct judged_cases *cases);

/* Opens an engine or fails the test. */
struct ws_engine *engine_or_fail(const struct ws_engine_options *options);
