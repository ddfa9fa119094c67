/* Scenes of the sub-core pipeline (docs/model/subcore.md). */
#pragma once

#include "timing/scene.h"

/* An instruction. Barriers are counter numbers plus 1, 0: none; sources are registers of slots A, B, C, 0: none, of so many words.
 */
struct sub_op {
    u32 class_, kind, space, bytes;
    u32 unit; /* plus 1; 0: by class and kind */
    u32 stall;
    bool yields;
    bool bypasses; /* L1 */
    u32 writes, reads, waits, reuse;
    u8 a, b, c, words;
    u8 flags, counter, limit, others;
    u32 constant; /* bank x 65536 + offset */
};

/* Starts a scene of one block: one sub-core, cggty, instruction lines of 8 that are at the sub-core in the cycle after their
 * request. The first warp is fetched from 1 on and its first instruction can issue at 4. All units have latency 2 and interval 1.
 */
void sub_start(struct scene *scene, u32 threads);

/* Appends an instruction and returns its program counter. A stall of 0 is 1, unless it yields. */
#define SUB(scene, ...) sub_op(scene, &(const struct sub_op){__VA_ARGS__})
u32 sub_op(struct scene *scene, const struct sub_op *op);

/* The same: an instruction of unit ALU, of unit FMA with three sources, an exit. */
u32 sub_alu(struct scene *scene);
u32 sub_fma(struct scene *scene, u32 a, u32 b, u32 c, u32 reuse);
u32 sub_end(struct scene *scene);
/* A barrier of the block, after which all warps have full buffers: it has stall 15. */
u32 sub_meet(struct scene *scene);

/* Lane n accesses shared or global memory at first + n x bytes, in bytes, or all lanes at first. */
void sub_touch(struct scene *scene, u32 warp, u32 space, u32 first, u32 bytes, bool uniform);

#define SUB_TEST(name, threads) SCENE_WITH(name, sub_start(scene, threads))
