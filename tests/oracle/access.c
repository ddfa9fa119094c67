/* Instruction fetches and memory accesses (section 5). */
#include "oracle/sm.h"

u32 code_line_of(const struct sm *sm, u32 pc)
{
    const struct ws_machine *m = sm->machine;
    return WS_CODE_GRANULE / (m->icache_line / WS_GRANULE_BYTES) + pc * m->icache_instruction_bytes / m->icache_line;
}

bool code_present(const struct sm *sm, u32 pc)
{
    return sm->machine->icache_size == 0 || cache_find(&sm->code, code_line_of(sm, pc)) != NULL;
}

void fetch_hit(struct sm *sm, u32 pc)
{
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_icache_hits, 1);
    if (sm->machine->icache_size)
        cache_touch(&sm->code, cache_find(&sm->code, code_line_of(sm, pc)));
}

bool fetch_miss(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    const u32 line = code_line_of(sm, warp->pc);
    const bool in_flight = memory_reading(sm, READ_CODE, line) != NULL;
    if (!in_flight && memory_room(sm) < 1)
        return false;
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_icache_misses, 1);
    if (in_flight)
        count(sm, WS_COUNT_icache_merges, 1);
    else
        memory_send(sm, READ_CODE, line);
    warp->waits_instruction = true;
    warp->code_line = line;
    return true;
}

static bool accesses(const struct ws_instruction *ins, u32 space)
{
    return (ins->class_ == WS_CLASS_load || ins->class_ == WS_CLASS_store || ins->class_ == WS_CLASS_atomic) && ins->space == space;
}

/* The distinct lines of the threads' next addresses, in order of their lowest lane. */
static u32 lines_of(const struct sm *sm, const struct warp *warp, const u16 thread[WS_LANES], u32 lines[WS_LANES])
{
    u32 found = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        if (thread[lane] == ORACLE_NO_THREAD)
            continue;
        const u32 line = next_access(sm, warp, thread[lane]) / (sm->machine->l1_line / WS_GRANULE_BYTES);
        u32 i = 0;
        while (i < found && lines[i] != line)
            i++;
        if (i == found)
            lines[found++] = line;
    }
    return found;
}

/* What one line of an access asks for: a read of the line, a write of it. */
static void asks_for(const struct sm *sm, u32 class_, bool *reads, bool *writes)
{
    const bool through = sm->machine->l1_store == WS_store_through;
    *reads = class_ != WS_CLASS_store || !through;
    *writes = class_ != WS_CLASS_load && through;
}

bool access_fits(const struct sm *sm, const struct warp *warp, const u16 thread[WS_LANES])
{
    const struct ws_instruction *ins = instruction_of(sm, warp);
    if (!accesses(ins, WS_SPACE_global) || sm->machine->memory_ideal == WS_toggle_on)
        return true;
    u32 lines[WS_LANES], new_reads = 0, new_writes = 0;
    bool reads, writes;
    asks_for(sm, ins->class_, &reads, &writes);
    const u32 found = lines_of(sm, warp, thread, lines);
    for (u32 i = 0; i < found; i++) {
        new_reads += reads && !cache_find(&sm->data, lines[i]) && !memory_reading(sm, READ_DATA, lines[i]);
        new_writes += writes;
    }
    const u32 mshrs = sm->machine->l1_mshrs;
    return new_reads + new_writes <= memory_room(sm) && (mshrs == 0 || memory_reads_of_data(sm) + new_reads <= mshrs);
}

static void access_line(struct sm *sm, struct unit *unit, u32 class_, u32 number)
{
    const bool store = class_ == WS_CLASS_store;
    const bool dirties = class_ != WS_CLASS_load && sm->machine->l1_store == WS_store_back;
    bool reads, writes;
    asks_for(sm, class_, &reads, &writes);
    struct line *line = cache_find(&sm->data, number);
    if (line) {
        count(sm, store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits, 1);
        cache_touch(&sm->data, line);
        line->dirty |= dirties;
    } else {
        count(sm, store ? WS_COUNT_l1_store_misses : WS_COUNT_l1_misses, 1);
    }
    if (!line && reads) {
        struct request *read = memory_reading(sm, READ_DATA, number);
        if (read)
            count(sm, WS_COUNT_l1_merges, 1);
        else
            read = memory_send(sm, READ_DATA, number);
        read->dirty |= dirties;
        unit->waits[unit->wait_count++] = number;
        unit->missed = true;
    }
    if (writes)
        memory_send(sm, WRITE_DATA, number);
    count_most(sm, WS_COUNT_mshrs_most, memory_reads_of_data(sm));
}

/* Returns the cycles for which the port is held. */
static u32 access_global(struct sm *sm, const struct warp *warp, struct unit *unit, u32 class_)
{
    u32 lines[WS_LANES];
    const u32 found = lines_of(sm, warp, unit->thread, lines);
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, found);
    if (sm->machine->memory_ideal == WS_toggle_on)
        count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits, found);
    else
        for (u32 i = 0; i < found; i++)
            access_line(sm, unit, class_, lines[i]);
    return found;
}

static u32 access_shared(struct sm *sm, const struct warp *warp, const struct unit *unit)
{
    u32 most = 0;
    for (u32 bank = 0; bank < sm->machine->memory_shared_banks; bank++) {
        u32 words[WS_LANES], distinct = 0;
        for (u32 lane = 0; lane < WS_LANES; lane++) {
            if (unit->thread[lane] == ORACLE_NO_THREAD)
                continue;
            const u32 word = next_access(sm, warp, unit->thread[lane]);
            u32 i = 0;
            while (i < distinct && words[i] != word)
                i++;
            if (word % sm->machine->memory_shared_banks == bank && i == distinct)
                words[distinct++] = word;
        }
        most = distinct > most ? distinct : most;
    }
    count(sm, WS_COUNT_shared_accesses, 1);
    count(sm, WS_COUNT_shared_conflicts, most - 1);
    return most;
}

/* Cycle in which an access that holds the port k cycles starts. */
static u64 hold_port(struct sm *sm, u32 k)
{
    const u64 starts = sm->now > sm->port_free ? sm->now : sm->port_free;
    sm->port_free = starts + k;
    count(sm, WS_COUNT_port_busy, k);
    return starts;
}

/* A unit of as many threads as a warp has, but at most 32, enters simd_width threads a cycle. */
static u32 entry_cycles(const struct sm *sm)
{
    u32 cycles = 0;
    for (u32 thread = 0; thread < sm->machine->core_warp_size && thread < 32; thread += sm->machine->core_simd_width)
        cycles++;
    return cycles;
}

void access_perform(struct sm *sm, struct warp *warp, struct unit *unit)
{
    const struct ws_instruction *ins = instruction_of(sm, warp);
    u32 threads = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        threads += unit->thread[lane] != ORACLE_NO_THREAD;
    sm->lanes_free = sm->now + entry_cycles(sm);
    unit->earliest = sm->lanes_free - 1 + sm->machine->core_depth;
    if (threads == 0)
        return;
    if (accesses(ins, WS_SPACE_local))
        count(sm, WS_COUNT_private_accesses, 1);
    if (!accesses(ins, WS_SPACE_global) && !accesses(ins, WS_SPACE_shared))
        return;
    const u32 k = ins->space == WS_SPACE_global ? access_global(sm, warp, unit, ins->class_) : access_shared(sm, warp, unit);
    const u64 passed = hold_port(sm, k) + k - 1 + sm->machine->core_depth;
    if (passed > unit->earliest)
        unit->earliest = passed;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (unit->thread[lane] != ORACLE_NO_THREAD)
            keeper(sm, warp)->access[unit->thread[lane]]++;
}
