/* Scenes of the scoreboard pipeline: a machine, a few instructions, and the issue cycles of each warp. */
#pragma once

#include <stddef.h>

#include "timing/timing.h"

struct scene {
    struct ws_machine machine; /* scoreboard_machine, to be changed before scene_run */
    struct image_build build;
    struct trial trials[TRIALS];
};

/* One issue port, lrr, two buffer entries that are valid two cycles after their fetch, an instruction cache that always hits.
 * Operands take 3 cycles and 1 for each source, results 2. An access that misses at x is looked up at L2 at x + 31 and, a hit
 * there, reaches the SM at x + 50; a miss there is at the DRAM at x + 61 and, a row being opened, at L2 again at x + 77 and the SM
 * at x + 96. */
struct ws_machine scoreboard_machine(void);

/* Starts a scene of that many blocks and threads a block. To be ended by scene_end. */
void scene_start(struct scene *scene, u32 blocks, u32 threads);
void scene_run(struct scene *scene);
void scene_end(struct scene *scene);

/* Begins a test of one scene, to be followed by its body; start makes the scene. */
#define SCENE_TEST(name, blocks, threads) SCENE_WITH(name, scene_start(scene, blocks, threads))
#define SCENE_WITH(name, start)                                                                                                    \
    static void name##_body(struct scene *scene);                                                                                  \
    TIMING_TEST(name)                                                                                                              \
    {                                                                                                                              \
        struct scene whole, *const scene = &whole;                                                                                 \
        start;                                                                                                                     \
        name##_body(scene);                                                                                                        \
        scene_end(scene);                                                                                                          \
    }                                                                                                                              \
    static void name##_body(struct scene *scene)

/* An instruction; registers are 1 to 15, as many as are not 0. */
struct op {
    u32 class_, kind, space;
    bool guarded;
    u8 dst[4], src[6];
};

/* Appends an instruction and returns its program counter: OP(scene, .class_ = WS_CLASS_fp32, .dst = {1}, .src = {2, 3}). */
#define OP(scene, ...) scene_op(scene, &(const struct op){__VA_ARGS__})
u32 scene_op(struct scene *scene, const struct op *op);

/* The same for often used ones: a load and a store of a space, whose address is in register 15; an integer operation `other` that
 * writes a register (result after 3 + 1 + 2 cycles), and one that reads a register; an exit. */
u32 add_load(struct scene *scene, u32 space, u32 dst);
u32 add_store(struct scene *scene, u32 space);
u32 add_move(struct scene *scene, u32 dst);
u32 add_use(struct scene *scene, u32 src);
u32 add_end(struct scene *scene);

/* Lane i of a warp of a block accesses line first + i modulo lines (data lines of 128 bytes), for k accesses in that order. */
void touch_lines(struct scene *scene, u32 block, u32 warp, u32 first, u32 lines);

/* All lanes access the same address; of shared, constant and texture memory a word of 4 bytes. */
void touch(struct scene *scene, u32 block, u32 warp, u32 address);

/* All lanes of a warp take a decision. */
void decide(struct scene *scene, u32 block, u32 warp, bool decision);

/* Fails the test unless the warps in a slot issue in exactly these cycles, in order. */
#define EXPECT_ISSUES(scene, slot, ...)                                                                                            \
    expect_issues(scene, slot, (const u32[]){__VA_ARGS__}, sizeof((const u32[]){__VA_ARGS__}) / sizeof(u32))
void expect_issues(const struct scene *scene, u32 slot, const u32 *cycles, size_t count);

/* Fails the test unless one port's slots, cycle by cycle from 0, become what the text says: the slot number of the warp that
 * issues, i (idle), s (scoreboard) or p (pipeline). Spaces are skipped; the text may end before the run does. */
void expect_slots(const struct scene *scene, const char *text);

/* Fails the test unless a counter has the value. */
#define EXPECT(scene, counter, value) expect_count((scene)->trials, WS_COUNT_##counter, value)
