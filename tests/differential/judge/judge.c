#include "differential/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/allocate.h"
#include "test.h"

enum { BATCH = 256 };

struct ws_engine *engine_or_fail(const struct ws_engine_options *options)
{
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(options, &engine, &error));
    return engine;
}

static bool is_judged(const struct judged_cases *cases, const struct random_case *made)
{
    return !cases->judges || cases->judges(&made->machine);
}

/* Runs cases on the engine; agrees[i]: case i equals the oracle, or is not judged. */
static void judge_batch(struct ws_engine *engine, const struct judged_cases *cases, u64 first, u32 count, bool shown, bool *agrees)
{
    struct random_case *made = oracle_allocate(count, sizeof *made);
    struct ws_job_spec *jobs = oracle_allocate(count, sizeof *jobs);
    struct ws_job_result *results = oracle_allocate(count, sizeof *results);
    u32 judged = 0;
    for (u32 i = 0; i < count; i++) {
        random_case_make_of(&made[i], first + i, &cases->size, cases->wanted);
        if (is_judged(cases, &made[i]))
            jobs[judged++] = (struct ws_job_spec){.machine = &made[i].machine, .image = made[i].image};
    }
    EXPECT_OK(ws_engine_run(engine, jobs, judged, results, NULL, &error));
    judged = 0;
    for (u32 i = 0; i < count; i++) {
        struct verdict verdict;
        agrees[i] = true;
        if (is_judged(cases, &made[i])) {
            verdict_make(&made[i], &verdict);
            agrees[i] = verdict_agrees(&verdict, &results[judged], shown);
            verdict_free(&verdict);
            ws_job_result_free(&results[judged++]);
        }
        random_case_free(&made[i]);
    }
    free(made);
    free(jobs);
    free(results);
}

static bool differs(struct ws_engine *engine, const struct judged_cases *cases, u64 seed)
{
    bool agrees;
    judge_batch(engine, cases, seed, 1, false, &agrees);
    return !agrees;
}

static bool shrink_one(struct ws_engine *engine, struct judged_cases *cases, u64 seed, u32 *number)
{
    const u32 whole = *number;
    *number = whole * 2 / 3;
    if (*number > 0 && *number < whole && differs(engine, cases, seed))
        return true;
    *number = whole;
    return false;
}

/* Shrinks the program on the same machine until no smaller one differs. */
static void shrink(struct ws_engine *engine, struct judged_cases *cases, u64 seed)
{
    struct case_size *size = &cases->size;
    while (shrink_one(engine, cases, seed, &size->blocks) || shrink_one(engine, cases, seed, &size->statements) ||
           shrink_one(engine, cases, seed, &size->block_threads) || shrink_one(engine, cases, seed, &size->thread_instructions))
        ;
}

static void report(struct ws_engine *engine, const struct judged_cases *cases, u64 seed)
{
    struct judged_cases small = *cases;
    struct random_case shown;
    bool agrees;
    shrink(engine, &small, seed);
    random_case_make_of(&shown, seed, &small.size, small.wanted);
    fprintf(stderr, "  differs: WS_SEED=%llu WS_CASE_SIZE=%u,%u,%u,%u (%u blocks of %u threads, %u instructions)\n",
            (unsigned long long)seed, small.size.blocks, small.size.block_threads, small.size.statements,
            small.size.thread_instructions, shown.image->blocks, shown.image->block_threads, shown.image->instructions);
    print_machine(&shown.machine);
    random_case_free(&shown);
    judge_batch(engine, &small, seed, 1, true, &agrees);
}

u32 judge_engine(struct ws_engine *engine, const struct judged_cases *cases)
{
    bool agrees[BATCH];
    u32 different = 0;
    for (u32 done = 0; done < cases->count; done += BATCH) {
        const u32 count = cases->count - done < BATCH ? cases->count - done : BATCH;
        judge_batch(engine, cases, cases->first + done, count, false, agrees);
        for (u32 i = 0; i < count; i++) {
            if (agrees[i])
                continue;
            if (different == 0)
                report(engine, cases, cases->first + done + i);
            else
                fprintf(stderr, "  differs too: WS_SEED=%llu\n", (unsigned long long)cases->first + done + i);
            different++;
        }
    }
    return different;
}
