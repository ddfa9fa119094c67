#include <stdio.h>
#include <stdlib.h>

#include "differential/judge/judge.h"

struct judged_cases judged_cases(u64 first, u32 count, const struct case_size *standard)
{
    struct judged_cases cases = {.first = first, .count = count, .size = *standard};
    const char *seed = getenv("WS_SEED"), *many = getenv("WS_CASES"), *most = getenv("WS_MOST_CASES"),
               *size = getenv("WS_CASE_SIZE");
    if (many)
        cases.count = (u32)strtoul(many, NULL, 0);
    if (most && strtoul(most, NULL, 0) < cases.count)
        cases.count = (u32)strtoul(most, NULL, 0);
    if (seed) {
        cases.first = strtoull(seed, NULL, 0);
        cases.count = many ? cases.count : 1;
    }
    if (size)
        sscanf(size, "%u,%u,%u,%u", &cases.size.blocks, &cases.size.block_threads, &cases.size.statements,
               &cases.size.thread_instructions);
    fprintf(stderr, "cases of seeds %llu to %llu\n", (unsigned long long)cases.first,
            (unsigned long long)cases.first + cases.count - 1);
    return cases;
}

bool counters_specified(enum ws_status status)
{
    return status == WS_STATUS_ok || status == WS_STATUS_deadlock;
}
