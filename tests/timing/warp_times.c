/* What is recorded of single warps: docs/model/order.md. */
#include "test.h"
#include "timing/packets.h"

static const struct ws_warp_time *warp_of(const struct trial *trial, u32 block, u32 warp)
{
    return &trial->warps[block * trial->warps_per_block + warp];
}

static void expect_life(const struct trial trials[TRIALS], u32 block, u32 warp, u64 entered, u64 ended, u32 packets)
{
    for (u32 i = 0; i < TRIALS; i++) {
        const struct ws_warp_time *const time = warp_of(&trials[i], block, warp);
        if (time->entered != entered || time->ended != ended || time->packets != packets)
            fail_msg("%s: warp %u of block %u was there from %u to %u and issued %u packets, not from %u to %u and %u",
                     trials[i].who, warp, block, (u32)time->entered, (u32)time->ended, time->packets, (u32)entered, (u32)ended,
                     packets);
    }
}

static void expect_misses(const struct trial trials[TRIALS], u32 warp, u32 l1, u32 constant, u32 texture)
{
    for (u32 i = 0; i < TRIALS; i++) {
        const struct ws_warp_time *const time = warp_of(&trials[i], 0, warp);
        if (time->l1_misses != l1 || time->constant_misses != constant || time->texture_misses != texture)
            fail_msg("%s: warp %u missed %u, %u and %u lines, not %u, %u and %u", trials[i].who, warp, time->l1_misses,
                     time->constant_misses, time->texture_misses, l1, constant, texture);
    }
}

/* Blocks of a warp, two at a time; 0 and 2 branch around instruction 1. Block 0 issues at 0 and 7, block 1 at 1 and 8. Block 2
 * enters at 14, with block 1's n of 2, and issues at 15, before block 1 at 16, and at 22. */
BARREL_TEST(warps_count_their_own_packets, plain_machine(), 3, 32)
{
    machine->core_blocks = 2;
    add_branch(build, 2, 2);
    add_alu(build);
    add_exit(build);
    for (u32 block = 0; block < 3; block++)
        for (u32 thread = 0; thread < 32; thread++)
            add_decision(build, block, thread, block != 1);
    trials_run(machine, build, trials);
    expect_life(trials, 0, 0, 0, 14, 2);
    expect_life(trials, 1, 0, 0, 23, 3);
    expect_life(trials, 2, 0, 14, 29, 2);
}

/* As large.c has it: two sub-warps of each of three instructions. */
BARREL_TEST(a_large_warp_issues_the_packets_of_its_sub_warps, large_machine(64), 1, 64)
{
    add_alu(build);
    add_alu(build);
    add_exit(build);
    trials_run(machine, build, trials);
    expect_life(trials, 0, 0, 0, 22, 6);
}

/* Warp 0 loads lines 0 and 1, warp 1 line 0 while it is on its way; both store line 2, and add to a line of their own. */
static void add_accesses(struct image_build *build)
{
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    add_memory(build, WS_CLASS_atomic, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 64; thread++) {
        add_access(build, 0, thread, line_granule(thread / 16 == 1));
        add_access(build, 0, thread, line_granule(2));
        add_access(build, 0, thread, line_granule(3 + thread / 32));
    }
}

TIMING_TEST(warps_miss_what_they_load)
{
    static const u32 stores[] = {WS_store_through, WS_store_back};
    for (u32 n = 0; n < sizeof stores / sizeof *stores; n++) {
        struct ws_machine machine = plain_machine();
        struct image_build build;
        struct trial trials[TRIALS];
        machine.l1_store = stores[n];
        image_build_start(&build, 1, 64);
        add_accesses(&build);
        trials_run(&machine, &build, trials);
        expect_count(trials, WS_COUNT_l1_misses, 5);
        expect_misses(trials, 0, 3, 0, 0);
        expect_misses(trials, 1, 2, 0, 0);
        trials_free(trials);
        image_build_free(&build);
    }
}

/* Its exit issues before the accesses of its loads: a constant, a texture, two lines and one. */
SCENE_TEST(misses_after_the_end_count, 1, 64)
{
    add_load(scene, WS_SPACE_constant, 1);
    add_load(scene, WS_SPACE_texture, 2);
    add_load(scene, WS_SPACE_global, 3);
    add_end(scene);
    for (u32 warp = 0; warp < 2; warp++) {
        touch(scene, 0, warp, 0);
        touch(scene, 0, warp, 0);
        touch_lines(scene, 0, warp, 0, 2 - warp);
    }
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(constant_misses, 2), IS(texture_misses, 2), IS(l1_misses, 3));
    expect_misses(scene->trials, 0, 2, 1, 1);
    expect_misses(scene->trials, 1, 1, 1, 1);
    for (u32 i = 0; i < TRIALS; i++)
        assert_int_equal(warp_of(&scene->trials[i], 0, 0)->packets, 4);
}

/* A store that allocates misses as a store, an atomic as a load. */
SCENE_TEST(scoreboard_warps_miss_what_they_load, 1, 32)
{
    scene->machine.l1_store = WS_store_back;
    add_store(scene, WS_SPACE_global);
    OP(scene, .class_ = WS_CLASS_atomic, .space = WS_SPACE_global, .dst = {1}, .src = {15});
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, line_granule(1));
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(l1_store_misses, 1), IS(l1_misses, 1));
    expect_misses(scene->trials, 0, 1, 0, 0);
}

/* Entry and end are known of warps whose threads issue with others. */
static void run_mixed(u32 unit)
{
    struct scene scene;
    packets_start(&scene, unit, 1, 8);
    add_load(&scene, WS_SPACE_global, 1);
    add_end(&scene);
    give_lines(&scene, 0, "0000 1111");
    scene_run(&scene);
    EXPECT(&scene, l1_misses, 2);
    for (u32 i = 0; i < TRIALS; i++)
        for (u32 warp = 0; warp < 2; warp++)
            assert_true(warp_of(&scene.trials[i], 0, warp)->ended > 24);
    for (u32 warp = 0; warp < 2; warp++)
        expect_misses(scene.trials, warp, 0, 0, 0);
    for (u32 i = 0; i < TRIALS; i++)
        assert_int_equal(warp_of(&scene.trials[i], 0, 0)->packets + warp_of(&scene.trials[i], 0, 1)->packets, 0);
    scene_end(&scene);
}

TIMING_TEST(packets_that_mix_warps_are_no_warps)
{
    run_mixed(WS_divergence_dwf);
    run_mixed(WS_divergence_mimd);
    run_mixed(WS_divergence_tbc);
}
