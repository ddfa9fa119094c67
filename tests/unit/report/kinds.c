/* Kinds of figures that compare a point with several others, from made-up runs: their numbers, tables, pictures and targets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/applications.h"
#include "report/order.h"
#include "report/speedup.h"
#include "test.h"
#include "unit/report/made.h"

/* ---- Made-up runs ---- */

enum { LRR, TL, GTO, PRO, POINTS }; /* warp depths 7, 8, 9, 10 */

static char *const names[POINTS] = {(char[]){"LRR"}, (char[]){"TL"}, (char[]){"GTO"}, (char[]){"PRO"}};

static const struct made {
    const char *trace;
    u64 cycles[POINTS];
    u64 pipeline[POINTS], idle[POINTS], scoreboard[POINTS];
} made[] = {
    {"nn_layer1", {1200, 1300, 1000, 1000}, {20, 10, 10, 10}, {60, 40, 20, 20}, {30, 60, 30, 30}},
    {"aes_encrypt", {900, 1000, 1003, 1000}, {10, 20, 10, 10}, {30, 30, 30, 10}, {10, 10, 10, 20}},
    {"nn_layer2", {1250, 1000, 1000, 1000}, {20, 10, 10, 30}, {60, 40, 20, 20}, {30, 60, 30, 30}},
    {"plain", {2000, 1600, 1040, 1000}, {40, 40, 40, 40}, {0, 80, 80, 80}, {80, 160, 80, 80}},
};

enum { TRACES = sizeof made / sizeof *made };

/* The order of blocks that Table IV of Anantpur and Govindarajan prints. */
static const u32 table4[16][6] = {
    {0, 1, 2, 3, 4, 5}, {0, 4, 3, 1, 2, 5}, {0, 4, 3, 1, 2, 5}, {0, 4, 3, 1, 2, 5}, {0, 4, 3, 1, 2, 5}, {0, 1, 2, 3, 4, 5},
    {0, 1, 2, 3, 4, 5}, {0, 1, 2, 4, 3, 5}, {0, 1, 4, 5, 3, 2}, {0, 1, 4, 5, 2, 3}, {0, 1, 4, 5, 2, 3}, {0, 1, 4, 2, 3, 5},
    {0, 1, 4, 2, 3, 5}, {0, 1, 4, 2, 3, 5}, {0, 1, 4, 2, 3, 5}, {0, 1, 2, 4, 3, 5},
};

static void put_order(struct ws_job_result *result)
{
    free(result->order);
    result->order = calloc(17 * 6, sizeof *result->order);
    result->order_count = 0;
    for (u32 row = 0; row < 16; row++)
        for (u32 place = 0; place < 6; place++)
            result->order[result->order_count++] =
                (struct ws_block_place){.cycle = 1000 * (row + 1), .place = place, .block = table4[row][place]};
    for (u32 place = 0; place < 6; place++) /* later, with new blocks */
        result->order[result->order_count++] = (struct ws_block_place){.cycle = 17000, .place = place, .block = 11 - place};
}

static void make(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    const u32 point = machine->core_depth - 7;
    (void)shard;
    for (size_t n = 0; n < TRACES; n++) {
        if (strncmp(made[n].trace, trace, strlen(made[n].trace)) != 0)
            continue;
        result->counters[WS_COUNT_cycles] = made[n].cycles[point];
        result->counters[WS_COUNT_stall_pipeline] = made[n].pipeline[point];
        result->counters[WS_COUNT_stall_idle] = made[n].idle[point];
        result->counters[WS_COUNT_stall_scoreboard] = made[n].scoreboard[point];
    }
    if (trace[strlen(trace) - 1] == '2' && strchr(trace, '#')) /* the inputs of seed 2: LRR and PRO change places */
        result->counters[WS_COUNT_cycles] = made[0].cycles[point == LRR ? PRO : point == PRO ? LRR : point];
    if (result->order)
        put_order(result);
}

static struct ws_experiment *experiment(size_t variations)
{
    static char seed[] = "seed=2", label[16][40], variation[3][4] = {"v0", "v1", "v2"};
    struct ws_experiment *const experiment = fake_experiment(variations * POINTS, TRACES, 1);
    for (size_t n = 0; n < TRACES; n++)
        experiment->traces[n] = (char *)(uintptr_t)made[n].trace;
    for (size_t n = 0; n < variations * POINTS; n++) {
        struct ws_point *const point = &experiment->points[n];
        point->machine.core_depth = (u32)(7 + n % POINTS);
        snprintf(label[n], sizeof label[n], "v%zu: %s", n / POINTS, names[n % POINTS]);
        point->label = variations > 1 ? label[n] : names[n];
        point->baseline = variations > 1 ? label[n - n % POINTS] : names[LRR];
        if (variations > 1)
            point->variation = variation[n / POINTS];
    }
    for (size_t n = POINTS; n < 2 * POINTS && variations > 1; n++) {
        experiment->points[n].frontend = seed;
        experiment->points[n].frontend_overrides = (struct ws_frontend_overrides){.sets_seed = true, .seed = 2};
    }
    return experiment;
}

static void show(enum ws_figure_kind kind, const struct ws_experiment *what)
{
    const struct ws_figure about = {
        .paper = "anantpur2015", .kind = kind, .point = "PRO", .source = "Nobody, NOWHERE 2015, Figure 0"};
    fake_engine.alter = make;
    assert_int_equal(made_show(&about, what), WS_STATUS_ok);
}

/* ---- Numbers ---- */

TEST_WITH(speedups_are_ratios_of_cycles, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_speedups, experiment(1));
    assert_near(ws_speedup(&measures, PRO, LRR, 0), 1.2);
    assert_near(ws_speedup_mean(&measures, PRO, LRR), pow(1.2 * 0.9 * 1.25 * 2, 0.25));
    assert_int_equal(ws_speedups_above(&measures, PRO, LRR, 1.2), 2); /* not the one that is 1.2 */
    assert_int_equal(ws_speedups_below(&measures, PRO, LRR, 0.995), 1);
    assert_int_equal(ws_speedup_smallest(&measures, PRO, LRR, 0), 1);
    assert_int_equal(ws_speedup_smallest(&measures, PRO, LRR, 1), 0);
    assert_int_equal(ws_speedup_smallest(&measures, PRO, LRR, 4), measures.traces);
    assert_int_equal(ws_speedup_smallest(&measures, PRO, TL, 1), 2); /* of equals the first comes first */
    assert_int_equal(ws_speedup_largest(&measures, PRO, LRR), 3);
    assert_true(isnan(ws_speedup(&measures, PRO, measures.points, 0)));
    assert_true(isnan(ws_speedup_mean(&measures, measures.points, LRR)));
}

TEST_WITH(applications_sum_their_kernels, fake_set_up, made_tear_down)
{
    static const size_t first[] = {0, 1, 0, 3};
    const char *const paper = "anantpur2015";
    show(WS_FIGURE_stall_ratios, experiment(1));
    for (size_t n = 0; n < TRACES; n++) {
        assert_int_equal(ws_application(paper, &measures, n), first[n]);
        assert_int_equal(ws_application("another", &measures, n), n);
    }
    assert_string_equal(ws_application_name(paper, &measures, 2), "NN");
    assert_string_equal(ws_application_name(paper, &measures, 3), "plain");
    assert_near(ws_application_stalls(paper, &measures, 0, PRO, WS_STALL_pipeline), 40);
    assert_near(ws_application_stalls(paper, &measures, 0, PRO, WS_STALL_total), 140);
    assert_near(ws_application_ratio(paper, &measures, 0, PRO, LRR, WS_STALL_total), 220.0 / 140);
    assert_true(isnan(ws_application_ratio(paper, &measures, 3, PRO, LRR, WS_STALL_idle))); /* none at LRR */
    assert_near(ws_application_mean(paper, &measures, PRO, LRR, WS_STALL_idle), 3);
    assert_near(ws_application_mean(paper, &measures, PRO, LRR, WS_STALL_scoreboard), cbrt(0.5));
}

/* A kernel that fails at one point takes its whole application out, at every point. */
TEST_WITH(a_failed_kernel_leaves_no_application, fake_set_up, made_tear_down)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "nn_layer2";
    assert_int_equal(ws_sweep(experiment(1), &options, &summary, NULL), WS_STATUS_failed);
    struct ws_results *results;
    assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, NULL), WS_STATUS_ok);
    assert_int_equal(ws_measures_read(results, "made-up", &measures, NULL), WS_STATUS_ok);
    ws_results_close(results, NULL);
    assert_true(isnan(ws_application_stalls("anantpur2015", &measures, 0, PRO, WS_STALL_total)));
    assert_true(isfinite(ws_application_stalls("anantpur2015", &measures, 1, PRO, WS_STALL_total)));
    assert_true(isnan(ws_speedup(&measures, PRO, LRR, 2)));
    assert_true(isfinite(ws_speedup(&measures, PRO, LRR, 0)));
}

/* What Table III prints below its columns follows from them, and its totals from its kinds, but for ScalarProd's. */
TEST_WITH(table_3_is_copied_well, fake_set_up, made_tear_down)
{
    static const char *const versus[] = {"TL", "LRR", "GTO"};
    static const double means[][WS_STALLS] = {{0.70, 2.40, 1.58, 1.32}, {1.24, 3.21, 0.70, 1.19}, {1.00, 1.10, 1.10, 1.04}};
    static const struct {
        const char *name;
        double pro[3], ratio[3][WS_STALLS];
    } rows[] = {
#define STALL_COUNTS(paper, application, point, pipeline, idle, scoreboard) {application, {pipeline, idle, scoreboard}, {{0}}},
#include "report/stall_tables.def"
    };
    static const struct {
        const char *name, *versus;
        double stalls[WS_STALLS];
    } ratios[] = {
#define STALL_RATIOS(paper, application, versus, pipeline, idle, scoreboard, total)                                                \
    {application, versus, {pipeline, idle, scoreboard, total}},
#include "report/stall_tables.def"
    };
    assert_int_equal(sizeof rows / sizeof *rows, 15);
    assert_int_equal(sizeof ratios / sizeof *ratios, 45);
    for (size_t n = 0; n < 3; n++)
        for (size_t stall = 0; stall < WS_STALLS; stall++)
            assert_int_equal(lround(100 * ws_paper_mean("anantpur2015", versus[n], stall)), lround(100 * means[n][stall]));
    for (size_t n = 0; n < 45; n++) {
        double before = 0, after = 0;
        assert_string_equal(ratios[n].name, rows[n / 3].name);
        assert_string_equal(ratios[n].versus, versus[n % 3]);
        for (size_t stall = 0; stall < 3; stall++) {
            before += rows[n / 3].pro[stall] * ratios[n].stalls[stall];
            after += rows[n / 3].pro[stall];
        }
        if (strcmp(ratios[n].name, "ScalarProd") != 0)
            assert_true(fabs(before / after - ratios[n].stalls[WS_STALL_total]) < 0.011);
    }
}

TEST_WITH(paper_shares_follow_from_table_3, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_stalls, experiment(1));
    assert_near(ws_paper_share("anantpur2015", &measures, 1, "PRO", WS_STALL_idle), 100 * 83319.0 / (276470 + 83319 + 77275));
    assert_near(ws_paper_share("anantpur2015", &measures, 1, "LRR", WS_STALL_idle),
                100 * 3.04 * 83319 / (1.16 * 276470 + 3.04 * 83319 + 0.58 * 77275));
    assert_true(isnan(ws_paper_share("anantpur2015", &measures, 3, "LRR", WS_STALL_idle)));
    assert_true(isnan(ws_paper_share("anantpur2015", &measures, 1, "RR", WS_STALL_idle)));
}

/* ---- Tables and pictures ---- */

TEST_WITH(speedups_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_speedups, experiment(1));
    assert_markdown("| speedup of PRO over | LRR | TL | GTO |\n|---|---:|---:|---:|\n"
                    "| nn_layer1 | 1.200 | 1.300 | 1.000 |\n| aes_encrypt | 0.900 | 1.000 | 1.003 |\n"
                    "| nn_layer2 | 1.250 | 1.000 | 1.000 |\n| plain | 2.000 | 1.600 | 1.040 |\n"
                    "| geometric mean | 1.282 | 1.201 | 1.011 |\n| workloads above 1.2 | 2 | 2 | 0 |\n"
                    "| workloads below 1 | 1 | 0 | 0 |\n| fastest | plain | plain | plain |\n"
                    "| slowest | aes_encrypt | aes_encrypt | nn_layer1 |\n");
    ASSERT_DRAWN("Speedup of PRO over", "nn_layer1", "GEOMEAN", "LRR", "GTO");
}

TEST_WITH(stall_ratios_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_stall_ratios, experiment(1));
    assert_markdown(
        "| over PRO (paper's) | PRO pipeline, slots | PRO idle, slots | PRO scoreboard, slots | PRO total, slots | LRR pipeline | "
        "LRR idle | LRR scoreboard | LRR total | TL pipeline | TL idle | TL scoreboard | TL total | GTO pipeline | GTO idle | GTO "
        "scoreboard | GTO total |\n");
    assert_markdown("\n| NN | 40 | 40 | 60 | 140 | 1.00 (1.27) | 3.00 (1.10) | 1.00 (1.00) | 1.57 (1.00) | 0.50 (1.10) | ");
    assert_markdown("\n| plain | 40 | 80 | 80 | 200 | 1.00 | - | 1.00 | 0.60 | 1.00 | 1.00 | 2.00 | 1.40 | ");
    assert_markdown("\n| GEOMEAN |  |  |  |  | 1.00 (1.24) | 3.00 (3.21) | 0.79 (0.70) | 1.06 (1.19) | ");
    ASSERT_DRAWN("Lost issue slots of others over those of PRO", "AES", "NN", "plain", "GEOMEAN", "paper");
}

TEST_WITH(shares_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_stalls, experiment(1));
    assert_markdown("\n| NN | 18.2 | 54.5 | 27.3 | 9.1 | 36.4 | 54.5 | ");
    assert_markdown("\n| mean | 23.8 | 38.2 | 38.0 | ");
    assert_markdown("\n| mean, paper | 27.1 | 20.9 | 52.0 | ");
    ASSERT_DRAWN("Lost issue slots by kind, %", "LRR, TL, GTO, PRO", "scoreboard", "plain");
}

TEST_WITH(blocks_are_shown, fake_set_up, made_tear_down)
{
    struct ws_experiment *const timed = experiment(1);
    timed->times = true;
    show(WS_FIGURE_blocks, timed);
    assert_markdown("| block | LRR enters | ends | cycles | TL enters | ends | cycles | GTO enters | ends | cycles | PRO enters | "
                    "ends | cycles |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
                    "| 0 | 0 | 1809 | 1809 | 0 | 1909 | 1909 | 0 | 2009 | 2009 | 0 | 2109 | 2109 |\n"
                    "| 1 | 100 | 1810 | 1710 | 100 | 1910 | 1810 | 100 | 2010 | 1910 | 100 | 2110 | 2010 |\n");
    ASSERT_DRAWN("thread block, as it enters the SM", "LRR", "PRO");
}

TEST_WITH(without_times_there_are_no_blocks, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_blocks, experiment(1));
    assert_markdown("| block | LRR enters |");
    assert_int_equal(measures.spans, 0);
    assert_true(ws_order_changes(&measures, PRO, 16) == SIZE_MAX);
    ASSERT_DRAWN("no workloads", "No times of blocks");
}

TEST_WITH(the_order_is_shown, fake_set_up, made_tear_down)
{
    struct ws_experiment *const timed = experiment(1);
    timed->times = true;
    show(WS_FIGURE_order, timed);
    assert_int_equal(ws_order_changes(&measures, PRO, 1), 0);
    assert_int_equal(ws_order_changes(&measures, PRO, 2), 1);
    assert_int_equal(ws_order_changes(&measures, PRO, 16), 7);  /* as the paper counts */
    assert_int_equal(ws_order_changes(&measures, PRO, 100), 7); /* other blocks are no other order */
    assert_markdown("| cycle | 1 | 2 | 3 | 4 | 5 | 6 |\n|---|---:|---:|---:|---:|---:|---:|\n| 1000 | 0 | 1 | 2 | 3 | 4 | 5 |\n"
                    "| 2000 | 0 | 4 | 3 | 1 | 2 | 5 |\n");
    assert_markdown("| 16000 | 0 | 1 | 2 | 4 | 3 | 5 |\n| 17000 | 11 | 10 | 9 | 8 | 7 | 6 |\n");
    ASSERT_DRAWN("Place of each thread block by cycle");
}

TEST_WITH(signs_are_counted, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_signs, experiment(3));
    assert_markdown("| variations in which PRO is faster, equal, slower | LRR | TL | GTO |\n|---|---:|---:|---:|\n"
                    "| nn_layer1 | 2, 0, 1 | 3, 0, 0 | 0, 2, 1 |\n| aes_encrypt | 0, 0, 3 | 1, 2, 0 | 0, 2, 1 |\n"
                    "| nn_layer2 | 2, 0, 1 | 1, 2, 0 | 0, 2, 1 |\n| plain | 2, 0, 1 | 3, 0, 0 | 2, 0, 1 |\n"
                    "| GEOMEAN | 2, 0, 1 | 3, 0, 0 | 2, 0, 1 |\n");
    ASSERT_DRAWN("Variations in which PRO is faster", "LRR, TL, GTO", "slower", "GEOMEAN");
}

TEST_WITH(variations_may_have_sizes_of_their_own, fake_set_up, made_tear_down)
{
    static char small[] = "size=small", bundled[] = "bundled";
    struct ws_experiment *const mixed = experiment(2);
    mixed->traces[0] = bundled; /* only its inputs have sizes */
    for (size_t n = POINTS; n < 2 * POINTS; n++) {
        mixed->points[n].frontend = small;
        mixed->points[n].frontend_overrides = (struct ws_frontend_overrides){.sets_size = true, .size = WS_SIZE_SMALL};
    }
    show(WS_FIGURE_signs, mixed);
    assert_markdown("Ours: 4 workloads, sizes of the variations. Paper: no workloads.");
    ws_measures_free(&measures);
    show(WS_FIGURE_signs, experiment(2));
    assert_markdown("Ours: 4 workloads, size tiny. Paper: no workloads.");
}

TEST_WITH(variations_have_speedups, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_variations, experiment(3));
    assert_markdown("| geo. mean speedup over | LRR | TL | GTO |\n|---|---:|---:|---:|\n| v0 | 1.282 | 1.201 | 1.011 |\n"
                    "| v1 | 0.833 | 1.083 | 0.833 |\n| v2 | 1.282 | 1.201 | 1.011 |\n");
    ASSERT_DRAWN("Geometric-mean speedup of PRO over others", "v1", "GTO");
}

/* The same numbers stand in the table as text, below each other. */
TEST_WITH(tables_are_aligned, fake_set_up, made_tear_down)
{
    struct ws_text text = {0};
    show(WS_FIGURE_variations, experiment(3));
    ws_render_table(&text, &shown);
    assert_non_null(strstr(text.data, "geo. mean speedup over    LRR     TL    GTO\n"
                                      "v0                      1.282  1.201  1.011\n"
                                      "v1                      0.833  1.083  0.833\n"));
    ws_text_free(&text);
}

/* ---- Targets ---- */

TEST_WITH(targets_are_answered, fake_set_up, made_tear_down)
{
    static const struct made_target rows[] = {
        {WS_TARGET_speedup, "PRO", "LRR", "", 1.281861},
        {WS_TARGET_fastest, "PRO", "TL", "", 1.6},
        {WS_TARGET_slowest, "PRO", "LRR", "1", 10},
        {WS_TARGET_slowest, "PRO", "LRR", "2", -20},
        {WS_TARGET_kernels, "PRO", "LRR", "> 1.2", 2},
        {WS_TARGET_kernels, "PRO", "LRR", "< 1", 1},
        {WS_TARGET_workload, "PRO", "GTO", "plain", 4},
        {WS_TARGET_stalls, "LRR", "PRO", "idle", 3},
        {WS_TARGET_stalls, "LRR", "PRO", "total", 1.056286},
        {WS_TARGET_spread, "PRO", "", "", 11.444444},
        {WS_TARGET_changes, "PRO", "", "16", 7},
        {WS_TARGET_block, "PRO", "", "1", 2010},
        {WS_TARGET_speedup, "PRO", "none", "", (double)NAN},
        {WS_TARGET_fastest, "none", "LRR", "", (double)NAN},
        {WS_TARGET_slowest, "PRO", "LRR", "5", (double)NAN},
        {WS_TARGET_kernels, "PRO", "none", "> 1.2", (double)NAN},
        {WS_TARGET_workload, "PRO", "GTO", "none", (double)NAN},
        {WS_TARGET_stalls, "none", "LRR", "idle", (double)NAN},
        {WS_TARGET_changes, "none", "", "16", (double)NAN},
        {WS_TARGET_block, "PRO", "", "2", (double)NAN},
    };
    struct ws_experiment *const timed = experiment(1);
    timed->times = true;
    show(WS_FIGURE_speedups, timed);
    assert_targets("anantpur2015", rows, sizeof rows / sizeof *rows);
}
