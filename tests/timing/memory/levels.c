/* L2, its ports and its answers, and the DRAM by its timings: docs/model/memory.md. A line requested at 6 is looked up at 37 and
 * enters the DRAM at 67. With its column access at c, it is used at c + 5 + 4 (at L2) + 4 + 5 + 10 (at the SM) + 2 = c + 30. */
#include "test.h"
#include "timing/scene.h"

enum { ROW = 128 }; /* granules */

/* A load of this many lines, and an instruction that uses it: the cycle of its issue. */
static void start_load(struct scene *scene)
{
    scene_start(scene, 1, 32);
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
}

static void load_granules(struct scene *scene, const u32 *granules, u32 count)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        add_access(&scene->build, 0, lane, granules[lane % count]);
}

static void expect_used(struct scene *scene, u32 cycle)
{
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, cycle, cycle + 2);
}

/* Constant lines of 64 bytes, two of one L2 line. Both wait for it and are ready with it, at 87; the answers, of 3 cycles, leave
 * one after the other. */
SCENE_TEST(l2_merges_misses_of_one_line, 1, 64)
{
    add_load(scene, WS_SPACE_constant, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 1, 16);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 102, 104);
    EXPECT_ISSUES(scene, 1, 3, 105, 107);
    EXPECT_COUNTS(scene->trials, IS(constant_misses, 2), IS(constant_merges, 0), IS(l2_misses, 2), IS(l2_merges, 1),
                  IS(dram_reads, 1));
}

/* Lines 0 and 1, then 8 and 9, which evict them from an L1 of one way, then 0 and 1 from L2. */
static void run_l2_hits(u32 l2_size, u32 l2_data_port, const u32 used[3], u32 hits)
{
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.machine.l1_size = 1024;
    scene.machine.l1_ways = 1;
    scene.machine.l2_size = l2_size;
    scene.machine.l2_data_port = l2_data_port;
    for (u32 n = 0; n < 3; n++) {
        add_load(&scene, WS_SPACE_global, 15);
        touch_lines(&scene, 0, 0, n == 1 ? 8 : 0, 2);
    }
    add_use(&scene, 15);
    add_end(&scene);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, used[0], used[1], used[2], used[2] + 2);
    EXPECT_COUNTS(scene.trials, IS(l2_hits, hits), IS(dram_reads, hits ? 4 : 6));
    scene_end(&scene);
}

/* Each second line arrives 5 cycles (an answer) after its first: 2 + 4 + 96 + 5 + 2 = 109; 109 + 4 + 89 + 5 + 2 with an open row;
 * 209 + 4 + 50 + 5 + 2 from L2. */
TIMING_TEST(l2_answers_one_after_the_other)
{
    static const u32 used[] = {109, 209, 270};
    run_l2_hits(52224, 4, used, 2);
}

/* A line occupies the data port for 9 cycles: the first arrives 5 later than with 4, the second 9 after it. */
TIMING_TEST(the_port_of_l2_serves_one_after_the_other)
{
    static const u32 used[] = {109 + 5 + 4, 118 + 4 + 89 + 5 + 9 + 2, 227 + 4 + 50 + 5 + 9 + 2};
    run_l2_hits(52224, 9, used, 2);
}

/* Without an L2 cache the third load goes to the DRAM as well. */
TIMING_TEST(without_l2_everything_goes_to_the_dram)
{
    static const u32 used[] = {109, 209, 309};
    run_l2_hits(0, 4, used, 0);
}

/* L2 reads one line at a time: the second, looked up from 38 on, misses at 83, when the first has arrived. Its row is open: column
 * at 113. */
SCENE_WITH(l2_reads_so_many_lines_at_once, start_load(scene))
{
    scene->machine.l2_mshrs = 1;
    touch_lines(scene, 0, 0, 0, 2);
    expect_used(scene, 113 + 30);
    EXPECT(scene, l2_misses, 2);
}

/* One set of one way: the way is reserved for the first line until 83. */
SCENE_WITH(l2_needs_a_way, start_load(scene))
{
    scene->machine.l2_size = 128;
    scene->machine.l2_ways = 1;
    touch_lines(scene, 0, 0, 0, 2);
    expect_used(scene, 113 + 30);
}

/* Two rows of one bank, entered at 67 and 68; bursts take 4. The first is activated at 67 and has its column at 67 + t_rcd. The
 * bank takes the second a cycle later; the row is closed at q, the latest of that cycle, 67 + t_ras and the end of the burst;
 * activated at q + t_rp, or 67 + t_rc; column t_rcd later. */
TIMING_TEST(another_row_of_a_bank_waits_for_each_timing)
{
    static const struct {
        u32 t_rp, t_rcd, t_ras, t_rc, column;
    } rows[] = {
        {6, 7, 15, 25, 67 + 25 + 7},      /* t_rc */
        {6, 7, 15, 0, 67 + 15 + 6 + 7},   /* t_ras, t_rp */
        {6, 7, 0, 0, 74 + 4 + 6 + 7},     /* the burst */
        {0, 7, 0, 0, 74 + 4 + 7},         /* without t_rp */
        {6, 7, 40, 0, 67 + 40 + 6 + 7},   /* a longer t_ras */
        {6, 7, 15, 60, 67 + 60 + 7},      /* a longer t_rc */
        {6, 20, 15, 25, 87 + 4 + 6 + 20}, /* a longer t_rcd, of both */
        {6, 0, 0, 0, 67 + 4 + 6},         /* none: column at 67 */
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        static const u32 granules[] = {0, 8 * ROW};
        struct scene scene;
        start_load(&scene);
        scene.machine.dram_mapping = WS_mapping_plain;
        scene.machine.dram_t_rp = rows[n].t_rp;
        scene.machine.dram_t_rcd = rows[n].t_rcd;
        scene.machine.dram_t_ras = rows[n].t_ras;
        scene.machine.dram_t_rc = rows[n].t_rc;
        load_granules(&scene, granules, 2);
        expect_used(&scene, rows[n].column + 30);
        EXPECT_COUNTS(scene.trials, IS(row_conflicts, 2), IS(row_hits, 0));
        scene_end(&scene);
    }
}

/* Rows 0 and 1 lie in two banks, entered at 67 and 68. The second is activated at the latest of 68 and 67 + t_rrd, its column comes
 * 7 later, yet not before the bus is free, at 78. */
TIMING_TEST(another_bank_waits_for_t_rrd)
{
    static const u32 rows[][2] = {{0, 78}, {3, 78}, {5, 79}, {20, 94}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        static const u32 granules[] = {0, ROW};
        struct scene scene;
        start_load(&scene);
        scene.machine.dram_mapping = WS_mapping_plain;
        scene.machine.dram_t_rrd = rows[n][0];
        load_granules(&scene, granules, 2);
        /* The answers are at least 5 cycles apart. */
        expect_used(&scene, rows[n][1] == 78 ? 109 : rows[n][1] + 30);
        scene_end(&scene);
    }
}

/* Rows 0, 8 and 0 of one bank, entered at 67, 68 and 69. In the order of columns: first ready 74, the other line of row 0 at 78,
 * row 8 at 67 + t_rc + 7 = 99; first come 74, 99 and, closed at 92 + t_ras and activated at 92 + t_rc = 117, 124. With a window of
 * one, requests enter after the previous column access, at 75 and 100, and nothing is overtaken; with a window of two the third
 * enters at 75, in time. */
TIMING_TEST(the_dram_chooses_among_its_window)
{
    static const struct {
        u32 scheduler, window, column, hits;
    } rows[] = {
        {WS_dram_scheduler_frfcfs, 0, 99, 1},
        {WS_dram_scheduler_fcfs, 0, 124, 0},
        {WS_dram_scheduler_frfcfs, 1, 124, 0},
        {WS_dram_scheduler_frfcfs, 2, 99, 1},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        static const u32 granules[] = {0, 8 * ROW, 4};
        struct scene scene;
        start_load(&scene);
        scene.machine.dram_mapping = WS_mapping_plain;
        scene.machine.dram_scheduler = rows[n].scheduler;
        scene.machine.dram_window = rows[n].window;
        load_granules(&scene, granules, 3);
        expect_used(&scene, rows[n].column + 30);
        EXPECT_COUNTS(scene.trials, IS(row_hits, rows[n].hits), IS(row_conflicts, 3 - rows[n].hits));
        scene_end(&scene);
    }
}

/* 128 bytes at 12 GB/s take 10 2/3 cycles: bursts of 10, 11 and 11. Columns of one row at 74, 84 and 95; the last is at L2 at 95 +
 * 5 + 11. */
SCENE_WITH(bursts_follow_the_exact_rational, start_load(scene))
{
    scene->machine.dram_bandwidth = 12000;
    touch_lines(scene, 0, 0, 0, 3);
    expect_used(scene, 111 + 21);
    EXPECT_COUNTS(scene->trials, IS(dram_busy, 32), IS(row_hits, 2), IS(dram_bytes, 3 * 128));
}

/* t_rcd 7 and t_cl 5 are in cycles of the DRAM and rounded up to those of the SM: 14 and 10 at half its clock, 9 and 7 at 800 of
 * 1000 MHz, 4 and 3 at twice its clock. */
TIMING_TEST(timings_are_converted_to_the_clock_of_the_sm)
{
    static const u32 rows[][2] = {{0, 12}, {1000, 12}, {500, 24}, {800, 16}, {2000, 7}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        start_load(&scene);
        scene.machine.dram_clock = rows[n][0];
        touch_lines(&scene, 0, 0, 0, 1);
        expect_used(&scene, 104 - 12 + rows[n][1]);
        scene_end(&scene);
    }
}

/* The load issues last, at 2, so that the job ends when cycle 1002 begins; its column access is in that cycle, or in the one
 * before. */
TIMING_TEST(nothing_below_happens_in_the_cycle_of_a_deadlock)
{
    for (u32 reads = 0; reads < 2; reads++) {
        struct scene scene;
        start_load(&scene);
        touch(&scene, 0, 0, 0);
        scene.machine.core_watchdog = 1000;
        scene.machine.dram_delay += 1002 - 74 - reads; /* by default the column comes at 74 */
        scene_run(&scene);
        for (u32 i = 0; i < TRIALS; i++)
            assert_int_equal(scene.trials[i].status, WS_STATUS_deadlock);
        EXPECT_COUNTS(scene.trials, IS(cycles, 1002), IS(dram_reads, reads));
        scene_end(&scene);
    }
}

/* Ten stores of 32 lines, all sent before the first request arrives at L2: more than there is room for when a kernel begins
 * (WS_REQUESTS_AT_FIRST). */
SCENE_TEST(pool_grows_while_requests_are_on_their_way, 1, 32)
{
    scene->machine.memory_network = 2000;
    for (u32 n = 0; n < 10; n++)
        add_store(scene, WS_SPACE_global);
    add_end(scene);
    for (u32 n = 0; n < 10; n++)
        touch_lines(scene, 0, 0, 32 * n, 32);
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(global_lines, 320), IS(data_port_busy, 320));
}
