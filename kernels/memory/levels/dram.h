/* Interface between L2 and DRAM with DDR timings (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_LEVELS_DRAM_H
#define WS_MEMORY_LEVELS_DRAM_H

#include "memory/dram/timed.h"
#include "memory/levels/message.h"

/* Whether DRAM takes three more requests. */
static inline u32 timed_room(PRIVATE const struct sm *sm)
{
    return sm_levels(sm)->at_dram + 3 <= MACHINE(sm, dram_queue);
}

/* L2 sends a request for a line, or for some sectors of one, at a cycle; returns the request. */
static inline u32 timed_send(PRIVATE const struct sm *sm, u32 line, u32 kind, u32 sectors, u32 at)
{
    const u32 index = message_take(sm, line, request_info(kind, 0, sectors));
    sm_levels(sm)->at_dram += 1;
    timed_push(sm, index, at);
    return index;
}

/* A request leaves the DRAM. */
static inline void timed_served(PRIVATE const struct sm *sm, u32 index)
{
    sm_levels(sm)->at_dram -= 1;
    sm_levels(sm)->refused = 0;
    message_free(sm, index);
}

static inline u32 timed_is_write(PRIVATE const struct sm *sm, u32 index)
{
    return info_kind(sm_request(sm, index)->tickets[0]) == REQUEST_L2_WRITE;
}

static inline u32 timed_is_code(PRIVATE const struct sm *sm, u32 index)
{
    return 0;
}

static inline u32 timed_length(PRIVATE const struct sm *sm, u32 index)
{
    return info_sectors(sm_request(sm, index)->tickets[0]);
}

static inline void timed_written(PRIVATE const struct sm *sm, u32 index)
{
    timed_served(sm, index);
}

#endif
