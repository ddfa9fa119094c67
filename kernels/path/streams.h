/* Units that read the streams of threads during simulation: all but `predecoded`. */
#ifndef WS_PATH_STREAMS_H
#define WS_PATH_STREAMS_H

#include "path/path.h"
#include "state/streams.h"

/* A warp enters: at pc 0, its stack empty. */
static inline void path_open(PRIVATE struct sm_lanes *lanes, u32 warp)
{
    lanes->pc[AT(warp)] = 0;
    lanes->depth[AT(warp)] = 0;
    lanes->reconverge_pc[AT(warp)] = WS_NEVER;
}

#endif
