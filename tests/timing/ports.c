/* Issue ports and the schedulers of each: sections 7 and 10 of docs/model.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "timing/scene.h"

static void start_moves(struct scene *scene, u32 warps, u32 moves)
{
    scene_start(scene, 1, 32 * warps);
    for (u32 n = 0; n < moves; n++)
        add_move(scene, n % 8 + 1);
    add_end(scene);
}

/* Warp 0 is fetched at 0, warp 1 at 1: from 3 on each port issues from its warp. Slots of both ports add up. */
TIMING_TEST(two_ports_issue_in_one_cycle)
{
    struct scene scene;
    start_moves(&scene, 2, 3);
    scene.machine.core_ports = 2;
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 3, 5, 6);
    EXPECT_ISSUES(&scene, 1, 3, 4, 6, 7);
    EXPECT(&scene, cycles, 12); /* the last move, of 6, is written at 12 */
    EXPECT(&scene, warp_instructions, 8);
    EXPECT(&scene, stall_idle, 24 - 8);
    scene_end(&scene);
}

/* One port: warps 0 and 2 belong to port 0 of two, warp 1 to the other, which has nothing to do while warps 0 and 2 share theirs.
 */
TIMING_TEST(a_port_has_the_slots_of_its_number)
{
    struct scene scene;
    start_moves(&scene, 3, 1);
    scene.machine.core_ports = 2;
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 3);
    EXPECT_ISSUES(&scene, 1, 3, 4);
    EXPECT_ISSUES(&scene, 2, 4, 5);
    scene_end(&scene);
}

/* Both warps want the LD/ST unit in cycle 5, which has room for one instruction until the access of 5 + 3 + 1. */
static void run_contended_ports(u32 order, u32 first, u32 second)
{
    struct scene scene;
    scene_start(&scene, 1, 64);
    scene.machine.core_ports = 2;
    scene.machine.core_port_order = order;
    scene.machine.core_fetch_latency = 3;
    scene.machine.unit_ldst_queue = 1;
    scene.build.shared_bytes = 256;
    add_barrier(&scene.build); /* at 3 and 4, released at 5 */
    const u32 load = add_load(&scene, WS_SPACE_shared, 1);
    add_end(&scene);
    touch(&scene, 0, 0, 0);
    touch(&scene, 0, 1, 0);
    scene_run(&scene);
    expect_issue(scene.trials, first, load, 0, 5);
    expect_issue(scene.trials, second, load, 0, 9);
    EXPECT(&scene, stall_pipeline, 4);
    scene_end(&scene);
}

TIMING_TEST(port_0_is_first)
{
    run_contended_ports(WS_port_order_fixed, 0, 1);
}

TIMING_TEST(port_1_is_first_in_odd_cycles)
{
    run_contended_ports(WS_port_order_rotate, 1, 0);
}

/* Fetched at 0, 1 and 2, valid a cycle later. At 4 the pointer has come round: warp 0 issues its second, and is fetched for the
 * third and fourth, valid at 5. */
TIMING_TEST(lrr_goes_round)
{
    struct scene scene;
    scene_start(&scene, 1, 96);
    scene.machine.core_fetch_latency = 1;
    add_move(&scene, 1);
    OP(&scene, .guarded = true, .dst = {2}, .src = {3});
    add_move(&scene, 3);
    add_end(&scene);
    for (u32 warp = 0; warp < 3; warp++)
        decide(&scene, 0, warp, true);
    scene_run(&scene);
    expect_slots(&scene, "i012012012012");
    scene_end(&scene);
}
