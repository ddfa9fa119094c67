/* Units whose packets come from the warp in a slot: its next instruction, or part of it. */
#ifndef WS_PATH_SLOT_H
#define WS_PATH_SLOT_H

#include "path/path.h"

/* The slot that holds decode and continues without selection; DECODE_FREE: none; DECODE_BLOCKED: one that cannot continue.
 * select_free: an instruction could be selected now. */
#define DECODE_FREE    WS_NEVER
#define DECODE_BLOCKED (WS_NEVER - 1)
static inline u32 path_decode(PRIVATE struct sm *sm, u32 select_free);

/* The packet that the slot would issue now, at packet->pc: its lanes. A refused packet leaves no visible change. */
static inline void path_peek(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet);

/* Memory has room for the packet, which is taken. Returns whether it has anything to issue. */
static inline u32 path_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet);

/* Applies the issued packet to the path; its access is on its way. Returns the slot's outcome when it completes. */
static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet);

#endif
