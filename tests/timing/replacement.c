/* Replacement, bypass and sectors: docs/model/memory.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "timing/scene.h"

enum { MOST_LOADS = 16 };

/* Loads of lines by one warp, each once the one before is there, through a set of so many ways: m misses, h hits. */
struct loads {
    u32 policy, ways;
    const u32 *lines;
    const char *outcomes;
};

/* Lines A A B C A C D C:
 *   lru     C drives out A, A then B; C hits; D drives out A, C hits
 *   fifo    C drives out A, A then B; C hits; D drives out C, and C A
 *   random  of seed 0: A is in way 0, B in way 1; h(32) = 0x14FD6AD2 gives way 0 to C, h(0 + 0x9E3779B9) = 0x01FCE552 back to A,
 *           h(32 + 2 x ...) = 0x5549FB54 to C, then to D (0x4C2D133D) and C (0x406DB1FA)
 *   srrip   A has 0, B 2; they grow to 1 and 3, and C drives out B; A and C hit and have 0; they grow to 3, and D drives out A */
static const u32 lines[] = {0, 0, 4, 8, 0, 8, 12, 8};
static const struct loads loads[] = {{WS_replacement_lru, 2, lines, "mhmmmhmh"},
                                     {WS_replacement_fifo, 2, lines, "mhmmmhmm"},
                                     {WS_replacement_random, 2, lines, "mhmmmmmm"},
                                     {WS_replacement_srrip, 2, lines, "mhmmhhmh"}};

static u32 hits_of(const struct loads *expected)
{
    u32 hits = 0;
    for (const char *outcome = expected->outcomes; *outcome; outcome++)
        hits += *outcome == 'h';
    return hits;
}

/* In L1. All lines lie in one row: the first is there 304 cycles after its load has issued, others 104, and a hit is done after 7.
 */
static void run_l1(const struct loads *expected)
{
    const u32 count = (u32)strlen(expected->outcomes);
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    u32 at = 0;
    machine.l1_size = 1024;
    machine.l1_ways = expected->ways;
    machine.l1_replacement = expected->policy;
    image_build_start(&build, 1, 32);
    for (u32 n = 0; n < count; n++)
        add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 n = 0; n < count; n++)
        add_line(&build, 0, line_granule(expected->lines[n]));
    trials_run(&machine, &build, trials);
    for (u32 n = 0; n < count; n++) {
        expect_issue(trials, 0, n, 0, at);
        at += expected->outcomes[n] == 'h' ? 7 : n == 0 ? 304 : 104;
    }
    expect_issue(trials, 0, count, 0, at);
    expect_count(trials, WS_COUNT_l1_hits, hits_of(expected));
    expect_count(trials, WS_COUNT_l1_misses, count - hits_of(expected));
    trials_free(trials);
    image_build_free(&build);
}

TIMING_TEST(each_policy_replaces_another_line_of_l1)
{
    for (size_t n = 0; n < sizeof loads / sizeof *loads; n++)
        run_l1(&loads[n]);
}

/* In an L2 of one set, past L1. A line that opens a row is used 102 cycles after its load has issued, 95 if the row is open, and 56
 * if L2 has it: 4 for operands, 50, and 2. */
static void run_l2(const struct loads *expected)
{
    const u32 count = (u32)strlen(expected->outcomes);
    u32 issues[MOST_LOADS + 1] = {2};
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.machine.l1_bypass = WS_toggle_on;
    scene.machine.l2_size = 128 * expected->ways;
    scene.machine.l2_ways = expected->ways;
    scene.machine.l2_replacement = expected->policy;
    for (u32 n = 0; n < count; n++) {
        add_load(&scene, WS_SPACE_global, 15);
        touch(&scene, 0, 0, line_granule(expected->lines[n]));
        issues[n + 1] = issues[n] + (expected->outcomes[n] == 'h' ? 56 : n == 0 ? 102 : 95);
    }
    add_use(&scene, 15);
    add_end(&scene);
    scene_run(&scene);
    for (u32 n = 0; n <= count; n++)
        expect_issue(scene.trials, 0, n, 0, issues[n]);
    EXPECT(&scene, l2_hits, hits_of(expected));
    EXPECT(&scene, l2_misses, count - hits_of(expected));
    EXPECT(&scene, l1_misses, count);
    scene_end(&scene);
}

TIMING_TEST(each_policy_replaces_another_line_of_l2)
{
    for (size_t n = 0; n < sizeof loads / sizeof *loads; n++)
        run_l2(&loads[n]);
}

/* Two warps load a line, then again. In the barrel the second load of each misses as the first did, and the two merge. */
TIMING_TEST(lines_do_not_come_to_an_l1_that_is_bypassed)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.l1_bypass = WS_toggle_on;
    image_build_start(&build, 1, 64);
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 n = 0; n < 4; n++)
        add_line(&build, n % 2 * 32, line_granule(0));
    trials_run(&machine, &build, trials);
    expect_issue(trials, 0, 1, 0, 304);
    expect_issue(trials, 1, 1, 0, 305);
    expect_issue(trials, 0, 2, 0, 408);
    expect_count(trials, WS_COUNT_l1_hits, 0);
    expect_count(trials, WS_COUNT_l1_misses, 4);
    expect_count(trials, WS_COUNT_l1_merges, 2);
    expect_count(trials, WS_COUNT_dram_reads, 2);
    trials_free(trials);
    image_build_free(&build);
}

/* Warps of two blocks load one line, at 6 and 7. L1 merges nothing, L2 does: both lines are ready at 87, the second answer leaves 5
 * cycles behind the first. */
SCENE_WITH(loads_past_l1_merge_in_l2, scene_start(scene, 2, 32))
{
    scene->machine.l1_bypass = WS_toggle_on;
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 1, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 106);
    EXPECT_ISSUES(scene, 1, 3, 109, 111);
    EXPECT(scene, l1_misses, 2);
    EXPECT(scene, l1_merges, 0);
    EXPECT(scene, mshrs_most, 0);
    EXPECT(scene, l2_misses, 2);
    EXPECT(scene, l2_merges, 1);
    EXPECT(scene, dram_reads, 1);
}

/* Four sectors of 32 bytes, each a burst of one cycle. Sector 0 opens the row and is there at 301, sector 1 of its line misses and
 * is there at 402, and sector 0 hits. */
TIMING_TEST(a_miss_brings_one_sector)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.l1_sectors = 4;
    image_build_start(&build, 1, 32);
    for (u32 n = 0; n < 3; n++)
        add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 n = 0; n < 3; n++)
        add_line(&build, 0, n % 2);
    trials_run(&machine, &build, trials);
    expect_issue(trials, 0, 1, 0, 301);
    expect_issue(trials, 0, 2, 0, 402);
    expect_issue(trials, 0, 3, 0, 409);
    expect_count(trials, WS_COUNT_l1_hits, 1);
    expect_count(trials, WS_COUNT_l1_misses, 2);
    expect_count(trials, WS_COUNT_dram_bytes, 64);
    trials_free(trials);
    image_build_free(&build);
}

/* Lines 0 and 8 share a set of one way. Sectors 0 and 1 of line 0 come, then sector 0 of line 8: line 0 leaves with both. */
TIMING_TEST(a_line_leaves_with_all_its_sectors)
{
    static const u32 granules[] = {0, 1, 0, 32, 1, 0};
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.l1_sectors = 4;
    machine.l1_size = 1024;
    machine.l1_ways = 1;
    image_build_start(&build, 1, 32);
    for (u32 n = 0; n < 6; n++)
        add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 n = 0; n < 6; n++)
        add_line(&build, 0, granules[n]);
    trials_run(&machine, &build, trials);
    expect_issue(trials, 0, 3, 0, 301 + 101 + 7);
    expect_issue(trials, 0, 6, 0, 301 + 101 + 7 + 3 * 101);
    expect_count(trials, WS_COUNT_l1_hits, 1);
    expect_count(trials, WS_COUNT_l1_misses, 5);
    trials_free(trials);
    image_build_free(&build);
}

/* Loads sector 0, sector 1, and sector 0 again, each after the previous load has returned. */
static void run_two_sectors(struct scene *scene, u32 l2_sectors)
{
    scene_start(scene, 1, 32);
    scene->machine.l1_sectors = 4;
    scene->machine.l2_sectors = l2_sectors;
    for (u32 n = 0; n < 3; n++) {
        add_load(scene, WS_SPACE_global, 15);
        touch(scene, 0, 0, n % 2);
    }
    add_use(scene, 15);
    add_end(scene);
    scene_run(scene);
}

/* A read of a sector is answered in 2 cycles instead of 5: it arrives 3 earlier than a line. L2 has read the whole line, so that
 * sector 1 hits there: 4 + 47 + 2 cycles. Sector 0 hits in L1 after 4. */
SCENE_WITH(l2_answers_with_a_sector, run_two_sectors(scene, 1))
{
    EXPECT_ISSUES(scene, 0, 2, 101, 154, 158, 160);
    EXPECT(scene, l1_hits, 1);
    EXPECT(scene, l2_hits, 1);
    EXPECT(scene, dram_bytes, 128);
}

/* With sectors in L2, each sector is read alone. It holds the DRAM bus and the L2 port for 1 cycle each instead of 4, and arrives 6
 * earlier. Sector 1 misses in the line that has sector 0, finds the row open, and takes 86 cycles; a line takes 95. */
SCENE_WITH(l2_reads_a_sector, run_two_sectors(scene, 4))
{
    EXPECT_ISSUES(scene, 0, 2, 95, 181, 185, 187);
    EXPECT_COUNTS(scene->trials, IS(l1_hits, 1), IS(l2_hits, 0), IS(l2_misses, 2), IS(row_hits, 1), IS(dram_bytes, 64));
}

/* An L2 cache of one line. Two sectors of line 0 are read, one is written there; line 1 takes its way, and both are written back
 * by one request. */
SCENE_WITH(valid_sectors_of_a_victim_are_written, scene_start(scene, 1, 32))
{
    static const u32 granules[] = {0, 1, 1};
    scene->machine.l1_sectors = scene->machine.l2_sectors = 4;
    scene->machine.l2_size = 128;
    scene->machine.l2_ways = 1;
    scene->machine.l2_store = WS_l2_store_back;
    for (u32 n = 0; n < 2; n++)
        add_load(scene, WS_SPACE_global, 15);
    add_store(scene, WS_SPACE_global);
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    for (u32 n = 0; n < 3; n++)
        touch(scene, 0, 0, granules[n]);
    touch(scene, 0, 0, line_granule(1));
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(l2_store_hits, 1), IS(l2_writebacks, 1), IS(dram_reads, 3), IS(dram_writes, 1),
                  IS(dram_bytes, 3 * 32 + 64));
}
