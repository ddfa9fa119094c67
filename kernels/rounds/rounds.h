/* Cycles done together. A pipeline's cycle comes here once, with a packet that it would issue. */
#ifndef WS_ROUNDS_ROUNDS_H
#define WS_ROUNDS_ROUNDS_H

#include "path/packet.h"

/* Gives the packet's warp and those after it their turns, each an instruction that only takes it to the next; returns whether there
 * were any. sm->now is then the last one's cycle. */
static inline u32 rounds_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet);

#endif
