/* Issue and control bits: docs/model/subcore.md, "Control bits" and "Issue". */
#include "timing/subcore/scene.h"

/* Five instructions, the second as given: Figure 4 of Huerta et al., with fewer instructions. Slot 3 is fetched at 1 to 4, slot 2
 * at 5 to 8, slot 1 at 9 to 12, slot 0 at 13 to 16: barriers issue at 4, 8, 12, 16 and are released at 17. By their stalls the
 * warps can issue from 19, 23, 27, 31 on. */
static void add_figure(struct scene *scene, u32 stall, bool yields)
{
    sub_meet(scene);
    for (u32 n = 0; n < 5; n++)
        SUB(scene, .class_ = WS_CLASS_int, .stall = n == 1 ? stall : 1, .yields = n == 1 && yields);
    sub_end(scene);
    scene_run(scene);
}

/* The cycles of a slot after its barrier. */
static void expect_after(const struct scene *scene, u32 slot, u32 pc, u32 cycle)
{
    expect_issue(scene->trials, slot, pc, 0, cycle);
}

SUB_TEST(greedy_runs_to_its_end, 128)
{
    add_figure(scene, 1, false);
    EXPECT_ISSUES(scene, 3, 4, 19, 20, 21, 22, 23, 24);
    EXPECT_ISSUES(scene, 2, 8, 25, 26, 27, 28, 29, 30);
    EXPECT_ISSUES(scene, 1, 12, 31, 32, 33, 34, 35, 36);
    EXPECT_ISSUES(scene, 0, 16, 37, 38, 39, 40, 41, 42);
}

/* Slot 3 stalls from 20 to 24. Slot 2 issues at 23 and is greedy at 24, then slot 3, whose stall is over. */
SUB_TEST(a_stall_lets_others_issue, 128)
{
    add_figure(scene, 4, false);
    EXPECT_ISSUES(scene, 3, 4, 19, 20, 25, 26, 27, 28);
    EXPECT_ISSUES(scene, 2, 8, 23, 24, 29, 30, 31, 32);
    expect_after(scene, 1, 1, 33);
}

/* After its second instruction a warp steps aside for a cycle: slot 3 for nobody at 21, slot 2 for slot 1 at 28, and that for slot
 * 2 at 30. */
SUB_TEST(a_yield_lets_others_issue, 128)
{
    add_figure(scene, 1, true);
    EXPECT_ISSUES(scene, 3, 4, 19, 20, 22, 23, 24, 25);
    EXPECT_ISSUES(scene, 2, 8, 26, 27, 30, 31, 32, 33);
    EXPECT_ISSUES(scene, 1, 12, 28, 29, 34, 35, 36, 37);
    expect_after(scene, 0, 1, 38);
}

/* Alone: stall 3; yield costs a cycle; yield with stall 5 does not; stall 0 with yield waits for 45. */
SUB_TEST(stalls_of_one_warp, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .stall = 3);
    SUB(scene, .class_ = WS_CLASS_int, .yields = true, .stall = 1);
    SUB(scene, .class_ = WS_CLASS_int, .yields = true, .stall = 5);
    SUB(scene, .class_ = WS_CLASS_int, .yields = true);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 7, 9, 14, 59);
}

/* An ALU instruction that issues at 4 writes at 4 + 2 + 4 + 2 = 12; its counter is 0 from 13 on. */
SUB_TEST(a_counter_holds_back_its_waiter, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .stall = 2, .writes = 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 13, 14);
    EXPECT(scene, stall_scoreboard, 13 - 5);
}

/* With stall 1 the waiter issues before the counter is seen. */
SUB_TEST(a_raise_is_seen_two_cycles_later, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .stall = 1, .writes = 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6);
}

/* Sources have been read at 4 + 2 + 3 = 9. The same counter twice: 0 only after the write. */
SUB_TEST(read_and_write_barriers_fall_apart, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .stall = 2, .reads = 3);
    SUB(scene, .class_ = WS_CLASS_int, .stall = 2, .waits = 4, .reads = 6, .writes = 6);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 32);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 10, 19, 20);
}

/* Three results of one counter, written at 12, 13, 14: DEPBAR lets one of them be outstanding and issues at 14, though its own
 * wait mask is empty. */
SUB_TEST(depbar_waits_for_a_limit, 32)
{
    for (u32 n = 0; n < 3; n++)
        SUB(scene, .class_ = WS_CLASS_int, .stall = n == 2 ? 2 : 1, .writes = 1);
    SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MISC + 1, .flags = WS_OPERANDS_DEPBAR, .limit = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6, 14, 15);
}

SUB_TEST(depbar_waits_for_other_counters, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .stall = 2, .writes = 2);
    SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MISC + 1, .flags = WS_OPERANDS_DEPBAR, .others = 2);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 13, 14);
}

/* Listing 2: hardware tests no registers. */
SUB_TEST(a_reader_does_not_wait_for_its_register, 32)
{
    sub_fma(scene, 1, 2, 3, 0);
    sub_fma(scene, 1, 2, 3, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6);
}

/* A unit of interval 2 takes every other slot; with the integer pipe as the second one fp32 issues each cycle, integers do not. */
SUB_TEST(a_unit_is_busy_for_its_interval, 32)
{
    scene->machine.interval_fp32_mad = scene->machine.interval_other = 2;
    for (u32 n = 0; n < 4; n++)
        SUB(scene, .class_ = WS_CLASS_fp32, .kind = WS_KIND_fma);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 6, 8, 10, 11);
    EXPECT(scene, stall_pipeline, 3);
}

SUB_TEST(fp32_takes_the_integer_pipe, 32)
{
    scene->machine.interval_fp32_mad = 2;
    scene->machine.subcore_fp32_second = WS_fp32_second_int;
    for (u32 n = 0; n < 3; n++)
        SUB(scene, .class_ = WS_CLASS_fp32, .kind = WS_KIND_fma);
    SUB(scene, .class_ = WS_CLASS_int);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6, 8, 9);
}

SUB_TEST(a_wide_multiply_blocks_its_port, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .flags = WS_OPERANDS_WIDE);
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 6, 7);
}

/* Two results may be reserved: that of 4 is written at 12, that of 5 at 13. */
SUB_TEST(results_are_reserved_at_issue, 32)
{
    scene->machine.subcore_results = 2;
    for (u32 n = 0; n < 4; n++)
        SUB(scene, .class_ = WS_CLASS_int, .flags = WS_OPERANDS_RESULT);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 12, 13, 14);
}

/* Latency 6 at 4: 16; latency 2 would be 13 and is written at 17. */
SUB_TEST(results_are_written_one_a_cycle, 32)
{
    scene->machine.latency_fp32_add = 6;
    SUB(scene, .class_ = WS_CLASS_fp32, .kind = WS_KIND_add, .flags = WS_OPERANDS_RESULT);
    SUB(scene, .class_ = WS_CLASS_int, .flags = WS_OPERANDS_RESULT, .stall = 2, .writes = 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 18, 19);
}

/* Each fixed unit: written 8 cycles after issue with latency 2; the SFU leaves Control at 5, starts at 6 and writes at 8. */
TIMING_TEST(every_unit_has_its_latency)
{
    for (u32 unit = 0; unit <= WS_SUB_SFU; unit++) {
        struct scene scene;
        sub_start(&scene, 32);
        SUB(&scene, .class_ = WS_CLASS_int, .unit = unit + 1, .stall = 2, .writes = 1);
        SUB(&scene, .class_ = WS_CLASS_int, .waits = 1);
        sub_end(&scene);
        scene_run(&scene);
        const u32 at = unit == WS_SUB_SFU ? 9 : 13;
        EXPECT_ISSUES(&scene, 0, 4, at, at + 1);
        scene_end(&scene);
    }
}

/* SFU, interval 4: starts at 6 and 10. The third waits in Control from 7 to 10 and the latch is free at 10; the fourth instruction
 * issues then. */
SUB_TEST(the_sfu_has_a_latch, 32)
{
    scene->machine.interval_sfu = 4;
    for (u32 n = 0; n < 3; n++)
        SUB(scene, .class_ = WS_CLASS_sfu);
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6, 10, 11);
    EXPECT(scene, control_stalls, 3);
}

/* 64 loads raise one counter. They issue every 4 cycles; when the 59th issues, 57 rises are seen. The 60th finds 59 and waits until
 * two results have been written, which takes until 15 + 93 + 480 for the first and 4 cycles more for the second (timing/scene.h).
 */
SUB_TEST(a_full_counter_holds_back_the_warp, 32)
{
    scene->machine.l2_latency += 480;
    for (u32 n = 0; n < 64; n++) {
        SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .writes = 1);
        sub_touch(scene, 0, WS_SPACE_global, 128 * n, 4, true);
    }
    sub_end(scene);
    scene_run(scene);
    expect_issue(scene->trials, 0, 58, 0, issue_cycle(&scene->trials[0], 0, 57, 0) + 4);
    expect_issue(scene->trials, 0, 59, 0, 15 + 93 + 480 + 4 + 1);
}

/* Barriers issue at 4 and 7 and release at 8; warps issue 7 cycles later, the greedy one first. */
SUB_TEST(a_barrier_releases_later, 64)
{
    scene->machine.subcore_barrier = 7;
    SUB(scene, .class_ = WS_CLASS_barrier);
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 7, 15, 16);
    EXPECT_ISSUES(scene, 1, 4, 17, 18);
}

/* Slot 2 is fetched at 1 and 2, slot 1 at 3 and 4, slot 0 at 5 and 6; they may issue from 12, 6 and 0 on. */
SUB_TEST(warps_of_a_block_start_one_after_another, 96)
{
    scene->machine.subcore_warp_start = 6;
    scene->machine.core_warps = 3;
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 8, 9);
    EXPECT_ISSUES(scene, 1, 6, 7);
    EXPECT_ISSUES(scene, 2, 12, 13);
}

static void add_copy(struct scene *scene, u32 first)
{
    SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .flags = WS_OPERANDS_COPY);
    sub_touch(scene, 0, WS_SPACE_global, first, 4, false);
}

/* LDGDEPBAR with counter 0. */
static void add_commit(struct scene *scene)
{
    SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MISC + 1, .flags = WS_OPERANDS_COMMIT, .stall = 2, .writes = 1);
}

/* DEPBAR.LE SB0, so many. */
static void add_wait(struct scene *scene, u32 most)
{
    SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MISC + 1, .flags = WS_OPERANDS_DEPBAR, .limit = (u8)most);
}

/* Two groups of a copy each; waits for the first, then for the second one. */
static void add_groups(struct scene *scene)
{
    scene->machine.memory_ideal = WS_toggle_on;
    for (u32 n = 0; n < 2; n++) {
        add_copy(scene, 0);
        add_commit(scene);
    }
    add_wait(scene, 1);
    add_wait(scene, 0);
    sub_end(scene);
    scene_run(scene);
}

/* A copy that hits is written 31 cycles after its issue (Table 2), the second one 4 cycles after the first: at 35 and 39. */
SUB_TEST(depbar_counts_groups_of_copies, 32)
{
    scene->machine.subcore_fences = WS_toggle_on;
    add_groups(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 7, 8, 36, 40, 41);
}

/* Commits that await no copy are written at 5 + 2 + 4 + 2 = 13 and 16. */
SUB_TEST(groups_are_not_counted, 32)
{
    add_groups(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 7, 8, 14, 17, 18);
}

/* The load brings a line, in which the second copy hits while the first one misses: both groups end with the first copy. */
SUB_TEST(groups_end_in_order, 32)
{
    scene->machine.subcore_fences = WS_toggle_on;
    SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .stall = 2, .writes = 6);
    sub_touch(scene, 0, WS_SPACE_global, 0, 4, false);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 32);
    add_copy(scene, 4096);
    add_commit(scene);
    add_copy(scene, 0);
    add_commit(scene);
    add_wait(scene, 1);
    add_wait(scene, 0);
    sub_end(scene);
    scene_run(scene);
    const u64 load = issue_cycle(&scene->trials[0], 0, 1, 0) - issue_cycle(&scene->trials[0], 0, 0, 0);
    const u64 first = issue_cycle(&scene->trials[0], 0, 2, 0) + load;
    expect_issue(scene->trials, 0, 6, 0, first);
    expect_issue(scene->trials, 0, 7, 0, first + 1);
}

/* 15 commits await a copy that is written at 35, as many as there may be. */
SUB_TEST(a_commit_waits_for_room, 32)
{
    scene->machine.memory_ideal = scene->machine.subcore_fences = WS_toggle_on;
    add_copy(scene, 0);
    for (u32 n = 0; n < 16; n++)
        SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MISC + 1, .flags = WS_OPERANDS_COMMIT);
    sub_end(scene);
    scene_run(scene);
    assert_true(issue_cycle(&scene->trials[0], 0, 15, 0) < 35);
    expect_issue(scene->trials, 0, 16, 0, 36);
}

SUB_TEST(membar_waits_for_all_counters, 32)
{
    scene->machine.subcore_fences = WS_toggle_on;
    SUB(scene, .class_ = WS_CLASS_int, .stall = 2, .writes = 5);
    SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MEMORY + 1, .flags = WS_OPERANDS_FENCE);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 13, 14);
}
