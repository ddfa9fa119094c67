/* Units whose packets are what a slot has to issue: its warp's next instruction, or a part of it. */
#ifndef WS_PATH_SLOT_H
#define WS_PATH_SLOT_H

#include "path/path.h"

/* The slot that has decode for itself, and whose packets go on without being selected; or that none has, or that one has it and
 * cannot go on. select_free: an instruction could be selected now. */
#define DECODE_FREE    WS_NEVER
#define DECODE_BLOCKED (WS_NEVER - 1)
static inline u32 path_decode(PRIVATE struct sm *sm, u32 select_free);

/* The packet that the slot would issue now, at packet->pc: its lanes. What a refused packet changes nobody sees. */
static inline void path_peek(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet);

/* Memory has room for the packet: it is taken. Returns whether it has anything to issue. */
static inline u32 path_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet);

/* The taken packet is issued, its access on its way: what that does to the path. Returns what the slot comes to when it completes.
 */
static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet);

#endif
