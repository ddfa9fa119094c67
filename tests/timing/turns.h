/* Scenes of schedulers that prefer some warps: every warp has a script, and issue slots go to one warp after the other. */
#pragma once

#include "timing/scene.h"

/* The instructions of a warp, a letter each: . an operation, g one that is guarded off, S one whose result is there later, w one
 * that waits for it, b a barrier, l a load of line 0, x exit. */
enum { MOST_SCRIPTS = 8 };

/* Starts a scene in which every warp, the blocks' in order, goes first by as many branches as it takes to tell the scripts apart (1
 * for two, 2 for four, 3 for eight) to its script; those without one share the last. Scripts that are missing are "x".
 *
 * There is one SP unit, which all instructions but l keep for 8 cycles, and a queue of one: one instruction issues in the cycles 2,
 * 10, 18, ..., the turns, as long as any warp is ready, and every warp has been fetched by then. An S of turn n is waited for by w
 * until turn n + sleep. */
void turns_start(struct scene *scene, u32 blocks, u32 threads, u32 sleep, const char *const *scripts);
#define SCRIPTS(...) ((const char *const[MOST_SCRIPTS]){__VA_ARGS__})

/* Cycle of a turn. */
u32 turn_cycle(u32 turn);

/* Fails the test unless the warp whose slot is the nth digit issues in turn n, and nothing else does. Spaces are skipped. */
void expect_turns(const struct scene *scene, const char *turns);
