/* Functions of `pdom` for other path units: a warp with a stack that its unit keeps. */
#pragma once

#include "oracle/path/stack.h"

/* The functions of struct oracle_path of the same names, for all stacks or one. */
struct stack *pdom_start(const struct sm *sm);
void pdom_finish(const struct sm *sm, struct stack *stacks);
void pdom_enter(struct sm *sm, u32 slot);
bool pdom_ready(const struct sm *sm, u32 slot);
void pdom_take(struct sm *sm, struct stack *stack, struct packet *packet);
void pdom_completed(struct sm *sm, struct stack *stack, const struct packet *packet);
void pdom_places(const struct sm *sm, const struct stack *stack, u32 slot);
