/* Caches, banks and bus: docs/model/memory.md. */
#include "test.h"
#include "timing/timing.h"

enum { GRANULES_OF_ROW = 128 };

/* One warp, its lanes spread over two lines of one row. Line 0 opens the row: ready at 300, its bank busy 300 - 100 + 4 cycles.
 * Line 1 is served at 204: ready at 304. Bursts 300-304 and 304-308. */
BARREL_TEST(the_open_row_answers_after_the_hit_latency, plain_machine(), 1, 32)
{
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, line_granule(thread % 2));
    trials_run(machine, build, trials);
    expect_issue(trials, 0, 1, 0, 308);
    EXPECT_COUNTS(trials, IS(row_hits, 1), IS(row_conflicts, 1), IS(dram_busy, 8), IS(dram_bytes, 256));
}

/* Rows 0 and 9 share bank 0 (9 is 001 001 in groups of three bits). Both miss at 0: row 0 ready at 300, its bank busy until 204;
 * row 9 served at 204, ready at 504, burst until 508. */
BARREL_TEST(another_row_answers_after_the_conflict_latency, plain_machine(), 1, 32)
{
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, thread % 2 ? 9 * GRANULES_OF_ROW : 0);
    trials_run(machine, build, trials);
    expect_issue(trials, 0, 1, 0, 508);
    expect_count(trials, WS_COUNT_row_conflicts, 2);
}

/* Warp 0 misses A (bank 1) and B (bank 0) at 0, both ready at 300: B has the bus first, until 304, A until 308. Warps 1 and 2 wait
 * for B and A alone, as merged misses of cycles 2 and 3. At 308 the pointer is at slot 2. */
BARREL_TEST(equal_ready_times_take_the_bus_by_bank_and_misses_merge, plain_machine(), 1, 96)
{
    const u32 a = GRANULES_OF_ROW, b = 0;
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, thread % 2 ? b : a);
    add_line(build, 32, b);
    add_line(build, 64, a);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 2}, {1, 1, 0, 304}, {2, 1, 0, 308}, {0, 1, 0, 309});
    EXPECT_COUNTS(trials, IS(l1_misses, 4), IS(l1_merges, 2), IS(dram_reads, 2), IS(mshrs_most, 2));
}

/* 128 bytes at 48 GB/s take 2 2/3 cycles: bursts of 2, 3, 3 cycles. A bank is busy for 3 per burst, so three lines of a row are
 * ready at 300, 303, 306; bursts 300-302, 303-306, 306-309. */
BARREL_TEST(burst_lengths_follow_the_exact_rational, plain_machine(), 1, 32)
{
    machine->dram_bandwidth = 48000;
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, line_granule(thread % 3));
    trials_run(machine, build, trials);
    expect_issue(trials, 0, 1, 0, 309);
    expect_count(trials, WS_COUNT_dram_busy, 8);
}

/* The store misses at 0 and completes at 7; its write is ready at 300. The load misses at 7, is served after it at 204, ready at
 * 304, burst until 308. The second store hits at 308. */
BARREL_TEST(stores_are_written_through_without_waiting, plain_machine(), 1, 32)
{
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    add_exit(build);
    for (u32 access = 0; access < 3; access++)
        add_line(build, 0, line_granule(5));
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 7}, {0, 2, 0, 308}, {0, 3, 0, 315});
    EXPECT_COUNTS(trials, IS(l1_store_misses, 1), IS(l1_store_hits, 1), IS(dram_writes, 2), IS(dram_reads, 1));
}

/* Eight sets of one way: lines 0 and 8 evict each other. The store misses at 0 and its line arrives at 304. Line 8, a row hit, is
 * requested at 304 and arrives at 408, when line 0 is written back. Line 0 is requested again at 408, served after the write at
 * 412, ready at 512 and arrives at 516. */
BARREL_TEST(stores_written_back_wait_and_victims_follow_the_fill, plain_machine(), 1, 32)
{
    machine->l1_store = WS_store_back;
    machine->l1_size = 1024;
    machine->l1_ways = 1;
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    add_line(build, 0, line_granule(0));
    add_line(build, 0, line_granule(8));
    add_line(build, 0, line_granule(0));
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 304}, {0, 2, 0, 408}, {0, 3, 0, 516});
    EXPECT_COUNTS(trials, IS(l1_writebacks, 1), IS(dram_writes, 1), IS(l1_store_misses, 1));
}

/* The read is ready at 300, there at 304; its write, queued behind it, keeps the bus until 308. The second atomic hits at 304 and
 * completes at 311. */
BARREL_TEST(an_atomic_reads_and_writes_its_line, plain_machine(), 1, 32)
{
    add_memory(build, WS_CLASS_atomic, WS_SPACE_global);
    add_memory(build, WS_CLASS_atomic, WS_SPACE_global);
    add_exit(build);
    add_line(build, 0, 0);
    add_line(build, 0, 0);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {0, 1, 0, 304}, {0, 2, 0, 311});
    EXPECT_COUNTS(trials, IS(l1_misses, 1), IS(l1_hits, 1), IS(l1_store_hits, 0), IS(dram_reads, 1), IS(dram_writes, 2),
                  IS(dram_busy, 8));
}

/* 32 MSHRs. Warp 0 takes all 32 at 0 and blocks select until 32. Warp 1 finds none from 32 on until the first line of warp 0
 * arrives, at 304, and then issues: cycles 32 to 303 stall. */
BARREL_TEST(a_unit_without_an_mshr_tries_again, plain_machine(), 1, 64)
{
    machine->l1_mshrs = 32;
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(build, 0, thread, line_granule(thread));
    add_line(build, 32, line_granule(64));
    trials_run(machine, build, trials);
    expect_issue(trials, 1, 0, 0, 304);
    EXPECT_COUNTS(trials, IS(dram_queue_full, 304 - 32), IS(mshrs_most, 32));
}

/* A queue of 64. Warp 0 stores lines 0 to 31 at 0, warp 1 lines 32 to 63 at 32: it is full. The writes are ready from 300 on, one
 * burst every 4 cycles: at 304 + 4n there is room for n + 1. Warp 1 branches at 70 and wants room for four lines from 77 on. Warp
 * 0, whose group has priority, branches at 64, computes 34 times and loads one of these lines at 64 + 7 * 35 = 309, when there is
 * room for two. That line is then in flight, so warp 1 needs room for three: available at 316. */
BARREL_TEST(a_unit_without_room_needs_less_when_others_read_its_lines, plain_machine(), 1, 64)
{
    machine->dram_queue = 64;
    machine->schedule_policy = WS_policy_two_level;
    machine->schedule_fetch_group = 1;
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    const u32 load = 36, branch = add_branch(build, load, load);
    while (build->instructions < load)
        add_alu(build);
    add_memory(build, WS_CLASS_load, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 64; thread++) {
        add_access(build, 0, thread, line_granule(thread));
        add_decision(build, 0, thread, thread >= 32);
        add_access(build, 0, thread, line_granule(thread < 32 ? 64 : 64 + thread % 4));
    }
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, branch, 0, 70}, {0, load, 0, 309}, {1, load, 0, 316});
    expect_count(trials, WS_COUNT_l1_merges, 1);
}
