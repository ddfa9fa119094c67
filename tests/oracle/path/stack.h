/* Reconvergence stacks (docs/model/divergence.md). */
#pragma once

#include "oracle/sm.h"

/* An entry: reconvergence pc, and the path (execute pc and mask) that continues when the entry is popped. */
struct entry {
    u32 reconverge;
    struct path path;
};

struct stack {
    struct entry *entries;
    u32 depth, room;
};

void stack_free(struct stack *stack);

/* Applies an instruction executed by all threads of the path, without settling. Sets the status when the stack overflows. */
void stack_execute(struct sm *sm, struct stack *stack, struct path *path, const struct ws_instruction *ins);

void stack_settle(struct sm *sm, struct stack *stack, struct path *path);

/* Whether threads at that pc reconverge: it is the reconvergence pc of the top. */
bool stack_meets(const struct stack *stack, u32 pc);

/* Calls invariants_place for the entries, from the top. */
void stack_places(const struct sm *sm, const struct stack *stack);

/* Logs warp and stack as struct oracle_state. */
void log_state(struct sm *sm, u32 slot, const struct stack *stack);
