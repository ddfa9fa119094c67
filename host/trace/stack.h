/* A warp's reconvergence stack (docs/model.md, section 3): taken path first, join entries merged. */
#ifndef WS_TRACE_STACK_H
#define WS_TRACE_STACK_H

#include <stdbool.h>

#include "shared/instruction.h"

/* The most entries of a stack: each entry but join entries holds lanes of its own, and each join entry is for lanes that wait above
 * it or have ended. */
#define WST_STACK_MOST 64u

struct wst_entry {
    u32 reconverge, pc, mask;
};

struct wst_stack {
    u32 pc, mask; /* mask is 0 when the warp has ended */
    u32 depth;
    struct wst_entry entries[WST_STACK_MOST];
};

/* Advances past an instruction. taken is a branch's mask of lanes that go to the target; false when the stack is full. */
bool wst_stack_advance(struct wst_stack *stack, const struct ws_instruction *instruction, u32 taken);

#endif
