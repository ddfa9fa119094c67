/* Large warps: docs/model/divergence.md. */
#include "test.h"
#include "timing/timing.h"

static void two_instructions(struct image_build *build)
{
    image_build_start(build, 1, 64);
    add_alu(build);
    add_alu(build);
    add_exit(build);
}

/* Two rows: sub-warps at 0 and 1; the first completes at 7: instruction 1 at 7 and 8 (row 1 is busy until 8), the exit at 14 and
 * 15, which ends at 22. */
TIMING_TEST(a_large_warp_is_fetched_again_when_its_first_sub_warp_completes)
{
    const struct ws_machine machine = large_machine(64);
    struct image_build build;
    struct trial trials[TRIALS];
    two_instructions(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 0, 1, 1}, {0, 1, 0, 7}, {0, 1, 1, 8}, {0, 2, 0, 14});
    EXPECT_COUNTS(trials, IS(cycles, 22), IS(warp_instructions, 6), IS(instructions_fetched, 3));
    trials_free(trials);
    image_build_free(&build);
}

/* All sub-warps of instruction 0 have completed at 8, of instruction 1 at 16; the exit at 16 and 17 ends at 24. */
TIMING_TEST(refetch_last_waits_for_all_sub_warps)
{
    struct ws_machine machine = large_machine(64);
    struct image_build build;
    struct trial trials[TRIALS];
    machine.divergence_refetch = WS_refetch_last;
    two_instructions(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 8}, {0, 2, 0, 16});
    expect_count(trials, WS_COUNT_cycles, 24);
    trials_free(trials);
    image_build_free(&build);
}

/* A uniform branch: sub-warps at 0 and 1, the next instruction only at 8. */
BARREL_TEST(a_branch_waits_for_all_sub_warps, large_machine(64), 1, 64)
{
    add_branch(build, 1, 1);
    add_exit(build);
    for (u32 thread = 0; thread < 64; thread++)
        add_decision(build, 0, thread, true);
    trials_run(machine, build, trials);
    expect_issue(trials, 0, 1, 0, 8);
    expect_count(trials, WS_COUNT_uniform_branches, 1);
}

/* Row 0 and row 1 load line 0 (missed at 0, merged at 1, there at 304), then row 0 loads line 0 again (hit at 304, completes at
 * 311) and row 1 line 1 (row hit: requested at 305, ready at 405, there at 409). Then an instruction with the given guard in row 0.
 */
static void hit_and_miss(struct image_build *build, bool guarded)
{
    image_build_start(build, 1, 64);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    const u32 pc = add_alu(build);
    add_exit(build);
    add_line(build, 0, line_granule(0));
    add_line(build, 0, line_granule(0));
    add_line(build, 32, line_granule(0));
    add_line(build, 32, line_granule(1));
    if (!guarded)
        return;
    build->program[pc].flags |= WS_GUARDED;
    for (u32 thread = 0; thread < 64; thread++)
        add_decision(build, 0, thread, thread >= 32);
}

/* Instruction 2 starts at 311 with row 0; row 1 is busy, so the large warp steps aside until 409. At 410 it has nothing left to
 * pack and row 0 has completed: the exit starts at 410 with row 0, and continues at 416, when row 1 has completed. */
TIMING_TEST(a_large_warp_steps_aside_for_its_missing_threads)
{
    const struct ws_machine machine = large_machine(64);
    struct image_build build;
    struct trial trials[TRIALS];
    hit_and_miss(&build, false);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 1, 1, 305}, {0, 2, 0, 311}, {0, 2, 1, 409}, {0, 3, 0, 410}, {0, 3, 1, 416});
    EXPECT_COUNTS(trials, IS(cycles, 423), IS(resumes, 2), IS(fetches, 6), IS(instructions_fetched, 4));
    trials_free(trials);
    image_build_free(&build);
}

/* The same cycles, but decode waits: nothing is fetched twice. */
TIMING_TEST(a_large_warp_that_holds_decode_is_not_fetched_twice)
{
    struct ws_machine machine = large_machine(64);
    struct image_build build;
    struct trial trials[TRIALS];
    machine.divergence_decode = WS_decode_hold;
    hit_and_miss(&build, false);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 2, 1, 409}, {0, 3, 1, 416});
    EXPECT_COUNTS(trials, IS(cycles, 423), IS(resumes, 0), IS(fetches, 4));
    trials_free(trials);
    image_build_free(&build);
}

/* Instruction 2 is for row 1 alone, which is busy: the slot of 311 stalls. Row 1 issues at 409 and completes at 416; the exit at
 * 416 and 417 ends at 424. */
TIMING_TEST(a_selection_that_packs_nothing_spends_its_slot)
{
    const struct ws_machine machine = large_machine(64);
    struct image_build build;
    struct trial trials[TRIALS];
    hit_and_miss(&build, true);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 2, 0, 409}, {0, 3, 0, 416});
    EXPECT_COUNTS(trials, IS(cycles, 424), IS(empty_packs, 1), IS(resumes, 1), IS(thread_instructions, 4 * 64));
    trials_free(trials);
    image_build_free(&build);
}

/* 256 threads: the jump takes one slot and completes at 7, the exit eight slots from 7 to 14 and ends at 21. */
BARREL_TEST(a_large_warp_jumps_in_one_slot, large_machine(256), 1, 256)
{
    add_jump(build, 1);
    add_exit(build);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 7}, {0, 1, 7, 14});
    EXPECT_COUNTS(trials, IS(cycles, 21), IS(warp_instructions, 9), IS(thread_instructions, 512));
    expect_count(trials, WS_COUNT_active_lanes + 32, 9);
}

/* Two large warps of two rows: barriers at 0, 1 and 2, 3; the second arrives when its last sub-warp completes, at 10. */
BARREL_TEST(a_large_warp_arrives_with_its_last_sub_warp, large_machine(64), 1, 128)
{
    add_barrier(build);
    add_exit(build);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 0, 1, 3}, {0, 1, 0, 10}, {1, 1, 0, 12});
    expect_count(trials, WS_COUNT_barrier_arrivals, 2);
}

/* Two large warps of two rows and 32 MSHRs. Both load line 0, which is there at 304. Instruction 1 loads line 1 for thread 0 at 304
 * (arrives at 408), and line 0 for thread 32 at 305; no other thread is active. Thread 0 is busy, so warp 0's instruction 2 issues
 * without it at 312 and 313, and with it at 408; it is busy again until 415. Warp 1 takes 31 MSHRs at 321, the first of which is
 * free again at 625. Warp 0 starts instruction 3 at 409: column 0 supplies thread 32, which needs a second line and finds no MSHR.
 * At 415 column 0 supplies thread 0, which needs only its row's line: the sub-warp issues. The other row waits until 625. */
BARREL_TEST(a_sub_warp_without_room_needs_less_when_a_thread_comes_back, large_machine(64), 1, 128)
{
    machine->l1_mshrs = 32;
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    const u32 guarded = add_memory(build, WS_CLASS_load, WS_SPACE_global);
    build->program[guarded].flags |= WS_GUARDED;
    add_alu(build);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 128; thread++) {
        const bool loads = thread == 0 || thread == 32;
        add_access(build, 0, thread, line_granule(0));
        add_decision(build, 0, thread, loads);
        if (loads)
            add_access(build, 0, thread, line_granule(thread == 0 ? 1 : 0));
        add_access(build, 0, thread, line_granule(thread < 32 ? 2048 : thread < 64 ? 4096 : 1024 + (thread - 64) % 32 % 31));
    }
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 2, 2, 408}, {1, 3, 0, 321}, {0, 3, 0, 415}, {0, 3, 1, 625});
    expect_count(trials, WS_COUNT_dram_queue_full, 415 - 409 + 625 - 416);
}
