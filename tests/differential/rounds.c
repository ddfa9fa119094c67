/* Cycles done together against cycles one by one (kernels/rounds/barrel.h), on every counter of real traces: a timeline
 * asks for each cycle by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "differential/judge.h"
#include "warpsweep/frontend.h"

enum { MOST_OVERRIDES = 4, MOST_WORKLOADS = 256 };

static const struct {
    const char *key, *value;
} machines[][MOST_OVERRIDES] = {
    {{"schedule.policy", "rr"}},
    {{"schedule.round_robin", "pointer"}, {"core.depth", "4"}},
    {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "2"}},
    {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "4"}, {"dram.row_hit", "50"}, {"dram.row_conflict", "150"}},
    {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "8"}, {"l1.store", "back"}},
    {{"schedule.policy", "srr"}},
    {{"schedule.policy", "srr"}, {"divergence.unit", "tbc"}},
    {{"schedule.policy", "two_level"}, {"divergence.unit", "tbc"}, {"schedule.fetch_group", "4"}},
};

enum { MACHINES = sizeof machines / sizeof *machines };

/* What of each run is compared. */
struct runs {
    struct ws_machine machine[MACHINES];
    struct ws_job_spec jobs[MACHINES];
    struct ws_job_result together[MACHINES], one_by_one[MACHINES];
};

static void make_machine(size_t n, struct ws_machine *machine)
{
    struct ws_machine_file file;
    struct ws_error error;
    assert_int_equal(ws_machine_load("narasiman2011", &file, &error), WS_STATUS_ok);
    *machine = file.machine;
    for (size_t i = 0; i < MOST_OVERRIDES && machines[n][i].key; i++)
        if (ws_machine_set(machine, machines[n][i].key, machines[n][i].value, &error) != WS_STATUS_ok)
            fail_msg("%s", error.message);
}

static struct ws_image *load_image(const char *workload)
{
    struct ws_frontend_options options;
    struct ws_trace *trace;
    struct ws_image *image;
    struct ws_error error;
    char *path;
    ws_frontend_defaults(&options);
    if (ws_trace_locate(workload, WS_SIZE_SMALL, 0, &options, &path, &error) != WS_STATUS_ok ||
        ws_trace_open(path, &trace, &error) != WS_STATUS_ok ||
        ws_image_load(trace, 0, 1, WS_REPLAYED_SPACES, &image, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    ws_trace_close(trace);
    free(path);
    return image;
}

static void forget(void *context, size_t job, const struct ws_timeline_event *event)
{
    (void)context;
    (void)job;
    (void)event;
}

static void run(const struct runs *runs, const struct ws_engine_watch *watch, struct ws_job_result *results)
{
    struct ws_engine *const engine = engine_or_fail(&(struct ws_engine_options){.engine = "native"});
    struct ws_error error;
    if (ws_engine_run(engine, runs->jobs, MACHINES, results, watch, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    ws_engine_close(engine);
}

static void rounds_change_nothing(void **state)
{
    static struct runs runs;
    const char *const workload = *state;
    struct ws_image *const image = load_image(workload);
    for (size_t n = 0; n < MACHINES; n++) {
        make_machine(n, &runs.machine[n]);
        runs.jobs[n] = (struct ws_job_spec){.machine = &runs.machine[n], .image = image};
    }
    run(&runs, NULL, runs.together);
    run(&runs, &(struct ws_engine_watch){.event = forget}, runs.one_by_one);
    for (size_t n = 0; n < MACHINES; n++) {
        assert_int_equal(runs.together[n].status, WS_STATUS_ok);
        if (memcmp(runs.together[n].counters, runs.one_by_one[n].counters, sizeof runs.together[n].counters) != 0)
            fail_msg("%s on machine %zu, %s: rounds change its counters", workload, n, machines[n][0].value);
        ws_job_result_free(&runs.together[n]);
        ws_job_result_free(&runs.one_by_one[n]);
    }
    ws_image_free(image);
}

int main(void)
{
    struct CMUnitTest tests[MOST_WORKLOADS];
    size_t count = 0;
    for (const struct ws_workload *w = ws_workloads(); w->name && count < MOST_WORKLOADS; w++)
        tests[count++] = (struct CMUnitTest){w->name, rounds_change_nothing, NULL, NULL, (void *)(uintptr_t)w->name};
    return _cmocka_run_group_tests("rounds", tests, count, NULL, NULL);
}
