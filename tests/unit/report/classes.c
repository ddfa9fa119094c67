/* Kinds of figures over classes of applications, populations, gangs and areas, from made-up runs: their numbers, tables, pictures
 * and targets. */
#include <math.h>
#include <string.h>

#include "report/classes.h"
#include "report/storage.h"
#include "report/totals.h"
#include "shared/results/events.h"
#include "test.h"
#include "unit/report/made.h"

#define PAPER "rogers2015"

/* ---- Made-up runs ---- */

enum { WS32, WS4, GANGS, POINTS }; /* warp depths 7, 8, 9 */
enum { LIGHTING, PHYSICS, BLOCKS, SCATTER, NBODY, PLAIN, TRACES };

static char *const names[POINTS] = {(char[]){"WS32"}, (char[]){"WS4"}, (char[]){"I-VWS"}};

/* By the paper GamePhysics is divergent; here it is convergent. */
static const struct made {
    const char *trace;
    u64 cycles[POINTS], fetches[POINTS];
} made[TRACES] = {
    [LIGHTING] = {"lighting", {1000, 500, 625}, {500, 1000, 250}},
    [PHYSICS] = {"game_physics", {1000, 2000, 1000}, {500, 4000, 1000}},
    [BLOCKS] = {"radix_blocks", {400, 700, 400}, {100, 700, 100}},
    [SCATTER] = {"radix_scatter", {600, 1300, 600}, {400, 1300, 400}},
    [NBODY] = {"nbody", {1000, 1040, 1000}, {500, 2080, 500}}, /* 4 % are no change */
    [PLAIN] = {"plain", {1000, 400, 800}, {1, 1, 1}},
};

static void make(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    const u32 point = machine->core_depth - 7;
    u64 *const counters = result->counters;
    size_t row = 0;
    (void)shard;
    while (strncmp(made[row].trace, trace, strlen(made[row].trace)) != 0)
        row++;
    memset(counters, 0, sizeof result->counters);
    counters[WS_COUNT_cycles] = made[row].cycles[point];
    counters[WS_COUNT_thread_instructions] = 8000;
    counters[WS_COUNT_warp_instructions] = 600;
    counters[WS_COUNT_stall_idle] = 200;
    counters[WS_COUNT_issue_cycles] = 400;
    counters[WS_COUNT_gang_issues + 2] = 30;
    counters[WS_COUNT_gang_issues + 8] = 10;
    counters[WS_COUNT_fetches] = made[row].fetches[point];
    counters[WS_COUNT_l1_hits] = 80;
    counters[WS_COUNT_l1_store_hits] = 1000;
    counters[WS_COUNT_l1_misses] = 40;
    counters[WS_COUNT_l1_merges] = 20;
}

static struct ws_experiment *experiment(size_t traces)
{
    struct ws_experiment *const experiment = fake_experiment(POINTS, traces, 1);
    for (size_t n = 0; n < traces; n++)
        experiment->traces[n] = (char *)(uintptr_t)made[n].trace;
    for (size_t n = 0; n < POINTS; n++) {
        struct ws_point *const point = &experiment->points[n];
        point->machine.core_depth = (u32)(7 + n);
        point->machine.core_warp_size = n == WS32 ? 32 : 4;
        point->machine.core_warps = n == WS32 ? 32 : 256;
        point->machine.vws_l0 = n == GANGS ? 256 : 0;
        point->label = names[n];
        point->baseline = names[WS32];
    }
    return experiment;
}

static void show(enum ws_figure_kind kind, const struct ws_experiment *what)
{
    const struct ws_figure about = {.paper = PAPER, .kind = kind, .point = "WS4", .source = "Nobody, NOWHERE 2015, Figure 0"};
    fake_engine.alter = make;
    assert_int_equal(made_show(&about, what), WS_STATUS_ok);
}

/* ---- Classes ---- */

TEST_WITH(classes_are_the_papers_and_the_simulations, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_classes, experiment(PLAIN));
    assert_int_equal(ws_class_groups(PAPER, &measures), 6);
    assert_string_equal(ws_class_group_name(PAPER, &measures, 0), "divergent");
    assert_string_equal(ws_class_group_name(PAPER, &measures, 4), "convergent here");
    assert_int_equal(ws_class_named(PAPER, &measures, "insensitive"), 2);
    assert_int_equal(ws_class_named(PAPER, &measures, "convergent here"), SIZE_MAX);
    assert_true(ws_class_has(PAPER, &measures, 0, PHYSICS));
    assert_false(ws_class_has(PAPER, &measures, 3, PHYSICS));
    assert_true(ws_class_has(PAPER, &measures, 4, PHYSICS));
    assert_true(ws_class_has(PAPER, &measures, 4, BLOCKS));
    assert_true(ws_class_has(PAPER, &measures, 5, NBODY));
    assert_near(ws_class_mean(PAPER, &measures, 0, ws_application_performance, WS4), 2 / (0.5 + 2));
}

TEST_WITH(means_are_harmonic, fake_set_up, made_tear_down)
{
    static const struct ws_target target = {
        .paper = PAPER, .kind = WS_TARGET_class_gain, .point = "I-VWS", .versus = "WS32", .key = "divergent", .value = 35};
    static const struct ws_comparison comparison = {.target = &target};
    show(WS_FIGURE_classes, experiment(PLAIN));
    shown.comparisons = &comparison;
    shown.comparison_count = 1;
    assert_markdown(
        "| IPC over the baseline's (paper's) | Lighting | GamePhysics | RadixSort | N-body | divergent | convergent | insensitive "
        "| divergent here | convergent here | insensitive here |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        "| WS32 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 |\n"
        "| WS4 | 2.00 | 0.50 | 0.50 | 0.96 | 0.80 | 0.50 | 0.96 | 2.00 | 0.50 | 0.96 |\n"
        "| I-VWS | 1.60 | 1.00 | 1.00 | 1.00 | 1.23 (1.35) | 1.00 |");
    ASSERT_DRAWN("IPC over the baseline's", "RadixSort", "divergent here", "WS4", "paper");
    figure.kind = WS_FIGURE_class_means;
    assert_markdown("| IPC over the baseline's (paper's) | divergent | convergent | insensitive |");
    assert_markdown("| I-VWS | 1.23 (1.35) | 1.00 | 1.00 |");
    ASSERT_DRAWN("harmonic means", "insensitive here", "I-VWS", "paper");
}

TEST_WITH(one_without_a_class_makes_one_group, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_classes, experiment(TRACES));
    assert_int_equal(ws_class_groups(PAPER, &measures), 1);
    assert_markdown("| RadixSort | N-body | plain | harmonic mean |");
    assert_near(ws_class_mean(PAPER, &measures, 0, ws_application_performance, WS4), 5 / (0.5 + 2 + 2 + 1.04 + 0.4));
}

TEST_WITH(other_numbers_are_shown_by_class, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_sizes, experiment(PLAIN));
    measures.sums[WS4 * PLAIN + LIGHTING][WS_SUM_issue_cycles] = 500;
    assert_markdown("| WS4, lanes of an issuing cycle | 16.0 |");
    figure.kind = WS_FIGURE_locality;
    assert_markdown("| WS32, hits | 10.0 | 10.0 | 10.0 |");
    assert_markdown("| WS32, misses | 5.0 |");
    assert_markdown("| WS32, merges | 2.5 |");
    figure.kind = WS_FIGURE_fetches;
    assert_markdown("| fetches a cycle | Lighting |");
    assert_markdown("| WS4 | 2.00 | 2.00 | 1.00 | 2.00 | 2.00 | 1.00 | 2.00 |");
    ASSERT_DRAWN("Fetches a cycle", "N-body");
}

TEST_WITH(techniques_have_many_numbers, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_techniques, experiment(PLAIN));
    assert_markdown("| WS4, IPC over the baseline's | 0.80 | 0.50 |");
    assert_markdown("| WS32, warps or gangs of an issuing cycle | 0.83 |"); /* 600 - 30 - 7 x 10 of 600 */
    ASSERT_DRAWN("harmonic means", "WS4", "convergent");
}

/* ---- A population ---- */

TEST_WITH(a_population_is_in_the_order_of_a_point, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_population, experiment(TRACES));
    assert_markdown("| IPC over the baseline's | WS4 | I-VWS |\n|---|---:|---:|\n| radix_scatter | 0.46 | 1.00 |\n"
                    "| game_physics | 0.50 | 1.00 |\n| radix_blocks | 0.57 | 1.00 |\n| nbody | 0.96 | 1.00 |\n"
                    "| lighting | 2.00 | 1.60 |\n| plain | 2.50 | 1.25 |\n");
    ASSERT_DRAWN("IPC over the baseline's", "workloads and inputs", "I-VWS");
}

TEST_WITH(two_sizes_of_a_workload_keep_their_names, fake_set_up, made_tear_down)
{
    struct ws_experiment *const what = experiment(2);
    what->traces[0] = (char[]){"lighting:tiny"};
    what->traces[1] = (char[]){"lighting:small"};
    show(WS_FIGURE_population, what);
    assert_markdown("Ours: 2 workloads, in their sizes.");
    assert_markdown("| lighting:tiny | 2.00 | 1.60 |\n");
}

/* ---- Gangs ---- */

static void tell(const struct ws_engine_watch *watch, size_t job, u64 cycle, u32 kind, u32 warp, u32 members)
{
    const struct ws_timeline_event event = {.cycle = cycle, .kind = kind, .warp = warp, .place = members};
    watch->event(watch->context, job, &event);
}

/* Two warps in a gang up to cycle 600, one of them alone up to 1200. */
static void play(const struct ws_engine_watch *watch, size_t job)
{
    tell(watch, job, 0, WS_EVENT_gang, 0, 2);
    tell(watch, job, 0, WS_EVENT_gang, 1, 2);
    tell(watch, job, 300, WS_EVENT_issue, 7, 0);
    tell(watch, job, 600, WS_EVENT_warp_ends, 1, 0);
    tell(watch, job, 600, WS_EVENT_gang, 0, 1);
    tell(watch, job, 1200, WS_EVENT_warp_ends, 0, 0);
}

static void last_for_2000_cycles(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    (void)machine, (void)trace, (void)shard;
    result->counters[WS_COUNT_cycles] = 2000;
}

static bool go_on(void *context, const struct ws_sweep_progress *progress)
{
    (void)context, (void)progress;
    return true;
}

TEST_WITH(gangs_are_counted_over_time, fake_set_up, made_tear_down)
{
    const struct ws_figure about = {.paper = PAPER, .experiment = "rogers2015-fig18", .point = "I-VWS"};
    const struct ws_reproduce_options options = {WS_STRUCT(reproduce_options), .watch = {.progress = go_on},
                                                 .engine = {.engine = "native"}};
    struct ws_gangs gangs;
    struct ws_error trouble, error;
    show(WS_FIGURE_gang_sizes, experiment(2)); /* without runs: nothing to show */
    assert_markdown("| warps by members of their gangs | single | 2 | 3 | 4 | 5 | 6 | 7 | 8 |\n");
    fake_engine.events = play;
    fake_engine.alter = last_for_2000_cycles;
    assert_int_equal(ws_gangs_run(&about, &options, &gangs, &trouble, &error), WS_STATUS_ok);
    assert_int_equal(trouble.status, WS_STATUS_ok);
    assert_int_equal(gangs.count, 2);
    const struct ws_gang_run *const run = &gangs.run[1];
    assert_int_equal(run->bin_cycles, 8); /* 250 bins of 2000 cycles */
    assert_near(ws_gang_warps(run, 0, 75, 2), 2);
    assert_near(ws_gang_warps(run, 75, 150, 2), 0);
    assert_near(ws_gang_warps(run, 0, 150, 1), 0.5);
    assert_near(ws_gang_warps(run, 0, 250, 1), 0.3);
    assert_true(isnan(ws_gang_warps(run, 250, 251, 1)));
    measures.gangs = &gangs;
    assert_markdown("| lighting from 0 | 0.0 | 2.0 | 0.0 |");
    assert_markdown("| game_physics from 1000 | 1.0 | 0.0 |");
    ASSERT_DRAWN("lighting", "game_physics", "warps by members of their gang", "cycle");
    ws_gangs_free(&gangs);
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "lighting";
    assert_int_equal(ws_gangs_run(&about, &options, &gangs, &trouble, &error), WS_STATUS_ok);
    assert_non_null(strstr(trouble.message, "the gang study of lighting: "));
    assert_int_equal(gangs.run[0].bin_cycles, 0);
    assert_int_equal(gangs.run[1].cycles, 2000);
    ws_gangs_free(&gangs);
}

/* ---- Targets ---- */

TEST_WITH(targets_are_answered, fake_set_up, made_tear_down)
{
    static const struct made_target rows[] = {
        {WS_TARGET_class_gain, "I-VWS", "WS32", "divergent", 23.0769},
        {WS_TARGET_class_gain, "I-VWS", "WS4", "convergent", 100},
        {WS_TARGET_class_gain, "I-VWS", "WS4", "nobody's", (double)NAN},
        {WS_TARGET_class_gain, "I-VWS", "none", "divergent", (double)NAN},
        {WS_TARGET_class_loss, "WS4", "WS32", "convergent", 50},
        {WS_TARGET_class_kept, "WS4", "I-VWS", "convergent", 50},
        {WS_TARGET_class_more_fetches, "WS4", "WS32", "convergent", 100},
        {WS_TARGET_class_fewer_fetches, "I-VWS", "WS4", "divergent", 71.4286},
        /* Table 2: 1.723 mm2 on a core of 16, on each of 15, of 529 */
        {WS_TARGET_core_area, "I-VWS", "", "", 10.7687},
        {WS_TARGET_added_area, "I-VWS", "", "", 25.845},
        {WS_TARGET_area, "I-VWS", "", "", 4.8856},
        {WS_TARGET_area, "none", "", "", (double)NAN},
    };
    show(WS_FIGURE_classes, experiment(PLAIN));
    assert_targets(PAPER, rows, sizeof rows / sizeof *rows);
}

TEST_WITH(areas_are_those_of_the_paper, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_storage, experiment(PLAIN));
    figure.point = "I-VWS";
    assert_markdown(
        "| L0 instruction caches | 8 | 2048 | 16384 | 16384 | 0.052 | 0.052 |\n"
        "| decoded instruction buffers | 8 | 4096 | 32768 | 32768 | 0.103 | 0.103 |\n"
        "| gang table | 128 | 64 | 8192 | 8192 | 0.026 | 0.026 |\n| scoreboards | 8 | 1800 | 14400 | 14400 | 0.154 | 0.154 |\n");
    assert_markdown("| second port of the instruction cache, control |");
    ASSERT_DRAWN("gang table", "scoreboards");
    measures.dimensions[GANGS].warp_size = 8; /* four slices */
    measures.dimensions[GANGS].warps = 128;
    assert_near(ws_storage_core(PAPER, &measures.dimensions[GANGS]), 0.026 + 0.0515 + 0.026 + 0.077 + 0.108 + 0.64);
    assert_true(isnan(ws_storage_core("narasiman2011", &measures.dimensions[GANGS])));
    assert_true(isnan(ws_storage_core_percent("fung2007", &measures.dimensions[GANGS])));
}
