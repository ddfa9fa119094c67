/* Every thread a pc of its own: docs/model/divergence.md. */
#include "test.h"
#include "timing/packets.h"

/* Three warps of three threads on four lanes, and a pipeline of two stages. At 2 the last thread and three returned ones issue
 * together; the selection cycles through slots and threads, and only the last packet is not full. */
SCENE_WITH(the_next_ready_threads_issue_whatever_their_pcs, packets_start(scene, WS_divergence_mimd, 3, 3))
{
    add_alu(&scene->build);
    add_alu(&scene->build);
    add_end(scene);
    scene->machine.core_depth = 2;
    scene->machine.dwf_stage = 5; /* of dwf alone */
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 1 0 1111, 2 0 1111, 3 1 1111, 4 1 1111, 5 2 1111, 6 2 1110");
    EXPECT_COUNTS(scene->trials, IS(cycles, 8), IS(thread_instructions, 27), IS(warp_instructions, 7), IS(instructions_fetched, 7),
                  IS(warps_done, 3));
}

/* At 10 two threads load line 0 and two store line 1: one access after the other, over two cycles of the port. The packet is
 * through the pipeline and the cache at 10 + 2 - 1 + 10 + 5, with it the stores; line 0 comes at 34. */
SCENE_WITH(a_packets_accesses_go_one_after_the_other, packets_start(scene, WS_divergence_mimd, 1, 4))
{
    add_branch(&scene->build, 3, WS_PC_NONE);
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_end(scene);
    add_memory(&scene->build, WS_CLASS_store, WS_SPACE_global); /* 3 */
    add_end(scene);
    give_decisions(scene, 0, "0011");
    give_lines(scene, 0, "0011");
    scene->machine.l1_latency = 5;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 10 1 1111, 26 4 1100, 34 2 1100");
    EXPECT_COUNTS(scene->trials, IS(global_accesses, 2), IS(global_lines, 2), IS(data_port_busy, 2), IS(l1_misses, 1),
                  IS(l1_store_misses, 1), IS(divergent_branches, 1), IS(warp_class + WS_CLASS_load, 1),
                  IS(warp_class + WS_CLASS_store, 0), IS(thread_class + WS_CLASS_store, 2), IS(cycles, 44));
}

/* With dwf.wait = warp those of line 0, which comes at 24, wait for line 1 too. */
SCENE_WITH(a_packets_threads_may_wait_for_each_other, packets_start(scene, WS_divergence_mimd, 1, 4))
{
    add_memory(&scene->build, WS_CLASS_load, WS_SPACE_global);
    add_end(scene);
    give_lines(scene, 0, "0011");
    scene->machine.dwf_wait = WS_dwf_wait_warp;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 28 1 1111");
}

/* The barrier of both warps' threads: at 10 those of the first skip an operation, the others arrive at 11; all have arrived at 30.
 */
SCENE_WITH(a_barrier_lets_threads_go_in_the_next_cycle, packets_start(scene, WS_divergence_mimd, 1, 8))
{
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_alu(&scene->build);
    add_barrier(&scene->build); /* 2 */
    add_end(scene);
    give_decisions(scene, 0, "0000 1111");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 1 0 1111, 10 1 1111, 11 2 1111, 20 2 1111, 31 3 1111, 32 3 1111");
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 2), IS(barrier_releases, 1), IS(uniform_branches, 2));
    EXPECT(scene, stall_idle, 1); /* at 30 */
    EXPECT(scene, cycles, 42);
}
