/* The LD/ST unit and the caches of the SM: docs/model/pipelines.md, memory.md. A load or store that issues at 2 makes its first
 * access at 2 + 3 + 1 = 6; timing/scene.h says when lines come. */
#include "test.h"
#include "timing/scene.h"

/* Results are there at 6 + k - 1 + 10. */
TIMING_TEST(k_lines_that_hit_take_k_cycles)
{
    static const u32 lines[] = {1, 3, 32};
    for (u32 n = 0; n < sizeof lines / sizeof *lines; n++) {
        const u32 k = lines[n];
        struct scene scene;
        scene_start(&scene, 1, 32);
        scene.machine.memory_ideal = WS_toggle_on;
        scene.machine.l1_latency = 10;
        add_load(&scene, WS_SPACE_global, 1);
        add_use(&scene, 1);
        add_end(&scene);
        touch_lines(&scene, 0, 0, 5, k);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 15 + k, 17 + k);
        EXPECT_COUNTS(scene.trials, IS(l1_hits, k), IS(global_lines, k), IS(data_port_busy, k));
        scene_end(&scene);
    }
}

/* One access at 6, then a latency. */
static void run_access(u32 space, bool executes, u32 latency)
{
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.build.shared_bytes = 256;
    scene.machine.memory_ideal = WS_toggle_on;
    scene.machine.constant_size = scene.machine.texture_size = 0;
    scene.machine.l1_latency = 11;
    scene.machine.memory_shared_latency = 13;
    scene.machine.constant_latency = 17;
    scene.machine.texture_latency = 19;
    OP(&scene, .class_ = WS_CLASS_load, .space = space, .guarded = true, .dst = {1}, .src = {15});
    add_use(&scene, 1);
    add_end(&scene);
    decide(&scene, 0, 0, executes);
    if (executes && space != WS_SPACE_local)
        touch(&scene, 0, 0, 3);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 6 + latency, 8 + latency);
    EXPECT_COUNTS(scene.trials, IS(private_accesses, executes && space == WS_SPACE_local), IS(data_port_busy, 1));
    scene_end(&scene);
}

TIMING_TEST(each_space_has_its_latency)
{
    run_access(WS_SPACE_global, true, 11);
    run_access(WS_SPACE_local, true, 11);
    run_access(WS_SPACE_shared, true, 13);
    run_access(WS_SPACE_constant, true, 17);
    run_access(WS_SPACE_texture, true, 19);
}

/* An ideal access takes the latency of global memory, whatever the space. */
TIMING_TEST(an_access_that_no_lane_makes_has_a_latency)
{
    for (u32 space = WS_SPACE_global; space < WS_SPACES; space++)
        run_access(space, false, 11);
}

/* Lane i reads word i x c of 32 banks: c words in one bank, for a c that is a power of two. Results at 6 + c - 1 + 4. */
TIMING_TEST(shared_words_in_one_bank_take_a_cycle_each)
{
    for (u32 c = 1; c <= 32; c *= 2) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        scene.build.shared_bytes = 4096;
        add_load(&scene, WS_SPACE_shared, 1);
        add_use(&scene, 1);
        add_end(&scene);
        for (u32 lane = 0; lane < 32; lane++)
            add_access(&scene.build, 0, lane, lane * c);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 9 + c, 11 + c);
        EXPECT(&scene, shared_conflicts, c - 1);
        scene_end(&scene);
    }
}

/* Room for one: the second load issues when the access of the first is made, at 6, the third at 10. */
SCENE_TEST(a_full_ldst_unit_stalls, 1, 32)
{
    scene->build.shared_bytes = 256;
    scene->machine.unit_ldst_queue = 1;
    for (u32 dst = 1; dst <= 3; dst++) {
        add_load(scene, WS_SPACE_shared, dst);
        touch(scene, 0, 0, dst);
    }
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 6, 10, 11);
    expect_slots(scene, "ii0ppp0ipp00");
}

/* One row per stage that a miss of an empty cache passes: the changed parameter, and the delay relative to 6 + 96 + 2. */
TIMING_TEST(each_leg_of_a_miss)
{
    static const struct {
        size_t field;
        u32 value, expected;
    } rows[] = {
        {offsetof(struct ws_machine, l1_mshrs), 0, 104},
        {offsetof(struct ws_machine, unit_collect), 4, 105},
        {offsetof(struct ws_machine, unit_operand), 2, 105},
        {offsetof(struct ws_machine, unit_writeback), 9, 104 + 7},
        {offsetof(struct ws_machine, memory_network), 13, 104 + 2 * 3},
        {offsetof(struct ws_machine, l2_latency), 25, 104 + 5},
        {offsetof(struct ws_machine, l2_far), 9, 104}, /* the line is even */
        {offsetof(struct ws_machine, l2_data_port), 9, 104 + 5},
        {offsetof(struct ws_machine, dram_delay), 0, 104 - 30},
        {offsetof(struct ws_machine, dram_t_rcd), 20, 104 + 13},
        {offsetof(struct ws_machine, dram_t_cl), 20, 104 + 15},
        {offsetof(struct ws_machine, dram_bandwidth), 16000, 104 + 4},
        {offsetof(struct ws_machine, l1_line), 64, 104 - 2 - 2}, /* burst and answer */
        {offsetof(struct ws_machine, l1_latency), 50, 104},      /* of hits */
        {offsetof(struct ws_machine, dram_t_rp), 50, 104},       /* no row is open */
        {offsetof(struct ws_machine, dram_t_ras), 50, 104},
        {offsetof(struct ws_machine, dram_t_rc), 50, 104},
        {offsetof(struct ws_machine, dram_t_rrd), 50, 104},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        scene.machine.l2_size = 8 * 128 * 32;
        *(u32 *)(void *)((char *)&scene.machine + rows[n].field) = rows[n].value;
        add_load(&scene, WS_SPACE_global, 1);
        add_use(&scene, 1);
        add_end(&scene);
        touch(&scene, 0, 0, line_granule(2));
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, rows[n].expected, rows[n].expected + 2);
        EXPECT_COUNTS(scene.trials, IS(l1_misses, 1), IS(l2_misses, 1));
        scene_end(&scene);
    }
}

SCENE_TEST(an_odd_line_is_far, 1, 32)
{
    scene->machine.l2_size = 8 * 128 * 32;
    scene->machine.l2_far = 9;
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, line_granule(3));
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104 + 9, 104 + 9 + 2);
}

/* Warp 0 misses at 6, warp 1 joins at 7. The line comes at 102; the write port takes the results of one at 102 and of the other at
 * 103. */
SCENE_TEST(a_load_joins_a_line_in_flight, 1, 64)
{
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 1, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 106);
    EXPECT_ISSUES(scene, 1, 3, 105, 107);
    EXPECT_COUNTS(scene->trials, IS(l1_misses, 2), IS(l1_merges, 1), IS(mshrs_most, 1), IS(l2_misses, 1));
}

/* Two may wait for a line: the access of warp 2 is refused from 8 on. At 102 it hits: no writeback. The exits follow in order. */
SCENE_TEST(so_many_may_wait_for_a_line, 1, 96)
{
    scene->machine.l1_targets = 2;
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    for (u32 warp = 0; warp < 3; warp++)
        touch(scene, 0, warp, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 107);
    EXPECT_ISSUES(scene, 1, 3, 105, 108);
    EXPECT_ISSUES(scene, 2, 4, 102, 106);
    EXPECT_COUNTS(scene->trials, IS(ldst_refusals, 102 - 8), IS(l1_merges, 1), IS(l1_hits, 1));
}

/* One MSHR: warp 1 requests another line from 7 on; when warp 0's line has arrived at 102 it misses, with an open row. Warp 2 is
 * behind it in both orders, since the space is the same: its access, to a line in flight, would merge; at 103 it hits. */
TIMING_TEST(without_an_mshr_an_access_is_refused)
{
    static const u32 orders[] = {WS_ldst_order_all, WS_ldst_order_space};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        scene_start(&scene, 1, 96);
        scene.machine.l1_mshrs = 1;
        scene.machine.unit_ldst_order = orders[n];
        add_load(&scene, WS_SPACE_global, 1);
        add_use(&scene, 1);
        add_end(&scene);
        touch(&scene, 0, 0, line_granule(0));
        touch(&scene, 0, 1, line_granule(1));
        touch(&scene, 0, 2, line_granule(0));
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 104, 106);
        EXPECT_ISSUES(&scene, 1, 3, 193, 195);
        EXPECT_ISSUES(&scene, 2, 4, 103, 105);
        EXPECT_COUNTS(scene.trials, IS(ldst_refusals, 102 - 7), IS(l1_misses, 2), IS(mshrs_most, 1));
        scene_end(&scene);
    }
}

/* Lines 0 and 8 share a set of one way, which is reserved for line 0 until 102. */
SCENE_TEST(without_a_way_an_access_is_refused, 1, 64)
{
    scene->machine.l1_size = 1024;
    scene->machine.l1_ways = 1;
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, line_granule(0));
    touch(scene, 0, 1, line_granule(8));
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 106);
    EXPECT_ISSUES(scene, 1, 3, 193, 195);
    EXPECT(scene, ldst_refusals, 102 - 7);
}

/* Four writes of four sectors occupy the port 5 cycles each: sent at 6, 7 and 8, they leave at 6, 11 and 16. Two wait from 8 on, so
 * the fourth is refused at 9 and 10 and sent at 11. The load from shared memory behind them makes its access at 12. */
static void run_full_miss_queue(u32 order, u32 loaded, u32 refusals)
{
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.build.shared_bytes = 256;
    scene.machine.memory_miss_queue = 2;
    scene.machine.unit_ldst_order = order;
    add_store(&scene, WS_SPACE_global);
    add_load(&scene, WS_SPACE_shared, 1);
    add_use(&scene, 1);
    add_end(&scene);
    for (u32 lane = 0; lane < 32; lane++)
        add_access(&scene.build, 0, lane, line_granule(lane / 4 % 4) + lane % 4);
    touch(&scene, 0, 0, 0);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 3, loaded, loaded + 1);
    EXPECT_COUNTS(scene.trials, IS(ldst_refusals, refusals), IS(l1_store_misses, 4));
    scene_end(&scene);
}

TIMING_TEST(a_full_miss_queue_blocks_what_is_behind)
{
    run_full_miss_queue(WS_ldst_order_all, 16, 2);
}

/* In order of space it overtakes the stores once they are refused, at 9; that cycle makes an access. */
TIMING_TEST(other_spaces_may_pass_a_refused_access)
{
    run_full_miss_queue(WS_ldst_order_space, 13, 1);
}

/* 64 requests of the SM may be unanswered: those of two loads, made at 6 to 69. The first of warp 2 is made when the first answer
 * arrives, at 102, the others as answers arrive, every 5 cycles: the last at 257. */
SCENE_TEST(so_many_requests_may_be_unanswered, 1, 96)
{
    scene->machine.dram_queue = 64;
    scene->machine.l2_mshrs = 0;
    add_load(scene, WS_SPACE_global, 1);
    add_end(scene);
    for (u32 warp = 0; warp < 3; warp++)
        touch_lines(scene, 0, warp, 32 * warp, 32);
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(ldst_refusals, 257 - 70 + 1 - 32), IS(mshrs_most, 64));
}

/* Words 0 and 16 lie in constant lines of 64 bytes. Misses at 6; at 83 the line is at L2, leaves at 87, takes 3 cycles for 64 bytes
 * and is there at 100. The second load reads the same word at 106 and hits. */
SCENE_TEST(constants_have_a_cache, 1, 32)
{
    scene->machine.constant_latency = 5;
    add_load(scene, WS_SPACE_constant, 15);
    add_load(scene, WS_SPACE_constant, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, 15);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 102, 111, 112);
    EXPECT_COUNTS(scene->trials, IS(constant_misses, 1), IS(constant_hits, 1), IS(l1_misses, 0));
}

/* The same for textures, whose lines have 128 bytes: there at 102. */
SCENE_TEST(textures_have_a_cache, 1, 32)
{
    scene->machine.texture_latency = 5;
    add_load(scene, WS_SPACE_texture, 15);
    add_load(scene, WS_SPACE_texture, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, 31);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 113, 114);
    EXPECT_COUNTS(scene->trials, IS(texture_misses, 1), IS(texture_hits, 1));
}

/* One MSHR each: the second line, requested from 7 on, is refused until the first has arrived, and then hits in L2: 50 cycles, less
 * 2 for the shorter line. */
SCENE_TEST(a_constant_line_needs_an_mshr, 1, 64)
{
    scene->machine.constant_mshrs = 1;
    add_load(scene, WS_SPACE_constant, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 1, 16);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 102, 104);
    EXPECT_ISSUES(scene, 1, 3, 100 + 48 + 2, 152);
    EXPECT_COUNTS(scene->trials, IS(ldst_refusals, 100 - 7), IS(l2_hits, 1));
}

/* One access may wait for a texture line: the second is refused from 7 on and hits at 102. 32 may wait for a constant line: the
 * second merges and is the next to get the write port, after 100. */
TIMING_TEST(textures_have_the_targets_of_l1_and_constants_have_not)
{
    static const struct {
        u32 space, used[2], refusals;
    } rows[] = {
        {WS_SPACE_texture, {104, 102}, 102 - 7},
        {WS_SPACE_constant, {102, 103}, 0},
    };
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        scene_start(&scene, 1, 64);
        scene.machine.l1_targets = 1;
        add_load(&scene, rows[n].space, 1);
        const u32 use = add_use(&scene, 1);
        add_end(&scene);
        touch(&scene, 0, 0, 0);
        touch(&scene, 0, 1, 0);
        scene_run(&scene);
        for (u32 warp = 0; warp < 2; warp++)
            expect_issue(scene.trials, warp, use, 0, rows[n].used[warp]);
        EXPECT_COUNTS(scene.trials, IS(ldst_refusals, rows[n].refusals), IS(l2_misses, 1));
        scene_end(&scene);
    }
}
