/* A pipeline takes an SM through its cycles. It defines:
 *   cycle                 simulates this cycle and skips those after it in which nothing changes; sm->now is then the next one
 *   admit                 a warp has entered its slot (dispatch/dispatch.h)
 *   pipeline_open         initializes before the first quantum; first lane only
 *   pipeline_wants_room   whether the quantum ended because the pool of requests must grow; first lane only
 *   pipeline_totals       counters of the quantum derived from others; first lane only
 *   pipeline_rebase       rebases its times outside the kept fields to the next quantum; first lane only */
#ifndef WS_PIPELINE_PIPELINE_H
#define WS_PIPELINE_PIPELINE_H

#include "dispatch/dispatch.h"
#include "path/path.h"
#include "schedule/policy.h"

/* Outcome of an issue slot. */
enum slot {
    SLOT_ISSUED = WS_EVENT_issue,
    SLOT_IDLE = WS_EVENT_idle,
    SLOT_SCOREBOARD = WS_EVENT_scoreboard,
    SLOT_PIPELINE = WS_EVENT_pipeline,
    SLOT_QUEUE_FULL
};

/* Outcomes of several ports in one word: port n from bit SLOT_BITS * n on. */
#define SLOT_BITS 4u

/* The word in which some ports, a mask, all have the same outcome. */
static inline u32 ports_with(u32 ports, u32 slot)
{
    ports = (ports | ports << 12) & 0x000F000Fu;
    ports = (ports | ports << 6) & 0x03030303u;
    ports = (ports | ports << 3) & 0x11111111u;
    return ports * slot;
}

/* Memory has no room for the warp's packet until the queue has as much room as wanted. */
static inline u32 refuse(PRIVATE struct sm *sm, u32 warp, u32 wanted)
{
    sm->refused = slots_with(sm->refused, warp);
    sm->wanted = ws_min(sm->wanted, wanted);
    return SLOT_QUEUE_FULL;
}

/* Clears the refusals: memory may have room now. */
static inline void readmit(PRIVATE struct sm *sm)
{
    sm->refused = slots_none();
    sm->wanted = WS_NEVER;
}

/* Counts a packet that starts an instruction as fetched, and reports its issue to the scheduler. */
static inline void count_fetched(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 issues)
{
    const struct issued issued = {packet->slot, packet->executed + packet->skipped, packet->effective, packet->begins, issues};
    if (packet->begins) {
        if (slot_is(packet->slot))
            lanes->fetched[AT(packet->slot)] += 1;
        count(sm, WS_COUNT_instructions_fetched, 1);
    }
    policy_issued(sm, lanes, &issued);
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void pipeline_open(PRIVATE struct sm *sm);

static inline u32 pipeline_wants_room(PRIVATE const struct sm *sm);

static inline void pipeline_totals(PRIVATE struct sm *sm);

static inline void pipeline_rebase(PRIVATE struct sm *sm, u32 elapsed);

#endif
