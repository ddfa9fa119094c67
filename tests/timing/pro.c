/* Progress-aware scheduling: docs/model/schedulers.md, after Anantpur and Govindarajan, section III. Turns and scripts:
 * timing/turns.h; with up to four warps in all the way to a script takes 2 turns, with more 3. In the fast phase of a scene one
 * block has yet to enter; it enters when another has ended, in that one's slots. */
#include <string.h>

#include "test.h"
#include "timing/turns.h"

enum { NEVER = 1000000 };

static void pro_start(struct scene *scene, u32 blocks, u32 threads, u32 sleep, const char *const *scripts)
{
    turns_start(scene, blocks, threads, sleep, scripts);
    scene->machine.schedule_policy = WS_policy_pro;
    scene->machine.pro_threshold = NEVER;
    scene->machine.core_blocks = 2;
}

static void expect_run(struct scene *scene, const char *turns)
{
    scene_run(scene);
    expect_turns(scene, turns);
    scene_end(scene);
}

/* A test of one run: a setting, its turns, and how it starts. */
#define PRO_TEST(name, setting, turns, ...)                                                                                        \
    TIMING_TEST(name)                                                                                                              \
    {                                                                                                                              \
        struct scene scene;                                                                                                        \
        pro_start(&scene, __VA_ARGS__);                                                                                            \
        scene.machine.setting;                                                                                                     \
        expect_run(&scene, turns);                                                                                                 \
    }

/* ---- Figure 3, fast phase: three blocks of two warps, two of them resident ---- */

/* noWait to finishWait, the highest priority (III.C.2). Block 0 sleeps from turn 7 on. Warp 2 ends in turn 11. Though warp 0 is
 * ready from 15 on, warp 3 continues, until its block ends in turn 20. Block 2 enters in slots 2 and 3, and the slow phase begins,
 * with a sort: it has made the least progress. */
static const char *const one_ends[] = {"Sw....x", "Sw....x", "x", ".....x", "x", "x", "x", "x"};

PRO_TEST(a_block_of_which_a_warp_has_ended_goes_first, pro_threshold = NEVER, "0000 1111 2222 333 333333 2222 3333 000000 111111",
         3, 64, 12, one_ends)

/* Without the state it is the order of entry. Block 0 ends first, and block 2 enters in its slots. */
PRO_TEST(ended_warps_may_be_ignored, pro_finish = WS_toggle_off, "0000 1111 2222 333 000000 111111 0000 1111 333333", 3, 64, 12,
         one_ends)

/* The slow phase may begin without a sort (A37 to A39): then blocks stay in the order of entry. */
PRO_TEST(the_slow_phase_may_begin_without_a_sort, pro_flip = WS_pro_flip_wait, "0000 1111 2222 333 333333 000000 111111 2222 3333",
         3, 64, 12, one_ends)

/* finishWait to finishNoWait: block 0, of which warp 0 has ended, loses its priority when block 2 enters after turn 15, which has
 * made less progress and continues when warp 1 is ready, in turn 23. */
PRO_TEST(finish_wait_ends_with_the_fast_phase, pro_threshold = NEVER, "0000 1111 2222 3333 2222 333 33333 1111", 3, 64, 16,
         SCRIPTS("x", "Sw..x", "x", "x", "x", "....x", "x", "x"))

/* noWait to barrierWait and back (III.C.3): warp 2 arrives in turn 11, and warp 3 goes before block 0, ready from 15 on, until it
 * arrives as well, in 20. In noWait the blocks are in the order of entry again. Block 0 ends, block 2 enters in its slots; of block
 * 1 warp 2 has made less progress. */
static const char *const one_waits[] = {"Sw..x", "Sw..x", "b..x", ".....b..x", "x", "x", "x", "x"};

PRO_TEST(a_block_of_which_a_warp_waits_goes_before_others, pro_threshold = NEVER,
         "0000 1111 2222 333 333333 0000 1111 0000 1111 222 333", 3, 64, 12, one_waits)

/* Without the state block 0 continues in turn 15. Warp 3 has made less progress than warp 2 when the slow phase begins. */
PRO_TEST(waiting_warps_may_be_ignored, pro_barrier = WS_toggle_off, "0000 1111 2222 333 0000 1111 0000 1111 333333 333 222", 3, 64,
         12, one_waits)

/* finishWait goes before barrierWait: block 0 is in barrierWait from turn 3 on, block 1 in finishWait from turn 11 on; warp 1 is
 * ready from turn 19 on. When block 2 has entered, block 0 is in barrierWait1 and goes first until the release
 * (lastTBAssignedToSM). */
PRO_TEST(finish_wait_goes_before_barrier_wait, pro_threshold = NEVER, "0000 1111 2222 333 33333333333 11 2222 3333 00 11", 3, 64,
         12, SCRIPTS("b.x", "Swb.x", "x", "..........x", "x", "x", "x", "x"))

/* ---- Figure 3, slow phase: two blocks of two warps, both resident from the beginning ---- */

/* finishNoWait to barrierWait1, the highest priority there (III.D), and back: warp 2 arrives in turn 8, warp 3 in 15. Warp 0 is
 * ready from 11 on. When warp 2 arrives warp 3 comes before it, and that order stays at the release. */
PRO_TEST(in_the_slow_phase_a_waiting_block_goes_first, pro_threshold = NEVER, "000 111 222 33 33333 0000 1111 33 22", 2, 64, 9,
         SCRIPTS("Sw..x", "Sw..x", "b.x", "....b.x"))

/* Ended warps give no priority: block 0 continues in turn 11. */
PRO_TEST(in_the_slow_phase_ended_warps_give_no_priority, pro_threshold = NEVER, "000 111 222 33 0000 1111 33333", 2, 64, 9,
         SCRIPTS("Sw..x", "Sw..x", "x", "....x"))

/* When the first warp of a block ends its warps are sorted, least progress first (A9): in turn 18, of warp 0. Warps 1 and 2 have
 * made 5 and 3 and are both ready. */
PRO_TEST(in_the_slow_phase_the_first_end_sorts_warps, pro_threshold = NEVER, "000 11111 222 00000000 2222 1111", 1, 96, 9,
         SCRIPTS("Sw......x", "..Sw..x", "Sw..x", "x"))

/* ---- Orders inside a state ---- */

/* finishWait: of block 0 one warp has ended, of block 1 two from turn 19 on: it goes first in turn 23, when warp 1 is ready. */
PRO_TEST(more_ended_warps_go_first, pro_threshold = NEVER, "0000 1111 2222 3333 4444 555 5555555 3333 4444 5555 1111 2222", 3, 96,
         16, SCRIPTS("x", "Sw..x", "Sw..x", "x", "x", "......x", "x", "x"))

/* As many, one each from turn 25 on: block 1 has made more progress by then, 14 warp instructions against 12. In turn 31, when warp
 * 1 is ready, warp 4 continues. */
PRO_TEST(of_as_many_ended_warps_more_progress_goes_first, pro_threshold = NEVER,
         "0000 1111 2222 33333333333333 444 4444444 5555 3333 4444 5555 1111 2222", 3, 96, 24,
         SCRIPTS("x", "Sw..x", "Sw..x", "..........x", "......x", "x", "x", "x"))

/* The order is that of the last end, in turn 25, though warp 1 has issued 19 times when warp 4 is ready again, in turn 53. */
PRO_TEST(progress_of_finish_wait_is_that_of_the_last_end, pro_threshold = NEVER,
         "0000 1111 2222 33333333333333 4444 5555 1111111111111111111 444 1 555"
         "3333 4444 5555 222 111111111111",
         3, 96, 24, SCRIPTS("x", "Sw..............................x", "Sw.x", "..........x", "Sw.x", "Sw.x", "x", "x"))

/* barrierWait: of block 0 one warp waits, of block 1 two from turn 19 on: in turn 23 warp 5 goes before warp 1. After their
 * releases both are in noWait, in the order of entry; the warps of block 0 are in the order of turn 3, when warp 0 had made
 * progress, and in turn 37, when warp 1 ends, least progress first. */
PRO_TEST(more_waiting_warps_go_first, pro_threshold = NEVER,
         "0000 1111 2222 3333 4444 555 5555555 111 222 11 00 22 0000 1111 2222 33 44 55", 3, 96, 16,
         SCRIPTS("b.x", "Sw.b.x", "Sw.b.x", "b.x", "b.x", "......b.x", "x", "x"))

/* As many: block 1 has made more progress when its warp arrives in turn 25. */
PRO_TEST(of_as_many_waiting_warps_more_progress_goes_first, pro_threshold = NEVER,
         "0000 1111 2222 33333333333333 444 4444444 5555 11 22 11 00 22 0000 1111 2222 55 44 33", 3, 96, 24,
         SCRIPTS("b.x", "Swb.x", "Swb.x", "..........b.x", "......b.x", "b.x", "x", "x"))

/* ---- Sorts ---- */

/* noWait, most progress first (III.C.1): warp 0 sleeps from turn 2 to 11. A sort in the cycle of turn 11 puts block 1 first,
 * without one block 0 continues. */
TIMING_TEST(a_sort_of_the_fast_phase_puts_most_progress_first)
{
    static const char *const scripts[] = {"Sw...x", "..........x", "x", "x", NULL, NULL, NULL, NULL};
    struct scene scene;
    pro_start(&scene, 3, 32, 9, scripts);
    scene.machine.pro_threshold = turn_cycle(11);
    expect_run(&scene, "000 11 11111111111 111 00000");
    pro_start(&scene, 3, 32, 9, scripts);
    expect_run(&scene, "000 11 111111 00000 000 11111");
}

/* finishNoWait, least progress first (III.D): the sort of turn 8 finds 5 warp instructions of block 0 and 3 of block 1. */
TIMING_TEST(a_sort_of_the_slow_phase_puts_least_progress_first)
{
    struct scene scene;
    pro_start(&scene, 2, 32, 4, SCRIPTS("Sw......x", ".....x"));
    scene.machine.pro_threshold = turn_cycle(8);
    expect_run(&scene, "00 111 000 1111 00000");
    pro_start(&scene, 2, 32, 4, SCRIPTS("Sw......x", ".....x"));
    expect_run(&scene, "00 111 00000000 1111");
}

/* The threshold of the paper, 1000 cycles. Warp 0, asleep until turn 125, of cycle 1002, finds block 1, which has made more
 * progress, before it when the sort is at 1000 or 1002; when it is at 1003, it has this one turn. Block 2 enters when block 1 has
 * ended, and has made less progress than block 0. */
TIMING_TEST(sorts_come_with_the_threshold)
{
    enum { WOKEN = 125, LENGTH = 130 };
    static const u32 thresholds[] = {1000, 1002, 1003};
    char script[LENGTH + 1] = "", turns[WOKEN + LENGTH] = "";
    memset(script, '.', LENGTH - 1);
    script[LENGTH - 1] = 'x';
    assert_int_equal(turn_cycle(WOKEN), 1002);
    for (u32 n = 0; n < 3; n++) {
        const bool late = thresholds[n] > 1002;
        const u32 end = 3 + 2 + LENGTH + late;
        struct scene scene;
        pro_start(&scene, 3, 32, WOKEN - 2, SCRIPTS("Sw..x", script, "x", "x"));
        scene.machine.pro_threshold = thresholds[n];
        memset(turns, '1', end);
        memset(turns, '0', 3);
        turns[WOKEN] = late ? '0' : '1';
        strcpy(turns + end, late ? "111 000" : "111 0000");
        expect_run(&scene, turns);
    }
}

/* Warps of a block are sorted too: warp 1 has made more progress than warp 0, asleep from turn 2 to 11, when both are ready. In the
 * slow phase, that of block 1, the next sort, between turns 22 and 23, puts warp 1 first, which has made none. */
TIMING_TEST(a_sort_orders_the_warps_of_a_block)
{
    static const char *const scripts[] = {"Sw...x", "..........x", "x", "x", NULL, NULL, NULL, NULL};
    struct scene scene;
    pro_start(&scene, 2, 64, 9, scripts);
    scene.machine.core_blocks = 1;
    scene.machine.pro_threshold = turn_cycle(11);
    expect_run(&scene, "000 11 11111111111 00000 00 111 0");
    pro_start(&scene, 2, 64, 9, scripts);
    scene.machine.core_blocks = 1;
    expect_run(&scene, "000 11 111111 00000 11111 000 111");
}

/* ---- What counts as progress ---- */

/* One block in the slow phase, of a warp of 32 threads and one of 4, sorted in turn 10, when warp 0, asleep from turn 1 on, is
 * ready: it has made 2 x 32 thread instructions, warp 1 has made 8 x 4. */
TIMING_TEST(progress_may_count_threads_or_warps)
{
    static const struct {
        u32 progress;
        const char *turns;
    } rows[] = {
        {WS_pro_progress_threads, "00 1 11111111111 0000"},
        {WS_pro_progress_warps, "00 1 1111111 0000 1111"},
    };
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        pro_start(&scene, 1, 36, 9, SCRIPTS("Sw..x", "..........x"));
        scene.machine.pro_threshold = turn_cycle(10);
        scene.machine.pro_progress = rows[n].progress;
        expect_run(&scene, rows[n].turns);
    }
}

/* Two blocks: block 0 has executed 2 instructions, block 1 one and 7 that are guarded off (III.E, footnote 3: they count). */
TIMING_TEST(progress_counts_false_guards_or_not)
{
    static const struct {
        u32 progress;
        const char *turns;
    } rows[] = {
        {WS_pro_progress_threads, "00 1 1111111 0000 1111"},
        {WS_pro_progress_executed, "00 1 11111111111 0000"},
    };
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        pro_start(&scene, 2, 32, 9, SCRIPTS("Sw..x", "gggggggggg x"));
        scene.machine.pro_threshold = turn_cycle(10);
        scene.machine.pro_progress = rows[n].progress;
        expect_run(&scene, rows[n].turns);
    }
}

/* ---- Releases ---- */

/* Fast phase, one block slot. Warp 0 arrives after 8 warp instructions, warp 1 after 3: in barrierWait warp 1 comes first, and
 * stays there after the release, or comes second, since noWait has most progress first. */
TIMING_TEST(a_release_to_no_wait_keeps_or_sorts_warps)
{
    static const char *const turns[] = {"00 000000 11 1 111 000 000 111", "00 000000 11 1 000 111 000 111"};
    static const u32 releases[] = {WS_pro_release_keep, WS_pro_release_sort};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        pro_start(&scene, 2, 64, 9, SCRIPTS(".....b..x", "b..x", "x", "x"));
        scene.machine.core_blocks = 1;
        scene.machine.pro_release = releases[n];
        expect_run(&scene, turns[n]);
    }
}

/* Slow phase, least progress first: warp 0 has arrived after 2, warp 1 after 5. */
TIMING_TEST(a_release_to_finish_no_wait_keeps_or_sorts_warps)
{
    static const char *const turns[] = {"00 11111 111 000", "00 11111 000 111"};
    static const u32 releases[] = {WS_pro_release_keep, WS_pro_release_sort};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        pro_start(&scene, 1, 64, 9, SCRIPTS("b..x", "...b..x"));
        scene.machine.pro_release = releases[n];
        expect_run(&scene, turns[n]);
    }
}

/* ---- The wording of Algorithm 1 ---- */

/* Block 1: warp 3 ends (finishWait), warp 4 arrives in turn 19, warp 5 in turn 24. By the counts the block is in finishWait all the
 * time, and continues in turn 25, though warp 0 is ready. By the last event it is in barrierWait from turn 19 on (A21) and in
 * noWait from the release on (A27), behind block 0; warp 5, of less progress at turn 19, has the turns for which no warp of block 0
 * is ready. */
TIMING_TEST(states_follow_from_counts_or_events)
{
    static const char *const turns[] = {"0000 1111 2222 3333 4444 555 55 4444 5555 3333 4444 5555 000 111 222",
                                        "0000 1111 2222 3333 4444 555 55 000 5 111 5 222 0000 1111 2222 4444 55"};
    static const u32 states[] = {WS_pro_states_counts, WS_pro_states_last_event};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        pro_start(&scene, 3, 96, 22, SCRIPTS("Sw.x", "Sw.x", "Sw.x", "x", "b...x", ".b...x", "x", "x"));
        scene.machine.pro_states = states[n];
        expect_run(&scene, turns[n]);
    }
}

/* ---- Several ports, the barrel ---- */

/* Two ports in the slow phase: port 0 has warps 0 and 2, port 1 has 1 and 3, a warp of each block. The SFU, which warp 0 has used
 * at 3 and 6, has room again at 27, for warp 1 or 3. In that cycle port 0 issues the barrier of warp 2: where port 0 is first,
 * block 1 is in barrierWait1 when port 1 chooses; in odd cycles of `rotate` port 1 is first, and block 0 is before block 1. */
static void run_ports(u32 order, u32 chosen)
{
    struct scene scene;
    scene_start(&scene, 2, 64);
    scene.machine.core_issue_ports = 2;
    scene.machine.core_issue_port_order = order;
    scene.machine.schedule_policy = WS_policy_pro;
    scene.machine.unit_sfu_queue = 1;
    scene.machine.interval_sfu = 21;
    scene.machine.latency_int_minmax = 12;
    const u32 branch = OP(&scene, .class_ = WS_CLASS_branch);
    const u32 first = OP(&scene, .class_ = WS_CLASS_sfu);
    OP(&scene, .class_ = WS_CLASS_sfu);
    add_end(&scene);
    scene.build.program[branch].target = (u16)OP(&scene, .kind = WS_KIND_minmax, .dst = {1}); /* at 8, result at 25 */
    add_move(&scene, 1);
    const u32 barrier = add_barrier(&scene.build);
    add_end(&scene);
    for (u32 warp = 0; warp < 4; warp++)
        decide(&scene, warp / 2, warp % 2, warp == 2);
    scene_run(&scene);
    EXPECT_ISSUED(scene.trials, {0, first, 0, 3}, {0, first + 1, 0, 6}, {2, barrier, 0, 27}, {chosen, first, 0, 27});
    scene_end(&scene);
}

TIMING_TEST(a_port_sees_what_the_one_before_has_changed)
{
    run_ports(WS_port_order_fixed, 3);
    run_ports(WS_port_order_rotate, 1);
}

/* The barrel with one stage: a warp may issue in every cycle. */
static void barrel_start(struct scene *scene, const char *const *scripts)
{
    pro_start(scene, 3, 64, 9, scripts);
    scene->machine = plain_machine();
    scene->machine.core_depth = 1;
    scene->machine.core_blocks = 2;
    scene->machine.dram_row_conflict = 20;
    scene->machine.schedule_policy = WS_policy_pro;
}

/* Warps 0 and 1 load a line that comes at 3 + 20 + 4. Warp 2 ends at 12; warp 3 continues at 27, until it ends at 30, when block 2
 * enters, to be selected from 31 on. */
SCENE_WITH(the_barrel_prefers_blocks_of_which_a_warp_has_ended,
           barrel_start(scene, SCRIPTS("l..x", "l..x", "x", "..............x", "x", "x", "x", "x")))
{
    scene_run(scene);
    expect_slots(scene, "0000 1111 2222 333 333333333333333 0 2222 3333 00 111");
    EXPECT(scene, cycles, 44);
}

/* Warp 2 arrives at 12, warp 3 at 30, when both are released and block 0, of noWait as well, is first. Block 2 enters at 36. */
SCENE_WITH(the_barrel_prefers_blocks_of_which_a_warp_waits,
           barrel_start(scene, SCRIPTS("l..x", "l..x", "b..x", "..............b..x", "x", "x", "x", "x")))
{
    scene_run(scene);
    expect_slots(scene, "0000 1111 2222 333 333333333333333 000 111 2 0000 1111 22 333");
    EXPECT(scene, cycles, 50);
}
