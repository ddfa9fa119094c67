/* Figures of single warps, from made-up runs: their numbers, tables, pictures and targets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/warps.h"
#include "test.h"
#include "unit/report/made.h"

/* ---- Made-up runs ---- */

enum { BLOCKS = 2, WARPS = 3, SHARDS = 2 };

/* The same in each block, 1000 x its number later: of a block of 3 warps from 0 to 400, 100 and 250 the RTRU is 450 / 1200. */
static const struct ws_warp_time made[WARPS] = {
    {0, 400, 200, 20, 7, 10},
    {0, 100, 50, 1, 0, 0},
    {50, 300, 1000, 0, 9, 0},
};

static void make(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    (void)machine;
    (void)trace;
    if (!result->times)
        return;
    const u32 blocks = BLOCKS / SHARDS;
    free(result->times);
    result->warps_per_block = WARPS;
    result->times = calloc(blocks, sizeof *result->times + WARPS * sizeof *result->warps);
    result->warps = (struct ws_warp_time *)(result->times + blocks);
    for (u32 n = 0; n < blocks * WARPS; n++) {
        const u32 block = shard + n / WARPS * SHARDS;
        result->warps[n] = made[n % WARPS];
        result->warps[n].entered += 1000 * block;
        result->warps[n].ended += 1000 * block;
        result->warps[n].l1_misses += block;
        result->warps[n].packets += block == 1 && n % WARPS == 1 ? 400 : 0;
    }
}

static struct ws_experiment *experiment(bool times)
{
    static char ray[] = "ray_tiles", rows[] = "conv_texture_rows";
    struct ws_experiment *const experiment = fake_experiment(2, 2, SHARDS);
    experiment->traces[0] = ray;
    experiment->traces[1] = rows;
    experiment->times = times;
    return experiment;
}

/* A figure that has no row: it shows the first workload and block 0. */
static void show(enum ws_figure_kind kind, bool times)
{
    const struct ws_figure about = {.paper = "xiang2014", .kind = kind, .point = "", .source = "Nobody, NOWHERE 2014, Figure 0"};
    fake_engine.alter = make;
    assert_int_equal(made_show(&about, experiment(times)), WS_STATUS_ok);
}

/* ---- Numbers ---- */

TEST_WITH(a_figure_has_its_block, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_lifetimes, true);
    const struct ws_warps first = ws_warps_of(&measures, "xiang2014", "fig4", 0);
    assert_string_equal(first.workload, "ray_tiles");
    assert_int_equal(first.all_count, BLOCKS * WARPS);
    assert_int_equal(first.one_count, WARPS);
    assert_int_equal(first.block, 0);
    assert_int_equal(first.one[2].entered, 50);
    const struct ws_warps middle = ws_warps_of(&measures, "xiang2014", "fig11", 1); /* 4589 is not there */
    assert_string_equal(middle.workload, "conv_texture_rows");
    assert_int_equal(middle.wanted, 4589);
    assert_int_equal(middle.block, 1);
    assert_int_equal(middle.one_count, WARPS);
    assert_int_equal(middle.one[0].block, 1);
    assert_int_equal(middle.one[0].entered, 1000);
    assert_int_equal(middle.one[0].point, 1);
    assert_int_equal(ws_warps_of(&measures, "xiang2014", "fig9", 0).all_count, 0); /* has another workload */
}

TEST_WITH(numbers_are_those_of_the_paper, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_lifetimes, true);
    const struct ws_warps warps = ws_warps_of(&measures, "xiang2014", "fig11", 0);
    assert_near(ws_warps_rtru(&warps), 100 * 450.0 / 1200);
    assert_near(ws_warps_longest(&warps), 400);
    assert_near(ws_warps_left(&warps, 0), 3);
    assert_near(ws_warps_left(&warps, 99), 3);
    assert_near(ws_warps_left(&warps, 100), 2);
    assert_near(ws_warps_left(&warps, 300), 1);
    assert_near(ws_warps_share(&warps, 0, 50), 100.0 / 6);
    assert_near(ws_warps_share(&warps, 50, 200), 100.0 / 3);
    assert_near(ws_warps_share(&warps, 50, 199), 0);
    assert_near(ws_warp_misses(&warps.one[0]), 1000 * 31.0 / 200);
    assert_near(ws_warp_misses(&warps.one[2]), 1000 * 1.0 / 1000);
}

/* ---- What is shown ---- */

TEST_WITH(lifetimes_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_lifetimes, true);
    assert_markdown("| warp of block 0 of ray_tiles | enters | ends | cycles | unused, % |\n|---|---:|---:|---:|---:|\n"
                    "| 0 | 0 | 400 | 400 | 0.0 |\n| 1 | 0 | 100 | 100 | 75.0 |\n| 2 | 50 | 300 | 250 | 37.5 |\n"
                    "| mean, RTRU | - | - | 250 | 37.5 |\n");
    ASSERT_DRAWN("block 0 of ray_tiles: RTRU 37.5 %", "warp", "cycle");
}

TEST_WITH(histograms_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_histogram, true);
    assert_markdown("| instructions of a warp of ray_tiles | warps, % | paper |\n|---|---:|---:|\n| (0,500] | 66.7 | - |\n"
                    "| (500,1000] | 33.3 | - |\n");
    ASSERT_DRAWN("Warps by their instructions, %: ray_tiles", "(500,1000]", "ours");
}

/* With a row and the paper's values. */
TEST_WITH(misses_are_shown, fake_set_up, made_tear_down)
{
    show(WS_FIGURE_warp_misses, true);
    figure.name = "fig10";
    assert_markdown("| warp of block 1 of conv_texture_rows (there is no block 4589) | misses per 1000 instructions | paper |\n"
                    "|---|---:|---:|\n| 0 | 155.0 | 150.5 |\n| 1 | 4.4 | 188.2 |\n| 2 | 1.0 | 139.8 |\n");
    figure.name = "made";
    ASSERT_DRAWN("Lines missed by each warp per 1000 instructions: block 0 of ray_tiles", "ours");
}

TEST_WITH(without_times_there_are_no_warps, fake_set_up, made_tear_down)
{
    static const enum ws_figure_kind kinds[] = {WS_FIGURE_lifetimes, WS_FIGURE_histogram, WS_FIGURE_warp_misses};
    show(kinds[0], false);
    assert_int_equal(measures.lives, 0);
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        figure.kind = kinds[n];
        ASSERT_DRAWN("No times of warps");
    }
    figure.kind = WS_FIGURE_lifetimes;
    assert_markdown("| mean, RTRU | - | - | - | - |");
}

TEST_WITH(targets_are_answered, fake_set_up, made_tear_down)
{
    static const struct {
        enum ws_target_kind kind;
        const char *figure, *point, *key;
        double ours;
    } rows[] = {
        {WS_TARGET_warp_rtru, "fig11", "p0", "", 37.5},
        {WS_TARGET_warp_longest, "fig4", "p1", "", 400},
        {WS_TARGET_warp_left, "fig4", "p0", "299", 2},
        {WS_TARGET_warp_left, "fig4", "p0", "300", 1},
        {WS_TARGET_warp_share, "fig6", "p0", "(500,1000]", 33.333333},
        {WS_TARGET_warp_share, "fig6", "p0", "(0,50]", 16.666667},
        {WS_TARGET_warp_misses, "fig10", "p0", "0", 155},
        {WS_TARGET_warp_misses, "fig10", "p0", "3", (double)NAN},
        {WS_TARGET_warp_rtru, "fig9", "p0", "", (double)NAN},
        {WS_TARGET_warp_longest, "fig4", "none", "", (double)NAN},
        {WS_TARGET_warp_left, "fig9", "p0", "0", (double)NAN},
        {WS_TARGET_warp_share, "fig8", "p0", "(0,50]", (double)NAN},
    };
    show(WS_FIGURE_lifetimes, true);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const bool second = strcmp(rows[n].point, "p1") == 0;
        const struct ws_target target = {.paper = "xiang2014",
                                         .figure = rows[n].figure,
                                         .kind = rows[n].kind,
                                         .point = rows[n].point[0] == 'p' ? measures.point[second] : rows[n].point,
                                         .key = rows[n].key};
        assert_target(&target, rows[n].ours);
    }
}
