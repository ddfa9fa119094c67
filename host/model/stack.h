/* A warp's reconvergence stack (docs/model/divergence.md), join entries merged. */
#pragma once

#include <stdbool.h>

#include "shared/instruction.h"
#include "shared/machine.h"

/* Most entries of a stack: each entry except join entries holds lanes of its own; each join entry belongs to lanes that wait above
 * it or have ended. */
#define WS_STACK_MOST 64u

struct ws_stack_entry {
    u32 reconverge, pc, mask;
};

struct ws_stack {
    u32 pc, mask;       /* mask is 0 once the warp has ended */
    u32 first_path;     /* WS_first_path_*: which path of a divergent branch runs first */
    bool diverged;      /* at some branch so far */
    u32 pushed, popped; /* entries, by the last instruction */
    u32 depth;
    struct ws_stack_entry entries[WS_STACK_MOST];
};

/* Whether the taken path of a divergent branch runs first (WS_first_path_*), for active lanes mask. */
bool ws_taken_runs_first(u32 first_path, u32 mask, u32 taken);

/* Advances past an instruction. taken: a branch's lanes that go to the target, or the lanes that end at a guarded exit. False if
 * the stack is full. */
bool ws_stack_advance(struct ws_stack *stack, const struct ws_instruction *instruction, u32 taken);
