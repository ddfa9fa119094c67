/* The oracle alone on random cases: all invariants hold, a deadlock occurs only with an impatient watchdog, and each counter of a
 * pipeline occurs in some case. */
#include <stdio.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "oracle/oracle.h"
#include "shared/variants.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 1600, PATIENCE = 100000, OFTEN = 4 };

/* Cases of each pipeline with a nonzero counter. */
static u32 counted[WS_PIPELINES][WS_COUNTERS];

/* Name prefixes of counters that pipelines without buffers, the scoreboard, and sub-cores never count. */
static const char *const never[3][17] = {
    {"buffer_flushes", "ldst_refusals", "constant_", "texture_", "l2_", "network_flits", "gang_", "l0_", "issue_cycles",
     "control_stalls", "register_stalls", "reuse_hits", "stream_hits", "prefetches", "operand_misses"},
    {"dram_queue_full", "resumes", "empty_packs", "compactions", "warps_formed", "lane_conflicts", "lut_evictions",
     "majority_overflows", "gang_issues[0]", "gang_issues[1]", "control_stalls", "register_stalls", "reuse_hits", "stream_hits",
     "prefetches", "operand_misses"},
    {"dram_queue_full", "resumes", "empty_packs", "compactions", "warps_formed", "lane_conflicts", "lut_evictions",
     "majority_overflows", "gang_"},
};

/* Only with warp dispatch, or for instructions that random programs lack. */
static bool is_counted_elsewhere(const char *counter)
{
    return strcmp(counter, "unissued_warps") == 0 || strcmp(counter, "partial_blocks") == 0 ||
           strncmp(counter, "lane_operations", strlen("lane_operations")) == 0;
}

static bool is_never_counted(u32 pipeline, const char *counter)
{
    const char *const *const names = never[pipeline == WS_pipeline_subcore ? 2 : ws_pipeline_facts(pipeline).buffers];
    for (u32 i = 0; names[i]; i++)
        if (strncmp(counter, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A register marked by a load from below the first caches stays marked, and a warp that reads it is never promoted. */
static bool never_promotes(const struct ws_machine *machine)
{
    return machine->schedule_policy == WS_policy_two_level_active && machine->schedule_promotion == WS_promotion_going &&
           machine->schedule_long == WS_long_sticky;
}

/* Lines of the instruction cache may be replaced before their warp's turn, repeatedly. */
static bool may_thrash(const struct random_case *random_case)
{
    const struct ws_machine *machine = &random_case->machine;
    return machine->icache_size > 0 && random_case->image->instructions * machine->icache_instruction_bytes > machine->icache_size;
}

static bool may_end_so(const struct random_case *random_case, enum ws_status status)
{
    const bool starved = random_case->machine.core_watchdog < PATIENCE;
    return status == WS_STATUS_ok || status == WS_STATUS_stack_overflow ||
           (status == WS_STATUS_deadlock && (starved || never_promotes(&random_case->machine) || may_thrash(random_case)));
}

/* Threads may wait for ever for part of their block; without these barriers, removed here, the case must end. */
static bool waits_in_vain(struct random_case *random_case, enum ws_status status)
{
    struct ws_instruction *const program = random_case->build.program;
    u64 counters[WS_COUNTERS];
    if (status != WS_STATUS_deadlock || !has_named_barriers(random_case->image))
        return false;
    for (u32 pc = 0; pc < random_case->build.instructions; pc++)
        if (program[pc].flags & WS_NAMED)
            program[pc] = (struct ws_instruction){.class_ = WS_CLASS_int, .reconverge = WS_PC_NONE};
    image_free(random_case->image);
    random_case->image = image_build_finish(&random_case->build);
    return may_end_so(random_case, oracle_run(&random_case->machine, random_case->image, counters, NULL));
}

static enum ws_status judge(struct random_case *random_case)
{
    const u32 pipeline = random_case->machine.core_pipeline;
    struct verdict verdict;
    verdict_make(random_case, &verdict);
    const enum ws_status status = verdict.status;
    if (!may_end_so(random_case, status) && !waits_in_vain(random_case, status)) {
        print_machine(&random_case->machine);
        fail_msg("seed %llu: %s", (unsigned long long)random_case->seed, ws_status_name(status));
    }
    for (u32 i = 0; i < WS_COUNTERS; i++)
        counted[pipeline][i] += status == WS_STATUS_ok && verdict.counters[i] > 0;
    verdict_free(&verdict);
    return status;
}

/* Whether each counter of a pipeline occurs in enough cases; else the first that does not, or that is counted where it cannot be.
 */
static bool all_counted(u32 *pipeline, u32 *counter)
{
    for (*pipeline = 0; *pipeline < WS_PIPELINES; ++*pipeline)
        for (*counter = 0; *counter < WS_COUNTERS; ++*counter) {
            const u32 times = counted[*pipeline][*counter];
            if (is_counted_elsewhere(counter_name(*counter)))
                continue;
            if (is_never_counted(*pipeline, counter_name(*counter)) ? times > 0 : times < OFTEN)
                return false;
        }
    return true;
}

/* Rare counters get up to twice the cases. */
TEST(invariants_hold)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &whole_size);
    const bool counts = cases.count >= CASES;
    u32 ends[WS_PIPELINES][2] = {{0}}, pipeline, counter;
    for (u32 i = 0; i < cases.count || (counts && i < 2 * cases.count && !all_counted(&pipeline, &counter)); i++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + i, &cases.size);
        const enum ws_status status = judge(&random_case);
        ends[random_case.machine.core_pipeline][0] += status == WS_STATUS_deadlock;
        ends[random_case.machine.core_pipeline][1] += status == WS_STATUS_ok;
        random_case_free(&random_case);
    }
    for (pipeline = 0; pipeline < WS_PIPELINES; pipeline++)
        fprintf(stderr, "pipeline %u: deadlocks %u, done %u\n", pipeline, ends[pipeline][0], ends[pipeline][1]);
    if (counts && !all_counted(&pipeline, &counter))
        fail_msg("pipeline %u: %s is counted in %u cases", pipeline, counter_name(counter), counted[pipeline][counter]);
}
