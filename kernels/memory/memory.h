/* Memory as pipelines see it. It knows no warps: who waits for a line leaves a ticket (memory/tickets.h).
 *   access_global   prepares an access of a packet's lanes; says what room in the queue it waits for      memory/l1.h
 *   access_send     sends it                                                                              memory/l1.h
 *   access_shared   prepares an access to shared memory, which always goes                                memory/shared.h
 *   icache_fetch    looks up an instruction; icache_touch when it is used                                 memory/icache.h
 *   memory_arrives  the next line that is there, with its tickets; drain_writes passes over what nobody waits for */
#ifndef WS_MEMORY_MEMORY_H
#define WS_MEMORY_MEMORY_H

#include "memory/icache.h"
#include "memory/l1.h"
#include "memory/shared.h"

/* A burst that has ended. */
struct arrival {
    u32 flags; /* WS_REQUEST_WRITE, WS_REQUEST_CODE */
    slot_set tickets;
};

/* Puts the line of a retired read into its cache; a dirty victim is written back. In the first lane. */
static inline void memory_fill(PRIVATE struct sm *sm, u32 index)
{
    const u32 line = sm_request(sm, index)->line;
    const u32 flags = sm_request(sm, index)->bank_next;
    if (flags & WS_REQUEST_CODE) {
        cache_fill(icache_set(sm, line), sm->machine->icache_ways, line, 0);
        return;
    }
    const u32 victim = cache_fill(l1_set(sm, line), sm->machine->l1_ways, line, flags & WS_REQUEST_DIRTY);
    if (victim & WS_TAG_DIRTY) {
        count(sm, WS_COUNT_l1_writebacks, 1);
        dram_request(sm, victim >> 2, WS_REQUEST_WRITE);
    }
}

/* The burst that ends at sm->fill_at. A read fills its cache. */
static inline void memory_arrives(PRIVATE struct sm *sm, PRIVATE struct arrival *arrival)
{
    u32 flags = 0, fill_at = 0;
    slot_set tickets = slots_none();
    if (lane_first()) {
        const u32 index = dram_retire(sm, sm->fill_at);
        flags = sm_request(sm, index)->bank_next;
        tickets = tickets_of(sm_request(sm, index));
        if (!(flags & WS_REQUEST_WRITE))
            memory_fill(sm, index);
        fill_at = bus_next(sm);
    }
    arrival->flags = lanes_from_first(&sm->lanes, flags);
    for (u32 n = 0; n < WS_SLOT_WORDS; ++n)
        slots_put_word(&arrival->tickets, n, lanes_from_first(&sm->lanes, slots_word(tickets, n)));
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
}

/* Bursts of writes that end before a cycle and leave less room in the queue than is wanted: nothing else comes of them. */
static inline void drain_writes(PRIVATE struct sm *sm, u32 before)
{
    if (sm->fill_at >= before)
        return;
    u32 fill_at = sm->fill_at;
    if (lane_first()) {
        while (fill_at < before && bus_writes(sm) && sm->machine->dram_queue - sm_memory(sm)->held + 1 < sm->wanted) {
            dram_retire(sm, fill_at);
            fill_at = bus_next(sm);
        }
    }
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
}

/* Before the first slice: no burst waits. In the first lane. */
static inline void memory_open(PRIVATE const struct sm *sm)
{
    for (u32 bank = 0; bank < WS_BANKS; ++bank)
        sm_memory(sm)->banks[bank].head_ready = WS_NEVER;
}

#endif
