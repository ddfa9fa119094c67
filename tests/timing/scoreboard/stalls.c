/* Classes of stall slots: docs/model/pipelines.md, "Stall slots" (Anantpur II.B). */
#include "test.h"
#include "timing/scene.h"

/* cycles x ports = issues + stall slots. */
static void expect_sum(const struct scene *scene)
{
    for (u32 i = 0; i < TRIALS; i++) {
        const u64 *const counters = scene->trials[i].counters;
        assert_int_equal(counters[WS_COUNT_cycles] * scene->machine.core_issue_ports,
                         counters[WS_COUNT_warp_instructions] + counters[WS_COUNT_stall_idle] +
                             counters[WS_COUNT_stall_scoreboard] + counters[WS_COUNT_stall_pipeline]);
    }
}

/* Idle: nothing is valid, at 0, 1 and 4. Scoreboard: the third, valid at 5, reads what is there at 8. */
SCENE_TEST(a_slot_is_idle_or_waits_for_the_scoreboard, 1, 32)
{
    add_move(scene, 1);
    add_move(scene, 2);
    add_use(scene, 1);
    add_end(scene);
    scene_run(scene);
    expect_slots(scene, "ii00 i sss 00");
    EXPECT(scene, stall_pipeline, 0);
    expect_sum(scene);
}

/* Warp 0 waits for its register from 3 on, warp 1 for the SFU, whose queue holds one, until the first has started at 5: a warp that
 * is ready makes it pipeline, whatever others wait for. */
SCENE_TEST(a_ready_warp_makes_a_lost_slot_pipeline, 1, 64)
{
    scene->machine.unit_sfu_queue = 1;
    scene->machine.unit_collect = 10;
    OP(scene, .class_ = WS_CLASS_sfu, .dst = {1}); /* at 2, starts at 12 */
    add_use(scene, 1);
    add_end(scene);
    scene_run(scene);
    /* Warp 0's results are there at 12 + 8 + 2; warp 1's start at 22, when the SFU is free, and are there at 32. */
    expect_slots(scene, "ii0 ppppppppp 1 sssssssss 0 s 0 sssssss 1 i 1");
    EXPECT(scene, stall_pipeline, 9);
    expect_sum(scene);
}

/* Warp 0 arrives at 4; from 6 on its move is in the buffer, but it is not valid. Warp 1, which branched at 3, is fetched 10 cycles
 * later and arrives at 15. */
SCENE_TEST(a_warp_at_a_barrier_leaves_slots_idle, 1, 64)
{
    scene->machine.core_branch_delay = 10;
    add_branch(&scene->build, 4, WS_PC_NONE);
    add_barrier(&scene->build);
    add_move(scene, 1);
    add_end(scene);
    add_barrier(&scene->build);
    add_end(scene);
    decide(scene, 0, 0, false);
    decide(scene, 0, 1, true);
    scene_run(scene);
    expect_slots(scene, "ii010 iiiiiiiiii 1010");
    EXPECT(scene, stall_scoreboard, 0);
    expect_sum(scene);
}

/* Until the instruction line is there, and after the exit until the move's result is, at 98 + 6. */
SCENE_TEST(an_instruction_miss_leaves_slots_idle, 1, 32)
{
    scene->machine.icache_size = 1024;
    add_move(scene, 1);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 98, 99);
    EXPECT_COUNTS(scene->trials, IS(cycles, 104), IS(stall_idle, 98 + 4));
    expect_sum(scene);
}

/* Two ports, each with its own: warp 0 waits for its register at 3 to 7 and is gone after 9, port 1 has no warp at all. */
SCENE_TEST(each_port_has_its_lost_slots, 1, 32)
{
    scene->machine.core_issue_ports = 2;
    add_move(scene, 1);
    add_use(scene, 1);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 8, 10);
    EXPECT_COUNTS(scene->trials, IS(cycles, 11), IS(stall_scoreboard, 5), IS(stall_idle, 2 + 1 + 11));
    expect_sum(scene);
}

/* Two ports, LD/ST and SP sometimes full, misses, a barrier: the classes always add up. */
SCENE_TEST(lost_slots_and_issues_add_up, 3, 96)
{
    scene->machine.core_issue_ports = 2;
    scene->machine.core_blocks = 2;
    scene->machine.icache_size = 1024;
    scene->machine.unit_sp_queue = 1;
    scene->machine.unit_ldst_queue = 1;
    scene->machine.interval_other = 5;
    add_load(scene, WS_SPACE_global, 1);
    for (u32 dst = 2; dst < 8; dst++)
        add_move(scene, dst);
    add_barrier(&scene->build);
    add_use(scene, 1);
    add_store(scene, WS_SPACE_global);
    add_end(scene);
    for (u32 warp = 0; warp < 9; warp++)
        for (u32 access = 0; access < 2; access++)
            touch_lines(scene, warp / 3, warp % 3, warp * 8, 8);
    scene_run(scene);
    EXPECT(scene, warp_instructions, 9 * 11);
    for (u32 i = 0; i < TRIALS; i++) {
        assert_true(scene->trials[i].counters[WS_COUNT_stall_idle] > 0);
        assert_true(scene->trials[i].counters[WS_COUNT_stall_scoreboard] > 0);
        assert_true(scene->trials[i].counters[WS_COUNT_stall_pipeline] > 0);
    }
    expect_sum(scene);
}
