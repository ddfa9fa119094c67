/* Memory queues and the shared LD/ST unit: docs/model/subcore.md, "Memory". */
#include "timing/subcore/scene.h"

/* Table 1 of Huerta et al.: memory instructions of k sub-cores. Cycle 2 there is 4 here (5 for each further fetch). The first five
 * issue back to back, the sixth when the LD/ST unit accepts the first, 11 cycles after its issue: with a queue of four and a place
 * in Control, or with a queue of five that holds back warps. */
static void run_queue(struct scene *scene, u32 cores, bool throttle)
{
    sub_start(scene, 32 * cores);
    scene->machine.core_issue_ports = 4;
    for (u32 n = 0; n < 8; n++)
        SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global);
    sub_end(scene);
    for (u32 warp = 0; warp < cores; warp++)
        for (u32 n = 0; n < 8; n++)
            sub_touch(scene, warp, WS_SPACE_global, 0, 4, false);
    scene->machine.memory_ideal = WS_toggle_on;
    scene->machine.subcore_throttle = throttle ? WS_toggle_on : WS_toggle_off;
    scene->machine.subcore_memory_queue = throttle ? 5 : 4;
    scene_run(scene);
}

TIMING_TEST(table_1_of_one_sub_core)
{
    struct scene scene;
    run_queue(&scene, 1, false);
    EXPECT_ISSUES(&scene, 0, 4, 5, 6, 7, 8, 15, 19, 23, 27); /* the last one, an exit, waits for the load in Control */
    scene_end(&scene);
}

TIMING_TEST(table_1_of_a_queue_that_holds_back_warps)
{
    struct scene scene;
    run_queue(&scene, 1, true);
    EXPECT_ISSUES(&scene, 0, 4, 5, 6, 7, 8, 15, 19, 23, 24);
    EXPECT(&scene, control_stalls, 0);
    scene_end(&scene);
}

/* In cycles from the first issue of a sub-core, the sixth and seventh instruction of the last sub-core that is accepted. */
static void expect_period(u32 cores, u32 period)
{
    struct scene scene;
    run_queue(&scene, cores, cores % 2);
    for (u32 slot = 0; slot < cores; slot++) {
        const u64 sixth = issue_cycle(&scene.trials[0], slot, 5, 0);
        expect_issue(scene.trials, slot, 6, 0, sixth + period);
        expect_issue(scene.trials, slot, 7, 0, sixth + 2 * (u64)period);
    }
    scene_end(&scene);
}

TIMING_TEST(table_1_of_several_sub_cores)
{
    expect_period(2, 4);
    expect_period(3, 6);
    expect_period(4, 8);
}

struct row {
    u32 class_, space;
    bool uniform;
    u32 reads[3], writes[3]; /* by 4, 8 and 16 bytes; 0: not measured */
};

/* Table 2 of Huerta et al. (Ampere): cycles from an access to an instruction that waits for its read, or write barrier. */
static const struct row rows[] = {
    {WS_CLASS_load, WS_SPACE_global, true, {9, 9, 9}, {29, 31, 35}},
    {WS_CLASS_load, WS_SPACE_global, false, {11, 11, 11}, {32, 34, 38}},
    {WS_CLASS_store, WS_SPACE_global, true, {10, 12, 16}, {0}},
    {WS_CLASS_store, WS_SPACE_global, false, {14, 16, 20}, {0}},
    {WS_CLASS_load, WS_SPACE_shared, true, {9, 9, 9}, {23, 23, 25}},
    {WS_CLASS_load, WS_SPACE_shared, false, {9, 9, 9}, {24, 24, 26}},
    {WS_CLASS_store, WS_SPACE_shared, true, {10, 12, 16}, {0}},
    {WS_CLASS_store, WS_SPACE_shared, false, {12, 14, 18}, {0}},
};

/* The second of two equal accesses hits. */
static u32 measure(const struct row *row, u32 bytes, bool writes)
{
    struct scene scene;
    u32 access = 0;
    sub_start(&scene, 32);
    for (u32 n = 0; n < 2; n++) {
        access = SUB(&scene, .class_ = row->class_, .space = row->space, .bytes = bytes, .stall = 2,
                     .flags = row->uniform ? WS_OPERANDS_UNIFORM : 0, .writes = writes || n == 0 ? 1 : 0,
                     .reads = writes || n == 0 ? 0 : 1);
        SUB(&scene, .class_ = WS_CLASS_int, .waits = 1);
        sub_touch(&scene, 0, row->space, 0, bytes, false);
    }
    sub_end(&scene);
    scene_run(&scene);
    const u32 measured = (u32)(issue_cycle(&scene.trials[0], 0, access + 1, 0) - issue_cycle(&scene.trials[0], 0, access, 0));
    scene_end(&scene);
    return measured;
}

TIMING_TEST(table_2_of_read_and_write_barriers)
{
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        for (u32 width = 0; width < 3; width++) {
            const u32 reads = measure(&rows[n], 4u << width, false), writes = measure(&rows[n], 4u << width, true);
            if (reads != rows[n].reads[width] || (rows[n].writes[width] > 0 && writes != rows[n].writes[width]))
                fail_msg("row %zu, %u bytes: %u and %u cycles", n, 4u << width, reads, writes);
        }
}

/* 32 sectors of 32 lines: four a cycle, so the result comes 7 cycles later. */
SUB_TEST(scattered_sectors_take_lookups, 32)
{
    for (u32 n = 0; n < 2; n++) {
        SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .stall = 2, .writes = 1);
        SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
        sub_touch(scene, 0, WS_SPACE_global, 0, 128, false);
    }
    sub_end(scene);
    scene_run(scene);
    const u64 second = issue_cycle(&scene->trials[0], 0, 2, 0);
    expect_issue(scene->trials, 0, 3, 0, second + 32 + 7);
    EXPECT(scene, l1_hits, 32);
}

/* A shuffle: an exchange with nothing, as long as an access to shared memory. */
SUB_TEST(an_exchange_takes_the_memory_path, 32)
{
    SUB(scene, .class_ = WS_CLASS_int, .unit = WS_SUB_MEMORY + 1, .stall = 2, .writes = 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 28, 29);
}

/* Accepted at 13, the sector reaches the SM at 13 + 93: like a line (timing/scene.h), with 2 flits instead of 5. Written at 109. */
SUB_TEST(a_miss_returns_its_registers, 32)
{
    scene->machine.unit_writeback = 3;
    SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .stall = 2, .writes = 1, .flags = WS_OPERANDS_UNIFORM);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    sub_touch(scene, 0, WS_SPACE_global, 0, 4, true);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 110, 111);
}

/* The first load brings the sector, in which the second one hits. The third one, accepted at 138 + 9, is answered by L2: 50 cycles
 * later with a line (timing/scene.h), 47 with a sector. */
SUB_TEST(a_load_bypasses_l1, 32)
{
    for (u32 n = 0; n < 3; n++) {
        SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .stall = 2, .writes = 1, .flags = WS_OPERANDS_UNIFORM,
            .bypasses = n == 2);
        SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
        sub_touch(scene, 0, WS_SPACE_global, 0, 4, true);
    }
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 107, 108, 137, 138, 138 + 9 + 47 + 1, 196);
    EXPECT_COUNTS(scene->trials, IS(l1_hits, 1), IS(l1_misses, 2), IS(l2_hits, 1));
}

/* The way to the LD/ST unit takes 2 cycles instead of 5, and so the sources are read 3 cycles earlier (Table 2: 11 and 32). */
SUB_TEST(a_path_is_shorter, 32)
{
    scene->machine.memory_ideal = WS_toggle_on;
    scene->machine.subcore_path = 2;
    SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .stall = 2, .writes = 1, .reads = 2);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 2);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    sub_touch(scene, 0, WS_SPACE_global, 0, 4, false);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 4 + 11 - 3, 4 + 32 - 3, 34);
}

/* The load that issues at 4 is written at 35. So is the result of an instruction that issues at 27: the load loses a cycle, which
 * it does not at 26. */
static void expect_written(struct scene *scene, u32 stall, u32 at)
{
    scene->machine.memory_ideal = WS_toggle_on;
    scene->machine.subcore_write_port = WS_write_port_shared;
    SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .flags = WS_OPERANDS_RESULT, .stall = 15, .writes = 1);
    SUB(scene, .class_ = WS_CLASS_int, .stall = stall);
    SUB(scene, .class_ = WS_CLASS_int, .flags = WS_OPERANDS_RESULT);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    sub_touch(scene, 0, WS_SPACE_global, 0, 4, false);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 19, 19 + stall, at, at + 1);
}

SUB_TEST(a_load_loses_its_write_port, 32)
{
    expect_written(scene, 8, 37);
}

SUB_TEST(a_load_has_its_write_port, 32)
{
    expect_written(scene, 7, 36);
}
