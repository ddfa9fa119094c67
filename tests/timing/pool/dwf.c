/* Dynamic warp formation: docs/model/divergence.md. */
#include "test.h"
#include "timing/packets.h"

/* A branch to 2; 1 and 2 end. Threads that take it come to 2. */
static void start_fork(struct scene *scene, u32 threads, const char *decisions)
{
    packets_start(scene, WS_divergence_dwf, 1, threads);
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_end(scene);
    add_end(scene);
    give_decisions(scene, 0, decisions);
}

/* Figure 11. At 10 the first warp opens 2 {0, 1} and 1 {2, 3}, and the former issues: its entry is removed. At 11 the second joins
 * the warp of 1, which issues full, and opens 2 {2, 3}. At 12 the third wants 2 in lanes 1 and 2: lane 1 joins, lane 2 is occupied,
 * and that thread opens a warp. */
SCENE_WITH(threads_join_the_warp_that_forms_at_their_pc, packets_start(scene, WS_divergence_dwf, 1, 12))
{
    add_branch(&scene->build, 2, 3);
    add_jump(&scene->build, 3);
    add_alu(&scene->build);
    add_end(scene);
    give_decisions(scene, 0, "1100 0011 0110");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 1 0 1111, 2 0 1111, 10 2 1100, 11 1 1111, 12 2 0111, 13 1 1001, 14 2 0010, "
                          "20 3 1100, 21 3 1111, 22 3 0111, 23 3 1001, 24 3 0010");
    EXPECT_COUNTS(scene->trials, IS(cycles, 34), IS(lane_conflicts, 1), IS(warps_formed, 10), IS(lut_evictions, 0),
                  IS(divergent_branches, 3), IS(uniform_branches, 0), IS(stall_scoreboard, 34 - 13));
}

/* Lower pcs go first, so 2 keeps forming while others end at 1. The first two both want lane 0: a conflict, and a new warp. Lanes 1
 * and 3 join that one, though the older has room for both. */
SCENE_WITH(after_a_conflict_the_older_warp_is_never_joined, start_fork(scene, 16, "1000 1000 0100 0001"))
{
    scene->machine.schedule_policy = WS_policy_program_counter;
    scene_run(scene);
    expect_packets(scene,
                   "0 0 1111, 1 0 1111, 2 0 1111, 3 0 1111, 10 1 0111, 11 1 0111, 12 1 1011, 13 1 1110, 14 2 1101, 15 2 1000");
    EXPECT_COUNTS(scene->trials, IS(cycles, 25), IS(lane_conflicts, 1), IS(warps_formed, 6));
}

/* One entry for all pcs: at 10 that of 2 is replaced by that of 1, which is removed as its warp issues, and at 11 that of 1 by a
 * new one of 2: the first warp of 2 is not joined. With a set for even and one for odd pcs it is joined. */
TIMING_TEST(a_replaced_entry_leaves_its_warp_alone)
{
    struct scene scene;
    for (u32 entries = 1; entries <= 2; entries++) {
        start_fork(&scene, 8, "1000 0100");
        scene.machine.schedule_policy = WS_policy_program_counter;
        scene.machine.dwf_lut = entries;
        scene.machine.dwf_lut_ways = 1;
        scene_run(&scene);
        if (entries == 1)
            expect_packets(&scene, "0 0 1111, 1 0 1111, 10 1 0111, 11 1 1011, 12 2 1000, 13 2 0100");
        else
            expect_packets(&scene, "0 0 1111, 1 0 1111, 10 1 0111, 11 1 1011, 12 2 1100");
        EXPECT_COUNTS(scene.trials, IS(lut_evictions, entries == 1 ? 2 : 0), IS(warps_formed, entries == 1 ? 4 : 3));
        scene_end(&scene);
    }
}

/* 4.1: even threads take the branch. Without swizzling they are in even lanes in every warp, and no warp can grow. */
SCENE_WITH(without_swizzling_even_and_odd_threads_never_fill_a_warp, start_fork(scene, 8, "1010 1010"))
{
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 1 0 1111, 10 2 1010, 11 1 0101, 12 2 1010, 13 1 0101");
    EXPECT(scene, lane_conflicts, 2);
}

/* With it the odd threads of the second warp are in even lanes, and fill the warp of the first's. */
SCENE_WITH(swizzling_lets_them, start_fork(scene, 8, "1010 1010"))
{
    scene->machine.dwf_swizzle = WS_dwf_swizzle_alternate;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 1 0 1111, 10 2 1010, 11 1 1111, 12 2 0101");
    EXPECT(scene, lane_conflicts, 0);
}

/* The first thread of each warp takes the branch: its lane is 0, 1, 2 when every warp is turned one further, 0, 1, 0 when every
 * other one is swapped. */
TIMING_TEST(home_lanes_rotate_or_alternate)
{
    struct scene scene;
    start_fork(&scene, 12, "1000 1000 1000");
    scene.machine.schedule_policy = WS_policy_program_counter;
    scene.machine.dwf_swizzle = WS_dwf_swizzle_rotate;
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 1 0 1111, 2 0 1111, 10 1 0111, 11 1 1011, 12 1 1101, 13 2 1110");
    scene_end(&scene);
    start_fork(&scene, 12, "1000 1000 1000");
    scene.machine.schedule_policy = WS_policy_program_counter;
    scene.machine.dwf_swizzle = WS_dwf_swizzle_alternate;
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 1 0 1111, 2 0 1111, 10 1 0111, 11 1 1011, 12 1 0111, 13 2 1100, 14 2 1000");
    scene_end(&scene);
}

/* At 12 the four threads of the third warp arrive at 2, where the first threads of the others wait: any place is allowed, two join,
 * two open a warp. */
static void run_any_lane(struct scene *scene, u32 lanes)
{
    packets_start(scene, WS_divergence_dwf, 1, 12);
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_end(scene);
    add_alu(&scene->build);
    add_end(scene);
    give_decisions(scene, 0, "1000 1000 1111");
    scene->machine.schedule_policy = WS_policy_program_counter;
    scene->machine.dwf_lanes = lanes;
    scene_run(scene);
}

SCENE_WITH(any_lane_is_free_where_registers_have_no_banks, run_any_lane(scene, WS_dwf_lanes_ideal))
{
    expect_packets(scene, "0 0 1111, 1 0 1111, 2 0 1111, 10 1 1110, 11 1 1110, 12 2 1111, 13 2 1100, 22 3 1111, 23 3 1100");
    EXPECT_COUNTS(scene->trials, IS(cycles, 33), IS(stall_pipeline, 0), IS(lane_conflicts, 0));
}

/* The full warp has three threads of bank 0: it enters over three cycles, and completes two later. */
SCENE_WITH(threads_of_one_bank_enter_one_after_the_other, run_any_lane(scene, WS_dwf_lanes_conflicts))
{
    expect_packets(scene, "0 0 1111, 1 0 1111, 2 0 1111, 10 1 1110, 11 1 1110, 12 2 1111, 15 2 1100, 24 3 1111, 27 3 1100");
    EXPECT_COUNTS(scene->trials, IS(cycles, 37), IS(stall_pipeline, 4), IS(lane_conflicts, 0));
}

/* Section 6: one more stage for the register file. */
SCENE_WITH(dynamic_warps_pass_extra_stages, packets_start(scene, WS_divergence_dwf, 1, 4))
{
    add_alu(&scene->build);
    add_alu(&scene->build);
    add_end(scene);
    scene->machine.dwf_stage = 2;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 12 1 1111, 24 2 1111");
    EXPECT(scene, cycles, 36);
}

/* Line 0 arrives at 24. The second load takes two cycles of the port from 24 on, and leaves the pipeline at 35; line 1 arrives at
 * 48. */
static void run_two_loads(struct scene *scene, u32 wait)
{
    packets_start(scene, WS_divergence_dwf, 1, 4);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_end(scene);
    give_lines(scene, 0, "0000");
    give_lines(scene, 0, "0011");
    scene->machine.dwf_wait = wait;
    scene_run(scene);
}

SCENE_WITH(only_the_threads_that_missed_wait, run_two_loads(scene, WS_dwf_wait_thread))
{
    expect_packets(scene, "0 0 1111, 24 1 1111, 35 2 1100, 48 2 0011");
    EXPECT_COUNTS(scene->trials, IS(cycles, 58), IS(stall_idle, 0));
}

SCENE_WITH(or_all_threads_of_their_packet_do, run_two_loads(scene, WS_dwf_wait_warp))
{
    expect_packets(scene, "0 0 1111, 24 1 1111, 48 2 1111");
    EXPECT(scene, cycles, 58);
}

/* Line 0 is available from 24 on for a load of two lines at 0; the second arrives at 28: each line's threads return separately. */
SCENE_WITH(each_line_brings_its_threads, packets_start(scene, WS_divergence_dwf, 1, 4))
{
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_end(scene);
    give_lines(scene, 0, "0101");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 24 1 1010, 28 1 0101");
}

/* The load at 10 waits for line 0, that at 13 merges with it; both are through the pipeline when it comes at 34. In order of issue,
 * then of lanes: the first's lanes 0 and 1 are dealt into a packet, the second's lane 1 into another, its lane 2 into the first.
 * One packet a cycle is taken up. */
SCENE_WITH(a_lines_threads_are_dealt_into_packets, packets_start(scene, WS_divergence_dwf, 1, 8))
{
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_end(scene);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_end(scene);
    give_decisions(scene, 0, "1100 0110");
    give_lines(scene, 0, "00-- -00-");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 1 0 1111, 10 2 1100, 11 1 1011, 12 1 0001, 13 2 0110, 34 3 1110, 35 3 0100");
    EXPECT_COUNTS(scene->trials, IS(l1_merges, 1), IS(lane_conflicts, 1), IS(cycles, 45));
}

/* A load at three pcs: the line brings the three threads together at 115. The pcs of lanes 0 and 1 are taken up at once, that of
 * lane 2 a cycle later: although the smallest, it issues second. */
SCENE_WITH(two_pcs_of_a_packet_are_taken_up_in_a_cycle, packets_start(scene, WS_divergence_dwf, 1, 3))
{
    add_branch(&scene->build, 6, WS_PC_NONE);
    add_branch(&scene->build, 4, WS_PC_NONE);
    for (u32 i = 0; i < 3; i++) { /* at 2, 4 and 6 */
        add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
        add_end(scene);
    }
    give_decisions(scene, 0, "100");
    give_decisions(scene, 0, "-10");
    give_lines(scene, 0, "000");
    scene->machine.schedule_policy = WS_policy_program_counter;
    scene->machine.dram_row_hit = scene->machine.dram_row_conflict = 100;
    scene_run(scene);
    expect_packets(scene, "0 0 1110, 10 1 0110, 11 6 1000, 20 2 0010, 21 4 0100, 115 5 0100, 116 3 0010, 117 7 1000");
}

/* Threads with a false guard wait for no line. */
SCENE_WITH(threads_with_a_false_guard_come_back_first, packets_start(scene, WS_divergence_dwf, 1, 4))
{
    const u32 load = add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    scene->build.program[load].flags |= WS_GUARDED;
    add_end(scene);
    give_decisions(scene, 0, "0110");
    give_lines(scene, 0, "-00-");
    scene_run(scene);
    expect_packets(scene, "0 0 0110, 10 1 1001, 24 1 0110");
    EXPECT_COUNTS(scene->trials, IS(thread_instructions, 8), IS(register_reads, 2), IS(cycles, 34));
}

/* Three packets reach a barrier at 20, 21 and 22, and complete at 30, 31 and 32; the first warp arrives at 31, the second at 32. */
static void run_held(struct scene *scene, u32 release, u32 writeback)
{
    packets_start(scene, WS_divergence_dwf, 1, 8);
    add_branch(&scene->build, 2, 3);
    add_jump(&scene->build, 3);
    add_alu(&scene->build);
    add_barrier(&scene->build);
    add_end(scene);
    give_decisions(scene, 0, "1100 0011");
    scene->machine.dwf_release = release;
    scene->machine.dwf_writeback = writeback;
    scene_run(scene);
}

#define TO_BARRIER "0 0 1111, 1 0 1111, 10 2 1100, 11 1 1111, 12 2 0011, 20 3 1100, 21 3 1111, 22 3 0011, "

/* Held threads return from the next cycle on, a packet a cycle. */
SCENE_WITH(held_packets_come_back_as_they_were_held, run_held(scene, WS_dwf_release_update, WS_dwf_writeback_queue))
{
    expect_packets(scene, TO_BARRIER "33 4 1100, 34 4 1111, 35 4 0011");
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 2), IS(barrier_releases, 1));
    EXPECT(scene, stall_idle, 0); /* at 32 threads are in the queue */
    EXPECT(scene, cycles, 45);
}

/* They have waited in the pool: all can be selected at 32. */
SCENE_WITH(held_packets_become_warps_where_they_wait, run_held(scene, WS_dwf_release_pool, WS_dwf_writeback_queue))
{
    expect_packets(scene, TO_BARRIER "32 4 1100, 33 4 1111, 34 4 0011");
    EXPECT_COUNTS(scene->trials, IS(cycles, 44), IS(lane_conflicts, 0), IS(warps_formed, 9));
}

/* The update takes them at 33, 34 and 35, and no warp issues before: at 34 two threads of the second packet fill the first's warp,
 * at 35 the third packet that of the other two. */
SCENE_WITH(packets_that_wait_for_the_update_stall_the_pipeline, run_held(scene, WS_dwf_release_update, WS_dwf_writeback_stall))
{
    expect_packets(scene, TO_BARRIER "35 4 1111, 36 4 1111");
    EXPECT_COUNTS(scene->trials, IS(cycles, 46), IS(lane_conflicts, 2), IS(stall_pipeline, 2), IS(warps_formed, 8));
}

/* Block 0 has lanes 0 and 1, block 1 lanes 1 and 2. Their second threads issue the barrier together at 12. The first threads have
 * ended when it completes at 22, so both warps arrive. Each block's threads are held and return separately. */
SCENE_WITH(a_barrier_holds_blocks_apart, packets_start(scene, WS_divergence_dwf, 2, 2))
{
    scene->machine.dwf_swizzle = WS_dwf_swizzle_rotate;
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_end(scene);
    add_barrier(&scene->build);
    add_end(scene);
    give_decisions(scene, 0, "01");
    give_decisions(scene, 1, "01");
    scene->machine.schedule_policy = WS_policy_program_counter;
    scene_run(scene);
    expect_packets(scene, "0 0 1100, 1 0 0110, 10 1 1000, 11 1 0100, 12 2 0110, 23 3 0100, 24 3 0010");
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 2), IS(barrier_releases, 2), IS(cycles, 34));
}

/* The second block enters as the first has ended, and can be selected a cycle later. */
SCENE_WITH(a_slot_is_idle_while_nothing_is_in_the_pipeline, packets_start(scene, WS_divergence_dwf, 2, 4))
{
    add_end(scene);
    scene->machine.core_blocks = 1;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 11 0 1111");
    EXPECT_COUNTS(scene->trials, IS(stall_idle, 1), IS(stall_scoreboard, 18), IS(cycles, 21), IS(warps_formed, 0));
}

/* The load completes at 0 + 2 - 1 + 10 + 5, the store, which reads nothing, 10 cycles after its issue. */
SCENE_WITH(a_load_takes_the_data_caches_latency, packets_start(scene, WS_divergence_dwf, 1, 4))
{
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_memory(&scene->build, WS_CLASS_store, WS_SPACE_global);
    add_end(scene);
    give_lines(scene, 0, "0011");
    give_lines(scene, 0, "0000");
    scene->machine.memory_ideal = WS_toggle_on;
    scene->machine.l1_latency = 5;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 16 1 1111, 26 2 1111");
    EXPECT(scene, cycles, 36);
}
