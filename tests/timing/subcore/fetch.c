/* Front end: docs/model/subcore.md, "Front end". */
#include "timing/subcore/scene.h"

/* A jump that issues at 5 to another instruction of its line: fetched at 5, issues at 8. */
SUB_TEST(a_taken_branch_costs_the_fetch_latency, 32)
{
    sub_alu(scene);
    const u32 jump = SUB(scene, .class_ = WS_CLASS_jump);
    sub_alu(scene);
    scene->build.program[jump].target = 3;
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 8, 9);
    EXPECT(scene, buffer_flushes, 1);
}

/* The L0 misses at 0; the line comes 2 x 10 cycles later. The stream asks for one line a cycle from 0 on... the instruction cache
 * is used by the miss, so from 1 on: lines 1 to 4 come at 21 to 24. */
SUB_TEST(the_stream_buffer_hides_misses, 32)
{
    scene->machine.subcore_l0_latency = 10;
    for (u32 n = 0; n < 39; n++)
        sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    for (u32 pc = 0; pc < 40; pc++)
        expect_issue(scene->trials, 0, pc, 0, 23 + pc);
    EXPECT_COUNTS(scene->trials, IS(l0_misses, 1), IS(stream_hits, 4), IS(prefetches, 4), IS(icache_hits, 5));
}

/* Without it each line costs its way. */
SUB_TEST(without_a_stream_buffer_each_line_misses, 32)
{
    scene->machine.subcore_l0_latency = 10;
    scene->machine.subcore_stream = 0;
    for (u32 n = 0; n < 15; n++)
        sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 23, 24, 25, 26, 27, 28, 29, 30, 51, 52, 53, 54, 55, 56, 57, 58);
    EXPECT_COUNTS(scene->trials, IS(l0_misses, 2), IS(stream_hits, 0), IS(prefetches, 0));
}

/* A buffer of one: fetched at 1, issued at 4 and fetched again. */
SUB_TEST(a_buffer_of_one_waits_for_each_fetch, 32)
{
    scene->machine.subcore_buffer = 1;
    sub_alu(scene);
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 7, 10);
}

/* Four sub-cores share the access to the instruction cache: they miss at 0, 1, 2, 3. */
SUB_TEST(sub_cores_take_turns_at_the_instruction_cache, 128)
{
    scene->machine.core_issue_ports = 4;
    scene->machine.subcore_stream = 0;
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    for (u32 slot = 0; slot < 4; slot++)
        expect_issue(scene->trials, slot, 0, 0, 4 + slot);
}

/* The greedy warp is fetched first, then the youngest. */
SUB_TEST(the_youngest_is_fetched_first, 96)
{
    sub_alu(scene);
    sub_end(scene);
    scene->machine.core_warps = 3;
    scene_run(scene);
    EXPECT_ISSUES(scene, 2, 4, 5);
    EXPECT_ISSUES(scene, 1, 6, 7);
    EXPECT_ISSUES(scene, 0, 8, 9);
}
