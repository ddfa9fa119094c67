/* Kinds of figures over applications, from made-up runs: their numbers, tables, pictures and targets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/totals.h"
#include "test.h"
#include "unit/report/made.h"

#define PAPER "xiang2014"

/* ---- Made-up runs ---- */

enum { BLOCK, WARP, POINTS }; /* warp depths 7, 8 */
enum { REDUCE, GRADIENT, STENCIL, STENCIL_32, PLAIN, TRACES };

static char *const names[POINTS] = {(char[]){"block"}, (char[]){"warp"}};

/* q of docs/model.md 14 is 65536 times a block's RTRU; 4096 x (16 - log2(q)) is its logarithm. */
enum { HALF = 32768, EIGHTH = 8192, LOG_HALF = 4096, LOG_EIGHTH = 3 * 4096 };

/* Counters are those of each of two shards; a shard has a block. */
static const struct made {
    const char *trace;
    u64 cycles[POINTS], rtru[2], rtru_log[2], row_hits[POINTS], row_conflicts, l1_hits, l1_misses;
    u32 threads, registers, shared_bytes;
} made[TRACES] = {
    [REDUCE] = {"srad_reduce", {1000, 800}, {0, HALF}, {0, LOG_HALF}, {30, 10}, 10, 50, 10, 512, 5, 4096},
    [GRADIENT] = {"srad_gradient", {500, 400}, {0, 0}, {0, 0}, {50, 10}, 10, 100, 40, 512, 5, 4096},
    [STENCIL] = {"stencil_columns", {2000, 1000}, {HALF, EIGHTH}, {LOG_HALF, LOG_EIGHTH}, {9, 9}, 3, 10, 30, 1024, 17, 0},
    [STENCIL_32] = {"stencil_columns_32", {1600, 2500}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 32, 17, 0},
    [PLAIN] = {"plain", {400, 500}, {EIGHTH, EIGHTH}, {LOG_EIGHTH, LOG_EIGHTH}, {0, 0}, 5, 0, 0, 500, 20, 20000},
};

static const struct made *find(const char *trace)
{
    size_t n = 0;
    while (strcmp(made[n].trace, trace) != 0)
        n++;
    return &made[n];
}

/* At the point by blocks the second of an SM's blocks enters when the first one ends; else they are as the fakes have them. */
static void put_times(u32 point, struct ws_job_result *result)
{
    if (point == BLOCK)
        result->times[1].entered = result->times[0].ended;
}

static void make(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    const u32 point = machine->core_depth - 7;
    const struct made *const row = find(trace);
    u64 *const counters = result->counters;
    memset(counters, 0, sizeof result->counters);
    counters[WS_COUNT_cycles] = row->cycles[point];
    counters[WS_COUNT_thread_instructions] = 4000;
    counters[WS_COUNT_warp_instructions] = 150;
    counters[WS_COUNT_stall_idle] = 50; /* 200 slots of 2 ports */
    counters[WS_COUNT_resident_warps] = point == BLOCK ? 1000 : 2000;
    counters[WS_COUNT_held_warps] = 2400;
    counters[WS_COUNT_unissued_warps] = point == BLOCK ? 0 : 50;
    counters[WS_COUNT_blocks_done] = 1;
    counters[WS_COUNT_rtru_sum] = row->rtru[shard];
    counters[WS_COUNT_rtru_log] = row->rtru_log[shard];
    counters[WS_COUNT_rtru_zeros] = row->rtru[shard] == 0;
    counters[WS_COUNT_row_hits] = row->row_hits[point];
    counters[WS_COUNT_row_conflicts] = row->row_conflicts;
    counters[WS_COUNT_l1_hits] = row->l1_hits;
    counters[WS_COUNT_l1_store_misses] = row->l1_misses;
    if (result->times)
        put_times(point, result);
}

static void launch(const char *trace, struct ws_launch *launch)
{
    const struct made *const row = find(trace);
    launch->block[0] = row->threads;
    launch->registers = 99;
    launch->given_registers = row->registers;
    launch->shared_bytes = row->shared_bytes;
}

static struct ws_experiment *experiment(size_t variations, u32 shards)
{
    static char label[2 * POINTS][20], variation[2][4] = {"v0", "v1"};
    struct ws_experiment *const experiment = fake_experiment(variations * POINTS, TRACES, shards);
    for (size_t n = 0; n < TRACES; n++)
        experiment->traces[n] = (char *)(uintptr_t)made[n].trace;
    for (size_t n = 0; n < variations * POINTS; n++) {
        struct ws_point *const point = &experiment->points[n];
        point->machine.core_depth = (u32)(7 + n % POINTS);
        point->machine.core_ports = 2;
        point->machine.core_warps = 48;
        point->machine.core_warp_size = 32;
        point->machine.core_blocks = 8;
        point->machine.core_registers = 32768;
        point->machine.core_shared_bytes = 49152;
        snprintf(label[n], sizeof label[n], "v%zu: %s", n / POINTS, names[n % POINTS]);
        point->label = variations > 1 ? label[n] : names[n];
        point->baseline = variations > 1 ? label[n - n % POINTS] : names[BLOCK];
        if (variations > 1)
            point->variation = variation[n / POINTS];
    }
    return experiment;
}

static void show(enum ws_figure_kind kind, const struct ws_experiment *what)
{
    const struct ws_figure about = {.paper = PAPER, .kind = kind, .point = "block", .source = "Nobody, NOWHERE 2014, Figure 0"};
    fake_engine.alter = make;
    fake_engine.launch = launch;
    made_show(&about, what);
}

/* What the paper says: beside ours in brackets. */
static void say(enum ws_target_kind kind, const char *point, const char *key, double value)
{
    static struct ws_target target;
    static struct ws_comparison comparison = {.target = &target};
    target = (struct ws_target){.paper = PAPER,
                                .where = "0",
                                .metric = "m",
                                .configuration = "c",
                                .versus = "v",
                                .unit = "u",
                                .kind = kind,
                                .point = point,
                                .key = key,
                                .value = value};
    shown.comparisons = &comparison;
    shown.comparison_count = 1;
}

/* ---- Applications ---- */

TEST_WITH(applications_have_names, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_improvements, experiment(1, 2));
    assert_int_equal(ws_applications(PAPER, &measures), 4);
    assert_int_equal(ws_application_at(PAPER, &measures, 0), REDUCE);
    assert_int_equal(ws_application_at(PAPER, &measures, 1), STENCIL);
    assert_int_equal(ws_application_at(PAPER, &measures, 4), TRACES);
    assert_int_equal(ws_application_named(PAPER, &measures, "ST"), STENCIL);
    assert_int_equal(ws_application_named(PAPER, &measures, "S"), TRACES);
    assert_int_equal(ws_application_paired(PAPER, &measures, STENCIL, "32"), STENCIL_32);
    assert_int_equal(ws_application_paired(PAPER, &measures, REDUCE, "32"), TRACES);
    assert_true(ws_application_among(PAPER, &measures, STENCIL, "SR ST"));
    assert_true(ws_application_among(PAPER, &measures, STENCIL, ""));
    assert_false(ws_application_among(PAPER, &measures, STENCIL, "SR ST32"));
}

TEST_WITH(improvements_are_those_of_whole_applications, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_improvements, experiment(1, 2));
    assert_near(ws_application_speedup(PAPER, &measures, REDUCE, WARP, BLOCK), 1.25);
    assert_near(ws_application_ipc(PAPER, &measures, REDUCE, BLOCK), 16000.0 / 1500);
    assert_true(isnan(ws_application_speedup(PAPER, &measures, REDUCE, WARP, POINTS)));
    say(WS_TARGET_improvement, "warp", "ST", 71.4);
    assert_markdown("| improvement, % (paper's) | SR | ST | ST32 | plain | geometric mean |\n|---|---:|---:|---:|---:|---:|\n"
                    "| warp | +25.0 | +100.0 (+71.4) | -36.0 | -20.0 | +6.4 |\n");
    ASSERT_DRAWN("Improvement over dispatch by blocks", "SR", "ST32", "GEOMEAN", "warp", "paper");
    say(WS_TARGET_improvement, "warp", "", 13.0);
    assert_markdown("| -20.0 | +6.4 (+13.0) |\n");
    say(WS_TARGET_improvement, "block", "", 13.0); /* of another point */
    assert_markdown("| -20.0 | +6.4 |\n");
}

/* Bars reach below 0 where there is a loss. */
TEST_WITH(pictures_show_losses, fake_set_up, made_tear_down)
{
    struct ws_text script = {0};
    show(WS_FIGURE_improvements, experiment(1, 2));
    ws_render_script(&script, &shown, fake_folder);
    assert_non_null(script.data);
    assert_non_null(strstr(script.data, "set yrange [-37.8:105]"));
    ws_text_free(&script);
}

TEST_WITH(a_failed_kernel_takes_its_application_out, fake_set_up, made_tear_down)
{
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "srad_gradient";
    show(WS_FIGURE_improvements, experiment(1, 2));
    assert_markdown("| warp | - | +100.0 | -36.0 | -20.0 | +0.8 |\n");
}

TEST_WITH(a_point_without_a_kernel_has_none_elsewhere, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_improvements, experiment(1, 2));
    measures.ipc[WARP * TRACES + GRADIENT] = (double)NAN; /* at one point */
    assert_true(isnan(ws_application_cycles(PAPER, &measures, REDUCE, BLOCK)));
    assert_true(isfinite(ws_application_cycles(PAPER, &measures, STENCIL, BLOCK)));
}

TEST_WITH(points_of_variations_keep_their_names, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_improvements, experiment(2, 2));
    assert_markdown("\n| v0: warp | +25.0 |");
    assert_markdown("\n| v1: warp | +25.0 |");
    ASSERT_DRAWN("v0: warp", "v1: warp");
    figure.kind = WS_FIGURE_improvement_variations;
    assert_markdown("| mean improvement, % | warp |\n|---|---:|\n| v0 | +6.4 |\n| v1 | +6.4 |\n");
    ASSERT_DRAWN("Geometric-mean improvement over the baseline", "v1", "warp");
}

/* ---- Blocks ---- */

TEST_WITH(work_in_smaller_blocks_stands_beside, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_rewritten, experiment(1, 2));
    assert_near(ws_application_rewritten(PAPER, &measures, STENCIL, "32", WARP, BLOCK), 0.8);
    say(WS_TARGET_rewritten, "warp", "ST", -47.9);
    assert_markdown("| improvement, % (paper's) | ST | geometric mean |\n|---|---:|---:|\n| warp | +100.0 | +100.0 |\n"
                    "| block, blocks of one warp | +25.0 | +25.0 |\n| warp, blocks of one warp | -20.0 (-47.9) | -20.0 |\n");
    ASSERT_DRAWN("Improvement over dispatch by blocks", "ST", "GEOMEAN");
}

/* SR, ST of Xiang's Table 2. A warp of plain takes 640 registers, so that its 16 warps take more than its 500 threads. */
TEST_WITH(registers_are_given_out_by_blocks, fake_set_up, made_tear_down)
{
    struct ws_allocation given;
    show(WS_FIGURE_allocation, experiment(1, 2));
    assert_true(ws_application_allocation(PAPER, &measures, REDUCE, BLOCK, &given));
    assert_int_equal(given.warps, 16);
    assert_int_equal(given.registers, 2560);
    assert_int_equal(given.blocks, 3); /* threads */
    assert_int_equal(given.places, 48);
    assert_true(ws_application_allocation(PAPER, &measures, PLAIN, BLOCK, &given));
    assert_int_equal(given.blocks, 2); /* shared memory */
    assert_near(given.share, 2 * 16 * 640 / 32768.0);
    say(WS_TARGET_unused, "block", "ST", 46.9);
    assert_markdown("| dispatch by blocks (paper's) | SR | ST | ST32 | plain | geometric mean |\n|---|---:|---:|---:|---:|---:|\n"
                    "| registers given out, % | 23.4 | 53.1 | 13.3 | 62.5 | 31.9 |\n"
                    "| registers never used, % | 76.6 | 46.9 (46.9) | 86.7 | 37.5 | 68.1 |\n"
                    "| warps of a block | 16 | 32 | 1 | 16 | - |\n| registers of a block | 2560 | 17408 | 544 | 10240 | - |\n"
                    "| blocks on an SM | 3 | 1 | 8 | 2 | - |\n| warps of these | 48 | 32 | 8 | 32 | - |\n"
                    "| warps that fit one by one | 48 | 48 | 48 | 48 | - |\n");
    ASSERT_DRAWN("Registers given out, %", "SR", "ST32", "block");
    measures.dimensions[BLOCK].machine.core_register_unit = 32;
    assert_true(ws_application_allocation(PAPER, &measures, PLAIN, BLOCK, &given));
    assert_int_equal(given.registers, 16 * 32 * 32);
    assert_int_equal(given.places, 32);
    measures.dimensions[BLOCK].machine.core_register_unit = 1;
    measures.demand[PLAIN] = (struct ws_demand){.threads = 481, .registers = 34}; /* of 16 warps, not of 481 threads */
    assert_true(ws_application_allocation(PAPER, &measures, PLAIN, BLOCK, &given));
    assert_int_equal(given.blocks, 1);
    measures.demand[GRADIENT].shared_bytes = 40000; /* fewer blocks than of its application's first kernel */
    assert_false(ws_application_allocation(PAPER, &measures, REDUCE, BLOCK, &given));
    measures.demand[GRADIENT].shared_bytes = 4096;
    assert_true(ws_application_allocation(PAPER, &measures, REDUCE, BLOCK, &given));
    measures.demand[GRADIENT].registers = 50; /* another launch than that of its application's first kernel */
    assert_false(ws_application_allocation(PAPER, &measures, REDUCE, BLOCK, &given));
}

TEST_WITH(divergence_is_a_mean_of_blocks, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_divergence, experiment(1, 2));
    say(WS_TARGET_divergence, "warp", "ST", 81.7);
    assert_markdown("| SR | ST | ST32 | plain | geometric mean |\n|---|---:|---:|---:|---:|---:|\n"
                    "| block | 50.0 | 25.0 | - | 12.5 | 25.0 |\n| warp | 50.0 | 25.0 (81.7) | - | 12.5 | 25.0 |\n"
                    "| block, arithmetic mean of all blocks | 12.5 | 31.2 | 0.0 | 12.5 | 17.0 |\n");
    assert_markdown("| block, blocks of 0, % | 75.0 | 0.0 | 100.0 | 0.0 | - |\n");
    ASSERT_DRAWN("RTRU of thread blocks, %", "ST", "GEOMEAN");
}

TEST_WITH(blocks_at_once_are_counted, fake_set_up, made_tear_down)
{
    struct ws_experiment *const timed = experiment(1, 1);
    timed->times = true;
    show(WS_FIGURE_at_once, timed);
    say(WS_TARGET_at_once, "warp", "plain", 8);
    assert_markdown(
        "| first SM (paper's) | SR | ST | ST32 | plain |\n|---|---:|---:|---:|---:|\n| block, blocks at once | 1 | 1 | 1 | 1 |\n"
        "| warp, blocks at once | 2 | 2 | 2 | 2 (8) |\n| block, cycles | 1500 | 2000 | 1600 | 400 |\n");
    assert_markdown("| warp, time over the baseline's | 0.800 | 0.500 | 1.562 | 1.250 |\n");
    ASSERT_DRAWN("Thread blocks on the first SM at once", "plain", "block", "warp");
    assert_true(isnan(ws_blocks_at_once(&measures, PLAIN, POINTS)));
}

/* ---- Warps and memory ---- */

TEST_WITH(warps_are_those_of_an_sm, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_places, experiment(1, 2));
    assert_near(ws_application_warps(PAPER, &measures, REDUCE, BLOCK, WS_SUM_resident_warps), 10);
    assert_markdown("| block, resident | 10.0 | 10.0 | 10.0 | 10.0 | 10.0 |\n| warp, resident | 20.0 |");
    assert_markdown("| block, with places | 24.0 |");
    assert_markdown("| warp, unissued | 0.5 | 0.5 | 0.5 | 0.5 | - |\n");
    ASSERT_DRAWN("Resident warps", "GEOMEAN");
}

TEST_WITH(contention_is_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_contention, experiment(1, 2));
    say(WS_TARGET_row_accesses, "block", "SR", 24.96);
    assert_markdown("| memory (paper's) | SR | ST | ST32 | plain |\n|---|---:|---:|---:|---:|\n"
                    "| block, accesses to a row | 5.00 (24.96) | 4.00 | - | 1.00 |\n"
                    "| warp, accesses to a row | 2.00 | 4.00 | - | 1.00 |\n"
                    "| block, L1 misses, % | 25.0 | 75.0 | - | - |\n");
    ASSERT_DRAWN("Accesses to a row for each activation", "SR");
}

/* ---- Targets ---- */

TEST_WITH(targets_are_answered, fake_set_up, made_tear_down)
{
    static const struct made_target rows[] = {
        {WS_TARGET_improvement, "warp", "block", "SR", 25},
        {WS_TARGET_improvement, "warp", "block", "SR ST", 58.113883},
        {WS_TARGET_improvement, "warp", "block", "", 6.365918},
        {WS_TARGET_improvement, "warp", "none", "", (double)NAN},
        {WS_TARGET_most, "warp", "block", "", 100},
        {WS_TARGET_most, "warp", "block", "SR plain", 25},
        {WS_TARGET_rewritten, "warp", "block", "", -20},
        {WS_TARGET_rewritten, "warp", "block", "SR", (double)NAN},
        {WS_TARGET_application_ipc, "warp", "", "ST", 8},
        {WS_TARGET_unused, "block", "", "SR", 76.5625},
        {WS_TARGET_unused, "block", "", "SR ST", 100 - 35.286218},
        {WS_TARGET_divergence, "block", "", "ST", 25},
        {WS_TARGET_divergence, "block", "", "SR ST", 35.355339},
        {WS_TARGET_least_divergence, "block", "", "SR ST", 25},
        {WS_TARGET_row_accesses, "warp", "", "SR", 2},
        {WS_TARGET_application_misses, "block", "", "SR", 25},
        {WS_TARGET_at_once, "warp", "", "plain", (double)NAN},
        {WS_TARGET_divergence, "none", "", "ST", (double)NAN},
    };
    show(WS_FIGURE_improvements, experiment(1, 2));
    assert_targets(PAPER, rows, sizeof rows / sizeof *rows);
}
