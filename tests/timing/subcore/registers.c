/* Register banks and the register-file cache: docs/model/subcore.md, "Registers". */
#include "timing/subcore/scene.h"

enum { CLOCK = WS_SUB_MISC + 1 };

/* Listing 1 of Huerta et al.: CLOCK, NOP, FFMA R11, R10, R12, R14, FFMA R13, R16, Rx, Ry, NOP, CLOCK. A clock is read in Control: 5
 * cycles apart, and one more for each even register of x, y. */
TIMING_TEST(listing_1_has_bank_conflicts)
{
    for (u32 even = 0; even <= 2; even++) {
        struct scene scene;
        sub_start(&scene, 32);
        SUB(&scene, .class_ = WS_CLASS_int, .unit = CLOCK);
        SUB(&scene, .class_ = WS_CLASS_int, .unit = CLOCK);
        sub_fma(&scene, 10, 12, 14, 0);
        sub_fma(&scene, 16, even > 0 ? 18 : 19, even > 1 ? 20 : 21, 0);
        SUB(&scene, .class_ = WS_CLASS_int, .unit = CLOCK);
        SUB(&scene, .class_ = WS_CLASS_int, .unit = CLOCK);
        sub_end(&scene);
        scene_run(&scene);
        expect_issue(scene.trials, 0, 5, 0, 9 + even);
        EXPECT(&scene, register_stalls, even);
        scene_end(&scene);
    }
}

/* Three registers of a bank each: with one port each instruction but the first waits for two cycles. Two ports read all 12 in the
 * six cycles 7 to 12. */
SUB_TEST(two_ports_have_no_conflicts, 32)
{
    scene->machine.subcore_ports = 2;
    for (u32 n = 0; n < 4; n++)
        sub_fma(scene, 2, 4, 6, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, register_stalls, 0);
}

/* One register in all slots is read once. */
SUB_TEST(a_register_is_read_once, 32)
{
    for (u32 n = 0; n < 6; n++)
        sub_fma(scene, 2, 2, 2, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, register_stalls, 0);
}

/* Listing 4: R2.reuse, then R2 hits and leaves, then misses. */
SUB_TEST(a_hit_without_reuse_clears, 32)
{
    sub_fma(scene, 2, 7, 9, 1);
    sub_fma(scene, 2, 11, 13, 0);
    sub_fma(scene, 2, 15, 17, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, reuse_hits, 1);
}

/* With reuse on both the third hits, too. */
SUB_TEST(reuse_keeps_a_register, 32)
{
    sub_fma(scene, 2, 7, 9, 1);
    sub_fma(scene, 2, 11, 13, 1);
    sub_fma(scene, 2, 15, 17, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, reuse_hits, 2);
}

/* In another slot R2 misses, and what is kept in slot A stays. */
SUB_TEST(slots_are_kept_apart, 32)
{
    sub_fma(scene, 2, 7, 9, 1);
    sub_fma(scene, 7, 2, 9, 0);
    sub_fma(scene, 2, 15, 17, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, reuse_hits, 1);
}

/* Another even register in the slot evicts, an odd one does not. */
SUB_TEST(another_register_of_the_bank_evicts, 32)
{
    sub_fma(scene, 2, 7, 9, 1);
    sub_fma(scene, 4, 7, 9, 0);
    sub_fma(scene, 2, 15, 17, 1);
    sub_fma(scene, 5, 7, 9, 0);
    sub_fma(scene, 2, 15, 17, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, reuse_hits, 1);
}

SUB_TEST(reuse_may_be_off, 32)
{
    scene->machine.subcore_reuse = WS_toggle_off;
    sub_fma(scene, 2, 7, 9, 1);
    sub_fma(scene, 2, 11, 13, 0);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, reuse_hits, 0);
}

/* A hit needs no port: three even registers each time, of which one is kept. */
SUB_TEST(a_hit_saves_a_port, 32)
{
    for (u32 n = 0; n < 3; n++)
        sub_fma(scene, 2, 4, 6, 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, reuse_hits, 2);
    EXPECT(scene, register_stalls, 2);
}

/* Matrix products read four words of a bank in a window of six cycles: 12 reads of 2 banks. */
SUB_TEST(matrix_products_have_twice_the_window, 32)
{
    SUB(scene, .class_ = WS_CLASS_tensor, .a = 8, .b = 16, .c = 24, .words = 4);
    SUB(scene, .class_ = WS_CLASS_tensor, .a = 8, .b = 16, .c = 24, .words = 4);
    sub_end(scene);
    scene_run(scene);
    EXPECT(scene, register_stalls, 5);
}

/* The fused multiply-adds hold bank 0 in cycles 7 to 9 (issued at 4: a = 6). The memory instruction that issues at 5 could start at
 * 7, and starts at 10 instead: its address, R2, lies in bank 0. Its sources are read 4 + 4 cycles later, and the store waits for
 * that. */
SUB_TEST(variable_instructions_read_after_fixed_ones, 32)
{
    sub_touch(scene, 0, WS_SPACE_global, 0, 4, false);
    sub_fma(scene, 2, 4, 6, 0);
    SUB(scene, .class_ = WS_CLASS_load, .space = WS_SPACE_global, .a = 2, .stall = 2, .reads = 1);
    SUB(scene, .class_ = WS_CLASS_int, .waits = 1);
    sub_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 4, 5, 19, 20);
}
