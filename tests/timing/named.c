/* Barriers for part of a block: docs/model/divergence.md. */
#include "test.h"
#include "timing/scene.h"

static void add_named(struct image_build *build, u32 flags, u32 number, u32 threads)
{
    const u32 pc = add_barrier(build);
    struct ws_instruction *const ins = &build->program[pc];
    ins->flags = (u8)flags;
    ins->bytes = (u8)number;
    ins->target = (u16)threads;
}

/* For 64 of 128 threads. Warps 0 and 1 arrive at 2 and 3 and are released at 4, the turn of warp 2; warp 2 and warp 3, which
 * arrives at 5, are released at 6, after warps 0 and 1. */
SCENE_TEST(half_of_a_block_goes_on, 1, 128)
{
    add_named(&scene->build, WS_NAMED, 1, 64);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 6);
    EXPECT_ISSUES(scene, 1, 3, 7);
    EXPECT_ISSUES(scene, 2, 4, 8);
    EXPECT_ISSUES(scene, 3, 5, 9);
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 4), IS(barrier_releases, 2));
}

/* Both arrive at 2 and 3 without waiting, which is enough, and again at 4 and 5; then they are released. */
SCENE_TEST(who_only_arrives_goes_on, 1, 64)
{
    add_named(&scene->build, WS_NAMED | WS_ARRIVES, 15, 64);
    add_named(&scene->build, WS_NAMED, 15, 64);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4, 6);
    EXPECT_ISSUES(scene, 1, 3, 5, 7);
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 4), IS(barrier_releases, 2));
}

/* The second warp of 48 threads counts 32: both are released at 4. */
SCENE_TEST(missing_threads_come_with_the_last_warp, 1, 48)
{
    add_named(&scene->build, WS_NAMED, 0, 64);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4);
    EXPECT_ISSUES(scene, 1, 3, 5);
}

/* In the barrel: arrivals complete at 7 and 8, and each warp continues from its own; the barriers complete at 14 and 15, when both
 * are released. */
BARREL_TEST(part_of_a_block_in_the_barrel, plain_machine(), 1, 64)
{
    add_named(build, WS_NAMED | WS_ARRIVES, 3, 64);
    add_named(build, WS_NAMED, 3, 64);
    add_exit(build);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 7}, {1, 1, 0, 8}, {0, 2, 0, 15}, {1, 2, 0, 16});
    EXPECT_COUNTS(trials, IS(barrier_arrivals, 4), IS(barrier_releases, 2));
}

/* 64 threads reach a barrier for 96: none continues, even after the block's other warp has ended. */
SCENE_TEST(too_few_come_to_a_barrier, 1, 64)
{
    scene->machine.core_watchdog = 1000;
    add_named(&scene->build, WS_NAMED, 1, 96);
    add_end(scene);
    scene_run(scene);
    for (u32 i = 0; i < TRIALS; i++)
        assert_int_equal(scene->trials[i].status, WS_STATUS_deadlock);
    EXPECT_COUNTS(scene->trials, IS(cycles, 3 + 1000), IS(barrier_releases, 0));
}
