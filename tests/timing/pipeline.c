/* Pipeline, port, fetch, barriers, blocks: docs/model/order.md, divergence.md, memory.md, dispatch.md. */
#include "test.h"
#include "timing/timing.h"

/* Issue at 0, 7, 14, 21; the exit completes at 28. */
BARREL_TEST(a_warp_is_selectable_again_when_its_instruction_completes, plain_machine(), 1, 32)
{
    add_alu(build);
    add_alu(build);
    add_alu(build);
    add_exit(build);
    trials_run(machine, build, trials);
    for (u32 pc = 0; pc < 4; pc++)
        expect_issue(trials, 0, pc, 0, 7 * pc);
    EXPECT_COUNTS(trials, IS(cycles, 28), IS(thread_instructions, 128), IS(stall_scoreboard, 24), IS(register_reads, 3 * 32 * 2),
                  IS(register_writes, 3 * 32));
}

/* Warp 0 enters in cycles 0 to 3, warp 1 in 4 to 7; they complete at 0 + 3 + 7 and 4 + 3 + 7, and so again with their exits. */
BARREL_TEST(eight_lanes_take_a_warp_over_four_cycles, plain_machine(), 1, 64)
{
    machine->core_simd_width = 8;
    add_alu(build);
    add_exit(build);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 0, 0, 0}, {1, 0, 0, 4}, {0, 1, 0, 10}, {1, 1, 0, 14});
    expect_count(trials, WS_COUNT_cycles, 24);
    expect_count(trials, WS_COUNT_stall_pipeline, 3); /* cycles 1 to 3, while warp 1 could go */
    expect_count(trials, WS_COUNT_stall_scoreboard, 24 - 4 - 3);
    expect_count(trials, WS_COUNT_active_lanes + 32, 4);
}

/* Two warps load: the first from four lines, the second from one. Then both exit. */
static void two_loads(struct image_build *build)
{
    image_build_start(build, 1, 64);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, line_granule(thread / 8));
    add_line(build, 32, line_granule(9));
}

/* Warp 0 issues at 0 and holds the port and select until 4, when warp 1 issues; they complete at 0 + 3 + 7 and at 4 + 7. */
TIMING_TEST(k_lines_hold_the_port_and_select_k_cycles)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.memory_ideal = WS_toggle_on;
    two_loads(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 4}, {0, 1, 0, 10}, {1, 1, 0, 11});
    EXPECT_COUNTS(trials, IS(cycles, 18), IS(stall_pipeline, 3), IS(data_port_busy, 5), IS(l1_hits, 5));
    trials_free(trials);
    image_build_free(&build);
}

/* Warp 1 issues at 1, its access starts when the port is free, at 4, and completes at 4 + 7. */
TIMING_TEST(k_lines_hold_only_the_port_when_select_goes_on)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.memory_ideal = WS_toggle_on;
    machine.memory_data_port = WS_data_port_warp;
    two_loads(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 1}, {0, 1, 0, 10}, {1, 1, 0, 11});
    EXPECT_COUNTS(trials, IS(cycles, 18), IS(stall_pipeline, 0));
    trials_free(trials);
    image_build_free(&build);
}

/* The banks serve the first load's four lines in one cycle: it completes at 7, the second at 1 + 7. */
TIMING_TEST(banks_serve_all_lines_at_once)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.memory_ideal = WS_toggle_on;
    machine.memory_data_port = WS_data_port_banks;
    two_loads(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 1}, {0, 1, 0, 7}, {1, 1, 0, 8});
    EXPECT_COUNTS(trials, IS(cycles, 15), IS(stall_pipeline, 0), IS(data_port_busy, 2), IS(l1_hits, 5));
    trials_free(trials);
    image_build_free(&build);
}

/* The loads complete at 0 + 3 + 7 + 10 and 4 + 7 + 10. */
TIMING_TEST(loads_take_the_data_caches_latency)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.memory_ideal = WS_toggle_on;
    machine.l1_latency = 10;
    two_loads(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 4}, {0, 1, 0, 20}, {1, 1, 0, 21});
    expect_count(trials, WS_COUNT_cycles, 28);
    trials_free(trials);
    image_build_free(&build);
}

/* Warp 1's access, issued at 1, starts at 4. */
TIMING_TEST(the_latency_follows_the_access)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.memory_ideal = WS_toggle_on;
    machine.memory_data_port = WS_data_port_warp;
    machine.l1_latency = 10;
    two_loads(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 1}, {0, 1, 0, 20}, {1, 1, 0, 21});
    trials_free(trials);
    image_build_free(&build);
}

/* A store of a cache that writes through reads nothing, one of a cache that writes back does. */
TIMING_TEST(stores_that_read_take_the_latency)
{
    for (u32 store = WS_store_through; store <= WS_store_back; store++) {
        struct ws_machine machine = plain_machine();
        struct image_build build;
        struct trial trials[TRIALS];
        machine.memory_ideal = WS_toggle_on;
        machine.l1_latency = 10;
        machine.l1_store = store;
        image_build_start(&build, 1, 32);
        add_memory(&build, WS_CLASS_store, WS_SPACE_global);
        add_memory(&build, WS_CLASS_load, WS_SPACE_shared);
        add_exit(&build);
        add_line(&build, 0, line_granule(1));
        add_line(&build, 0, 0);
        trials_run(&machine, &build, trials);
        const u64 read = store == WS_store_back ? 10 : 0;
        EXPECT_ISSUED(trials, {0, 1, 0, 7 + read}, {0, 2, 0, 14 + read});
        trials_free(trials);
        image_build_free(&build);
    }
}

/* On 16 lanes an instruction enters over two cycles. Warp 0 holds the port for four, longer than the lanes; warp 1 enters at 4 and
 * 5, longer than its one line holds the port, and completes at 4 + 1 + 7. */
TIMING_TEST(lanes_and_port_hold_at_the_same_time)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.memory_ideal = WS_toggle_on;
    machine.core_simd_width = 16;
    two_loads(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 4}, {0, 1, 0, 10}, {1, 1, 0, 12});
    EXPECT_COUNTS(trials, IS(cycles, 20), IS(data_port_busy, 5));
    trials_free(trials);
    image_build_free(&build);
}

/* Words 0, 2, ... 62 in 32 banks: two words in each even bank, so the load completes at 0 + 1 + 7. All threads at one word: one
 * cycle. */
BARREL_TEST(banks_of_shared_memory_serve_one_word_a_cycle, plain_machine(), 1, 32)
{
    build->shared_bytes = 256;
    add_memory(build, WS_CLASS_load, WS_SPACE_shared);
    add_memory(build, WS_CLASS_load, WS_SPACE_shared);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++) {
        add_access(build, 0, thread, 2 * thread);
        add_access(build, 0, thread, 33);
    }
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 8}, {0, 2, 0, 15});
    EXPECT_COUNTS(trials, IS(shared_accesses, 2), IS(shared_conflicts, 1), IS(data_port_busy, 3));
}

/* A load guarded off by all threads issues at 0 and completes at 7 without an access. */
BARREL_TEST(an_empty_guard_costs_one_slot, plain_machine(), 1, 32)
{
    const u32 load = add_memory(build, WS_CLASS_load, WS_SPACE_global);
    build->program[load].flags |= WS_GUARDED;
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_decision(build, 0, thread, false);
    trials_run(machine, build, trials);
    expect_issue(trials, 0, 1, 0, 7);
    EXPECT_COUNTS(trials, IS(active_lanes, 1), IS(global_accesses, 0), IS(thread_instructions, 64));
    expect_count(trials, WS_COUNT_thread_class + WS_CLASS_load, 32);
    expect_count(trials, WS_COUNT_register_reads, 0);
}

/* 16 instructions a line. Line 0 misses at 0 (conflict, ready at 300, burst until 304), line 1 when warp 0 comes to instruction 16
 * at 304 + 16 * 7 = 416 (same row: ready at 516, burst until 520). */
TIMING_TEST(instructions_miss_once_a_line)
{
    struct ws_machine machine;
    struct image_build build;
    struct trial trials[TRIALS];
    machine_defaults(&machine);
    image_build_start(&build, 1, 32);
    for (u32 pc = 0; pc < 20; pc++)
        add_alu(&build);
    add_exit(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 0, 0, 304}, {0, 15, 0, 409}, {0, 16, 0, 520});
    EXPECT_COUNTS(trials, IS(cycles, 520 + 5 * 7), IS(fetches, 23), IS(icache_misses, 2), IS(stall_idle, 304 + 104),
                  IS(row_hits, 1));
    trials_free(trials);
    image_build_free(&build);
}

/* Warp 0 misses at 0, warp 1 at 1 shares the line in flight; both are selectable at 304. */
TIMING_TEST(warps_share_an_instruction_line_in_flight)
{
    struct ws_machine machine;
    struct image_build build;
    struct trial trials[TRIALS];
    machine_defaults(&machine);
    image_build_start(&build, 1, 64);
    add_exit(&build);
    trials_run(&machine, &build, trials);
    EXPECT_ISSUED(trials, {0, 0, 0, 304}, {1, 0, 0, 305});
    EXPECT_COUNTS(trials, IS(icache_misses, 2), IS(icache_merges, 1), IS(dram_reads, 1));
    trials_free(trials);
    image_build_free(&build);
}

/* Instruction 0 at 0 and 1, the barrier at 7 and 8; warp 1 completes it at 15, when both continue: warp 0 first, for the pointer is
 * at slot 2. */
BARREL_TEST(a_barrier_opens_when_the_last_warp_completes_it, plain_machine(), 1, 64)
{
    add_alu(build);
    add_barrier(build);
    add_exit(build);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 1, 0, 8}, {0, 2, 0, 15}, {1, 2, 0, 16});
    EXPECT_COUNTS(trials, IS(cycles, 23), IS(barrier_arrivals, 2), IS(barrier_releases, 1));
}

/* Warp 1 branches around the barrier and ends at 1 + 7 + 7 = 15, after warp 0 has arrived at 14: released at 15. */
BARREL_TEST(an_ended_warp_counts_as_arrived, plain_machine(), 1, 64)
{
    add_branch(build, 2, 2);
    add_barrier(build);
    add_exit(build);
    for (u32 thread = 0; thread < 64; thread++)
        add_decision(build, 0, thread, thread >= 32);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 2, 0, 8}, {0, 1, 0, 7}, {0, 2, 0, 15});
    EXPECT_COUNTS(trials, IS(uniform_branches, 2), IS(barrier_arrivals, 1), IS(barrier_releases, 1));
}

/* One block slot: the second block enters at 14, when the first ends, and issues at 15. */
BARREL_TEST(a_block_enters_when_another_ends_and_issues_in_the_next_cycle, plain_machine(), 2, 32)
{
    const struct ws_block_time times[] = {{0, 14}, {14, 29}};
    machine->core_blocks = 1;
    add_alu(build);
    add_exit(build);
    trials_run(machine, build, trials);
    expect_issue(trials, 0, 0, 1, 15);
    expect_count(trials, WS_COUNT_cycles, 29);
    for (u32 i = 0; i < TRIALS; i++)
        assert_memory_equal(trials[i].times, times, sizeof times);
}

/* Nothing issues after 0; the data would arrive at 2004, the job ends at 1000. */
BARREL_TEST(a_job_without_progress_ends_as_a_deadlock, plain_machine(), 1, 32)
{
    machine->core_watchdog = 1000;
    machine->dram_row_conflict = 2000;
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    add_line(build, 0, 0);
    trials_run(machine, build, trials);
    for (u32 i = 0; i < TRIALS; i++)
        assert_int_equal(trials[i].status, WS_STATUS_deadlock);
    EXPECT_COUNTS(trials, IS(cycles, 1000), IS(stall_scoreboard, 999));
}

/* The store's write is ready at 1003, its burst ends at 1007. The load issues last, at 7: the job ends when cycle 1007 begins. */
BARREL_TEST(nothing_of_the_cycle_of_a_deadlock_is_counted, plain_machine(), 1, 32)
{
    machine->core_watchdog = 1000;
    machine->dram_row_conflict = 1003;
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    add_line(build, 0, line_granule(0));
    add_line(build, 0, line_granule(32));
    trials_run(machine, build, trials);
    for (u32 i = 0; i < TRIALS; i++)
        assert_int_equal(trials[i].status, WS_STATUS_deadlock);
    EXPECT_COUNTS(trials, IS(cycles, 1007), IS(dram_busy, 0));
}
