/* Every thread a pc of its own: section 4.4 of docs/model.md. */
#include "test.h"
#include "timing/packets.h"

/* Three warps of three threads on four lanes, and a pipeline of two stages. At 2 the last thread and three that have come back
 * issue together; the choice goes round by slots and threads, and only the last packet is not full. */
TIMING_TEST(the_next_ready_threads_issue_whatever_their_pcs)
{
    struct scene scene;
    packets_start(&scene, WS_divergence_mimd, 3, 3);
    add_alu(&scene.build);
    add_alu(&scene.build);
    add_end(&scene);
    scene.machine.core_depth = 2;
    scene.machine.dwf_stage = 5; /* of dwf alone */
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 1 0 1111, 2 0 1111, 3 1 1111, 4 1 1111, 5 2 1111, 6 2 1110");
    EXPECT(&scene, cycles, 8);
    EXPECT(&scene, thread_instructions, 27);
    EXPECT(&scene, warp_instructions, 7);
    EXPECT(&scene, instructions_fetched, 7);
    EXPECT(&scene, warps_done, 3);
    scene_end(&scene);
}

/* At 10 two threads load line 0 and two store line 1: one access after the other, over two cycles of the port. The packet is
 * through the pipeline and the cache at 10 + 2 - 1 + 10 + 5, with it the stores; line 0 comes at 34. */
TIMING_TEST(a_packets_accesses_go_one_after_the_other)
{
    struct scene scene;
    packets_start(&scene, WS_divergence_mimd, 1, 4);
    add_branch(&scene.build, 3, WS_PC_NONE);
    add_memory(&scene.build, WS_CLASS_load, WS_SPACE_global);
    add_end(&scene);
    add_memory(&scene.build, WS_CLASS_store, WS_SPACE_global); /* 3 */
    add_end(&scene);
    give_decisions(&scene, 0, "0011");
    give_lines(&scene, 0, "0011");
    scene.machine.l1_latency = 5;
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 10 1 1111, 26 4 1100, 34 2 1100");
    EXPECT(&scene, global_accesses, 2);
    EXPECT(&scene, global_lines, 2);
    EXPECT(&scene, port_busy, 2);
    EXPECT(&scene, l1_misses, 1);
    EXPECT(&scene, l1_store_misses, 1);
    EXPECT(&scene, divergent_branches, 1);
    EXPECT(&scene, warp_class + WS_CLASS_load, 1);
    EXPECT(&scene, warp_class + WS_CLASS_store, 0);
    EXPECT(&scene, thread_class + WS_CLASS_store, 2);
    EXPECT(&scene, cycles, 44);
    scene_end(&scene);
}

/* With dwf.wait = warp those of line 0, which comes at 24, wait for line 1 too. */
TIMING_TEST(a_packets_threads_may_wait_for_each_other)
{
    struct scene scene;
    packets_start(&scene, WS_divergence_mimd, 1, 4);
    add_memory(&scene.build, WS_CLASS_load, WS_SPACE_global);
    add_end(&scene);
    give_lines(&scene, 0, "0011");
    scene.machine.dwf_wait = WS_dwf_wait_warp;
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 28 1 1111");
    scene_end(&scene);
}

/* The barrier of both warps' threads: at 10 those of the first pass an operation, the others arrive at 11; all are there at 30. */
TIMING_TEST(a_barrier_lets_threads_go_in_the_next_cycle)
{
    struct scene scene;
    packets_start(&scene, WS_divergence_mimd, 1, 8);
    add_branch(&scene.build, 2, WS_PC_NONE);
    add_alu(&scene.build);
    add_barrier(&scene.build); /* 2 */
    add_end(&scene);
    give_decisions(&scene, 0, "0000 1111");
    scene_run(&scene);
    expect_packets(&scene, "0 0 1111, 1 0 1111, 10 1 1111, 11 2 1111, 20 2 1111, 31 3 1111, 32 3 1111");
    EXPECT(&scene, barrier_arrivals, 2);
    EXPECT(&scene, barrier_releases, 1);
    EXPECT(&scene, uniform_branches, 2);
    EXPECT(&scene, stall_idle, 1); /* at 30 */
    EXPECT(&scene, cycles, 42);
    scene_end(&scene);
}
