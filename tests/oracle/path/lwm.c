/* Large warps (divergence.md). */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/stack.h"

struct large {
    struct stack stack;
    bool holds; /* decode */
    u64 instruction;
    u32 issued, completed; /* sub-warps of the current instruction */
};

static struct large *large_of(const struct sm *sm, u32 slot)
{
    return (struct large *)sm->path + slot;
}

static void start(struct sm *sm)
{
    sm->path = oracle_allocate(sm->machine->core_warps, sizeof(struct large));
}

static void finish(struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        stack_free(&large_of(sm, slot)->stack);
    free(sm->path);
}

static void enter(struct sm *sm, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++) {
        path->thread[i]->row = i / WS_LANES;
        path->thread[i]->lane = i % WS_LANES;
    }
}

static bool can_pack(const struct warp *warp)
{
    for (u32 i = 0; i < warp->path.count; i++)
        if (warp->path.thread[i]->todo && !warp->path.thread[i]->busy)
            return true;
    return false;
}

static bool all_packed(const struct warp *warp)
{
    for (u32 i = 0; i < warp->path.count; i++)
        if (warp->path.thread[i]->todo)
            return false;
    return true;
}

static bool ready(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    return !large_of(sm, slot)->holds && (!warp->begun || can_pack(warp));
}

static enum decode decode(const struct sm *sm, u32 slot)
{
    if (!large_of(sm, slot)->holds)
        return DECODE_FREE;
    if (can_pack(&sm->warps[slot]))
        return DECODE_PACKS;
    return sm->machine->divergence_decode == WS_decode_hold ? DECODE_KEPT : DECODE_STEPS_ASIDE;
}

static void step_aside(struct sm *sm, u32 slot)
{
    large_of(sm, slot)->holds = false;
}

/* Gives the thread its column unless a lower row has it; rows come in order. */
static void pack(struct packet *packet, struct thread *thread)
{
    if (packet->thread[thread->lane])
        return;
    packet->thread[thread->lane] = thread;
    packet->lanes++;
}

static void peek(const struct sm *sm, u32 slot, struct packet *packet)
{
    const struct warp *warp = &sm->warps[slot];
    const bool jump = packet->ins->class_ == WS_CLASS_jump;
    u32 participants = 0;
    packet->begins = !warp->begun;
    for (u32 i = 0; i < warp->path.count; i++) {
        struct thread *thread = warp->path.thread[i];
        const bool todo = packet->begins ? participates(sm, thread, packet->ins) : thread->todo;
        participants += todo;
        if (todo && (jump || !thread->busy))
            pack(packet, thread);
    }
    packet->threads = packet->lanes;
    if (packet->begins) {
        packet->masked = warp->path.count - participants;
        packet->empty = participants > 0 && packet->lanes == 0;
    }
    if (jump) {
        packet->threads = participants;
        packet->lanes = participants < WS_LANES ? participants : WS_LANES;
    }
}

static void begin(struct sm *sm, struct packet *packet)
{
    struct warp *warp = &sm->warps[packet->slot];
    struct large *large = large_of(sm, packet->slot);
    warp->begun = true;
    large->instruction++;
    large->issued = large->completed = 0;
    for (u32 i = 0; i < warp->path.count; i++) {
        struct thread *thread = warp->path.thread[i];
        thread->todo = packet->ins->class_ != WS_CLASS_jump && participates(sm, thread, packet->ins);
        if (packet->ins->class_ == WS_CLASS_exit)
            thread->taken = thread->todo;
        thread->decisions += packet->ins->flags & WS_GUARDED ? 1 : 0;
    }
}

static void take(struct sm *sm, struct packet *packet)
{
    struct large *large = large_of(sm, packet->slot);
    if (packet->begins)
        begin(sm, packet);
    packet->instruction = large->instruction;
    if (packet->empty) {
        large->holds = sm->machine->divergence_decode == WS_decode_hold;
        return;
    }
    for (u32 lane = 0; lane < WS_LANES && packet->ins->class_ != WS_CLASS_jump; lane++) {
        struct thread *thread = packet->thread[lane];
        if (!thread)
            continue;
        thread->todo = false;
        thread->busy = true;
        if (packet->ins->class_ == WS_CLASS_branch)
            thread->taken = decision_of(sm, thread, thread->decisions++);
    }
    large->issued++;
    large->holds = !all_packed(&sm->warps[packet->slot]);
}

static void completed(struct sm *sm, const struct packet *packet)
{
    struct large *large = large_of(sm, packet->slot);
    large->completed += packet->instruction == large->instruction;
    for (u32 lane = 0; lane < WS_LANES && packet->ins->class_ != WS_CLASS_jump; lane++)
        if (packet->thread[lane])
            packet->thread[lane]->busy = false;
}

/* The rule "advance". */
static bool instruction_done(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    const struct large *large = large_of(sm, slot);
    if (warp->state != WARP_RUNS || !warp->begun || !all_packed(warp))
        return false;
    const u32 class_ = instruction_of(sm, warp)->class_;
    const bool all = class_ == WS_CLASS_branch || class_ == WS_CLASS_barrier || class_ == WS_CLASS_exit ||
                     sm->machine->divergence_refetch == WS_refetch_last;
    return all ? large->completed == large->issued : large->completed > 0;
}

static void advance(struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        if (!instruction_done(sm, slot))
            continue;
        struct warp *warp = &sm->warps[slot];
        struct stack *stack = &large_of(sm, slot)->stack;
        const struct ws_instruction *ins = instruction_of(sm, warp);
        warp->begun = false;
        stack_execute(sm, stack, &warp->path, ins);
        stack_settle(sm, stack, &warp->path);
        log_state(sm, slot, stack);
        if (ins->class_ == WS_CLASS_barrier)
            warp_arrives(sm, warp);
        if (warp->path.count == 0)
            sm->rules.dispatch->warp_ended(sm, slot);
    }
}

static void places(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    for (u32 i = 0; i < warp->path.count; i++)
        invariants_place(sm, warp->path.thread[i], warp->begun ? UNDER_WAY : warp->path.pc, false);
    stack_places(sm, &large_of(sm, slot)->stack);
}

const struct oracle_path oracle_path_lwm = {.start = start,
                                            .finish = finish,
                                            .enter = enter,
                                            .ready = ready,
                                            .peek = peek,
                                            .take = take,
                                            .completed = completed,
                                            .places = places,
                                            .home_lanes = true,
                                            .advance = advance,
                                            .decode = decode,
                                            .step_aside = step_aside};
