/* Kinds of figures over a machine's lanes, memory and hardware, from made-up runs: their numbers, tables, pictures and targets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/storage.h"
#include "report/use.h"
#include "test.h"
#include "unit/report/made.h"

/* ---- Made-up runs ---- */

enum { PDOM, DMAJ, MIMD, POINTS, WIDTH = 16, SHARDS = 2 }; /* warp depths 7, 8, 9 */

static char *const names[POINTS] = {(char[]){"PDOM"}, (char[]){"DMaj"}, (char[]){"MIMD"}};

/* Of both shards together but for cycles, which one of them takes. */
static const struct made {
    const char *trace;
    u64 cycles[POINTS], busy[POINTS], hits[POINTS], misses[POINTS];
} made[] = {
    {"black", {1000, 500, 400}, {100, 100, 100}, {90, 80, 70}, {10, 20, 30}},
    {"fft", {2000, 4000, 1000}, {800, 400, 200}, {60, 60, 0}, {20, 20, 0}},
};

enum { TRACES = sizeof made / sizeof *made, INSTRUCTIONS = 8000 };

/* Slots: 200 with 5 lanes, 100 with 16, 50 with none, and 150 lost, 40 of them to the pipeline. */
static void make(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    const u32 point = machine->core_depth - 7;
    u64 *const counters = result->counters;
    (void)shard;
    memset(counters, 0, sizeof result->counters);
    counters[WS_COUNT_thread_instructions] = INSTRUCTIONS / SHARDS;
    counters[WS_COUNT_warp_instructions] = 350;
    counters[WS_COUNT_active_lanes] = 50;
    counters[WS_COUNT_active_lanes + 5] = 200;
    counters[WS_COUNT_active_lanes + WIDTH] = 100;
    counters[WS_COUNT_stall_pipeline] = 40;
    counters[WS_COUNT_stall_idle] = 60;
    counters[WS_COUNT_stall_scoreboard] = 50;
    for (size_t n = 0; n < TRACES; n++) {
        if (strcmp(made[n].trace, trace) != 0)
            continue;
        counters[WS_COUNT_cycles] = made[n].cycles[point];
        counters[WS_COUNT_dram_busy] = made[n].busy[point] / SHARDS;
        counters[WS_COUNT_l1_hits] = made[n].hits[point] / SHARDS;
        counters[WS_COUNT_l1_store_misses] = made[n].misses[point] / SHARDS;
    }
}

static struct ws_experiment *experiment(void)
{
    struct ws_experiment *const experiment = fake_experiment(POINTS, TRACES, SHARDS);
    for (size_t n = 0; n < TRACES; n++)
        experiment->traces[n] = (char *)(uintptr_t)made[n].trace;
    for (size_t n = 0; n < POINTS; n++) {
        experiment->points[n].machine.core_depth = (u32)(7 + n);
        experiment->points[n].machine.core_warp_size = experiment->points[n].machine.core_simd_width = WIDTH;
        experiment->points[n].machine.core_warps = 16;
        experiment->points[n].label = names[n];
        experiment->points[n].baseline = names[PDOM];
    }
    return experiment;
}

static void show(enum ws_figure_kind kind, const struct ws_experiment *what)
{
    const struct ws_figure about = {.paper = "fung2007", .kind = kind, .point = "DMaj", .source = "Nobody, NOWHERE 2007, Figure 0"};
    fake_engine.alter = make;
    made_show(&about, what);
}

/* ---- Means and peaks ---- */

TEST_WITH(harmonic_means_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_harmonic, experiment());
    assert_near(ws_measures_harmonic(&measures, PDOM), 2 / (1.0 / 8 + 1.0 / 4));
    assert_near(ws_measures_peak(&measures, PDOM), WIDTH * SHARDS);
    assert_markdown("| IPC | black | fft | harmonic mean | its gain, % | geo. mean gain, % |\n|---|---:|---:|---:|---:|---:|\n"
                    "| PDOM | 8.00 | 4.00 | 5.33 | - | - |\n| DMaj | 16.00 | 2.00 | 3.56 | -33.3 | +0.0 |\n"
                    "| MIMD | 20.00 | 8.00 | 11.43 | +114.3 | +123.6 |\n");
    ASSERT_DRAWN("IPC (thread instructions per cycle of all SMs)", "black", "HARMEAN", "DMaj");
}

TEST_WITH(shares_of_the_peak_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_peak, experiment());
    assert_markdown("| IPC, % of the peak | black | fft | harmonic mean |\n|---|---:|---:|---:|\n"
                    "| PDOM | 25.0 | 12.5 | 16.7 |\n| DMaj | 50.0 | 6.2 | 11.1 |\n");
    ASSERT_DRAWN("IPC over the peak of the machine, %", "HARMEAN");
}

/* The peak is that of each point's own lanes. */
TEST_WITH(a_narrow_point_has_a_lower_peak, fake_set_up, made_tear_down)
{
    struct ws_experiment *const narrow = experiment();
    narrow->points[DMAJ].machine.core_simd_width = 4;
    narrow->points[DMAJ].machine.core_warp_size = 4;
    show(WS_FIGURE_peak, narrow);
    assert_near(ws_measures_peak(&measures, PDOM), 32);
    assert_near(ws_measures_peak(&measures, DMAJ), 8);
}

/* A workload that one point has not run is in no point's mean. */
TEST_WITH(a_failed_workload_is_in_no_mean, fake_set_up, made_tear_down)
{
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "fft";
    show(WS_FIGURE_harmonic, experiment());
    assert_markdown("| DMaj | 16.00 | - | 16.00 | +100.0 | +100.0 |\n");
    ws_measures_free(&measures);
    show(WS_FIGURE_lanes, experiment());
    assert_markdown("| fft DMaj | - | - | - |");
    ws_measures_free(&measures);
    show(WS_FIGURE_use, experiment());
    assert_markdown("| DMaj | 40.0 | - |\n");
}

/* ---- Rates ---- */

TEST_WITH(rates_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_bandwidth, experiment());
    assert_markdown("| memory bus in use, % of cycles (paper's) | black | fft |\n|---|---:|---:|\n"
                    "| PDOM | 5.00 (4.96) | 20.00 (79.90) |\n| DMaj | 10.00 (3.06) | 5.00 (78.23) |\n| MIMD | 12.50 | 10.00 |\n");
    ASSERT_DRAWN("memory bus is in use", "black", "MIMD", "paper");
    figure.kind = WS_FIGURE_misses;
    assert_markdown("| lines that miss, % of loaded and stored (paper's) | black | fft |\n|---|---:|---:|\n"
                    "| PDOM | 10.00 (1.43) | 25.00 (7.35) |\n| DMaj | 20.00 (1.34) | 25.00 (6.86) |\n| MIMD | 30.00 | - |\n");
    ASSERT_DRAWN("Lines that miss the data cache", "fft", "paper");
}

/* ---- Lanes ---- */

TEST_WITH(classes_are_quarters_of_the_lanes, fake_set_up, made_tear_down)
{
    static const u32 widths[] = {4, 8, 16, 32};
    for (size_t n = 0; n < 4; n++) {
        const u32 width = widths[n];
        assert_int_equal(ws_use_of(0, width), WS_USE_none);
        assert_int_equal(ws_use_of(1, width), WS_USE_quarter);
        assert_int_equal(ws_use_of(width / 4, width), WS_USE_quarter);
        assert_int_equal(ws_use_of(width / 4 + 1, width), WS_USE_half);
        assert_int_equal(ws_use_of(width / 2 + 1, width), WS_USE_three_quarters);
        assert_int_equal(ws_use_of(width - 1, width), width == 4 ? WS_USE_three_quarters : WS_USE_most);
        assert_int_equal(ws_use_of(width, width), WS_USE_all);
    }
}

TEST_WITH(words_follow_from_the_machines_lanes, fake_set_up, made_tear_down)
{
    static const char *const sixteen[] = {"none", "1 to 4", "5 to 8", "9 to 12", "13 to 15", "16"};
    static const char *const four[] = {"none", "1", "2", "3", "", "4"};
    struct ws_dimensions dimensions[2] = {{.lanes = 16}, {.lanes = 16}};
    const struct ws_measures some = {.points = 2, .dimensions = dimensions};
    struct ws_use_words words;
    ws_use_words(&words, &some);
    for (size_t n = 0; n < WS_USES; n++)
        assert_string_equal(words.words[n], sixteen[n]);
    dimensions[0].lanes = dimensions[1].lanes = 4;
    ws_use_words(&words, &some);
    for (size_t n = 0; n < WS_USES; n++)
        assert_string_equal(words.words[n], four[n]);
    dimensions[1].lanes = 8;
    ws_use_words(&words, &some);
    assert_string_equal(words.words[WS_USE_half], "to 1/2");
}

TEST_WITH(lanes_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_lanes, experiment());
    assert_near(measures.lanes[0][5], 0.4);
    assert_near(measures.lost[0][WS_STALL_total], 0.3);
    assert_near(measures.use[0][WS_USE_none], 0.4);
    assert_near(measures.use[0][WS_USE_half], 0.4);
    assert_near(measures.use[0][WS_USE_all], 0.2);
    assert_markdown(
        "| % of issue slots | W0 | W1 | W2 | W3 | W4 | W5 | W6 | W7 | W8 | W9 | W10 | W11 | W12 | W13 | W14 | W15 | W16 | "
        "stall |\n");
    assert_markdown(
        "\n| fft DMaj | 32.0 | 0.0 | 0.0 | 0.0 | 0.0 | 40.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 "
        "| 20.0 | 8.0 |\n");
    ASSERT_DRAWN("Issue slots by active lanes, %", "5 to 8", "stall", "PDOM, DMaj, MIMD");
    figure.kind = WS_FIGURE_use;
    ASSERT_DRAWN("Cycles by active lanes, %", "13 to 15");
}

/* ---- Hardware ---- */

/* Table 1 but for its two slips: 336 and 1280 bits, 48464 in all. */
TEST_WITH(storage_is_that_of_table_1, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_storage, experiment());
    assert_markdown("| a core has | entries | bits of each | bits | paper | mm2, scaled by bits | paper |\n"
                    "|---|---:|---:|---:|---:|---:|---:|\n"
                    "| warp update registers | 2 | 176 | 352 | 336 | 0.008 | 0.008 |\n"
                    "| PC-warp LUT | 32 | 56 | 1792 | 1792 | 0.189 | 0.189 |\n"
                    "| warp pool | 256 | 168 | 43008 | 43008 | 0.702 | 0.702 |\n"
                    "| warp allocator | 256 | 8 | 2048 | 2048 | 0.061 | 0.061 |\n"
                    "| issue logic (majority) | 32 | 41 | 1312 | 1280 | 1.549 | 1.511 |\n"
                    "| all |   |   | 48512 | 48464 | 2.509 | 2.471 |\n"
                    "| decoders of the register file |   |   |   |   | 0.328 | 0.328 |\n");
    ASSERT_DRAWN("Area of a core", "warp pool", "paper");
}

TEST_WITH(storage_follows_from_the_machine, fake_set_up, made_tear_down)
{
    struct ws_dimensions dimensions = {.warp_size = 16, .warps = 16, .lut = 32, .majority_table = 32, .lanes = 16, .sms = 8};
    const double percent = ws_storage_percent("fung2007", &dimensions);
    assert_near(percent, 100 * 8 * (0.008 * 352 / 336 + 0.189 + 0.702 + 0.061 + 1.511 * 41 / 40 + 16 * 0.3773 - 5.7085) / 480);
    dimensions.lut = 64;
    assert_near(ws_storage_percent("fung2007", &dimensions), percent + 100 * 8 * 0.189 / 480);
    dimensions.lut = 32;
    dimensions.warps = 32; /* nine bits a thread */
    assert_true(ws_storage_percent("fung2007", &dimensions) > percent + 100 * 8 * (0.702 + 0.061) / 480);
    assert_true(isnan(ws_storage_percent("narasiman2011", &dimensions)));
}

/* ---- Limits ---- */

TEST_WITH(limits_are_shown, fake_set_up, made_tear_down)
{
    struct ws_limit limit[] = {
        {.total = {.threads = 128, .thread_instructions = 1000, .pdom = 300, .oracle = 200, .least = 100},
         .pdom_cycles = 500,
         .oracle_cycles = 400},
        {.total = {.threads = 64, .thread_instructions = 2000, .pdom = 600, .oracle = 600, .least = 500},
         .pdom_cycles = 800,
         .oracle_cycles = 800},
    };
    const struct ws_limits limits = {.count = 2, .limit = limit};
    show(WS_FIGURE_limit, experiment());
    assert_true(isnan(ws_measures_limit(&measures, "fung2007")));
    measures.limits = &limits;
    assert_near(ws_limits_speedup(&limits, 0), 1.25);
    assert_near(ws_measures_limit(&measures, "fung2007"), (0.5 + 0.4) / (0.4 + 0.4));
    assert_markdown("\n| black | 128 | 300 | 200 | 100 | 1.500 | 500 | 400 | 1.250 |\n"
                    "| fft | 64 | 600 | 600 | 500 | 1.000 | 800 | 800 | 1.000 |\n"
                    "| harmonic mean of IPC, real programs |   |   |   |   |   |   |   | 1.125 |\n");
    ASSERT_DRAWN("Speedup of the best reconvergence points", "real programs", "paper");
    memcpy(measures.trace[0], "even_", 6); /* whose name begins like the loop's, but is another */
    assert_near(ws_measures_limit(&measures, "fung2007"), 1.125);
    free(measures.trace[0]);
    measures.trace[0] = strdup("even_odd"); /* reported by itself */
    assert_near(ws_measures_limit(&measures, "fung2007"), 1);
    limit[1] = (struct ws_limit){0}; /* failed */
    assert_true(isnan(ws_limits_speedup(&limits, 1)));
    assert_true(isnan(ws_measures_limit(&measures, "fung2007")));
}

/* ---- Targets ---- */

TEST_WITH(targets_are_answered, fake_set_up, made_tear_down)
{
    static const struct made_target rows[] = {
        {WS_TARGET_harmonic, "MIMD", "PDOM", "", 114.285714},
        {WS_TARGET_harmonic, "MIMD", "DMaj", "", 221.428571},
        {WS_TARGET_loss, "DMaj", "PDOM", "", 33.333333},
        {WS_TARGET_utilisation, "PDOM", "peak", "", 16.666667},
        {WS_TARGET_ipc, "DMaj", "", "black", 16},
        {WS_TARGET_bandwidth, "DMaj", "", "fft", 5},
        {WS_TARGET_misses, "PDOM", "", "fft", 25},
        {WS_TARGET_area, "DMaj", "", "", 8 * 100 * 2.837456 / 480}, /* of the 8 cores of its chip */
        {WS_TARGET_harmonic, "MIMD", "none", "", (double)NAN},
        {WS_TARGET_loss, "none", "PDOM", "", (double)NAN},
        {WS_TARGET_utilisation, "none", "", "", (double)NAN},
        {WS_TARGET_ipc, "DMaj", "", "none", (double)NAN},
        {WS_TARGET_misses, "MIMD", "", "fft", (double)NAN},
        {WS_TARGET_area, "none", "", "", (double)NAN},
        {WS_TARGET_oracle, "PDOM", "", "black", (double)NAN},
    };
    show(WS_FIGURE_harmonic, experiment());
    assert_targets("fung2007", rows, sizeof rows / sizeof *rows);
}
