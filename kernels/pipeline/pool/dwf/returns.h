/* Threads whose line has arrived return in new packets (docs/model/divergence.md). First lane only. */
#ifndef WS_PIPELINE_POOL_DWF_RETURNS_H
#define WS_PIPELINE_POOL_DWF_RETURNS_H

#include "pipeline/pool/dwf/form.h"

/* Place of a thread in a returning packet, WS_NEVER for none. */
static inline u32 place_for(PRIVATE const struct sm *sm, u32 packet, u32 thread)
{
    const u32 mask = dynamic_warp(sm, packet)->mask;
    const u32 place = is_aware(sm) ? sm_home_lane(sm)[thread] : ws_popcount(mask);
    return place < MACHINE(sm, core_warp_size) && !(mask >> place & 1) ? place : WS_NEVER;
}

/* Moves a thread of a packet to a returning one. The returning packet stays convergent if the thread is at its pc. Packets that
 * access memory do not branch: all their threads are at one pc. */
static inline void thread_joins(PRIVATE const struct sm *sm, u32 n, u32 packet, u32 thread)
{
    GLOBAL struct ws_dynamic_warp *to = dynamic_warp(sm, n);
    GLOBAL const struct ws_dynamic_warp *from = dynamic_warp(sm, packet);
    sm_thread_pc(sm)[thread] = from->pc;
    if (!to->apart && from->pc != to->pc) {
        for (u32 places = to->mask; places != 0; places &= places - 1)
            sm_thread_pc(sm)[dynamic_threads(sm, n)[ws_ctz(places)]] = to->pc;
        to->apart = 1;
    }
    dynamic_place(sm, n, place_for(sm, n, thread), thread);
}

/* A thread of a packet joins the first packet that returns for its line, from `first` on, that has a place for it. Returns that
 * first packet. */
static inline u32 thread_returns(PRIVATE struct sm *sm, u32 packet, u32 thread, u32 first)
{
    u32 n = first;
    while (n != WS_NO_WARP && place_for(sm, n, thread) == WS_NEVER)
        n = dynamic_warp(sm, n)->next;
    if (n == WS_NO_WARP) {
        n = dynamic_sibling(sm, packet);
        dynamic_returns(sm, n);
    }
    thread_joins(sm, n, packet, thread);
    return first == WS_NO_WARP ? n : first;
}

static inline u32 pooled_line(PRIVATE struct sm *sm, u32 packet, u32 places, u32 first)
{
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, packet);
    if (first == WS_NO_WARP && keeps_places(sm, places)) {
        first = dynamic_split(sm, packet, places);
        dynamic_returns(sm, first);
        return first;
    }
    for (u32 left = places; left != 0; left &= left - 1)
        first = thread_returns(sm, packet, dynamic_threads(sm, packet)[ws_ctz(left)], first);
    warp->mask &= ~places;
    if (warp->mask == 0)
        dynamic_free(sm, packet);
    return first;
}

#endif
