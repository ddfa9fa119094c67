/* The barrel's memory by its timings: docs/model/memory.md, dram.timing = ddr. */
#include "test.h"
#include "timing/timing.h"

enum { GRANULES_OF_ROW = 128 };

/* The timings of the GDDR3 of Fung et al., MICRO 2007; a request reaches the DRAM 10 cycles after it was sent. */
static struct ws_machine ddr_machine(void)
{
    struct ws_machine machine = plain_machine();
    machine.dram_timing = WS_dram_timing_ddr;
    machine.dram_row_hit = machine.dram_row_conflict = 10000; /* not looked at */
    machine.dram_delay = 10;
    machine.dram_t_cl = 9;
    machine.dram_t_rp = 13;
    machine.dram_t_rc = 34;
    machine.dram_t_ras = 21;
    machine.dram_t_rcd = 12;
    machine.dram_t_rrd = 8;
    return machine;
}

/* One warp, whose lanes load the lines at these granules in turn at 0 and end. */
static void load(const struct ws_machine *machine, const u32 *granules, u32 count, struct trial trials[TRIALS])
{
    struct image_build build;
    image_build_start(&build, 1, 32);
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 thread = 0; thread < 32; thread++)
        add_access(&build, 0, thread, granules[thread % count]);
    trials_run(machine, &build, trials);
    image_build_free(&build);
}

/* Sent at 0; at the DRAM at 10, where it enters, is picked and opens its row; its column access is at 22, the line arrives 9 + 4
 * cycles later. An arrival at 0 takes effect in cycle 1. */
TIMING_TEST(a_line_comes_after_activation_column_and_burst)
{
    static const u32 rows[][2] = {{10, 35}, {0, 26}, {1, 26}, {2, 27}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct ws_machine machine = ddr_machine();
        struct trial trials[TRIALS];
        machine.dram_delay = rows[n][0];
        load(&machine, (const u32[]){0}, 1, trials);
        expect_issue(trials, 0, 1, 0, rows[n][1]);
        EXPECT_COUNTS(trials, IS(row_conflicts, 1), IS(dram_reads, 1), IS(dram_bytes, 128), IS(dram_busy, 4));
        trials_free(trials);
    }
}

/* The second line enters at 11. To the same row: its bank takes it at 23, and its column access is when the bus is free, at 26. Row
 * 9 of the bank is closed at 10 + 21, activated at 31 + 13 = 10 + 34. Row 1, of bank 1, is activated at 10 + 8. */
TIMING_TEST(a_second_line_comes_by_its_bank_and_row)
{
    static const struct {
        u32 granule, cycle, hits;
    } rows[] = {{4, 26 + 13, 1}, {9 * GRANULES_OF_ROW, 44 + 12 + 13, 0}, {GRANULES_OF_ROW, 18 + 12 + 13, 0}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct ws_machine machine = ddr_machine();
        struct trial trials[TRIALS];
        load(&machine, (const u32[]){0, rows[n].granule}, 2, trials);
        expect_issue(trials, 0, 1, 0, rows[n].cycle);
        EXPECT_COUNTS(trials, IS(row_hits, rows[n].hits), IS(row_conflicts, 2 - rows[n].hits));
        trials_free(trials);
    }
}

/* Rows 0, 9 and 0 of one bank, entered at 10, 11 and 12. First ready: columns at 22 and 26, row 9 at 10 + 34 + 12. First come: row
 * 9 at 56, closed again at 44 + 21, row 0 at 65 + 13 + 12. With a window of one the third enters after the column access of the
 * second; with a window of two at 23, in time. */
TIMING_TEST(the_controller_chooses_among_its_window)
{
    static const struct {
        u32 scheduler, window, column, hits;
    } rows[] = {
        {WS_dram_scheduler_frfcfs, 0, 56, 1},
        {WS_dram_scheduler_fcfs, 0, 90, 0},
        {WS_dram_scheduler_frfcfs, 1, 90, 0},
        {WS_dram_scheduler_frfcfs, 2, 56, 1},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct ws_machine machine = ddr_machine();
        struct trial trials[TRIALS];
        machine.dram_scheduler = rows[n].scheduler;
        machine.dram_window = rows[n].window;
        load(&machine, (const u32[]){0, 9 * GRANULES_OF_ROW, 4}, 3, trials);
        expect_issue(trials, 0, 1, 0, rows[n].column + 13);
        expect_count(trials, WS_COUNT_row_hits, rows[n].hits);
        trials_free(trials);
    }
}

/* At 48 GB/s bursts of 2, 3 and 3 cycles: columns at 22, 24 and 27. At 10 TB/s and without t_cl the line arrives right after its
 * column access. */
TIMING_TEST(lines_come_with_the_end_of_their_bursts)
{
    struct ws_machine machine = ddr_machine();
    struct trial trials[TRIALS];
    machine.dram_bandwidth = 48000;
    load(&machine, (const u32[]){0, 4, 8}, 3, trials);
    expect_issue(trials, 0, 1, 0, 27 + 9 + 3);
    expect_count(trials, WS_COUNT_dram_busy, 8);
    trials_free(trials);
    machine.dram_bandwidth = 10000000;
    machine.dram_t_cl = 0;
    load(&machine, (const u32[]){0}, 1, trials);
    expect_issue(trials, 0, 1, 0, 23);
    expect_count(trials, WS_COUNT_dram_busy, 0);
    trials_free(trials);
}

/* The instruction line of 32 bytes takes the bus for one cycle: column at 22, there at 32. The load then goes to row 0 of the same
 * bank: at the DRAM at 42, closed at once, activated at 55, column at 67. */
TIMING_TEST(instruction_lines_have_bursts_of_their_own)
{
    struct ws_machine machine = ddr_machine();
    struct trial trials[TRIALS];
    machine.icache_size = 1024;
    machine.icache_line = 32;
    load(&machine, (const u32[]){0}, 1, trials);
    EXPECT_ISSUED(trials, {0, 0, 0, 32}, {0, 1, 0, 67 + 13});
    EXPECT_COUNTS(trials, IS(dram_bytes, 160), IS(dram_busy, 5), IS(row_conflicts, 2));
    trials_free(trials);
}

/* Lines 0 and 8 evict each other; requests reach the DRAM at once. The store's line arrives at 26, and line 8, a row hit, at 27 +
 * 13. Line 0 is then written in the same cycle, at 40, and read at 41, when the bus is free at 44. */
BARREL_TEST(victims_are_sent_in_the_cycle_of_their_line, ddr_machine(), 1, 32)
{
    machine->dram_delay = 0;
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
    EXPECT_ISSUED(trials, {0, 1, 0, 26}, {0, 2, 0, 40}, {0, 3, 0, 44 + 13});
    EXPECT_COUNTS(trials, IS(l1_writebacks, 1), IS(dram_writes, 1));
}

/* A queue of 64, full of the writes of warps 0 and 1, sent at 0 and 32. The first enters at 100 and leaves with its column at 112:
 * the write of warp 2, which wants to issue from 64 on, goes in that cycle. */
BARREL_TEST(a_write_leaves_the_queue_with_its_column, ddr_machine(), 1, 96)
{
    machine->dram_queue = 64;
    machine->dram_delay = 100;
    add_memory(build, WS_CLASS_store, WS_SPACE_global);
    add_exit(build);
    for (u32 thread = 0; thread < 64; thread++)
        add_access(build, 0, thread, line_granule(thread));
    add_line(build, 64, line_granule(64));
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 32}, {2, 0, 0, 112});
    expect_count(trials, WS_COUNT_dram_queue_full, 112 - 64);
}

/* The store issues at 0, the exit at 7: the job ends in cycle 14, whose pick and column count. */
TIMING_TEST(what_memory_does_in_the_last_cycle_counts)
{
    static const struct {
        u32 delay, picks, columns;
    } rows[] = {{2, 1, 1}, {3, 1, 0}, {14, 1, 0}, {15, 0, 0}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct ws_machine machine = ddr_machine();
        struct image_build build;
        struct trial trials[TRIALS];
        machine.dram_delay = rows[n].delay;
        image_build_start(&build, 1, 32);
        add_memory(&build, WS_CLASS_store, WS_SPACE_global);
        add_exit(&build);
        add_line(&build, 0, 0);
        trials_run(&machine, &build, trials);
        EXPECT_COUNTS(trials, IS(cycles, 14), IS(row_conflicts, rows[n].picks), IS(dram_writes, rows[n].columns),
                      IS(dram_bytes, 128 * rows[n].columns));
        trials_free(trials);
        image_build_free(&build);
    }
}

/* The load issues at 0, so that the job ends when cycle 1000 begins; its column access is in that cycle, or in the one before. */
TIMING_TEST(memory_does_nothing_in_the_cycle_of_a_deadlock)
{
    for (u32 reads = 0; reads < 2; reads++) {
        struct ws_machine machine = ddr_machine();
        struct trial trials[TRIALS];
        machine.core_watchdog = 1000;
        machine.dram_delay = 1000 - 12 - reads;
        load(&machine, (const u32[]){0}, 1, trials);
        for (u32 i = 0; i < TRIALS; i++)
            assert_int_equal(trials[i].status, WS_STATUS_deadlock);
        EXPECT_COUNTS(trials, IS(cycles, 1000), IS(dram_reads, reads), IS(row_conflicts, 1));
        trials_free(trials);
    }
}
