/* L0 constant caches: docs/model/subcore.md, "Constant operands". */
#include "timing/subcore/scene.h"

/* An instruction with an operand at that offset of bank 0. */
static void add_constant(struct scene *scene, u32 offset)
{
    SUB(scene, .class_ = WS_CLASS_int, .flags = WS_OPERANDS_CONSTANT, .constant = offset);
}

/* Lines 0 and 1 miss at 4 and 16 and come 10 cycles later. */
SUB_TEST(a_constant_miss_takes_its_time, 32)
{
    scene->machine.subcore_constant_sets = 4;
    scene->machine.subcore_constant_miss = 10;
    add_constant(scene, 0);
    add_constant(scene, 60);
    add_constant(scene, 64);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 14, 15, 26, 27);
    EXPECT_COUNTS(scene->trials, IS(operand_misses, 2), IS(stall_scoreboard, 20));
}

SUB_TEST(constants_hit_without_a_cache, 32)
{
    add_constant(scene, 0);
    add_constant(scene, 64);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6);
    EXPECT(scene, operand_misses, 0);
}

/* Barriers issue at 4 and 8. Slot 1 misses at 20 and holds the sub-core from 20 to 23; slot 0, ready at 23, issues at 24. It waits
 * for the same line, which comes at 30. */
SUB_TEST(a_constant_miss_holds_the_sub_core, 64)
{
    scene->machine.subcore_constant_sets = 4;
    scene->machine.subcore_constant_miss = 10;
    sub_meet(scene);
    sub_alu(scene);
    add_constant(scene, 0);
    sub_end(scene);
    scene->machine.core_warps = 2;
    scene_run(scene);
    EXPECT_ISSUES(scene, 1, 4, 19, 32, 33);
    EXPECT_ISSUES(scene, 0, 8, 24, 30, 31);
    EXPECT_COUNTS(scene->trials, IS(operand_misses, 1), IS(stall_pipeline, 1));
}

/* Two ways: line 2 replaces line 1, because line 0 has been touched again. */
SUB_TEST(constant_lines_are_replaced_by_last_touch, 32)
{
    static const u32 lines[] = {0, 1, 0, 2, 0, 1};
    scene->machine.subcore_constant_sets = 1;
    scene->machine.subcore_constant_miss = 2;
    for (u32 n = 0; n < sizeof lines / sizeof *lines; n++)
        add_constant(scene, lines[n] * 64);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 6, 9, 10, 13, 14, 17, 18);
    EXPECT(scene, operand_misses, 4);
}

/* The same offset of two banks lies in two lines. */
SUB_TEST(constant_banks_are_apart, 32)
{
    scene->machine.subcore_constant_sets = 2;
    scene->machine.subcore_constant_miss = 2;
    add_constant(scene, 0);
    add_constant(scene, 3 << 16);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 6, 9, 10);
}
