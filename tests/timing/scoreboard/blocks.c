/* Blocks, ends and barriers in the scoreboard pipeline: docs/model/order.md, dispatch.md, pipelines.md. */
#include "test.h"
#include "timing/scene.h"

/* The cycles of a block: when it entered and when it ended. */
static void expect_block(const struct scene *scene, u32 block, u64 entered, u64 ended)
{
    for (u32 i = 0; i < TRIALS; i++) {
        const struct trial *const trial = &scene->trials[i];
        const struct ws_block_time *const time = &trial->times[block];
        if (time->entered != entered || time->ended != ended)
            fail_msg("%s: block %u was there from %u to %u, not from %u to %u", trial->who, block, (u32)time->entered,
                     (u32)time->ended, (u32)entered, (u32)ended);
    }
}

/* The exit issues at 3, the result of the load comes at 104: then the warp retires, the next block enters and is fetched. Its load
 * hits at 110, when everything ends. */
SCENE_TEST(a_block_enters_when_results_are_written, 2, 32)
{
    scene->machine.core_blocks = 1;
    add_load(scene, WS_SPACE_global, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 1, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 106, 107);
    expect_block(scene, 0, 0, 104);
    expect_block(scene, 1, 104, 110);
    EXPECT_COUNTS(scene->trials, IS(cycles, 110), IS(blocks_done, 2), IS(warps_done, 2));
}

/* The write is acknowledged at 50; that of the second block, sent at 56, hits at L2 and takes as long. */
SCENE_TEST(a_block_enters_when_stores_are_acknowledged, 2, 32)
{
    scene->machine.core_blocks = 1;
    scene->machine.l2_store = WS_l2_store_through;
    add_store(scene, WS_SPACE_global);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 1, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 52, 53);
    expect_block(scene, 0, 0, 50);
    expect_block(scene, 1, 50, 100);
}

/* Warp 0 ends at 5. Warp 1 loads at 4, and has its result at 106; until then the slots of both are taken, and the second block does
 * not fit into three. Its load hits at 114. */
SCENE_TEST(a_block_gives_its_slots_back_at_once, 2, 64)
{
    scene->machine.core_warps = 3;
    add_branch(&scene->build, 2, 2);
    add_load(scene, WS_SPACE_global, 1);
    add_end(scene);
    for (u32 block = 0; block < 2; block++) {
        decide(scene, block, 0, true);
        decide(scene, block, 1, false);
        touch(scene, block, 1, 0);
    }
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 5, 108, 111);
    EXPECT_ISSUES(scene, 1, 3, 4, 6, 109, 110, 112);
    expect_block(scene, 0, 0, 106);
    expect_block(scene, 1, 106, 114);
}

/* Arrivals at 2 and 3; both are released at 4 and have their next instruction in the buffer. */
SCENE_TEST(a_barrier_opens_in_the_cycle_after_the_last_arrival, 1, 64)
{
    add_barrier(&scene->build);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4);
    EXPECT_ISSUES(scene, 1, 3, 5);
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 2), IS(barrier_releases, 1));
}

/* A warp alone is released in the next cycle; the load before its barrier is still under way. */
SCENE_TEST(a_barrier_waits_for_no_result, 1, 32)
{
    add_load(scene, WS_SPACE_global, 1);
    add_barrier(&scene->build);
    add_barrier(&scene->build);
    add_move(scene, 2);
    add_end(scene);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6, 8);
    EXPECT(scene, barrier_releases, 2);
}

/* The barriers of two blocks have nothing to do with each other. gto: arrivals at 2 and 3, exits at 4 and 5, of the warp that
 * issued last and the oldest; then block 1 in the same way. */
SCENE_TEST(a_barrier_is_that_of_a_block, 2, 64)
{
    scene->machine.schedule_policy = WS_policy_gto;
    add_barrier(&scene->build);
    add_end(scene);
    scene_run(scene);
    expect_slots(scene, "ii 01 10 23 32");
    EXPECT(scene, barrier_releases, 2);
}

/* Both load, at 2 and 3, and branch, at 4 and 5. Warp 0 continues at 6, waits for its written register until 24 and ends at 27,
 * with its load still in flight. Warp 1, at the barrier since 8, is released at 28. */
SCENE_TEST(a_warp_that_has_ended_counts_as_arrived_before_it_retires, 1, 64)
{
    add_load(scene, WS_SPACE_global, 1);
    add_branch(&scene->build, 6, WS_PC_NONE);
    OP(scene, .kind = WS_KIND_minmax, .dst = {3});
    add_use(scene, 3);
    add_move(scene, 4);
    add_end(scene);
    add_barrier(&scene->build);
    add_end(scene);
    scene->build.program[1].src[0] = 2; /* not what the load writes */
    for (u32 warp = 0; warp < 2; warp++) {
        touch(scene, 0, warp, 0);
        decide(scene, 0, warp, warp == 1);
    }
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4, 6, 24, 26, 27);
    EXPECT_ISSUES(scene, 1, 3, 5, 8, 28);
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 1), IS(barrier_releases, 1), IS(cycles, 105));
}

/* Nothing issues after 2: the data would arrive after 2000 cycles, and the job ends when cycle 1002 begins. */
SCENE_TEST(a_scoreboard_job_without_progress_is_a_deadlock, 1, 32)
{
    scene->machine.core_issue_ports = 2;
    scene->machine.core_watchdog = 1000;
    scene->machine.dram_delay = 2000;
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    for (u32 i = 0; i < TRIALS; i++)
        assert_int_equal(scene->trials[i].status, WS_STATUS_deadlock);
    EXPECT_COUNTS(scene->trials, IS(cycles, 1002), IS(stall_scoreboard, 999), IS(stall_idle, 2 + 1002));
}

/* The exit of 2 has no result to wait for: the warp retires at 3. What its buffer holds behind it is flushed. */
SCENE_TEST(an_exit_has_no_result, 1, 32)
{
    add_end(scene);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2);
    EXPECT_COUNTS(scene->trials, IS(cycles, 3), IS(buffer_flushes, 1));
}

/* A load without destination has none either, but its line comes at 102. */
SCENE_TEST(a_load_without_destination_is_answered, 1, 32)
{
    OP(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .src = {15});
    add_end(scene);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3);
    EXPECT(scene, cycles, 102);
}
