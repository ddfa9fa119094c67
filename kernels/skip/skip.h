/* Passing over cycles: in which nothing happens, or what a pipeline can do for several of them at once. The counters are those of
 * the cycles one by one, which is what is left where WS_NO_SKIP is defined. Memory goes on by itself (memory/memory.h,
 * levels/levels.h). SKIPS         whether cycles are passed over skip_to       the cycle after this one, of the next that may not
 * be like it rounds_take   gives the packet's warp and those after it their turns, each an instruction that only takes it to the
 * next; returns whether there were any: sm->now is then the last one's cycle. In rounds.h, or none.h where a pipeline has no rounds
 */
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
