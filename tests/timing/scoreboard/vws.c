/* Variable warp sizing: docs/model/pipelines.md. Warps have 8 threads, so that there are four slices, and slots 0 to 3 are a
 * set. Four of them fetch two instructions each in one cycle, which issue from two cycles later on, as in fetch_unit.c;
 * timing/scene.h says when lines come. */
#include "test.h"
#include "timing/scene.h"

enum { SIZE = 8, SLICES = 4 };

static void start(struct scene *scene, u32 threads, u32 gangs)
{
    scene_start(scene, 1, threads);
    scene->machine.divergence_unit = WS_divergence_vws;
    scene->machine.schedule_policy = WS_policy_gto;
    scene->machine.core_warp_size = SIZE;
    scene->machine.vws_gangs = gangs;
}

static void add_moves(struct scene *scene, u32 until)
{
    while (scene->build.instructions < until)
        add_move(scene, scene->build.instructions % 8 + 1);
}

/* Threads of the first so many warps of a set take the branch, the others do not. */
static void part(struct scene *scene, u32 set, u32 taking)
{
    for (u32 thread = 0; thread < WS_LANES; thread++)
        add_decision(&scene->build, 0, set * WS_LANES + thread, thread / SIZE < taking);
}

/* ---- Slices ---- */

/* All four as one warp of 32 threads. */
SCENE_WITH(a_gang_is_in_lockstep, start(scene, 32, WS_toggle_on))
{
    add_moves(scene, 4);
    add_end(scene);
    scene_run(scene);
    for (u32 slot = 0; slot < SLICES; slot++)
        EXPECT_ISSUES(scene, slot, 2, 3, 5, 6, 8);
    EXPECT_COUNTS(scene->trials, IS(fetches, 3), IS(gang_fetches, 3), IS(warp_instructions, 4 * 5), IS(gang_issues + 4, 5),
                  IS(issue_cycles, 5));
}

/* Each slice fetches on its own, at 0, 3 and 6. */
SCENE_WITH(slices_are_fetched_in_one_cycle, start(scene, 32, WS_toggle_off))
{
    add_moves(scene, 4);
    add_end(scene);
    scene_run(scene);
    for (u32 slot = 0; slot < SLICES; slot++)
        EXPECT_ISSUES(scene, slot, 2, 3, 5, 6, 8);
    EXPECT_COUNTS(scene->trials, IS(fetches, 3 * 4), IS(gang_fetches, 0), IS(issue_cycles, 5));
}

/* With one access a cycle slices 0 to 3 are served at 0 to 3. At 3 slice 0, whose buffer is empty again, comes after slice 3. */
SCENE_WITH(slices_take_turns_at_the_instruction_cache, start(scene, 32, WS_toggle_off))
{
    scene->machine.vws_fetches = 1;
    add_moves(scene, 4);
    add_end(scene);
    scene_run(scene);
    for (u32 slot = 0; slot < SLICES; slot++)
        EXPECT_ISSUES(scene, slot, 2 + slot, 3 + slot, 6 + slot, 7 + slot, 10 + slot);
}

/* The same with buffers of one and all instructions in one line: after the first fetch of a slice its L0 has it. */
SCENE_WITH(an_l0_needs_no_turn, start(scene, 32, WS_toggle_off))
{
    scene->machine.core_buffer = 1;
    scene->machine.vws_fetches = 1;
    scene->machine.vws_l0 = 128;
    add_moves(scene, 3);
    add_end(scene);
    scene_run(scene);
    for (u32 slot = 0; slot < SLICES; slot++)
        EXPECT_ISSUES(scene, slot, 2 + slot, 4 + slot, 6 + slot, 8 + slot);
    EXPECT_COUNTS(scene->trials, IS(l0_misses, 4), IS(l0_hits, 4 * 3), IS(fetches, 4 * 4), IS(icache_hits, 4));
}

/* An L0 of one line of 64 bytes, 8 instructions; the instruction cache has lines of 16. The fetches of 0 and 8 miss. The fetch of
 * pc 7, at 9, delivers pc 7 only, the last of its line. */
SCENE_WITH(a_small_l0_has_a_small_line, start(scene, SIZE, WS_toggle_off))
{
    scene->machine.vws_l0 = 64;
    add_jump(&scene->build, 3);
    add_moves(scene, 15);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 5, 6, 8, 9, 11, 13, 14, 16, 17, 19, 20, 22, 23);
    EXPECT_COUNTS(scene->trials, IS(l0_misses, 2), IS(l0_hits, 6));
}

/* A block of 40 threads takes two sets, the second with one warp. In 4 sets a second block fits, with first slot 8; in 3 it has to
 * wait. The slots 0, 4 and 8 of slice 0 are fetched at 0, 1 and 2. */
TIMING_TEST(a_block_takes_whole_sets)
{
    static const u32 sets[] = {3, 4};
    for (u32 n = 0; n < 2; n++) {
        struct scene scene;
        scene_start(&scene, 2, 40);
        scene.machine.divergence_unit = WS_divergence_vws;
        scene.machine.core_warp_size = SIZE;
        scene.machine.core_warps = sets[n] * SLICES;
        add_end(&scene);
        scene_run(&scene);
        for (u32 i = 0; i < TRIALS; i++)
            assert_int_equal(scene.trials[i].times[1].entered, n == 0 ? scene.trials[i].times[0].ended : 0);
        if (n == 1)
            EXPECT_ISSUES(&scene, 8, 4);
        scene_end(&scene);
    }
}

/* ---- Accesses ---- */

/* Four loads from one line at 2: one access at 6, one request, and all results at 104. */
SCENE_WITH(accesses_of_one_cycle_are_one, start(scene, 32, WS_toggle_off))
{
    add_load(scene, WS_SPACE_global, 1);
    add_use(scene, 1);
    add_end(scene);
    touch_lines(scene, 0, 0, 0, 1);
    scene_run(scene);
    for (u32 slot = 0; slot < SLICES; slot++)
        EXPECT_ISSUES(scene, slot, 2, 104, 106);
    EXPECT_COUNTS(scene->trials, IS(global_accesses, 1), IS(global_lines, 1), IS(l1_misses, 1), IS(data_port_busy, 1));
}

/* Warps 0 and 1 take the branch of 2, are fetched at 3, and load at 5; warps 2 and 3 have a move in the buffer, are fetched at 3 as
 * well, and store. Two kinds are two instructions; the unit has its operands at 5 + 3 + 1 and then makes one access a cycle. */
static void run_kinds(u32 memory, u32 room, u32 stores)
{
    struct scene scene;
    start(&scene, 32, WS_toggle_off);
    scene.machine.vws_memory = memory;
    scene.machine.unit_ldst_queue = room;
    add_branch(&scene.build, 4, 4);
    add_moves(&scene, 2);
    add_store(&scene, WS_SPACE_global);
    add_end(&scene);
    add_load(&scene, WS_SPACE_global, 1);
    add_end(&scene);
    part(&scene, 0, 2);
    touch_lines(&scene, 0, 0, 0, 1);
    scene_run(&scene);
    for (u32 slot = 0; slot < SLICES; slot++)
        expect_issue(scene.trials, slot, slot < 2 ? 4 : 2, 0, slot < 2 ? 5 : stores);
    EXPECT(&scene, global_accesses, 2);
    scene_end(&scene);
}

TIMING_TEST(kinds_of_access_are_instructions_of_their_own)
{
    run_kinds(WS_slice_memory_kinds, 3, 5);
}

TIMING_TEST(one_kind_of_access_may_issue_in_a_cycle)
{
    run_kinds(WS_slice_memory_one_kind, 3, 6);
}

/* The load's access is made at 9. */
TIMING_TEST(the_second_kind_needs_room)
{
    run_kinds(WS_slice_memory_kinds, 1, 9);
}

/* ---- Splits on control flow, and what becomes of the parts ---- */

/* 0 branch to 3, 1 move, 2 jump to 4, 3 move, 4 end. The branch issues at 2. Those that take it have lost their buffers, are
 * fetched at 3 with pcs 3 and 4; the others have pc 1 left, and are fetched at 3 with 2 and 3; both parts in one cycle, as two
 * gangs may, or a gang and a single warp. At 5 they issue pcs 3 and 2. The jump flushes, and waits for its delay: fetched at 6,
 * for 8. */
static void run_split(u32 taking, u32 reform, u32 last, u32 whole)
{
    struct scene scene;
    start(&scene, 32, WS_toggle_on);
    scene.machine.vws_reform = reform;
    add_branch(&scene.build, 3, 4);
    add_moves(&scene, 2);
    add_jump(&scene.build, 4);
    add_moves(&scene, 4);
    add_end(&scene);
    part(&scene, 0, taking);
    scene_run(&scene);
    for (u32 slot = 0; slot < SLICES; slot++) {
        if (slot < taking)
            EXPECT_ISSUES(&scene, slot, 2, 5, last);
        else
            EXPECT_ISSUES(&scene, slot, 2, 3, 5, 8);
    }
    EXPECT_COUNTS(scene.trials, IS(gang_splits, 1), IS(gang_merges, reform != WS_gang_reform_none), IS(buffer_flushes, 4),
                  IS(gang_issues + 4, whole));
    scene_end(&scene);
}

TIMING_TEST(a_gang_splits_into_gangs)
{
    run_split(2, WS_gang_reform_none, 6, 1);
}

TIMING_TEST(a_gang_splits_into_a_single_warp_and_a_gang)
{
    run_split(1, WS_gang_reform_none, 6, 1);
}

/* After 5 both parts are at pc 4, and one gang from then on: the buffers of the first part are emptied, the delay of the others is
 * everyone's. */
TIMING_TEST(parts_at_one_pc_merge)
{
    run_split(2, WS_gang_reform_opportunistic, 8, 2);
}

/* ---- Waits for others ---- */

/* 0 branch to 3, 1 move, 2 write, 3 use, 4 end; all paths reconverge at 3. Warps 0 and 1 come there at 2 and are fetched at 3,
 * warps 2 and 3 come there at 5 with pc 3 in their buffers. Their written registers are available at 11: until then the parts
 * differ. */
static void run_waits(struct scene *scene, u32 cycles)
{
    start(scene, 32, WS_toggle_on);
    scene->machine.vws_split = WS_gang_split_group;
    scene->machine.vws_reform = WS_gang_reform_sync;
    scene->machine.vws_sync = cycles;
    add_branch(&scene->build, 3, 3);
    add_moves(scene, 2);
    add_move(scene, 9);
    add_use(scene, 9);
    add_end(scene);
    part(scene, 0, 2);
    scene_run(scene);
    EXPECT(scene, gang_splits, 1);
}

/* The parts merge at the end of 11, in which nothing issues, and hold pc 3 only. */
SCENE_WITH(a_wait_for_others_ends_when_they_are_there, run_waits(scene, 100))
{
    for (u32 slot = 0; slot < SLICES; slot++) {
        if (slot < 2)
            EXPECT_ISSUES(scene, slot, 2, 12, 14);
        else
            EXPECT_ISSUES(scene, slot, 2, 3, 5, 12, 14);
    }
    EXPECT(scene, gang_merges, 1);
}

/* Warps 0 and 1 wait until 2 + 1 (their buffers are filled later), 2 + 4 and 2 + 8, and issue the rest. Warps 2 and 3 may wait
 * until 5 + 8, but have nobody to wait for when the others have ended at 12. */
TIMING_TEST(a_wait_for_others_ends_after_some_cycles)
{
    static const struct {
        u32 cycles, goes_on, other;
    } rows[] = {{1, 5, 11}, {4, 7, 11}, {8, 11, 13}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        run_waits(&scene, rows[n].cycles);
        for (u32 slot = 0; slot < SLICES; slot++) {
            if (slot < 2)
                EXPECT_ISSUES(&scene, slot, 2, rows[n].goes_on, rows[n].goes_on + 1);
            else
                EXPECT_ISSUES(&scene, slot, 2, 3, 5, rows[n].other, rows[n].other + 2);
        }
        EXPECT(&scene, gang_merges, 0);
        scene_end(&scene);
    }
}

/* ---- Splits on memory ---- */

/* Warps 0 and 1 load from one line, 2 and 3 from another; the gang's access finds neither, at 6 and 7. The first comes at 102, the
 * second 5 cycles later, as long as an answer takes; results are there 2 later. The fetch for the end follows the use. */
static void run_memory(u32 split, u32 reform, u32 first, u32 fetches, u32 merges)
{
    struct scene scene;
    start(&scene, 32, WS_toggle_on);
    scene.machine.vws_split = split;
    scene.machine.vws_reform = reform;
    add_load(&scene, WS_SPACE_global, 1);
    add_use(&scene, 1);
    add_end(&scene);
    for (u32 thread = 0; thread < WS_LANES; thread++)
        add_access(&scene.build, 0, thread, line_granule(thread / 16));
    scene_run(&scene);
    for (u32 slot = 0; slot < SLICES; slot++) {
        if (slot < 2)
            EXPECT_ISSUES(&scene, slot, 2, first, first + 2);
        else
            EXPECT_ISSUES(&scene, slot, 2, 109, 111);
    }
    EXPECT_COUNTS(scene.trials, IS(gang_memory_splits, split != WS_gang_split_none), IS(gang_merges, merges), IS(fetches, fetches),
                  IS(global_lines, 2));
    scene_end(&scene);
}

TIMING_TEST(a_gang_waits_for_its_last_member)
{
    run_memory(WS_gang_split_none, WS_gang_reform_none, 109, 2, 0);
}

/* Four single warps, each fetched for itself. */
TIMING_TEST(an_impatient_gang_falls_apart)
{
    run_memory(WS_gang_split_impatient, WS_gang_reform_none, 104, 1 + 4, 0);
}

/* Two gangs. */
TIMING_TEST(those_that_are_ready_go_on_together)
{
    run_memory(WS_gang_split_group, WS_gang_reform_none, 104, 1 + 2, 0);
}

/* Warps 0 and 1 merge at the end of 104, at pc 2 with empty buffers, warps 2 and 3 at the end of 105, when both wait for the line.
 * At 104 warps 0 and 2 could not: they are at different pcs by then. */
TIMING_TEST(an_impatient_gang_is_formed_anew)
{
    run_memory(WS_gang_split_impatient, WS_gang_reform_opportunistic, 104, 1 + 2, 2);
}

/* ---- Order ---- */

/* Two sets, both fetched at 0. At 2 the older issues, and splits: its warps 0 and 1 are to be fetched again, 2 and 3 have pc 1 in
 * their buffers. At 3 their gang wants slices of the other set's, which is larger, younger, next in turn, and at a lower pc. At 4
 * that one has another instruction in its buffers. */
TIMING_TEST(gangs_issue_in_the_order_of_their_policy)
{
    static const struct {
        u32 policy, part, other; /* when the part issues pc 1, and the other set pc 0 */
    } rows[] = {{WS_gang_policy_bgto, 5, 3},
                {WS_gang_policy_lgto, 3, 4},
                {WS_gang_policy_gto, 3, 4},
                {WS_gang_policy_lrr, 4, 3},
                {WS_gang_policy_lpc, 4, 3}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        start(&scene, 64, WS_toggle_on);
        scene.machine.vws_gang_policy = rows[n].policy;
        add_branch(&scene.build, 3, 3);
        add_moves(&scene, 3);
        add_end(&scene);
        part(&scene, 0, 2);
        part(&scene, 1, 0);
        scene_run(&scene);
        EXPECT_ISSUED(scene.trials, {0, 0, 0, 2}, {2, 1, 0, rows[n].part}, {4, 0, 0, rows[n].other});
        scene_end(&scene);
    }
}

/* The second set of a block of 40 threads has one warp, in slot 4 of slice 0. Both sets are fetched at 0; the gang issues when it
 * can, the warp in the cycles between. */
SCENE_WITH(single_warps_fill_holes, start(scene, 40, WS_toggle_on))
{
    add_moves(scene, 4);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6, 8);
    EXPECT_ISSUES(scene, 4, 4, 7, 9, 10, 12);
    EXPECT(scene, issue_cycles, 10);
}
