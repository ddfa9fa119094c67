/* Schedulers of a pool: docs/model/schedulers.md. Unless stated, four warps branch at 0 to 3. From 10 on one warp per cycle splits
 * into threads that reach 2 and threads that reach 1, where they end. */
#include "test.h"
#include "timing/packets.h"

#define BRANCHES "0 0 1111, 1 0 1111, 2 0 1111, 3 0 1111, "

static void run_fork(struct scene *scene, u32 policy, const char *decisions)
{
    packets_start(scene, WS_divergence_dwf, 1, 16);
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_end(scene);
    add_end(scene);
    give_decisions(scene, 0, decisions);
    scene->machine.schedule_policy = policy;
    scene_run(scene);
}

/* At 10 three are at 2. At 11 three more reach 2, which stays selected, and at 12 one more, while five are at 1: 2 issues first
 * nevertheless. At 13 none is at 2; of the three warps at 1 the oldest goes first. */
SCENE_WITH(majority_keeps_its_pc, run_fork(scene, WS_policy_majority, "1110 0111 0001 0000"))
{
    expect_packets(scene, BRANCHES "10 2 1110, 11 2 0111, 12 2 0001, 13 1 1111, 14 1 1111, 15 1 1000");
    EXPECT_COUNTS(scene->trials, IS(cycles, 25), IS(majority_overflows, 0));
}

/* As many at 1 as at 2: the smaller pc. */
SCENE_WITH(majority_prefers_the_smaller_pc_of_two, run_fork(scene, WS_policy_majority, "1100 1111 1111 1111"))
{
    expect_packets(scene, BRANCHES "10 1 0011, 11 2 1111, 12 2 1111, 13 2 1111, 14 2 1100");
}

/* A table of one pc: the rare one, which is in the lowest lane, is entered first and holds it. From 12 on the selected pc has no
 * threads, and no pc is in the table: the oldest. */
TIMING_TEST(a_small_majority_table_knows_the_pc_that_came_first)
{
    struct scene scene;
    packets_start(&scene, WS_divergence_dwf, 1, 8);
    add_branch(&scene.build, 2, WS_PC_NONE);
    add_end(&scene);
    add_end(&scene);
    give_decisions(&scene, 0, "0111 0111");
    scene.machine.schedule_policy = WS_policy_majority_table;
    scene.machine.dwf_majority_table = 1;
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 1 0 1111, 10 1 1000, 11 1 1000, 12 2 0111, 13 2 0111");
    EXPECT_COUNTS(scene.trials, IS(majority_overflows, 2), IS(cycles, 23));
    scene_end(&scene);
    run_fork(&scene, WS_policy_majority, "0111 0111 0111 0111");
    expect_packets(&scene, BRANCHES "10 2 0111, 11 2 0111, 12 2 0111, 13 2 0111, 14 1 1000, 15 1 1000, 16 1 1000, 17 1 1000");
    scene_end(&scene);
}

/* At 10 the pc of lane 0 enters the table first, and the more common one swaps places with it: it is selected, and stays so. The
 * warps at 2 are older. */
TIMING_TEST(a_majority_table_puts_the_more_common_pc_before_another)
{
    struct scene scene;
    run_fork(&scene, WS_policy_majority_table, "1000 1000 1000 1000");
    expect_packets(&scene, BRANCHES "10 1 0111, 11 1 0111, 12 1 0111, 13 1 0111, 14 2 1000, 15 2 1000, 16 2 1000, 17 2 1000");
    EXPECT(&scene, majority_overflows, 0);
    scene_end(&scene);
    run_fork(&scene, WS_policy_majority_table, "1110 0111 0001 0000"); /* keeps as majority does */
    expect_packets(&scene, BRANCHES "10 2 1110, 11 2 0111, 12 2 0001, 13 1 1111, 14 1 1111, 15 1 1000");
    scene_end(&scene);
}

/* At 10 one is at 1, three at 2; at 11 one and six, at 12 three and seven, at 13 four and seven. */
TIMING_TEST(minority_chooses_the_rarest_pc)
{
    struct scene scene;
    run_fork(&scene, WS_policy_minority, "1110 0111 0001 0000");
    expect_packets(&scene, BRANCHES "10 1 0001, 11 1 1000, 12 1 1110, 13 1 1111, 14 2 1111, 15 2 0111");
    scene_end(&scene);
    run_fork(&scene, WS_policy_minority, "0001 1000 1110 1111");
    expect_packets(&scene, BRANCHES "10 2 0001, 11 2 1000, 12 2 1110, 13 2 1111, 14 1 1111, 15 1 0111");
    scene_end(&scene);
}

/* Warps issue in the order in which they were opened, whichever threads join. */
SCENE_WITH(timestamp_chooses_the_oldest, run_fork(scene, WS_policy_timestamp, "1110 0111 0001 0000"))
{
    expect_packets(scene, BRANCHES "10 2 1110, 11 1 1001, 12 2 0111, 13 1 1111, 14 2 0001, 15 1 1110");
    EXPECT(scene, lane_conflicts, 4);
}

/* Those at 2 wait until all at 1 have gone. They are four, four and one: the larger first, of two the older. */
SCENE_WITH(program_counter_chooses_the_smallest_pc, run_fork(scene, WS_policy_program_counter, "0001 1000 1110 1111"))
{
    expect_packets(scene, BRANCHES "10 1 1110, 11 1 0111, 12 1 0001, 13 2 1111, 14 2 1111, 15 2 1000");
}

/* 2 is the branch's reconvergence point: threads that reach it wait for those still at 1. */
SCENE_WITH(pdom_priority_lets_those_behind_catch_up, packets_start(scene, WS_divergence_dwf, 1, 12))
{
    add_branch(&scene->build, 2, 2);
    add_alu(&scene->build);
    add_end(scene);
    give_decisions(scene, 0, "1110 0111 1111");
    scene->machine.schedule_policy = WS_policy_pdom_priority;
    scene_run(scene);
    expect_packets(scene,
                   "0 0 1111, 1 0 1111, 2 0 1111, 10 1 0001, 11 1 1000, 12 2 1111, 13 2 1111, 14 2 0110, 20 2 0001, 21 2 1000");
    EXPECT(scene, cycles, 31);
}

/* The scene with warps chosen by what they have passed; a line takes 100 cycles. */
static void run_passed(struct scene *scene, u32 passed)
{
    scene->machine.schedule_policy = WS_policy_pdom_priority;
    scene->machine.dwf_passed = passed;
    scene->machine.dram_row_hit = scene->machine.dram_row_conflict = 100;
    scene_run(scene);
}

/* Thread 0 passes 3, a reconvergence point, on its way to the load at 4, thread 1 does not, nor does thread 2, which loads at 6.
 * The line returns all three at 115: two to 5, one of which has passed a point, one to 7. */
static void run_mixed(struct scene *scene, u32 passed)
{
    packets_start(scene, WS_divergence_dwf, 1, 3);
    add_branch(&scene->build, 6, WS_PC_NONE);
    add_branch(&scene->build, 3, 3);
    add_jump(&scene->build, 4);
    add_jump(&scene->build, 4);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_end(scene);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global); /* 6 */
    add_end(scene);
    give_decisions(scene, 0, "001");
    give_decisions(scene, 0, "10-");
    give_lines(scene, 0, "000");
    run_passed(scene, passed);
}

#define MIXED "0 0 1110, 10 1 1100, 11 6 0010, 20 2 0100, 21 3 1000, 30 4 0100, 31 4 1000, "

SCENE_WITH(a_warp_has_passed_what_one_of_its_threads_has, run_mixed(scene, WS_dwf_passed_most))
{
    expect_packets(scene, MIXED "115 7 0010, 116 5 1100");
}

SCENE_WITH(or_what_all_of_them_have, run_mixed(scene, WS_dwf_passed_least))
{
    expect_packets(scene, MIXED "115 5 1100, 116 7 0010");
}

/* Thread 0 passes 2, a reconvergence point, on its way to the load at 3, thread 1 does not. The line returns both together, and
 * they part at 4. */
static void run_parting(struct scene *scene, u32 passed)
{
    packets_start(scene, WS_divergence_dwf, 1, 2);
    add_branch(&scene->build, 2, 2);
    add_jump(&scene->build, 3);
    add_jump(&scene->build, 3);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_branch(&scene->build, 6, WS_PC_NONE);
    add_end(scene);
    add_end(scene); /* 6 */
    give_decisions(scene, 0, "10");
    give_decisions(scene, 0, "01");
    give_lines(scene, 0, "00");
    run_passed(scene, passed);
}

#define PARTING "0 0 1100, 10 1 0100, 11 2 1000, 20 3 0100, 21 3 1000, 124 4 1100, "

SCENE_WITH(a_thread_takes_its_own_count_along, run_parting(scene, WS_dwf_passed_most))
{
    expect_packets(scene, PARTING "134 6 0100, 135 5 1000");
}

SCENE_WITH(or_that_of_the_warp_in_which_it_issued, run_parting(scene, WS_dwf_passed_warp))
{
    expect_packets(scene, PARTING "134 5 1000, 135 6 0100");
}
