/* A warp with a reconvergence stack (divergence.md). Branches take effect at issue; the stack settles on completion. */
#include "oracle/path/pdom.h"

#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/whole.h"

struct stack *pdom_start(const struct sm *sm)
{
    return oracle_allocate(sm->machine->core_warps, sizeof(struct stack));
}

void pdom_finish(const struct sm *sm, struct stack *stacks)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        stack_free(&stacks[slot]);
    free(stacks);
}

void pdom_enter(struct sm *sm, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++)
        path->thread[i]->lane = i;
}

bool pdom_ready(const struct sm *sm, u32 slot)
{
    return !sm->warps[slot].begun;
}

void pdom_take(struct sm *sm, struct stack *stack, struct packet *packet)
{
    whole_take(sm, packet);
    stack_execute(sm, stack, &sm->warps[packet->slot].path, packet->ins);
}

void pdom_completed(struct sm *sm, struct stack *stack, const struct packet *packet)
{
    struct warp *warp = &sm->warps[packet->slot];
    warp->begun = false;
    stack_settle(sm, stack, &warp->path);
    log_state(sm, packet->slot, stack);
    if (packet->ins->class_ == WS_CLASS_barrier)
        warp_at_barrier(sm, warp, packet->ins);
    if (warp->path.count == 0)
        sm->rules.dispatch->warp_ended(sm, packet->slot);
}

void pdom_places(const struct sm *sm, const struct stack *stack, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++)
        invariants_place(sm, path->thread[i], path->pc, false);
    stack_places(sm, stack);
}

/* ---- The unit ---- */

static void start(struct sm *sm)
{
    sm->path = pdom_start(sm);
}

static void finish(struct sm *sm)
{
    pdom_finish(sm, sm->path);
}

static struct stack *stack_of(const struct sm *sm, u32 slot)
{
    return (struct stack *)sm->path + slot;
}

static void take(struct sm *sm, struct packet *packet)
{
    pdom_take(sm, stack_of(sm, packet->slot), packet);
}

static void completed(struct sm *sm, const struct packet *packet)
{
    pdom_completed(sm, stack_of(sm, packet->slot), packet);
}

static void places(const struct sm *sm, u32 slot)
{
    pdom_places(sm, stack_of(sm, slot), slot);
}

const struct oracle_path oracle_path_pdom = {.start = start,
                                             .finish = finish,
                                             .enter = pdom_enter,
                                             .ready = pdom_ready,
                                             .peek = whole_peek,
                                             .take = take,
                                             .completed = completed,
                                             .places = places,
                                             .home_lanes = true};
