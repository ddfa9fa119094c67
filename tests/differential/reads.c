/* Parameters that a simulation reads (host/config/reads.def), on random machines and programs: values of parameters that are not
 * read do not change counters, and each that is read changes them in some case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "test.h"
#include "warpsweep/machine.h"

enum { FIRST_SEED = 1, CASES = 1000, RARE = 400, TRIES = 4, SHARDS = 3, MOST_PARAMETERS = 256 };

#define PLACE(field) (offsetof(struct ws_machine, field) / sizeof(u32))

/* Rows of a parameter alone, and the deciding one. */
static const struct row {
    size_t parameter, decides;
} read_rows[] = {
#define READ(group, name, decides, condition) {PLACE(group##_##name), PLACE(decides)},
#define READ_GROUP(group, decides, condition)
#include "config/reads.def"
#undef READ
#undef READ_GROUP
};

/* By parameter: some case has shown that it is read; cases in which it was not, by the deciding parameter. */
static bool seen[MOST_PARAMETERS] = {[PLACE(core_launch)] = true}; /* metrics read it */
static u32 unread[MOST_PARAMETERS][MOST_PARAMETERS];

struct outcome {
    enum ws_status status[SHARDS];
    u64 counters[SHARDS][WS_COUNTERS];
};

/* For a machine with SM dueling: leaders and a following shard. False if the machine cannot hold a block. */
static bool run(struct ws_engine *engine, const struct ws_machine *machine, const struct ws_image *image, struct outcome *outcome)
{
    struct ws_job_spec jobs[SHARDS];
    struct ws_job_result results[SHARDS];
    struct ws_error error;
    struct ws_dueling *const dueling = ws_machine_has_dueling(machine) ? ws_dueling_new() : NULL;
    const u32 shards = dueling ? SHARDS : 1, leaders = dueling ? WS_DUELING_LEADERS : 1;
    memset(outcome, 0, sizeof *outcome);
    for (u32 shard = 0; shard < shards; shard++)
        jobs[shard] = (struct ws_job_spec){.machine = machine, .image = image, .shard = shard, .dueling = dueling};
    const bool fits = ws_machine_check(machine, NULL) == WS_STATUS_ok && ws_job_check(jobs, NULL) == WS_STATUS_ok;
    if (fits && (ws_engine_run(engine, jobs, leaders, results, NULL, &error) != WS_STATUS_ok ||
                 ws_engine_run(engine, jobs + leaders, shards - leaders, results + leaders, NULL, &error) != WS_STATUS_ok))
        fail_msg("%s", error.message);
    for (u32 shard = 0; fits && shard < shards; shard++) {
        outcome->status[shard] = results[shard].status;
        memcpy(outcome->counters[shard], results[shard].counters, sizeof results[shard].counters);
        ws_job_result_free(&results[shard]);
    }
    if (dueling)
        ws_dueling_free(dueling);
    return fits;
}

static u32 *value_of(struct ws_machine *machine, size_t n)
{
    return (u32 *)machine + n;
}

/* Fails unless the unread parameters of the machine may have any values; `only` one of them, `count` for all. */
static bool judge_unread(struct ws_engine *engine, const struct random_case *random_case, const struct outcome *before, size_t only)
{
    struct random random = {mix(random_case->seed)};
    struct ws_machine changed = random_case->machine;
    struct outcome after;
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        const u32 value = random_value(&random, &rows[n]);
        if (ws_machine_unread(&random_case->machine, n) < count && (only == count || only == n))
            *value_of(&changed, n) = value;
    }
    return run(engine, &changed, random_case->image, &after) && memcmp(before, &after, sizeof after) == 0;
}

static void judge_read(struct ws_engine *engine, const struct random_case *random_case, const struct outcome *before, size_t n)
{
    struct random random = {mix(random_case->seed + n)};
    struct outcome after;
    size_t count;
    const struct ws_parameter *const row = &ws_parameters(&count)[n];
    for (u32 tries = 0; tries < TRIES && !seen[n]; tries++) {
        struct ws_machine changed = random_case->machine;
        *value_of(&changed, n) = random_value(&random, row);
        seen[n] = run(engine, &changed, random_case->image, &after) && memcmp(before, &after, sizeof after) != 0;
    }
}

static void judge_case(struct ws_engine *engine, const struct random_case *random_case)
{
    struct outcome before;
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    if (!run(engine, &random_case->machine, random_case->image, &before))
        fail_msg("seed %llu: the machine cannot hold a block", (unsigned long long)random_case->seed);
    const bool same = judge_unread(engine, random_case, &before, count);
    for (size_t n = 0; n < count; n++) {
        const size_t decides = ws_machine_unread(&random_case->machine, n);
        const bool reads = decides == count;
        if (!reads)
            unread[n][decides]++;
        if (!same && !reads && !judge_unread(engine, random_case, &before, n)) {
            print_machine(&random_case->machine);
            fail_msg("seed %llu: %s is read", (unsigned long long)random_case->seed, rows[n].key);
        }
        if (reads)
            judge_read(engine, random_case, &before, n);
    }
    if (!same)
        fail_msg("seed %llu: parameters are read together that are not read alone", (unsigned long long)random_case->seed);
}

/* Parameters that rare cases read: slices that access different spaces in one cycle; a block with warps that have ended and warps
 * that wait at a barrier. */
static const struct {
    size_t parameter;
    struct wanted wanted;
} rare[] = {
    {PLACE(vws_memory), {.pipeline = WS_pipeline_scoreboard, .divergence = WS_divergence_vws, .policy = ANY_POLICY}},
    {PLACE(pro_states), {.pipeline = WS_pipeline_scoreboard, .divergence = WS_divergence_pdom, .policy = WS_policy_pro}},
};

static void judge_rare(struct ws_engine *engine, size_t n, const struct wanted *wanted)
{
    struct outcome before;
    size_t count;
    ws_parameters(&count);
    for (u64 seed = 1; seed <= RARE && !seen[n]; seed++) {
        struct random_case random_case;
        random_case_make_of(&random_case, seed, &whole_size, wanted);
        if (ws_machine_unread(&random_case.machine, n) == count && run(engine, &random_case.machine, random_case.image, &before))
            judge_read(engine, &random_case, &before, n);
        random_case_free(&random_case);
    }
}

TEST(what_is_not_read_changes_nothing)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    struct ws_engine *const engine = engine_or_fail(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native",
                                                                                .threads = 1, .specialize = WS_SPECIALIZE_NEVER});
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    u32 missing = 0;
    assert_true(count <= MOST_PARAMETERS);
    for (u32 n = 0; n < cases.count; n++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + n, &cases.size);
        judge_case(engine, &random_case);
        random_case_free(&random_case);
    }
    for (size_t n = 0; n < sizeof rare / sizeof *rare; n++)
        judge_rare(engine, rare[n].parameter, &rare[n].wanted);
    ws_engine_close(engine);
    for (size_t n = 0; n < count; n++) {
        if (!seen[n])
            fprintf(stderr, "  %s: no case shows that it is read\n", rows[n].key);
        missing += !seen[n];
    }
    for (const struct row *row = read_rows; row < read_rows + sizeof read_rows / sizeof *read_rows; row++) {
        if (unread[row->parameter][row->decides] == 0)
            fprintf(stderr, "  %s: in no case %s decides that it is not read\n", rows[row->parameter].key, rows[row->decides].key);
        missing += unread[row->parameter][row->decides] == 0;
    }
    if (cases.count >= CASES)
        assert_int_equal(missing, 0);
}
