/* Units that issue every instruction of a warp as one packet. */
#ifndef WS_PATH_WHOLE_H
#define WS_PATH_WHOLE_H

#include "path/slot.h"

/* Slots have an outcome of the unit's own. */
static inline void path_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots);

/* ---- Units that have rounds (skip/rounds.h) ---- */

/* Whether the warp's next instruction only advances its pc to the next one. Runs in the warp's lane. */
static inline u32 path_only_moves_on(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 warp);

/* The warp issues that instruction. Runs in the warp's lane. Returns its active threads. */
static inline u32 path_moves_on(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                                GLOBAL const struct ws_instruction *instruction);

/* The warps have issued such instructions. */
static inline void path_moved_on(PRIVATE struct sm *sm, slot_set warps);

#endif
