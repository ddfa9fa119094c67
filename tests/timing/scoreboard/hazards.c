/* The scoreboard: docs/model/pipelines.md, "Issue". A move that issues at t has its result at t + 6, one with a source at t
 * + 7. */
#include "test.h"
#include "timing/scene.h"

/* Issues at 2; who reads the result, at 8; who reads that one's, valid at 10, at 8 + 7; the exit is in the buffer. */
SCENE_TEST(a_read_waits_for_the_write_before_it, 1, 32)
{
    add_move(scene, 1);
    OP(scene, .dst = {2}, .src = {1});
    OP(scene, .src = {2});
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 8, 15, 16);
    expect_slots(scene, "ii0sssss0isssss00");
}

/* Results come at 2 + 3 + 13 + 2 = 20 and at 3 + 3 + 1 + 2 = 9: the last of three sources is there at 20. */
SCENE_TEST(a_read_waits_for_all_its_registers, 1, 32)
{
    OP(scene, .kind = WS_KIND_minmax, .dst = {1});
    add_move(scene, 2);
    OP(scene, .src = {3, 2, 1});
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 20, 21);
}

/* The second writes what the first has not written before 8. */
SCENE_TEST(a_write_waits_for_the_write_before_it, 1, 32)
{
    add_move(scene, 1);
    add_move(scene, 1);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 8, 10);
}

/* The first has six sources; the second writes one of them in the next cycle. */
SCENE_TEST(a_write_does_not_wait_for_the_read_before_it, 1, 32)
{
    OP(scene, .dst = {1}, .src = {10, 11, 12, 13, 14, 2});
    add_move(scene, 2);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5);
}

/* A load from shared memory makes its access at 2 + 3 + 1 and has its four results at 6 + 4. Every instruction that reads or writes
 * one of them waits for it. */
TIMING_TEST(every_destination_is_waited_for)
{
    for (u8 n = 0; n < 4; n++)
        for (u32 reads = 0; reads < 2; reads++) {
            struct scene scene;
            scene_start(&scene, 1, 32);
            scene.build.shared_bytes = 256;
            OP(&scene, .class_ = WS_CLASS_load, .space = WS_SPACE_shared, .dst = {4, 5, 6, 7}, .src = {15});
            if (reads)
                add_use(&scene, 4u + n);
            else
                add_move(&scene, 4u + n);
            add_end(&scene);
            touch(&scene, 0, 0, 0);
            scene_run(&scene);
            EXPECT_ISSUES(&scene, 0, 2, 10, 12);
            scene_end(&scene);
        }
}

/* An instruction with two destinations holds both until 8; the third register is free. */
SCENE_TEST(an_operation_may_have_several_results, 1, 32)
{
    OP(scene, .dst = {1, 2});
    add_use(scene, 3);
    OP(scene, .src = {2});
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 8, 9);
}

/* Addresses and data of memory instructions, conditions of branches and guards are sources: each waits until 8. */
TIMING_TEST(addresses_conditions_and_guards_are_read)
{
    static const struct op readers[] = {
        {.class_ = WS_CLASS_load, .space = WS_SPACE_local, .dst = {3}, .src = {1}},
        {.class_ = WS_CLASS_store, .space = WS_SPACE_local, .src = {15, 1}},
        {.class_ = WS_CLASS_branch, .src = {1}},
        {.guarded = true, .dst = {3}, .src = {4, 1}},
    };
    for (u32 n = 0; n < sizeof readers / sizeof *readers; n++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        add_move(&scene, 1);
        const u32 pc = scene_op(&scene, &readers[n]);
        scene.build.program[pc].target = scene.build.program[pc].reconverge = (u16)(pc + 1);
        add_end(&scene);
        decide(&scene, 0, 0, false);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 8, 10);
        scene_end(&scene);
    }
}

/* An instruction with no executing lane still reserves its destination. */
SCENE_TEST(an_instruction_guarded_off_is_waited_for, 1, 32)
{
    OP(scene, .guarded = true, .dst = {1}, .src = {4});
    add_use(scene, 1);
    add_end(scene);
    decide(scene, 0, 0, false);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 9, 11);
}

/* Warp 1 is fetched at 1, and its move issues at 3: it waits for its own register, not for that of warp 0. */
SCENE_TEST(registers_are_those_of_a_warp, 1, 64)
{
    add_move(scene, 1);
    add_use(scene, 1);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 8, 10);
    EXPECT_ISSUES(scene, 1, 3, 9, 11);
}

/* Warp 0 waits for its register, warp 1 goes past it. A warp issues in order: what follows in warp 0 waits too, though it needs
 * nothing. */
SCENE_TEST(a_warp_issues_in_order, 1, 64)
{
    OP(scene, .kind = WS_KIND_minmax, .guarded = true, .dst = {1}, .src = {9});
    add_use(scene, 1);
    add_move(scene, 2);
    add_end(scene);
    decide(scene, 0, 0, true);
    decide(scene, 0, 1, true);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 21, 23, 25);
    EXPECT_ISSUES(scene, 1, 3, 22, 24, 26);
}
