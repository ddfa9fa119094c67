/* Cycles simulated together against single cycles (kernels/skip/rounds.h), and pre-decoded traces against streams, on every counter
 * of real traces; a timeline forces single cycles. */
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "engine/variant.h"
#include "shared/variants.h"
#include "test.h"
#include "warpsweep/frontend.h"

enum { MOST_OVERRIDES = 4, MOST_MACHINES = 256 };

/* In addition to a machine of each variant. */
static const struct {
    const char *key, *value;
} machines[][MOST_OVERRIDES] = {
    {{"schedule.round_robin", "pointer"}, {"core.depth", "4"}},
    {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "2"}},
    {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "4"}, {"dram.row_hit", "50"}, {"dram.row_conflict", "150"}},
    {{"schedule.policy", "two_level"}, {"schedule.fetch_group", "8"}, {"l1.store", "back"}},
    {{"schedule.policy", "two_level"}, {"divergence.unit", "tbc"}, {"schedule.fetch_group", "4"}},
    {{"core.warp_size", "16"}, {"core.warps", "64"}},
    {{"core.warp_size", "16"}, {"core.warps", "64"}, {"divergence.unit", "tbc"}, {"schedule.policy", "srr"}},
    {{"core.warp_size", "8"}, {"core.warps", "128"}},
    {{"core.warp_size", "8"}, {"core.warps", "128"}, {"schedule.round_robin", "pointer"}, {"core.depth", "40"}},
    {{"core.warp_size", "4"}, {"core.warps", "256"}, {"schedule.policy", "two_level"}, {"schedule.fetch_group", "64"}},
};

enum { MACHINES = sizeof machines / sizeof *machines };

/* Compared results of each run. */
struct runs {
    struct ws_machine machine[MOST_MACHINES];
    struct ws_job_spec jobs[MOST_MACHINES];
    struct ws_job_result together[MOST_MACHINES], one_by_one[MOST_MACHINES], replayed[MOST_MACHINES];
    size_t count;
};

static void set(struct ws_machine *machine, const char *key, const char *value)
{
    EXPECT_OK(ws_machine_set(machine, key, value, &error));
}

/* Whether kernels/variant.h compiles rounds in. */
static bool has_rounds(const struct ws_tuple *variant)
{
    return variant->pipeline == WS_pipeline_barrel &&
           (variant->divergence == WS_divergence_pdom || variant->divergence == WS_divergence_tbc);
}

/* all: including the variants without rounds, where a timeline must change nothing either. */
static void make_machines(struct runs *runs, bool all)
{
    struct ws_machine_file file;
    size_t variants;
    ws_variants(&variants);
    EXPECT_OK(ws_machine_load("narasiman2011", &file, &error));
    assert_true(MACHINES + variants <= MOST_MACHINES);
    for (size_t n = 0; n < MACHINES + variants; n++)
        runs->machine[n] = file.machine;
    runs->count = MACHINES;
    for (size_t n = 0; n < MACHINES; n++)
        for (size_t i = 0; i < MOST_OVERRIDES && machines[n][i].key; i++)
            set(&runs->machine[n], machines[n][i].key, machines[n][i].value);
    for (u32 n = 0; n < variants; n++)
        if (all || has_rounds(&ws_tuples()[n]))
            ws_variant_choose(&runs->machine[runs->count++], n);
}

static void print_name(const struct ws_machine *machine)
{
    print_error("%s\n", ws_tuples()[ws_variant_of(machine)].name);
}

static struct ws_image *load_image(const char *workload, u32 spaces)
{
    struct ws_frontend_options options;
    struct ws_trace *trace;
    struct ws_image *image;
    char *path;
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_trace_locate(workload, WS_SIZE_TINY, 0, &options, &path, &error));
    EXPECT_OK(ws_trace_open(path, &trace, &error));
    EXPECT_OK(ws_image_load(trace, 0, 1, spaces, &image, &error));
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

static void run(const struct runs *runs, enum ws_predecode_use lowering, const struct ws_engine_watch *watch,
                struct ws_job_result *results)
{
    struct ws_engine *const engine =
        engine_or_fail(&(struct ws_engine_options){WS_STRUCT(engine_options), .engine = "native", .predecoding = lowering});
    EXPECT_OK(ws_engine_run(engine, runs->jobs, runs->count, results, watch, &error));
    ws_engine_close(engine);
}

static void rounds_change_nothing(void **state)
{
    static struct runs runs;
    const char *const workload = *state;
    struct ws_image *images[WS_PIPELINES] = {NULL};
    make_machines(&runs, strcmp(workload, ws_workloads()->name) == 0);
    for (size_t n = 0; n < runs.count; n++) {
        struct ws_image **const image = &images[runs.machine[n].core_pipeline];
        if (!*image)
            *image = load_image(workload, ws_machine_spaces(&runs.machine[n]));
        runs.jobs[n] = (struct ws_job_spec){.machine = &runs.machine[n], .image = *image};
    }
    run(&runs, WS_PREDECODE_NEVER, NULL, runs.together);
    run(&runs, WS_PREDECODE_NEVER, &(struct ws_engine_watch){WS_STRUCT(engine_watch), .event = forget}, runs.one_by_one);
    run(&runs, WS_PREDECODE_SHARED, NULL, runs.replayed);
    for (size_t n = 0; n < runs.count; n++) {
        assert_int_equal(runs.together[n].status, WS_STATUS_ok);
        if (memcmp(runs.together[n].counters, runs.one_by_one[n].counters, sizeof runs.together[n].counters) != 0) {
            print_name(&runs.machine[n]);
            fail_msg("%s on machine %zu: rounds change its counters", workload, n);
        }
        if (memcmp(runs.together[n].counters, runs.replayed[n].counters, sizeof runs.together[n].counters) != 0) {
            print_name(&runs.machine[n]);
            fail_msg("%s on machine %zu: a pre-decoded trace changes its counters", workload, n);
        }
        ws_job_result_free(&runs.replayed[n]);
        ws_job_result_free(&runs.together[n]);
        ws_job_result_free(&runs.one_by_one[n]);
    }
    for (size_t n = 0; n < WS_PIPELINES; n++)
        ws_image_free(images[n]);
}

int main(void)
{
    for (const struct ws_workload *w = ws_workloads(); w->name; w++)
        test_add((struct CMUnitTest){w->name, rounds_change_nothing, NULL, NULL, (void *)(uintptr_t)w->name});
    return test_run(NULL, NULL);
}
