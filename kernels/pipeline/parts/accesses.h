/* Accesses of an instruction to memory: their kind, lines or passes, and the attempt to make one (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_PARTS_ACCESSES_H
#define WS_PIPELINE_PARTS_ACCESSES_H

#include "memory/levels/levels.h"
#include "path/packet.h"

/* Kind of an access; the first four are caches. LDST_LOAD is a load that passes L1. */
enum ldst_kind { LDST_STORE = WS_L1_CACHES, LDST_ATOMIC, LDST_LOAD, LDST_HITS, LDST_PASSES, LDST_NOTHING };

static inline u32 cache_of_space(u32 space)
{
    return space == WS_SPACE_constant ? WS_CACHE_CONSTANT : space == WS_SPACE_texture ? WS_CACHE_TEXTURE : WS_CACHE_DATA;
}

/* Kind of the packet's access. */
static inline u32 ldst_kind_of(PRIVATE const struct sm *sm, PRIVATE const struct packet *packet)
{
    const u32 space = packet->instruction->space, class_ = packet->instruction->class_;
    if (packet->lanes == 0)
        return LDST_NOTHING;
    if (space == WS_SPACE_local || space == WS_SPACE_shared)
        return LDST_PASSES;
    if (space == WS_SPACE_constant)
        return MACHINE(sm, constant_size) == 0 ? LDST_HITS : WS_CACHE_CONSTANT;
    if (space == WS_SPACE_texture)
        return MACHINE(sm, texture_size) == 0 ? LDST_HITS : WS_CACHE_TEXTURE;
    if (MACHINE(sm, memory_ideal))
        return LDST_HITS;
    return class_ == WS_CLASS_load ? WS_CACHE_DATA : class_ == WS_CLASS_store ? LDST_STORE : LDST_ATOMIC;
}

/* Whether the packet has addresses in the trace. */
static inline u32 has_addresses(PRIVATE const struct packet *packet)
{
    return (packet->instruction->flags & WS_ADDRESSED) && packet->lanes != 0;
}

/* Gathers the accesses of the packet into an entry; line: of each lane, which slices need. Defined by ldst_streams.h, or by
 * ldst_predecoded.h for pre-decoded traces. */
static inline void ldst_gather(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet,
                               PRIVATE u32 *line);

/* Enters an access to shared memory that takes so many passes. Runs in all lanes. */
static inline void ldst_enter_passes(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, u32 passes)
{
    count(sm, WS_COUNT_shared_accesses, 1);
    count(sm, WS_COUNT_shared_conflicts, passes - 1);
    if (lane_first())
        entry->count = (u8)passes;
}

/* Enters the accesses of a packet with its entry. */
static inline void ldst_enter_accesses(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet,
                                       PRIVATE u32 *line)
{
    if (!has_addresses(packet)) {
        if (lane_first())
            entry->count = 1;
        return;
    }
    ldst_gather(sm, entry, packet, line);
    if (packet->instruction->space == WS_SPACE_global) {
        count(sm, WS_COUNT_global_accesses, 1);
        count(sm, WS_COUNT_global_lines, packet->access.lines);
    }
}

/* Tries the next access of an entry. First lane only. */
static inline u32 ldst_try(PRIVATE struct sm *sm, GLOBAL const struct ws_ldst *entry)
{
    const u32 kind = entry->kind, n = entry->next;
    if (kind >= LDST_HITS)
        return ACCESS_HIT;
    if (kind == LDST_ATOMIC)
        return l1_pass(sm, REQUEST_ATOMIC, entry->line[n], entry->answers, entry->sectors[n]);
    if (kind == WS_CACHE_DATA && MACHINE(sm, l1_bypass))
        return l1_pass(sm, REQUEST_LOAD, entry->line[n], entry->ticket, 0);
    if (kind == LDST_STORE && MACHINE(sm, l1_store) != WS_store_back)
        return l1_store_line(sm, entry->line[n], entry->answers, entry->sectors[n]);
    return l1_access(sm, kind == LDST_STORE ? WS_CACHE_DATA : kind, entry->line[n], entry->ticket, kind == LDST_STORE);
}

/* Latency of results from a space. */
static inline u32 space_latency(PRIVATE const struct sm *sm, u32 space)
{
    return space == WS_SPACE_shared     ? MACHINE(sm, memory_shared_latency)
           : space == WS_SPACE_constant ? MACHINE(sm, constant_latency)
           : space == WS_SPACE_texture  ? MACHINE(sm, texture_latency)
                                        : MACHINE(sm, l1_latency);
}

/* Counts an access. */
static inline void count_access(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 kind)
{
    count(sm, WS_COUNT_data_port_busy, 1);
    if (kind == LDST_HITS)
        count(sm, instruction->class_ == WS_CLASS_store ? WS_COUNT_l1_store_hits : l1_counter(cache_of_space(instruction->space)),
              1);
}

#endif
