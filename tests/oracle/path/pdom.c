/* A warp with a reconvergence stack (section 3). Branches take effect as they issue, the stack settles when they complete. */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/stack.h"
#include "oracle/path/whole.h"

static void start(struct sm *sm)
{
    sm->path = oracle_allocate(sm->machine->core_warps, sizeof(struct stack));
}

static struct stack *stack_of(const struct sm *sm, u32 slot)
{
    return (struct stack *)sm->path + slot;
}

static void finish(struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        stack_free(stack_of(sm, slot));
    free(sm->path);
}

static void enter(struct sm *sm, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++)
        path->thread[i]->lane = i;
}

static bool ready(const struct sm *sm, u32 slot)
{
    return !sm->warps[slot].begun;
}

static void take(struct sm *sm, struct packet *packet)
{
    whole_take(sm, packet);
    stack_execute(sm, stack_of(sm, packet->slot), &sm->warps[packet->slot].path, packet->ins);
}

static void completed(struct sm *sm, const struct packet *packet)
{
    struct warp *warp = &sm->warps[packet->slot];
    warp->begun = false;
    stack_settle(sm, stack_of(sm, packet->slot), &warp->path);
    log_state(sm, packet->slot, stack_of(sm, packet->slot));
    if (packet->ins->class_ == WS_CLASS_barrier)
        warp_arrives(sm, warp);
    if (warp->path.count == 0)
        sm->rules.dispatch->warp_ended(sm, packet->slot);
}

static void places(const struct sm *sm, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++)
        invariants_place(sm, path->thread[i], path->pc, false);
    stack_places(sm, stack_of(sm, slot));
}

const struct oracle_path oracle_path_pdom = {.start = start,
                                             .finish = finish,
                                             .enter = enter,
                                             .ready = ready,
                                             .peek = whole_peek,
                                             .take = take,
                                             .completed = completed,
                                             .places = places,
                                             .home_lanes = true};
