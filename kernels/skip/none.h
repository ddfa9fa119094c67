/* No rounds: each cycle that is not passed over by itself. */
#ifndef WS_SKIP_NONE_H
#define WS_SKIP_NONE_H

#include "skip/skip.h"

static inline u32 rounds_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet)
{
    return 0;
}

#endif
