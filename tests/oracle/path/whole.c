#include "oracle/path/whole.h"

void whole_peek(const struct sm *sm, u32 slot, struct packet *packet)
{
    const struct warp *warp = &sm->warps[slot];
    packet->begins = true;
    for (u32 i = 0; i < warp->path.count; i++) {
        struct thread *thread = warp->path.thread[i];
        if (participates(sm, thread, packet->ins)) {
            packet->thread[thread->lane] = thread;
            packet->threads++;
        }
    }
    packet->lanes = packet->threads;
    packet->masked = warp->path.count - packet->threads;
}

void whole_take(struct sm *sm, struct packet *packet)
{
    struct warp *warp = &sm->warps[packet->slot];
    warp->begun = true;
    for (u32 i = 0; i < warp->path.count; i++) {
        struct thread *thread = warp->path.thread[i];
        if (packet->ins->class_ == WS_CLASS_branch)
            thread->taken = decision_of(sm, thread, thread->decisions);
        if (packet->ins->class_ == WS_CLASS_exit)
            thread->taken = participates(sm, thread, packet->ins);
        if (packet->ins->class_ == WS_CLASS_branch || packet->ins->flags & WS_GUARDED)
            thread->decisions++;
    }
}
