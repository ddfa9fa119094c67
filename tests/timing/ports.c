/* Issue ports and the schedulers of each: docs/model/schedulers.md, pipelines.md. */
#include "test.h"
#include "timing/scene.h"

static void start_moves(struct scene *scene, u32 warps, u32 moves)
{
    scene_start(scene, 1, 32 * warps);
    for (u32 n = 0; n < moves; n++)
        add_move(scene, n % 8 + 1);
    add_end(scene);
}

/* Warp 0 is fetched at 0, warp 1 at 1: from 3 on each port issues from its warp. Slots of both ports add up. */
SCENE_WITH(two_ports_issue_in_one_cycle, start_moves(scene, 2, 3))
{
    scene->machine.core_issue_ports = 2;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6);
    EXPECT_ISSUES(scene, 1, 3, 4, 6, 7);
    EXPECT(scene, cycles, 12); /* the last move, of 6, is written at 12 */
    EXPECT_COUNTS(scene->trials, IS(warp_instructions, 8), IS(stall_idle, 24 - 8));
}

/* All four warps are fetched at 0, and each has a port and a unit to itself. */
SCENE_WITH(four_ports_issue_in_one_cycle, start_moves(scene, 4, 3))
{
    scene->machine.core_issue_ports = scene->machine.core_fetches = scene->machine.unit_sp = 4;
    scene_run(scene);
    for (u32 warp = 0; warp < 4; warp++)
        EXPECT_ISSUES(scene, warp, 2, 3, 5, 6);
    EXPECT_COUNTS(scene->trials, IS(warp_instructions, 16), IS(cycles, 11), IS(stall_idle, 4 * 11 - 16));
}

/* One port: with two, warps 0 and 2 belong to port 0, warp 1 to the other, which is idle while warps 0 and 2 share theirs. */
SCENE_WITH(a_port_has_the_slots_of_its_number, start_moves(scene, 3, 1))
{
    scene->machine.core_issue_ports = 2;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3);
    EXPECT_ISSUES(scene, 1, 3, 4);
    EXPECT_ISSUES(scene, 2, 4, 5);
}

/* Both warps need the LD/ST unit in cycle 5. It has room for one instruction until the first one accesses memory, at 5 + 3 + 1. */
static void run_contended_ports(u32 order, u32 first, u32 second)
{
    struct scene scene;
    scene_start(&scene, 1, 64);
    scene.machine.core_issue_ports = 2;
    scene.machine.core_issue_port_order = order;
    scene.machine.core_fetch_latency = 3;
    scene.machine.unit_ldst_queue = 1;
    scene.build.shared_bytes = 256;
    add_barrier(&scene.build); /* at 3 and 4, released at 5 */
    const u32 load = add_load(&scene, WS_SPACE_shared, 1);
    add_end(&scene);
    touch(&scene, 0, 0, 0);
    touch(&scene, 0, 1, 0);
    scene_run(&scene);
    EXPECT_ISSUED(scene.trials, {first, load, 0, 5}, {second, load, 0, 9});
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

/* Fetched at 0, 1 and 2, valid a cycle later. At 4 the pointer has wrapped around: warp 0 issues its second, and is fetched for the
 * third and fourth, valid at 5. */
SCENE_TEST(lrr_goes_round, 1, 96)
{
    scene->machine.core_fetch_latency = 1;
    add_move(scene, 1);
    OP(scene, .guarded = true, .dst = {2}, .src = {3});
    add_move(scene, 3);
    add_end(scene);
    for (u32 warp = 0; warp < 3; warp++)
        decide(scene, 0, warp, true);
    scene_run(scene);
    expect_slots(scene, "i012012012012");
}

/* Warp 0 has two instructions in its buffer and issues both; then warp 1, the oldest that is valid, both of its. Warp 2 is never
 * the oldest until they have ended. */
SCENE_WITH(gto_stays_with_a_warp_and_then_takes_the_oldest, start_moves(scene, 3, 4))
{
    scene->machine.schedule_policy = WS_policy_gto;
    scene_run(scene);
    expect_slots(scene, "ii 00 11 00 11 0 1 22 i 22 i 2");
}

/* Three block slots. Block 0 leaves at 6 for block 3, which is younger than the others: at 8, when warp 1 has nothing buffered,
 * warp 2 is the oldest, and slot 0, though valid, waits. */
SCENE_TEST(gto_goes_by_the_age_of_blocks, 4, 32)
{
    scene->machine.schedule_policy = WS_policy_gto;
    scene->machine.core_blocks = 3;
    add_branch(&scene->build, 9, 9);
    for (u32 n = 1; n < 9; n++)
        add_move(scene, n);
    add_end(scene);
    for (u32 block = 0; block < 4; block++)
        decide(scene, block, 0, block == 0);
    scene_run(scene);
    expect_slots(scene, "ii 0 11 0 11 22 11 22");
}

/* Two of three warps are active and take turns; warp 2 becomes active at 9, when warp 0 has ended. */
SCENE_WITH(active_warps_take_turns, start_moves(scene, 3, 3))
{
    scene->machine.schedule_policy = WS_policy_two_level_active;
    scene->machine.schedule_active = 2;
    scene->machine.core_warps = 3;
    scene_run(scene);
    expect_slots(scene, "ii 01 01 01 01 22 i 22");
}

/* Four warps, two of them active, load lines 0 to 3, at 2 to 5, each leaving the active list in the next cycle because it reads
 * what it loads: results at 104, 109, 114, 119, for answers are 5 cycles apart. From 6 on warps 1 and 2 are active in even, 0 and 3
 * in odd cycles as long as they await. */
static void start_active_loads(struct scene *scene, u32 long_, u32 promotion)
{
    scene_start(scene, 1, 128);
    scene->machine.schedule_policy = WS_policy_two_level_active;
    scene->machine.schedule_active = 2;
    scene->machine.unit_ldst_queue = 4;
    scene->machine.schedule_long = long_;
    scene->machine.schedule_promotion = promotion;
    scene->machine.core_warps = 4;
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    for (u32 warp = 0; warp < 4; warp++)
        touch(scene, 0, warp, line_granule(warp));
    scene_run(scene);
}

/* Warp 0, active since 103, does not await at 104 and stays; warp 1 returns at 109, warp 2 at 114, warp 3 at 119. */
SCENE_WITH(active_warps_leave_while_a_load_is_in_flight, start_active_loads(scene, WS_long_exact, WS_promotion_blind))
{
    EXPECT_ISSUES(scene, 0, 2, 104, 106);
    EXPECT_ISSUES(scene, 1, 3, 109, 111);
    EXPECT_ISSUES(scene, 2, 4, 114, 116);
    EXPECT_ISSUES(scene, 3, 5, 119, 121);
    expect_slots(scene, "ii0123ssssss");
}

/* The registers stay marked, since the data came from below the cache: the warps keep leaving, and issue in a cycle in which they
 * are active: 105, 110, 115, 120. */
SCENE_WITH(sticky_registers_keep_warps_leaving, start_active_loads(scene, WS_long_sticky, WS_promotion_blind))
{
    EXPECT_ISSUES(scene, 0, 2, 105, 107);
    EXPECT_ISSUES(scene, 1, 3, 110, 112);
    EXPECT_ISSUES(scene, 2, 4, 115, 117);
    EXPECT_ISSUES(scene, 3, 5, 120, 122);
}

/* Only warps that can continue become active: none is from 6 on, and slots are idle, because only active warps are considered. */
SCENE_WITH(only_going_warps_may_become_active, start_active_loads(scene, WS_long_exact, WS_promotion_going))
{
    EXPECT_ISSUES(scene, 0, 2, 104, 106);
    EXPECT_ISSUES(scene, 1, 3, 109, 111);
    EXPECT_ISSUES(scene, 2, 4, 114, 116);
    EXPECT_ISSUES(scene, 3, 5, 119, 121);
    expect_slots(scene, "ii0123iiiiii");
    EXPECT(scene, stall_scoreboard, 0);
}

/* One warp, which becomes active again when it does not await: slots are idle while it is not active; then it waits for the
 * scoreboard. */
static void start_alone(struct scene *scene, u32 long_)
{
    scene_start(scene, 1, 32);
    scene->machine.schedule_policy = WS_policy_two_level_active;
    scene->machine.schedule_active = 1;
    scene->machine.schedule_long = long_;
    scene->machine.schedule_promotion = WS_promotion_going;
    scene->machine.core_warps = 1;
    add_load(scene, WS_SPACE_global, 1);
    touch(scene, 0, 0, 0);
}

/* The line is found at 6, its result is there at 26: the mark goes at 6, the load is in flight until 26. */
TIMING_TEST(a_mark_goes_when_lines_are_found)
{
    static const char *const slots[] = {"ii0 iii ssssssssssssssssssss 0", "ii0 iii iiiiiiiiiiiiiiiiiiii 0"};
    static const u32 longs[] = {WS_long_sticky, WS_long_exact};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        start_alone(&scene, longs[n]);
        scene.machine.memory_ideal = WS_toggle_on;
        scene.machine.l1_latency = 20;
        add_use(&scene, 1);
        add_end(&scene);
        scene_run(&scene);
        expect_slots(&scene, slots[n]);
        scene_end(&scene);
    }
}

/* The line is not found, and the register marked until the result of the move, which issues at 104, is there at 110. A move is not
 * a load: by the wording of `exact` the warp does not await, and the reader of the register is valid from 106 on. */
TIMING_TEST(a_mark_goes_with_the_next_result)
{
    static const u32 longs[] = {WS_long_sticky, WS_long_exact};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        start_alone(&scene, longs[n]);
        add_move(&scene, 1);
        add_use(&scene, 1);
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 104, 110, 111);
        EXPECT(&scene, stall_scoreboard, 104 - 3 + (longs[n] == WS_long_exact ? 4 : 0));
        scene_end(&scene);
    }
}

/* The same where the move names the register twice: the mark stays until 110, and the warp awaits, so that all slots are idle. */
SCENE_WITH(a_mark_goes_with_the_result_that_is_written_twice, start_alone(scene, WS_long_sticky))
{
    OP(scene, .class_ = WS_CLASS_int, .dst = {1, 2, 1});
    add_use(scene, 1);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 110, 111);
    EXPECT(scene, stall_scoreboard, 104 - 3);
}

/* Four warps and two ports. All have a barrier and a move in their buffers; they arrive at 2, 3, 4 and 5, and are released at 6.
 * Which warp of a port has its move first:
 * - rr, lrr: the pointer has come round to warps 0 and 1;
 * - srr: the pointers have continued to warps 2 and 3, which await at 5, when nobody does not, and no more at 6;
 * - two_level, a group each: as srr, by the top groups, which change again at 10 and 11, when warps 2 and 3 have ended;
 * - gto: warps 2 and 3 issued last;
 * - two_level_active, one active: at 5 warp 0 takes the place of warp 2, which awaits; warp 3 is released in time. The other warps
 * of the ports follow when these have ended, at 9 and 10. */
TIMING_TEST(each_port_has_its_scheduler)
{
    static const struct {
        u32 policy, moves[4], switches;
    } rows[] = {
        {WS_policy_rr, {6, 6, 7, 7}, 0},        {WS_policy_lrr, {6, 6, 7, 7}, 0}, {WS_policy_srr, {7, 7, 6, 6}, 0},
        {WS_policy_two_level, {7, 7, 6, 6}, 4}, {WS_policy_gto, {7, 7, 6, 6}, 0}, {WS_policy_two_level_active, {6, 11, 10, 6}, 0},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        scene_start(&scene, 1, 128);
        scene.machine.core_issue_ports = 2;
        scene.machine.core_warps = 4;
        scene.machine.schedule_policy = rows[n].policy;
        scene.machine.schedule_fetch_group = 1;
        scene.machine.schedule_active = 1;
        add_barrier(&scene.build);
        const u32 move = add_move(&scene, 1);
        add_move(&scene, 2);
        add_end(&scene);
        scene_run(&scene);
        for (u32 warp = 0; warp < 4; warp++) {
            EXPECT_ISSUED(scene.trials, {warp, 0, 0, 2 + warp}, {warp, move, 0, rows[n].moves[warp]});
        }
        EXPECT(&scene, group_switches, rows[n].switches);
        scene_end(&scene);
    }
}
