/* Instruction buffers, the fetch unit and the instruction cache of the scoreboard pipeline: docs/model/pipelines.md, "Fetch". A
 * warp is fetched at t and issues from t + 2 on; slot 0 is tried at 0. */
#include "test.h"
#include "timing/scene.h"

static void add_moves(struct scene *scene, u32 until)
{
    while (scene->build.instructions < until)
        add_move(scene, scene->build.instructions % 8 + 1);
}

/* Two instructions a fetch: fetched at 0 for 2 and 3, at 3, when the buffer has emptied, for 5 and 6. */
SCENE_TEST(a_buffer_of_two_empties_before_it_is_filled, 1, 32)
{
    add_moves(scene, 4);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6, 8);
    expect_slots(scene, "ii00i00i0");
    EXPECT_COUNTS(scene->trials, IS(fetches, 3), IS(icache_hits, 3), IS(buffer_flushes, 0), IS(instructions_fetched, 5));
}

SCENE_TEST(a_buffer_of_one_is_fetched_for_each_instruction, 1, 32)
{
    scene->machine.core_buffer = 1;
    add_moves(scene, 3);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4, 6, 8);
    EXPECT(scene, fetches, 4);
}

TIMING_TEST(a_fetched_instruction_is_valid_after_the_latency)
{
    for (u32 latency = 1; latency <= 63; latency += 31) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        scene.machine.core_fetch_latency = latency;
        add_moves(&scene, 3);
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, latency, latency + 1, 2 * latency + 1, 2 * latency + 2);
        scene_end(&scene);
    }
}

/* Two fetches a cycle, for three warps with a buffer of one and a port each: warps 0 and 1 at 0, 2 at 1, and each again as it
 * issues. */
SCENE_TEST(the_fetch_unit_tries_as_many_as_it_may, 1, 96)
{
    scene->machine.core_buffer = 1;
    scene->machine.core_fetches = 2;
    scene->machine.core_issue_ports = scene->machine.unit_sp = 4;
    add_moves(scene, 2);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4, 6);
    EXPECT_ISSUES(scene, 1, 2, 4, 6);
    EXPECT_ISSUES(scene, 2, 3, 5, 7);
    EXPECT(scene, fetches, 9);
}

/* One fetch a cycle, for four warps with a buffer of one: 0 to 3. Warp 0, whose buffer empties at 2, comes behind warps 2 and 3,
 * and is fetched at 4. */
SCENE_TEST(the_fetch_unit_goes_round, 1, 128)
{
    scene->machine.core_buffer = 1;
    add_moves(scene, 2);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 6, 10);
    EXPECT_ISSUES(scene, 1, 3, 7, 11);
    EXPECT_ISSUES(scene, 2, 4, 8, 12);
    EXPECT_ISSUES(scene, 3, 5, 9, 13);
}

/* Warp 0 waits at a barrier from 2 on with an empty buffer and is fetched all the same, at 2: warp 1 arrives at 3, both are
 * released at 4, when warp 0 continues; warp 1, fetched at 3, at 5. */
SCENE_TEST(a_warp_at_a_barrier_is_fetched, 1, 64)
{
    scene->machine.core_buffer = 1;
    add_barrier(&scene->build);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 4);
    EXPECT_ISSUES(scene, 1, 3, 5);
}

/* The jump of 2 leaves the second entry behind (a flush) and, with the delay of d, the warp is tried at 2 + d. Program counter 3 is
 * the last of a line of four instructions: the fetch brings one. It issues at 4 + d, when the next line is fetched. */
TIMING_TEST(a_fetch_ends_with_its_line_and_waits_for_the_branch_delay)
{
    static const u32 delays[] = {0, 1, 4, 63};
    for (u32 n = 0; n < sizeof delays / sizeof *delays; n++) {
        const u32 at = 4 + delays[n];
        struct scene scene;
        scene_start(&scene, 1, 32);
        scene.machine.icache_line = 32;
        scene.machine.core_branch_delay = delays[n];
        add_jump(&scene.build, 3);
        add_moves(&scene, 6);
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, at, at + 2, at + 3, at + 5);
        EXPECT_COUNTS(scene.trials, IS(fetches, 4), IS(buffer_flushes, 1));
        scene_end(&scene);
    }
}

/* The jump is the last of the buffer: nothing is flushed, and the delay holds. It issues at 3, is tried at 3 + 5. */
SCENE_TEST(a_jump_from_the_last_entry_flushes_nothing, 1, 32)
{
    scene->machine.core_branch_delay = 5;
    add_move(scene, 1);
    add_jump(&scene->build, 4);
    add_moves(scene, 4);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 10);
    EXPECT(scene, buffer_flushes, 0);
}

/* Two jumps to the next instruction and a branch that no thread takes: the buffer is kept, and there is no delay. */
SCENE_TEST(a_branch_to_the_next_instruction_costs_nothing, 1, 32)
{
    scene->machine.core_branch_delay = 5;
    add_jump(&scene->build, 1);
    add_jump(&scene->build, 2);
    add_branch(&scene->build, 5, 5);
    add_moves(scene, 5);
    add_end(scene);
    decide(scene, 0, 0, false);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6, 8, 9);
    EXPECT(scene, buffer_flushes, 0);
}

/* Half of the warp takes the branch of 2 to 3 and runs first: the buffer is flushed, the warp tried at 3. The move of 5 leads to
 * the reconvergence point, where the others are taken up from 1: tried at 6, the move at 8 and the jump at 9 lead there as well;
 * the exit of all is tried at 10. */
SCENE_TEST(a_path_that_is_taken_up_is_fetched_anew, 1, 32)
{
    add_branch(&scene->build, 3, 4);
    add_move(scene, 1);
    add_jump(&scene->build, 4);
    add_move(scene, 5);
    add_end(scene);
    for (u32 thread = 0; thread < 32; thread++)
        add_decision(&scene->build, 0, thread, thread < 16);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 5, 8, 9, 12);
    expect_lanes(scene->trials, 0, 3, 0, 0x0000FFFF);
    expect_lanes(scene->trials, 0, 1, 0, 0xFFFF0000);
    expect_lanes(scene->trials, 0, 4, 0, 0xFFFFFFFF);
    EXPECT(scene, buffer_flushes, 2);
}

/* The path without the highest lane: that of lanes 0 to 15, which do not take the branch. Their jump of 5 leads to the
 * reconvergence point, and the path that is taken up begins with what comes next in the buffer. */
SCENE_TEST(the_path_without_the_highest_lane_may_be_first, 1, 32)
{
    scene->machine.divergence_first_path = WS_first_path_lane;
    add_branch(&scene->build, 3, 4);
    add_move(scene, 1);
    add_jump(&scene->build, 4);
    add_move(scene, 5);
    add_end(scene);
    for (u32 thread = 0; thread < 32; thread++)
        add_decision(&scene->build, 0, thread, thread >= 16);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6, 8);
    expect_lanes(scene->trials, 0, 3, 0, 0xFFFF0000);
    EXPECT(scene, buffer_flushes, 0);
    expect_lanes(scene->trials, 0, 1, 0, 0x0000FFFF);
}

/* Both miss the line at 0 and 1, one request. It comes at 96, when warp 0, the next in turn, is fetched again, at 97 warp 1. */
SCENE_TEST(an_instruction_line_is_fetched_again_when_it_has_come, 1, 64)
{
    scene->machine.icache_size = 1024;
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 98);
    EXPECT_ISSUES(scene, 1, 99);
    EXPECT_COUNTS(scene->trials, IS(fetches, 4), IS(icache_hits, 2), IS(icache_misses, 2), IS(icache_merges, 1), IS(l2_misses, 1),
                  IS(dram_reads, 1), IS(stall_idle, 100 - 2));
}

/* Program counters 0 to 2 lie in one line, the targets of warps 0 and 1 in two others. */
static void start_three_lines(struct scene *scene)
{
    scene_start(scene, 1, 64);
    scene->machine.icache_size = 1024;
    add_branch(&scene->build, 16, 16);
    add_jump(&scene->build, 32);
    add_moves(scene, 17);
    add_end(scene);
    add_moves(scene, 33);
    add_end(scene);
    decide(scene, 0, 0, false);
    decide(scene, 0, 1, true);
}

/* Fetched at 96 and 97, the branch issues at 98 and 99, the jump of warp 0 at 100. Warp 1 is tried at 100 and misses at its line,
 * whose DRAM row is open by then: 89 cycles. The one MSHR is in use: warp 0, tried from 101 on, is refused until the line has come
 * at 189, when warp 1 is the next in turn; it misses at 190 and comes at 279. Refused accesses count nothing. */
SCENE_WITH(a_refused_fetch_is_tried_again, start_three_lines(scene))
{
    scene->machine.icache_mshrs = 1;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 98, 100, 281, 282);
    EXPECT_ISSUES(scene, 1, 99, 191, 192);
    EXPECT_COUNTS(scene->trials, IS(icache_misses, 4), IS(fetches, 8), IS(row_hits, 2));
}

/* With two MSHRs warp 0 misses at 101, a cycle behind warp 1. Bursts take 4 cycles and answers 5, one after the other: its line
 * comes 5 cycles after the one of 189. */
SCENE_WITH(two_instruction_lines_are_in_flight, start_three_lines(scene))
{
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 98, 100, 196, 197);
    EXPECT_ISSUES(scene, 1, 99, 191, 192);
    EXPECT(scene, fetches, 8);
}

/* A cache of one line: its way is reserved for the line of warp 1 until 189; warp 1 is the next in turn, and its instructions are
 * in its buffer when the line goes at 190. */
SCENE_WITH(a_reserved_way_refuses_a_fetch, start_three_lines(scene))
{
    scene->machine.icache_size = 128;
    scene->machine.icache_ways = 1;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 98, 100, 281, 282);
    EXPECT_ISSUES(scene, 1, 99, 191, 192);
    EXPECT(scene, icache_misses, 4);
}
