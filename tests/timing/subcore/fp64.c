/* An FP64 unit that the sub-cores share: docs/model/subcore.md, "Special functions". */
#include "timing/subcore/scene.h"

static u32 add_fp64(struct scene *scene, u32 writes)
{
    return SUB(scene, .class_ = WS_CLASS_fp64, .kind = WS_KIND_add, .stall = writes > 0 ? 2 : 1, .writes = writes);
}

static void share(struct scene *scene)
{
    scene->machine.subcore_fp64 = WS_fp64_unit_sm;
    scene->machine.interval_fp64_add = 16;
}

/* They leave Control at 5 to 8 and start at 6, 22, ... The queue holds three, so the fifth waits in Control from 9 to 21. */
SUB_TEST(the_shared_unit_has_a_queue, 32)
{
    share(scene);
    for (u32 n = 0; n < 5; n++)
        add_fp64(scene, 0);
    sub_alu(scene);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 6, 7, 8, 22, 23);
    EXPECT(scene, control_stalls, 13);
}

/* Four sub-cores issue at 4 to 7. Their instructions start at 6, 22, 38 and 54 and write two cycles later. */
SUB_TEST(sub_cores_take_turns_at_the_shared_unit, 128)
{
    share(scene);
    scene->machine.core_issue_ports = 4;
    scene->machine.subcore_stream = 0;
    const u32 first = add_fp64(scene, 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    for (u32 slot = 0; slot < 4; slot++) {
        expect_issue(scene->trials, slot, first, 0, 4 + slot);
        expect_issue(scene->trials, slot, first + 1, 0, 9 + 16 * (u64)slot);
    }
}

/* The multiply-add holds bank 0 from 7 to 9, so the shared unit reads R2 at 10 instead of 7. Its sources have been read then. */
SUB_TEST(the_shared_unit_reads_after_fixed_ones, 32)
{
    share(scene);
    sub_fma(scene, 2, 4, 6, 0);
    SUB(scene, .class_ = WS_CLASS_fp64, .kind = WS_KIND_add, .a = 2, .stall = 2, .reads = 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 11, 12);
}
