/* Stores and atomics, and how L2 takes them: docs/model/memory.md. */
#include "test.h"
#include "timing/scene.h"

/* A write of s sectors, sent at 6, occupies the port for 1 + s cycles, is looked up 30 later, occupies the L2 port for s cycles (a
 * line of 4 takes 4) and is acknowledged 1 + 10 later. The warp, whose exit issues at 3, retires then. */
TIMING_TEST(a_store_holds_its_warp_until_acknowledged)
{
    for (u32 sectors = 1; sectors <= 4; sectors++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        add_store(&scene, WS_SPACE_global);
        add_end(&scene);
        for (u32 lane = 0; lane < 32; lane++)
            add_access(&scene.build, 0, lane, lane % sectors);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 3);
        EXPECT_COUNTS(scene.trials, IS(cycles, 6 + 1 + sectors + 30 + sectors + 11), IS(l1_store_misses, 1),
                      IS(l2_store_misses, 1));
        scene_end(&scene);
    }
}

/* A line is loaded (there at 102, used at 104), stored to at 108 and loaded again at 110. */
static void run_store_between_loads(u32 policy, u32 loaded, u32 hits)
{
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.machine.l1_store = policy;
    add_load(&scene, WS_SPACE_global, 15);
    add_store(&scene, WS_SPACE_global);
    add_load(&scene, WS_SPACE_global, 1);
    add_use(&scene, 1);
    add_end(&scene);
    for (u32 access = 0; access < 3; access++)
        touch(&scene, 0, 0, 0);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 104, 106, loaded, loaded + 2);
    EXPECT_COUNTS(scene.trials, IS(l1_store_hits, 1), IS(l1_hits, hits));
    scene_end(&scene);
}

TIMING_TEST(a_line_written_through_stays)
{
    run_store_between_loads(WS_store_through, 110, 1);
}

TIMING_TEST(a_line_to_be_written_back_stays)
{
    run_store_between_loads(WS_store_back, 110, 1);
}

/* The write keeps the port until 110. The load finds its line at L2: 110 + 50 + 2. */
TIMING_TEST(a_line_stored_to_leaves)
{
    run_store_between_loads(WS_store_evict, 162, 0);
}

/* With `back` the store misses like a load: the warp retires when the line arrives, at 102, without using the write port. */
SCENE_TEST(a_store_to_be_written_back_waits_for_its_line, 1, 32)
{
    scene->machine.l1_store = WS_store_back;
    add_store(scene, WS_SPACE_global);
    add_end(scene);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3);
    EXPECT_COUNTS(scene->trials, IS(cycles, 102), IS(l1_store_misses, 1), IS(l1_misses, 0), IS(mshrs_most, 1));
}

/* One way: the load of line 8 is refused until line 0 has arrived at 102, and evicts it: the read leaves at 102, the write of four
 * sectors at 103. The line, of an open row, comes at 191. At L2 the write hits. */
SCENE_TEST(a_dirty_victim_is_written_after_the_read, 1, 32)
{
    scene->machine.l1_store = WS_store_back;
    scene->machine.l1_size = 1024;
    scene->machine.l1_ways = 1;
    add_store(scene, WS_SPACE_global);
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, line_granule(0));
    touch(scene, 0, 0, line_granule(8));
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 193, 194);
    EXPECT_COUNTS(scene->trials, IS(l1_writebacks, 1), IS(l2_store_hits, 1), IS(ldst_refusals, 102 - 7));
}

/* Sent at 6, a request of one sector keeps the port 2 cycles: a cycle more than a load, answered at 103. The warp is not valid
 * until then, though its move needs nothing; the result, through the write port, is there at 105. */
static void run_atomic(u32 l2_store, u32 answered)
{
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.machine.l2_store = l2_store;
    OP(&scene, .class_ = WS_CLASS_atomic, .space = WS_SPACE_global, .dst = {1}, .src = {15});
    add_move(&scene, 2);
    add_use(&scene, 1);
    add_end(&scene);
    touch(&scene, 0, 0, 0);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, answered, answered + 2, answered + 3);
    EXPECT_COUNTS(scene.trials, IS(stall_scoreboard, 0), IS(l1_misses, 1), IS(l2_misses, 1),
                  IS(dram_writes, l2_store == WS_l2_store_through));
    scene_end(&scene);
}

TIMING_TEST(an_atomic_holds_its_warp)
{
    run_atomic(WS_l2_store_both, 103);
}

/* Its write goes to the DRAM first, which takes the bus for 4 cycles. */
TIMING_TEST(an_atomic_is_written_through)
{
    run_atomic(WS_l2_store_through, 107);
}

/* Without results too, and whether or not L1 has the line: the load brings it, the atomic of 104, sent at 108, hits at L2: 108
 * + 51. */
SCENE_TEST(an_atomic_does_not_look_at_l1, 1, 32)
{
    add_load(scene, WS_SPACE_global, 15);
    OP(scene, .class_ = WS_CLASS_atomic, .space = WS_SPACE_global, .src = {15});
    add_move(scene, 2);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 104, 159, 160);
    EXPECT_COUNTS(scene->trials, IS(l1_hits, 0), IS(l1_misses, 2), IS(l2_hits, 1));
}

/* An atomic in shared memory holds nothing: two words in one bank, made at 6 and 7, results at 7 + 4. */
SCENE_TEST(an_atomic_in_shared_memory_is_like_a_load, 1, 32)
{
    scene->build.shared_bytes = 256;
    OP(scene, .class_ = WS_CLASS_atomic, .space = WS_SPACE_shared, .dst = {1}, .src = {15});
    add_move(scene, 2);
    add_use(scene, 1);
    add_end(scene);
    for (u32 lane = 0; lane < 32; lane++)
        add_access(&scene->build, 0, lane, lane % 2 * 32);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 11, 12);
}

/* With ideal memory it is like a load that hits: results at 6 + 10, and the warp continues at once. */
SCENE_TEST(an_atomic_of_ideal_memory_is_like_a_load, 1, 32)
{
    scene->machine.memory_ideal = WS_toggle_on;
    scene->machine.l1_latency = 10;
    OP(scene, .class_ = WS_CLASS_atomic, .space = WS_SPACE_global, .dst = {1}, .src = {15});
    add_move(scene, 2);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 16, 17);
    EXPECT(scene, l1_hits, 1);
}

/* A store of line 0, sent at 6 and looked up at L2 at 38, and a load of it, sent at 8 and looked up at 39. */
static void run_store_then_load(struct scene *scene, u32 l2_store)
{
    scene_start(scene, 1, 32);
    scene->machine.l2_store = l2_store;
    add_store(scene, WS_SPACE_global);
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_COUNTS(scene->trials, IS(l2_store_misses, 1), IS(l2_misses, 1), IS(dram_reads, 1));
}

/* The store reads its line, at L2 at 84; the load waits for it too, and has it at 84 + 19. */
SCENE_WITH(l2_reads_the_line_of_a_store, run_store_then_load(scene, WS_l2_store_back))
{
    EXPECT_ISSUES(scene, 0, 2, 3, 105, 106);
    EXPECT_COUNTS(scene->trials, IS(l2_merges, 1), IS(dram_writes, 0));
}

/* Written first, which keeps the bus 4 cycles, then read. */
SCENE_WITH(l2_writes_and_reads_the_line_of_a_store, run_store_then_load(scene, WS_l2_store_both))
{
    EXPECT_ISSUES(scene, 0, 2, 3, 109, 110);
    EXPECT_COUNTS(scene->trials, IS(l2_merges, 1), IS(dram_writes, 1));
}

/* Only written: the load misses by itself. */
SCENE_WITH(l2_writes_through, run_store_then_load(scene, WS_l2_store_through))
{
    EXPECT_ISSUES(scene, 0, 2, 3, 109, 110);
    EXPECT_COUNTS(scene->trials, IS(l2_merges, 0), IS(dram_writes, 1));
}

/* An L2 cache of one line. Line 0 is loaded, there at 102, and stored to at 108 (at L2 at 140, a hit). The load of line 1, sent at
 * 110 and looked up at 141, finds the row open: there at 199. Line 0 is written after that read, but not with `through`, which has
 * written it before the read arrived: then the read waits until the write's burst, of 170 to 174, has ended. */
static void run_l2_victim(u32 l2_store, u32 loaded, u32 writebacks)
{
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.machine.l2_size = 128;
    scene.machine.l2_ways = 1;
    scene.machine.l2_store = l2_store;
    add_load(&scene, WS_SPACE_global, 15);
    add_store(&scene, WS_SPACE_global);
    add_load(&scene, WS_SPACE_global, 1);
    add_use(&scene, 1);
    add_end(&scene);
    touch(&scene, 0, 0, 0);
    touch(&scene, 0, 0, 0);
    touch(&scene, 0, 0, line_granule(1));
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 104, 106, loaded, loaded + 2);
    EXPECT_COUNTS(scene.trials, IS(l2_store_hits, 1), IS(l2_writebacks, writebacks), IS(dram_writes, 1));
    scene_end(&scene);
}

TIMING_TEST(a_dirty_victim_of_l2_is_written_after_the_read)
{
    run_l2_victim(WS_l2_store_back, 201, 1);
    run_l2_victim(WS_l2_store_both, 201, 1);
}

TIMING_TEST(a_line_of_l2_written_through_is_clean)
{
    run_l2_victim(WS_l2_store_through, 204, 0);
}

/* A set of two ways holds lines 0 and 4, loaded at 6 and 108; line 4 is stored to at 203. Line 8, requested at 204, sent at 205,
 * takes the way of line 4 where that has left, so that line 0 hits at 300, else that of line 0, which was touched longest ago. */
static void run_replacement(u32 policy, u32 loaded)
{
    static const u32 lines[] = {0, 4, 4, 8, 0};
    struct scene scene;
    scene_start(&scene, 1, 32);
    scene.machine.l1_store = policy;
    scene.machine.l1_size = 1024;
    scene.machine.l1_ways = 2;
    add_load(&scene, WS_SPACE_global, 15);
    add_load(&scene, WS_SPACE_global, 15);
    add_store(&scene, WS_SPACE_global);
    add_load(&scene, WS_SPACE_global, 15);
    add_load(&scene, WS_SPACE_global, 1);
    add_use(&scene, 1);
    add_end(&scene);
    for (u32 n = 0; n < 5; n++)
        touch(&scene, 0, 0, line_granule(lines[n]));
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 104, 199, 200, 296, loaded, loaded + 2);
    EXPECT(&scene, l1_store_hits, 1);
    scene_end(&scene);
}

TIMING_TEST(a_line_that_has_left_is_replaced_first)
{
    run_replacement(WS_store_evict, 300);
}

TIMING_TEST(a_line_touched_longest_ago_is_replaced)
{
    run_replacement(WS_store_through, 352);
}

/* `back`, a set of one way. Both warps load line 0; warp 0 stores to it at 108, and its atomic of two lines of four sectors, at 110
 * and 111, keeps the port until 120. Warp 1, which executes neither, wants line 8 from 113 on: its read and the write of the
 * victim, dirty, would leave at 120 and 121. With one request waiting, that of 115, there is no room for both in a queue of two
 * before 115. */
SCENE_TEST(a_miss_with_a_dirty_victim_needs_room_for_two, 1, 64)
{
    scene->machine.l1_store = WS_store_back;
    scene->machine.l1_size = 1024;
    scene->machine.l1_ways = 1;
    scene->machine.memory_miss_queue = 2;
    scene->machine.unit_ldst_queue = 8;
    add_load(scene, WS_SPACE_global, 15);
    OP(scene, .class_ = WS_CLASS_store, .space = WS_SPACE_global, .guarded = true, .src = {15});
    OP(scene, .class_ = WS_CLASS_atomic, .space = WS_SPACE_global, .guarded = true, .src = {15});
    add_load(scene, WS_SPACE_global, 1);
    add_end(scene);
    for (u32 warp = 0; warp < 2; warp++) {
        touch(scene, 0, warp, 0);
        decide(scene, 0, warp, warp == 0);
        decide(scene, 0, warp, warp == 0);
        if (warp == 0) {
            touch(scene, 0, 0, 0);
            for (u32 lane = 0; lane < 32; lane++)
                add_access(&scene->build, 0, lane, line_granule(1 + lane / 4 % 2) + lane % 4);
        }
        touch(scene, 0, warp, line_granule(8));
    }
    scene_run(scene);
    EXPECT_ISSUED(scene->trials, {0, 2, 0, 106}, {1, 3, 0, 108});
    EXPECT_COUNTS(scene->trials, IS(l1_writebacks, 1), IS(ldst_refusals, 2));
}

/* `evict`: the line is on its way, from 6 on, when the store looks it up at 7. It comes and stays: the load of 105 hits. */
SCENE_TEST(a_store_does_not_put_out_a_line_in_flight, 1, 32)
{
    scene->machine.l1_store = WS_store_evict;
    add_load(scene, WS_SPACE_global, 1);
    add_store(scene, WS_SPACE_global);
    add_use(scene, 1);
    add_load(scene, WS_SPACE_global, 2);
    add_use(scene, 2);
    add_end(scene);
    for (u32 n = 0; n < 3; n++)
        touch(scene, 0, 0, 0);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 104, 105, 109, 110);
    EXPECT_COUNTS(scene->trials, IS(l1_store_misses, 1), IS(l1_hits, 1));
}

/* `back`: the store joins the line in flight. The line arrives dirty and is written back when line 8 evicts it. */
SCENE_TEST(a_line_that_a_store_has_joined_comes_dirty, 1, 32)
{
    scene->machine.l1_store = WS_store_back;
    scene->machine.l1_size = 1024;
    scene->machine.l1_ways = 1;
    add_load(scene, WS_SPACE_global, 1);
    add_store(scene, WS_SPACE_global);
    add_load(scene, WS_SPACE_global, 2);
    add_use(scene, 2);
    add_end(scene);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, 0);
    touch(scene, 0, 0, line_granule(8));
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 193, 195);
    EXPECT_COUNTS(scene->trials, IS(l1_merges, 1), IS(l1_store_misses, 1), IS(l1_writebacks, 1));
}
