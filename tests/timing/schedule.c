/* Schedulers: docs/model/schedulers.md. */
#include "test.h"
#include "timing/timing.h"

#define NOT_SAID 0xFFFFFFFFu

/* D = 2, three warps; warp 0 loads from four lines at 0 (all hit) and completes at 0 + 3 + 2 = 5, when warp 1, which loaded at 4
 * and completes at 6, has one instruction as well. */
static void one_slow_warp(struct image_build *build)
{
    image_build_start(build, 1, 96);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    for (u32 pc = 1; pc < 4; pc++)
        add_alu(build);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, line_granule(thread / 8));
    add_line(build, 32, line_granule(9));
    add_line(build, 64, line_granule(9));
}

static struct ws_machine shallow_machine(u32 depth)
{
    struct ws_machine machine = plain_machine();
    machine.memory_ideal = WS_toggle_on;
    machine.memory_data_port = WS_data_port_warp;
    machine.core_depth = depth;
    return machine;
}

/* Port `warp`: loads issue at 0, 1, 2; the accesses start at 0, 4, 5 and complete at 5, 6, 7. From then on D = 2, so at most two
 * warps are selectable: 5: w0 (n = 1 -> 2); 6: w1 (2); 7: w0 has 2, w2 has 1: w2; 8: w0 and w1 have 2, the pointer is at 3: w0 (3);
 * 9: w1 has 2, w2 has 2, the pointer is at 1: w1. */
TIMING_TEST(fewest_fetched_goes_first)
{
    const struct ws_machine machine = shallow_machine(2);
    struct image_build build;
    struct trial trials[TRIALS];
    one_slow_warp(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 5}, {1, 1, 0, 6}, {2, 1, 0, 7}, {0, 2, 0, 8}, {1, 2, 0, 9});
    trials_free(trials);
    image_build_free(&build);
}

/* D = 1 and the pointer policy. Loads issue at 0, 1, 2, accesses start at 0, 4, 5 and complete at 4, 5, 6. 4: w0; 5: w0 and w1, the
 * pointer is at 1: w1; 6: all, pointer at 2: w2; 7: w0; 8: w1; 9: w2. */
TIMING_TEST(the_pointer_rotates)
{
    struct ws_machine machine = shallow_machine(1);
    struct image_build build;
    struct trial trials[TRIALS];
    machine.schedule_round_robin = WS_round_robin_pointer;
    one_slow_warp(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 4}, {1, 1, 0, 5}, {2, 1, 0, 6}, {0, 2, 0, 7}, {1, 2, 0, 8}, {2, 2, 0, 9});
    trials_free(trials);
    image_build_free(&build);
}

/* Two warps, groups of one, D = 1. Warp 0 misses at 0 (there at 304): group 1 comes on top at 1 and misses at 1 (same line, there
 * at 304): all groups stall, nothing rotates any more. At 304 nothing stalls: warp 1 is on top and issues until it ends at 307;
 * then group 0 comes on top. */
BARREL_TEST(a_group_that_awaits_memory_leaves_the_top, plain_machine(), 1, 64)
{
    machine->schedule_policy = WS_policy_two_level;
    machine->schedule_fetch_group = 1;
    machine->core_warps = 2;
    machine->core_depth = 1;
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_alu(build);
    add_alu(build);
    add_exit(build);
    add_line(build, 0, 0);
    add_line(build, 32, 0);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 1}, {1, 1, 0, 304}, {1, 3, 0, 306}, {0, 1, 0, 307});
    EXPECT_COUNTS(trials, IS(group_switches, 2), IS(cycles, 310));
}

/* Two warps of seven instructions, groups of one, D = 1, timeout 3 in warp instructions: warp 0 issues at 0 to 3, four are more
 * than three; warp 1 at 4 to 7; warp 0 at 8 to 10 and ends at 11; warp 1 at 11 to 13. */
static void run_timeout(u32 timeout, u32 unit)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.schedule_policy = WS_policy_two_level;
    machine.schedule_fetch_group = 1;
    machine.core_warps = 2;
    machine.schedule_timeout = timeout;
    machine.schedule_timeout_unit = unit;
    machine.core_depth = 1;
    image_build_start(&build, 1, 64);
    for (u32 pc = 0; pc < 6; pc++)
        add_alu(&build);
    add_exit(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 3, 0, 3}, {1, 0, 0, 4}, {1, 3, 0, 7}, {0, 4, 0, 8}, {1, 4, 0, 11});
    EXPECT_COUNTS(trials, IS(cycles, 14), IS(timeouts, 2), IS(group_switches, 3));
    trials_free(trials);
    image_build_free(&build);
}

TIMING_TEST(the_timeout_changes_the_top_group)
{
    run_timeout(3, WS_timeout_unit_warp);
}

/* 96 threads are three warp instructions. */
TIMING_TEST(the_timeout_counts_threads)
{
    run_timeout(96, WS_timeout_unit_thread);
}

/* Two warps of an ALU instruction, a load, another ALU instruction and an exit: the cycles in which each issues, but for NOT_SAID.
 */
static void expect_warps(const struct ws_machine *machine, const u32 cycles[2][4])
{
    struct image_build build;
    struct trial trials[TRIALS];
    image_build_start(&build, 1, 64);
    add_alu(&build);
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_alu(&build);
    add_exit(&build);
    add_line(&build, 0, line_granule(1));
    add_line(&build, 32, line_granule(2));
    trials_run(machine, &build, trials);
    for (u32 warp = 0; warp < 2; warp++)
        for (u32 pc = 0; pc < 4; pc++)
            if (cycles[warp][pc] != NOT_SAID)
                expect_issue(trials, warp, pc, 0, cycles[warp][pc]);
    trials_free(trials);
    image_build_free(&build);
}

static struct ws_machine sticky_machine(u32 depth)
{
    struct ws_machine machine = shallow_machine(depth);
    machine.schedule_policy = WS_policy_srr;
    return machine;
}

/* D = 1 and no misses: the first warp finishes before the second starts. */
TIMING_TEST(a_sticky_warp_stays)
{
    static const u32 cycles[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const struct ws_machine machine = sticky_machine(1);
    expect_warps(&machine, cycles);
}

/* D = 2: the second warp has every other slot, which the first cannot use. */
TIMING_TEST(others_fill_the_slots_of_a_sticky_warp)
{
    static const u32 cycles[2][4] = {{0, 2, 4, 6}, {1, 3, 5, 7}};
    const struct ws_machine machine = sticky_machine(2);
    expect_warps(&machine, cycles);
}

/* D = 1, both loads miss: the second warp continues when the first waits. */
TIMING_TEST(a_sticky_warp_that_waits_is_left)
{
    static const u32 cycles[2][4] = {{0, 1, NOT_SAID, NOT_SAID}, {2, 3, NOT_SAID, NOT_SAID}};
    struct ws_machine machine = sticky_machine(1);
    machine.memory_ideal = WS_toggle_off;
    expect_warps(&machine, cycles);
}
