/* No rounds: each simulated cycle is simulated alone. */
#ifndef WS_SKIP_NONE_H
#define WS_SKIP_NONE_H

#include "skip/skip.h"

static inline u32 rounds_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet)
{
    return 0;
}

#endif
