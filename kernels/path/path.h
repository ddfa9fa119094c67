/* Path units decide which threads share a pc and issue together. A unit defines the functions below, and those of path/slot.h or
 * pipeline/pool/threads.h. A unit knows neither fetch nor ports nor stall reasons; the pipeline knows neither masks nor stacks.
 *
 * A warp in its slot is *ready* when it has an instruction to issue and may be selected; the pipeline decides that (in the barrel:
 * pipeline/barrel/warps.h). What issues in one slot is a packet. The pipeline peeks at it, takes it, and applies its effect.
 * Completion depends on whether a warp may have several packets in flight: see pipeline/barrel/single.h and several.h. */
#ifndef WS_PATH_PATH_H
#define WS_PATH_PATH_H

#include "path/packet.h"

/* A warp enters the slot with its first threads threads, ready from a cycle on: the current one or the next. */
static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle);

/* Slots that wait for others of the unit. A scheduler treats them like those that wait for data. */
static inline slot_set path_awaits(PRIVATE const struct sm *sm);

/* The threads of the lanes in mask, for readers of the trace. */
static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask);

/* Outcome of a packet for its slot; a unit has values of its own from OUTCOME_PATH on. */
enum outcome { OUTCOME_NEXT, OUTCOME_BARRIER, OUTCOME_PATH };

/* The slots may be selected again: a barrier has released them, or in the barrel their instruction line has arrived. */
static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots);

/* A barrier has released the slots: they are ready, except for those returned, which have outcome OUTCOME_PATH in the next
 * cycle. */
static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots);

#endif
