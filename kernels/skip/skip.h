/* Skipping cycles: those in which nothing happens, and rounds of several cycles. Counters equal those of single cycles, which
 * remain with WS_NO_SKIP. Memory skips by itself (memory/memory.h, levels/levels.h).
 *   SKIPS         whether cycles are skipped
 *   skip_to       the cycle after this one, or the next whose outcome can differ
 *   rounds_take   issues the packet's warp and its successors in turn, while each instruction only advances its pc; returns whether
 *                 there were any: sm->now is then the last one's cycle. In rounds.h, or none.h for pipelines without rounds */
#ifndef WS_SKIP_SKIP_H
#define WS_SKIP_SKIP_H

#include "path/packet.h"

#ifdef WS_NO_SKIP
#define SKIPS 0
#else
#define SKIPS 1
#endif

static inline u32 rounds_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet);

static inline u32 skip_to(PRIVATE const struct sm *sm, u32 next)
{
    return SKIPS ? next : sm->now + 1;
}

#endif
