/* Results that follow from other results (shared/parameters.def, limits and planned numbers), on random machines and programs: if
 * the rule says that another limit gives the same result, the other machine is simulated, too. */
#include <stdio.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 600, MOST_PARAMETERS = 256 };

/* Outcomes of a parameter's changes over all cases. */
struct tally {
    u32 followed; /* and were the same */
    u32 refused;  /* did not follow */
    u32 needed;   /* of these, not equal */
    u32 wrong;
};
static struct tally tallies[MOST_PARAMETERS];

static enum ws_status run(struct ws_engine *engine, const struct ws_job_spec *job, struct ws_job_result *result)
{
    EXPECT_OK(ws_engine_run(engine, job, 1, result, NULL, &error));
    ws_job_result_free(result);
    return result->status;
}

/* Another legal value of parameter n: for a limit a larger one, sometimes none; for a planned number any. */
static bool change(struct random *random, const struct ws_parameter *row, size_t n, struct ws_machine *machine)
{
    u32 *const value = &((u32 *)machine)[n];
    const u32 old = *value;
    for (u32 tries = 0; tries < 20; tries++) {
        const u32 near = old + random_from(random, 1, 4), twice = 2 * old, far = random_from(random, row->least, row->most);
        const u32 next = random_chance(random, 20)   ? row->least
                         : random_chance(random, 40) ? near
                         : random_chance(random, 50) ? twice
                                                     : far;
        if (next == old || next < row->least || next > row->most)
            continue;
        if (row->kind == WS_PARAMETER_limit && ws_limit_compare(row, old, next) > 0)
            continue;
        *value = next;
        if (ws_machine_check(machine, NULL) == WS_STATUS_ok)
            return true;
        *value = old;
    }
    return false;
}

static void judge_change(struct ws_engine *engine, const struct random_case *random_case, const struct ws_job_result *before,
                         size_t n, const struct ws_machine *changed)
{
    const struct ws_job_spec from = {.machine = &random_case->machine, .image = random_case->image};
    const struct ws_job_spec to = {.machine = changed, .image = random_case->image};
    struct ws_job_result after;
    const bool follows = ws_job_follows(&from, before->counters, &to);
    const bool same =
        run(engine, &to, &after) == WS_STATUS_ok && memcmp(before->counters, after.counters, sizeof after.counters) == 0;
    size_t count;
    tallies[n].followed += follows && same;
    tallies[n].refused += !follows;
    tallies[n].needed += !follows && !same;
    tallies[n].wrong += follows && !same;
    if (follows && !same && tallies[n].wrong == 1)
        fprintf(stderr, "  seed %llu: %s from %u to %u gives other counters\n", (unsigned long long)random_case->seed,
                ws_parameters(&count)[n].key, ((const u32 *)&random_case->machine)[n], ((const u32 *)changed)[n]);
}

/* Changes each parameter alone, then all together. */
static void judge_case(struct ws_engine *engine, const struct random_case *random_case)
{
    const struct ws_job_spec job = {.machine = &random_case->machine, .image = random_case->image};
    struct random random = {random_case->seed};
    struct ws_machine all = random_case->machine;
    struct ws_job_result before;
    size_t count, last = 0;
    const struct ws_parameter *const rows = ws_parameters(&count);
    if (ws_machine_has_dueling(job.machine) || run(engine, &job, &before) != WS_STATUS_ok)
        return;
    for (size_t n = 0; n < count; n++) {
        struct ws_machine changed = random_case->machine;
        if (rows[n].kind == WS_PARAMETER_plain || !change(&random, &rows[n], n, &changed))
            continue;
        judge_change(engine, random_case, &before, n, &changed);
        const u32 value = ((const u32 *)&all)[n];
        ((u32 *)&all)[n] = ((const u32 *)&changed)[n];
        if (!ws_job_follows(&job, before.counters, &(struct ws_job_spec){.machine = &all, .image = job.image}))
            ((u32 *)&all)[n] = value;
        else
            last = n;
    }
    judge_change(engine, random_case, &before, last, &all);
}

TEST(what_follows_is_the_same)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    struct ws_engine *const engine =
        engine_or_fail(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .threads = 1});
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    u32 wrong = 0;
    assert_true(count <= MOST_PARAMETERS);
    for (u32 n = 0; n < cases.count; n++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + n, &cases.size);
        judge_case(engine, &random_case);
        random_case_free(&random_case);
    }
    ws_engine_close(engine);
    for (size_t n = 0; n < count; n++)
        if (rows[n].kind != WS_PARAMETER_plain) {
            fprintf(stderr, "  %-24s followed %5u, refused %5u (needed %5u), wrong %u\n", rows[n].key, tallies[n].followed,
                    tallies[n].refused, tallies[n].needed, tallies[n].wrong);
            wrong += tallies[n].wrong;
        }
    assert_int_equal(wrong, 0);
    if (cases.count < CASES)
        return; /* too few for each parameter */
    for (size_t n = 0; n < count; n++)
        if (rows[n].kind != WS_PARAMETER_plain && (tallies[n].followed == 0 || (tallies[n].refused > 0 && tallies[n].needed == 0)))
            fail_msg("%s: no case shows that a change follows, or none that one may not", rows[n].key);
}
