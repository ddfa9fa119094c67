/* Path units decide which threads share a pc and issue together. A unit defines the functions below, and those of path/slot.h or
 * pipeline/pool/threads.h. It knows neither fetch nor ports nor why a slot is lost; the pipeline knows neither masks nor stacks.
 *
 * A warp in its slot is *ready* when it has an instruction to issue and nothing keeps it from being selected; who says so is the
 * pipeline's business (in the barrel: pipeline/barrel/warps.h). What issues in one slot is a packet: peek at it, take it, let it
 * take effect. What completes comes back through functions that depend on whether a warp can have several packets in flight:
 * pipeline/barrel/single.h and several.h list them. */
#ifndef WS_PATH_PATH_H
#define WS_PATH_PATH_H

#include "path/packet.h"

/* A warp enters the slot with its first threads threads, ready from a cycle on: the current one, or the next. */
static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle);

/* Slots that wait for others of the unit. To a scheduler they are like those that wait for data. */
static inline slot_set path_awaits(PRIVATE const struct sm *sm);

/* The threads of the lanes in mask, for what reads the trace. */
static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask);

/* What a slot comes to when its packet completes; a unit has values of its own from OUTCOME_PATH on. */
enum outcome { OUTCOME_NEXT, OUTCOME_BARRIER, OUTCOME_PATH };

/* Nothing keeps the slots from being selected any more: a barrier has let them go, or in the barrel their instruction line is
 * there. */
static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots);

/* A barrier has let the slots go: they are ready, but for those returned, which come to OUTCOME_PATH in the next cycle. */
static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots);

#endif
