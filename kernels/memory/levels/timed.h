/* The DRAM by its timings: banks with rows, FCFS or FR-FCFS, one bus (docs/model.md 11). In the first lane. */
#ifndef WS_MEMORY_LEVELS_TIMED_H
#define WS_MEMORY_LEVELS_TIMED_H

#include "memory/dram/map.h"
#include "memory/levels/queue.h"

/* Whether three requests can be sent to it. */
static inline u32 timed_room(PRIVATE const struct sm *sm)
{
    return sm_levels(sm)->at_dram + 3 <= sm->machine->dram_queue;
}

/* L2 sends a request for a line at a cycle; returns it. */
static inline u32 timed_send(PRIVATE const struct sm *sm, u32 line, u32 kind, u32 at)
{
    const u32 index = message_take(sm, line, request_info(kind, 0, 0));
    sm_levels(sm)->at_dram += 1;
    queue_push(sm, &sm_levels(sm)->to_dram, index, at + sm->machine->dram_delay);
    return index;
}

/* When the next request enters. */
static inline u32 timed_enter_at(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_levels *levels = sm_levels(sm);
    const u32 window = sm->machine->dram_window;
    if (window != 0 && levels->entered >= window)
        return WS_NEVER;
    return ws_max(queue_at(sm, &levels->to_dram), levels->enter_at);
}

/* The first request enters the queue of its bank. */
static inline void timed_enter(PRIVATE const struct sm *sm, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    u32 row;
    const u32 index = queue_pop(sm, &levels->to_dram), bank = dram_bank(sm, sm_request(sm, index)->line, &row);
    queue_push(sm, &levels->banks[bank].waits, index, row);
    levels->entered += 1;
    levels->enter_at = at + 1;
    if (levels->banks[bank].ready == WS_NEVER)
        levels->idle |= ws_bit(bank);
}

/* Takes the request that a bank serves next off its queue; ready has its row. */
static inline u32 timed_choose(PRIVATE const struct sm *sm, GLOBAL struct ws_timed_bank *bank)
{
    u32 before = 0, index = bank->waits.first;
    if (sm->machine->dram_scheduler == WS_dram_scheduler_frfcfs)
        while (index != 0 && sm_request(sm, index)->ready + 1 != bank->row) {
            before = index;
            index = sm_request(sm, index)->bank_next;
        }
    if (index == 0 || before == 0)
        return queue_pop(sm, &bank->waits);
    const u16 next = sm_request(sm, index)->bank_next;
    sm_request(sm, before)->bank_next = next;
    if (next == 0)
        bank->waits.last = (u16)before;
    return index;
}

/* A bank that serves nothing takes its next request. */
static inline void timed_pick(PRIVATE struct sm *sm, GLOBAL struct ws_timed_bank *bank, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    GLOBAL const struct ws_plan *plan = sm->plan;
    const u32 index = timed_choose(sm, bank), row = sm_request(sm, index)->ready, hit = bank->row == row + 1;
    u32 ready = at;
    if (!hit) {
        const u32 closed = bank->row != 0 ? ws_max(ws_max(at, bank->activated + plan->t_ras), bank->column) + plan->t_rp : at;
        u32 opens = levels->activated != 0 ? ws_max(closed, levels->activated + plan->t_rrd) : closed;
        opens = bank->row != 0 ? ws_max(opens, bank->activated + plan->t_rc) : opens;
        bank->activated = levels->activated = opens;
        bank->row = row + 1;
        ready = opens + plan->t_rcd;
    }
    bank->current = (u16)index;
    bank->ready = ready;
    count(sm, hit ? WS_COUNT_row_hits : WS_COUNT_row_conflicts, 1);
}

/* Looks for the bank whose column comes next. */
static inline void timed_look_ahead(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    u32 next = 0;
    for (u32 bank = 1; bank < sm->machine->dram_banks; ++bank)
        next = levels->banks[bank].ready < levels->banks[next].ready ? bank : next;
    levels->next_bank = next;
}

/* Banks that serve nothing take their next requests, the lowest first. */
static inline void timed_picks(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    if (levels->idle == 0)
        return;
    for (; levels->idle != 0; levels->idle &= levels->idle - 1)
        timed_pick(sm, &levels->banks[ws_ctz(levels->idle)], at);
    timed_look_ahead(sm);
}

/* When the next column comes. */
static inline u32 timed_column_at(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_levels *levels = sm_levels(sm);
    const u32 ready = levels->banks[levels->next_bank].ready;
    return ready == WS_NEVER ? WS_NEVER : ws_max(ready, levels->bus_free);
}

/* A request leaves the DRAM. */
static inline void timed_served(PRIVATE const struct sm *sm, u32 index)
{
    sm_levels(sm)->at_dram -= 1;
    sm_levels(sm)->refused = 0;
    message_free(sm, index);
}

/* The column of a bank comes. */
static inline void timed_column(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 number = levels->next_bank, sum = levels->bus_remainder + sm->plan->bus, burst = sum / sm->plan->bus_divisor;
    GLOBAL struct ws_timed_bank *bank = &levels->banks[number];
    const u32 index = bank->current, kind = info_kind(sm_request(sm, index)->tickets[0]);
    levels->bus_remainder = sum - burst * sm->plan->bus_divisor;
    levels->bus_free = bank->column = at + burst;
    levels->entered -= 1;
    bank->ready = WS_NEVER;
    if (bank->waits.first != 0)
        levels->idle |= ws_bit(number);
    timed_look_ahead(sm);
    count(sm, WS_COUNT_dram_busy, burst);
    count(sm, kind == REQUEST_L2_WRITE ? WS_COUNT_dram_writes : WS_COUNT_dram_reads, 1);
    if (kind == REQUEST_L2_WRITE)
        timed_served(sm, index);
    else
        queue_push(sm, &levels->back, index, at + sm->plan->t_cl + burst);
}

/* Before the first slice: no bank serves anything. */
static inline void timed_open(PRIVATE const struct sm *sm)
{
    for (u32 bank = 0; bank < WS_BANKS; ++bank)
        sm_levels(sm)->banks[bank].ready = WS_NEVER;
}

/* Cycles of the slice that ends become cycles of the next. */
static inline void timed_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    for (u32 n = 0; n < sm->machine->dram_banks; ++n) {
        GLOBAL struct ws_timed_bank *bank = &sm_levels(sm)->banks[n];
        bank->activated -= ws_min(bank->activated, elapsed);
        bank->column -= ws_min(bank->column, elapsed);
        if (bank->ready != WS_NEVER)
            bank->ready -= ws_min(bank->ready, elapsed);
    }
}

#endif
