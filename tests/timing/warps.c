/* Warp dispatch and the places it uses (docs/model/dispatch.md, order.md). Every instruction is an exit, or a barrier and an exit.
 * A warp that is fetched at t issues its first instruction at t + 2, so that the warps of slots 0, 1, 2 ... issue at 2, 3, 4 ...
 * One that exits at x has retired at x + 1; the warp that enters its slot then is fetched when the fetch unit has been at all other
 * slots. */
#include <stddef.h>

#include "timing/scene.h"

/* MM of Xiang 4: blocks of 8 warps with 24 registers a thread on an SM of 32768, which hold 42 warps. */
static void start_mm(struct scene *scene)
{
    scene_start(scene, 7, 256);
    scene->build.registers = 24;
    scene->machine.core_registers = 32768;
    scene->machine.core_warps = 48;
    scene->machine.core_blocks = 8;
    scene->machine.core_dispatch = WS_dispatch_warp;
    add_end(scene);
}

/* Slots 0 to 41 hold five blocks and two warps of a sixth. Slot s is empty at s + 3: warps 2 to 7 of block 5 enter slots 0 to 5,
 * then block 6 enters with one warp after the other in slots 6 to 13. These 14 are fetched at 42 + s. */
SCENE_WITH(mm_has_five_blocks_and_two_warps, start_mm(scene))
{
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 44);
    EXPECT_ISSUES(scene, 13, 15, 57);
    EXPECT_ISSUES(scene, 14, 16);
    EXPECT_ISSUES(scene, 41, 43);
    expect_issues(scene, 42, NULL, 0);
    EXPECT_COUNTS(scene->trials, IS(cycles, 58), IS(partial_blocks, 2));
    /* Warp s of the first 42 is resident for s + 3 cycles, each of the others from cycle s + 3 to s + 44. */
    EXPECT_COUNTS(scene->trials, IS(resident_warps, 41 * 42 / 2 + 42 * 3 + 14 * 42),
                  IS(held_warps, 41 * 42 / 2 + 42 * 3 + 14 * 42));
    /* Six warps of block 5 up to cycle 2, then one less in each; seven of block 6 at 9, in the same way. */
    EXPECT(scene, unissued_warps, 3 * 6 + 5 + 4 + 3 + 2 + 1 + 7 + 6 + 5 + 4 + 3 + 2 + 1);
    /* In blocks 0 to 4 warps end one cycle apart, the last at 9 + 8b: 28 / (8 (9 + 8b)). In block 5 two run 42 and 43 cycles and
     * six 41: 13 / (8 x 43). In block 6 all run 41. */
    EXPECT_COUNTS(scene->trials, IS(rtru_sum, 25486 + 13492 + 9175 + 6950 + 5594 + 2476),
                  IS(rtru_log, 5582 + 9340 + 11619 + 13260 + 14543 + 19359), IS(rtru_zeros, 1));
}

/* Five whole blocks are 40 places, and more are never used: block 5 enters slots 0 to 7 from 3 on, block 6 slots 8 to 15 from 11
 * on. */
SCENE_WITH(temporal_reuse_takes_no_fragments, start_mm(scene))
{
    scene->machine.dispatch_spatial = WS_spatial_off;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 42);
    EXPECT_ISSUES(scene, 15, 17, 57);
    expect_issues(scene, 40, NULL, 0);
    EXPECT_COUNTS(scene->trials, IS(partial_blocks, 2), IS(resident_warps, 39 * 40 / 2 + 40 * 3 + 16 * 40),
                  IS(unissued_warps, 28 + 28));
}

/* 36 is below the number of places in whole blocks: reuse continues, growth does not. */
SCENE_WITH(a_threshold_stops_growth, start_mm(scene))
{
    scene->machine.dispatch_threshold = 36;
    scene_run(scene);
    expect_issues(scene, 40, NULL, 0);
    EXPECT(scene, resident_warps, 39 * 40 / 2 + 40 * 3 + 16 * 40);
}

/* 41 of 42 places: one warp of block 5 enters at once. */
SCENE_WITH(growth_reaches_the_threshold, start_mm(scene))
{
    scene->machine.dispatch_threshold = 41;
    scene_run(scene);
    EXPECT_ISSUES(scene, 40, 42);
    expect_issues(scene, 41, NULL, 0);
    EXPECT(scene, unissued_warps, 3 * 7 + 6 + 5 + 4 + 3 + 2 + 1 + 28);
}

/* Five slots are empty at 7: 35 places are in use, and one more warp may enter, in each cycle from there on. */
SCENE_WITH(a_strict_threshold_stops_partial_blocks, start_mm(scene))
{
    scene->machine.dispatch_threshold = 36;
    scene->machine.dispatch_stops = WS_stops_all;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 42);
    expect_issues(scene, 40, NULL, 0);
    EXPECT_COUNTS(scene->trials, IS(unissued_warps, 28 + 28), IS(resident_warps, 39 * 40 / 2 + 40 * 3 + 16 * 36));
}

/* Whole blocks only: with slots 0 to 5 empty at 8, and 40 and 41, there is room for block 5. Block 6 enters when eight more are,
 * at 16. */
SCENE_WITH(whole_blocks_wait_for_their_places, start_mm(scene))
{
    scene->machine.dispatch_partial = WS_toggle_off;
    scene_run(scene);
    EXPECT_ISSUES(scene, 40, 42);
    expect_issues(scene, 42, NULL, 0);
    EXPECT_COUNTS(scene->trials, IS(partial_blocks, 0), IS(unissued_warps, 0));
}

/* Two places are free at first, a third at 3, when block 5 enters slots 0, 40 and 41; block 6 at 11, when slots 6 to 8 are empty.
 */
SCENE_WITH(a_partial_block_waits_for_its_least_warps, start_mm(scene))
{
    scene->machine.dispatch_least = 3;
    scene_run(scene);
    EXPECT_ISSUES(scene, 40, 42);
    EXPECT(scene, unissued_warps, 15 + 15);
}

/* Block n enters at n. When block 5 does slots 0 to 2 have return, of which blocks 3 and 4 have taken two: there are places for
 * five of its warps, in slots 2 and 38 to 41. */
SCENE_WITH(blocks_enter_one_a_cycle, start_mm(scene))
{
    scene->machine.dispatch_blocks = 1;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 44);
    EXPECT_ISSUES(scene, 41, 43);
    EXPECT_COUNTS(scene->trials, IS(partial_blocks, 2), IS(unissued_warps, 3 + 2 + 1 + 28));
}

/* Places return three at a time, with block 0; one unissued warp a cycle enters. */
SCENE_TEST(unissued_warps_enter_one_a_cycle, 2, 96)
{
    scene->machine.core_warps = 4;
    scene->machine.core_dispatch = WS_dispatch_warp;
    scene->machine.dispatch_release = WS_release_block;
    scene->machine.dispatch_warps = 1;
    add_end(scene);
    scene_run(scene);
    /* Slots 0 to 2 return at 5; warp 0 of block 1 is in slot 3, warps 1 and 2 enter slots 0 and 1 at 5 and 6. */
    EXPECT(scene, unissued_warps, 5 * 2 + 1);
    EXPECT_ISSUES(scene, 0, 2, 7);
    EXPECT_ISSUES(scene, 1, 3, 8);
}

/* Block 0 and one warp of block 1. Block 0 arrives at 2 and 3 and exits at 5 and 6, as slot 2 is next at 4. Warp 0 of block 1 waits
 * from 4 on for warp 1, which enters slot 0 at 6, is fetched at once and arrives at 8. */
SCENE_TEST(barriers_wait_for_unissued_warps, 2, 64)
{
    scene->machine.core_warps = 3;
    scene->machine.core_dispatch = WS_dispatch_warp;
    add_barrier(&scene->build);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 5, 8, 10);
    EXPECT_ISSUES(scene, 1, 3, 6);
    EXPECT_ISSUES(scene, 2, 4, 9);
    EXPECT_COUNTS(scene->trials, IS(cycles, 11), IS(barrier_releases, 2));
}

/* A place that returns with its block: slot 0 exits at 5 and slot 1 at 6, warp 1 of block 1 enters at 7. */
SCENE_TEST(places_come_back_with_the_block, 2, 64)
{
    scene->machine.core_warps = 3;
    scene->machine.core_dispatch = WS_dispatch_warp;
    scene->machine.dispatch_release = WS_release_block;
    add_barrier(&scene->build);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 5, 9, 11);
    EXPECT_ISSUES(scene, 2, 4, 10);
    EXPECT(scene, cycles, 12);
}

/* Warp 1 of block 0 and warp 0 of block 1 exit at once, the other two run 16 instructions: slots 1 and 2 are free for block 2. Port
 * 0 has slots 0 and 2, port 1 has 1 and 3. Both have one warp, so that warp 0 of block 2, which runs pc 1, enters slot 2. */
SCENE_TEST(warps_enter_the_emptier_port, 3, 64)
{
    scene->machine.core_issue_ports = 2;
    scene->machine.core_warps = 4;
    scene->machine.core_dispatch = WS_dispatch_warp;
    scene->machine.dispatch_partial = WS_toggle_off;
    scene->machine.dispatch_slot = WS_dispatch_slot_emptier;
    add_branch(&scene->build, 17, 17);
    for (u32 n = 0; n < 16; n++)
        add_move(scene, 1);
    add_end(scene);
    for (u32 warp = 0; warp < 6; warp++)
        decide(scene, warp / 2, warp % 2, warp == 1 || warp == 2 || warp == 5);
    scene_run(scene);
    expect_lanes(scene->trials, 2, 1, 0, 0xFFFFFFFF);
}

/* Warp 1 of an empty SM's first block is the first of port 1. */
SCENE_TEST(warps_of_a_block_enter_both_ports, 1, 64)
{
    scene->machine.core_issue_ports = 2;
    scene->machine.core_warps = 4;
    scene->machine.core_dispatch = WS_dispatch_warp;
    scene->machine.dispatch_slot = WS_dispatch_slot_emptier;
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2);
    EXPECT_ISSUES(scene, 1, 3);
}

/* Registers for 3 warps of 5 registers, or for 1 where they are given by 8: 2 blocks of one warp, or 1 after the other. */
TIMING_TEST(register_units)
{
    static const u32 cycles[] = {[1] = 4, [8] = 6};
    for (u32 unit = 1; unit <= 8; unit += 7) {
        struct scene scene;
        scene_start(&scene, 2, 32);
        scene.build.registers = 5;
        scene.machine.core_registers = 15 * 32;
        scene.machine.core_register_unit = unit;
        add_end(&scene);
        scene_run(&scene);
        EXPECT(&scene, cycles, cycles[unit]);
        scene_end(&scene);
    }
}

/* An add of two operands, a multiplication of a warp of which half executes it, and one that nobody executes. A load's request is
 * one flit, its answer of 128 bytes five. */
SCENE_TEST(energy_is_counted_by_events, 1, 32)
{
    scene->machine.core_dispatch = WS_dispatch_warp;
    OP(scene, .class_ = WS_CLASS_fp32, .kind = WS_KIND_add, .dst = {1}, .src = {2, 3});
    OP(scene, .class_ = WS_CLASS_int, .kind = WS_KIND_mul, .dst = {4, 5}, .src = {6, 7, 8}, .guarded = true);
    OP(scene, .class_ = WS_CLASS_int, .kind = WS_KIND_mul, .dst = {4, 5}, .src = {6, 7, 8}, .guarded = true);
    add_load(scene, WS_SPACE_global, 9);
    add_end(scene);
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        add_decision(&scene->build, 0, lane, lane % 2);
        add_decision(&scene->build, 0, lane, false);
    }
    touch_lines(scene, 0, 0, 0, 2);
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(operand_reads, 2 + 3 + 1), IS(operand_writes, 1 + 2 + 1),
                  IS(lane_operations + 8 * WS_CLASS_fp32 + WS_KIND_add, 32),
                  IS(lane_operations + 8 * WS_CLASS_int + WS_KIND_mul, 16), IS(network_flits, 2 * (1 + 5)));
}
