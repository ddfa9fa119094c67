/* A workload's trace and results do not depend on the lockstep width: compares everything that each thread did. If they do, through
 * atomics whose order gives threads their values, the race detector must have reported it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "unit/workloads/rows.h"

enum { SEED = 7, ALL_SPACES = (1u << WS_SPACES) - 2 };

/* Results of an executed workload. */
struct outcome {
    struct ws_image *image; /* the trace, with accesses to all memory */
    u64 launch_digest;
    u32 lockstep;
    u32 races, other_races; /* those of atomics, and others */
};

static void count_race(void *context, enum ws_race_kind kind, const char *text)
{
    struct outcome *const outcome = context;
    (void)text;
    outcome->races++;
    outcome->other_races += kind != WS_RACE_atomic;
}

static enum ws_status execute(const struct ws_workload *workload, enum ws_size size, u32 lockstep, struct outcome *outcome,
                              struct ws_error *error)
{
    char path[128];
    struct ws_frontend_options options;
    struct ws_trace *trace;
    ws_frontend_defaults(&options);
    options.lockstep = lockstep;
    options.race = count_race;
    options.context = outcome;
    snprintf(path, sizeof path, "lockstep-%s-%s-%u-%ld.wst", workload->name, ws_size_name(size), lockstep, (long)getpid());
    WS_TRY(ws_workload_trace(workload, size, SEED, &options, path, NULL, error));
    enum ws_status status = ws_trace_open(path, &trace, error);
    if (status == WS_STATUS_ok) {
        outcome->launch_digest = ws_trace_launch(trace)->digest;
        outcome->lockstep = ws_trace_launch(trace)->lockstep;
        status = ws_image_load(trace, 0, 1, ALL_SPACES, &outcome->image, error);
    }
    ws_trace_close(status == WS_STATUS_ok ? trace : NULL);
    unlink(path);
    return status;
}

static bool are_equal(const struct ws_image *one, const struct ws_image *other)
{
    const u64 groups = (u64)one->blocks * one->groups_per_block;
    return one->word_count == other->word_count && one->thread_instructions == other->thread_instructions &&
           memcmp(one->groups, other->groups, groups * sizeof *one->groups) == 0 &&
           memcmp(one->words, other->words, one->word_count * sizeof *one->words) == 0;
}

static enum ws_status compare(const struct ws_workload *workload, enum ws_size size, struct ws_error *error)
{
    static const u32 widths[] = {1, 32, 64};
    enum { WIDTHS = sizeof widths / sizeof widths[0] };
    struct outcome outcomes[WIDTHS] = {{0}};
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < WIDTHS && status == WS_STATUS_ok; n++) {
        status = execute(workload, size, widths[n], &outcomes[n], error);
        if (status == WS_STATUS_ok && outcomes[n].other_races > 0)
            status = ws_fail(error, WS_STATUS_failed, "races with lockstep %u", widths[n]);
        if (status == WS_STATUS_ok && outcomes[n].lockstep != widths[n])
            status = ws_fail(error, WS_STATUS_failed, "lockstep %u is recorded as %u", widths[n], outcomes[n].lockstep);
        if (status == WS_STATUS_ok && n > 0 && outcomes[n].launch_digest == outcomes[0].launch_digest)
            status = ws_fail(error, WS_STATUS_failed, "the launch's digest does not tell lockstep %u", widths[n]);
        if (status == WS_STATUS_ok && !are_equal(outcomes[0].image, outcomes[n].image)) {
            printf("%s: %s differs between lockstep 1 and %u\n", workload->name, ws_size_name(size), widths[n]);
            if (outcomes[n].races == 0)
                status =
                    ws_fail(error, WS_STATUS_failed, "size %s differs between lockstep 1 and %u", ws_size_name(size), widths[n]);
        }
    }
    for (u32 n = 0; n < WIDTHS; n++)
        ws_image_free(outcomes[n].image);
    return status;
}

static void test_lockstep(void **state)
{
    const struct ws_workload *workload = *state;
    struct ws_error error = {0};
    for (enum ws_size size = WS_SIZE_TINY; size <= WS_SIZE_SMALL; size++)
        if (compare(workload, size, &error) != WS_STATUS_ok)
            fail_msg("%s: %s", workload->name, error.message);
}

int main(void)
{
    static struct workload_rows rows;
    workload_rows_add(&rows, "lockstep", test_lockstep);
    return workload_rows_run(&rows, "workloads_lockstep");
}
