/* Diverged threads never reconverge: docs/model/divergence.md. */
#include "test.h"
#include "timing/packets.h"

/* The splits take turns, one instruction in the pipeline at a time. */
SCENE_WITH(parts_take_turns, packets_start(scene, WS_divergence_serial, 1, 4))
{
    add_branch(&scene->build, 3, WS_PC_NONE);
    add_alu(&scene->build);
    add_end(scene);
    add_alu(&scene->build); /* 3 */
    add_end(scene);
    give_decisions(scene, 0, "1100");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 10 3 1100, 20 1 0011, 30 4 1100, 40 2 0011");
    EXPECT_COUNTS(scene->trials, IS(cycles, 50), IS(divergent_branches, 1), IS(stack_pushes, 0));
}

/* Both reach 2, the branch's reconvergence point, and continue separately. */
SCENE_WITH(parts_never_meet, packets_start(scene, WS_divergence_serial, 1, 4))
{
    add_branch(&scene->build, 2, 2);
    add_alu(&scene->build);
    add_alu(&scene->build); /* 2 */
    add_end(scene);
    give_decisions(scene, 0, "0110");
    scene->machine.divergence_first_path = WS_first_path_fallthrough;
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 10 1 1001, 20 2 0110, 30 2 1001, 40 3 0110, 50 3 1001");
    EXPECT(scene, cycles, 60);
}

/* The side without the highest lane first; a split that does not diverge again stays unchanged. */
SCENE_WITH(parts_part_again, packets_start(scene, WS_divergence_serial, 1, 4))
{
    add_branch(&scene->build, 1, 1);
    add_branch(&scene->build, 2, 2);
    add_end(scene);
    give_decisions(scene, 0, "0101");
    give_decisions(scene, 0, "0110");
    scene->machine.divergence_first_path = WS_first_path_lane;
    scene_run(scene);
    /* {0, 2}, {1, 3}; the first diverges into {0}, {2}, the second into {1}, {3}. */
    expect_packets(scene, "0 0 1111, 10 1 1010, 20 1 0101, 30 2 1000, 40 2 0010, 50 2 0100, 60 2 0001");
    EXPECT(scene, divergent_branches, 3);
}

/* The part that took the branch is at the barrier from 20 on, the other from 40 on: then the warp arrives, and both continue in the
 * order of the list. */
SCENE_WITH(a_warp_arrives_with_its_last_part, packets_start(scene, WS_divergence_serial, 1, 4))
{
    add_branch(&scene->build, 2, 2);
    add_alu(&scene->build);
    add_barrier(&scene->build); /* 2 */
    add_end(scene);
    give_decisions(scene, 0, "1100");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 10 2 1100, 20 1 0011, 30 2 0011, 40 3 1100, 50 3 0011");
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 1), IS(cycles, 60));
}

/* The other part ends instead. */
SCENE_WITH(a_warp_arrives_when_its_last_other_part_ends, packets_start(scene, WS_divergence_serial, 1, 4))
{
    add_branch(&scene->build, 2, WS_PC_NONE);
    add_end(scene);
    add_barrier(&scene->build); /* 2 */
    add_end(scene);
    give_decisions(scene, 0, "1100");
    scene_run(scene);
    expect_packets(scene, "0 0 1111, 10 2 1100, 20 1 0011, 30 3 1100");
    EXPECT_COUNTS(scene->trials, IS(barrier_arrivals, 1), IS(cycles, 40));
}
