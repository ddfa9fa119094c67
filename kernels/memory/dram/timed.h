/* DRAM with DDR timings: banks with rows, FCFS or FR-FCFS, one bus (docs/model/memory.md). The sender defines the kinds of requests
 * and when time advances. First lane only.
 *   timed_push    sends a request to it
 *   timed_next    next cycle in which it acts
 *   timed_cycle   simulates a cycle; completed lines go to the queue `back` */
#ifndef WS_MEMORY_DRAM_TIMED_H
#define WS_MEMORY_DRAM_TIMED_H

#include "memory/dram/map.h"
#include "memory/dram/queue.h"

/* ---- Defined by the sender ---- */

static inline u32 timed_is_write(PRIVATE const struct sm *sm, u32 index);

/* Whether the line is one of icache.line. */
static inline u32 timed_is_code(PRIVATE const struct sm *sm, u32 index);

/* Its length in lines of data, or in sectors where these are read alone. */
static inline u32 timed_length(PRIVATE const struct sm *sm, u32 index);

/* The column access of a write is complete: it leaves the DRAM. */
static inline void timed_written(PRIVATE const struct sm *sm, u32 index);

/* ---- Entering ---- */

/* Sends a request at a cycle. */
static inline void timed_push(PRIVATE const struct sm *sm, u32 index, u32 at)
{
    queue_push(sm, &sm_timed(sm)->sent, index, at + MACHINE(sm, dram_delay));
}

/* Cycle in which the next request enters. */
static inline u32 timed_enter_at(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_timed *timed = sm_timed(sm);
    const u32 window = MACHINE(sm, dram_window);
    if (window != 0 && timed->entered >= window)
        return WS_NEVER;
    return ws_max(timed->sent.at, timed->enter_at);
}

/* The first request enters the queue of its bank. */
static inline void timed_enter(PRIVATE const struct sm *sm, u32 at)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    u32 row;
    const u32 index = queue_pop(sm, &timed->sent), bank = dram_bank(sm, sm_request(sm, index)->line, &row);
    queue_push(sm, &timed->banks[bank].waits, index, row);
    timed->entered += 1;
    timed->enter_at = at + 1;
    if (timed->banks[bank].ready == WS_NEVER)
        timed->idle |= ws_bit(bank);
}

/* ---- Picks ---- */

/* Removes the request that a bank serves next from its queue; ready gets the cycle in which its row is open. */
static inline u32 timed_choose(PRIVATE const struct sm *sm, GLOBAL struct ws_timed_bank *bank)
{
    u32 before = 0, index = bank->waits.first;
    if (MACHINE(sm, dram_scheduler) == WS_dram_scheduler_frfcfs)
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

/* Considers the bank for the next column access. */
static inline void timed_consider(GLOBAL struct ws_timed *timed, u32 bank)
{
    const u32 ready = timed->banks[bank].ready, next = timed->banks[timed->next_bank].ready;
    if (ready < next || (ready == next && bank < timed->next_bank))
        timed->next_bank = bank;
}

/* An idle bank takes its next request. */
static inline void timed_pick(PRIVATE struct sm *sm, u32 number, u32 at)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    GLOBAL struct ws_timed_bank *bank = &timed->banks[number];
    const u32 index = timed_choose(sm, bank), row = sm_request(sm, index)->ready, hit = bank->row == row + 1;
    u32 ready = at;
    if (!hit) {
        const u32 closes = ws_max(ws_max(at, bank->activated + PLAN(sm, t_ras)), bank->column);
        const u32 closed = bank->row != 0 ? closes + PLAN(sm, t_rp) : at;
        u32 opens = timed->activated != 0 ? ws_max(closed, timed->activated + PLAN(sm, t_rrd)) : closed;
        opens = bank->row != 0 ? ws_max(opens, bank->activated + PLAN(sm, t_rc)) : opens;
        bank->activated = timed->activated = opens;
        bank->row = row + 1;
        ready = opens + PLAN(sm, t_rcd);
    }
    bank->current = (u16)index;
    bank->ready = ready;
    timed_consider(timed, number);
    count(sm, hit ? WS_COUNT_row_hits : WS_COUNT_row_conflicts, 1);
}

/* Finds the bank with the next column access. */
static inline void timed_look_ahead(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    u32 next = 0;
    for (u32 bank = 1; bank < MACHINE(sm, dram_banks); ++bank)
        next = timed->banks[bank].ready < timed->banks[next].ready ? bank : next;
    timed->next_bank = next;
}

/* Idle banks take their next requests, lowest bank first. */
static inline void timed_picks(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    for (; timed->idle != 0; timed->idle &= timed->idle - 1)
        timed_pick(sm, ws_ctz(timed->idle), at);
}

/* ---- The column ---- */

/* Cycle of the next column access. */
static inline u32 timed_column_at(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_timed *timed = sm_timed(sm);
    return ws_max(timed->banks[timed->next_bank].ready, timed->bus_free);
}

/* Cycles of the next burst. */
static inline u32 timed_burst(PRIVATE const struct sm *sm, u32 code, u32 length)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    const u32 divisor = PLAN(sm, bus_divisor), sum = timed->bus_remainder + (code ? PLAN(sm, code_bus) : length * PLAN(sm, bus));
    const u32 burst = sum / divisor;
    timed->bus_remainder = sum - burst * divisor;
    return burst;
}

/* Performs the column access of a bank. */
static inline void timed_column(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    GLOBAL struct ws_timed_bank *bank = &timed->banks[timed->next_bank];
    const u32 index = bank->current, writes = timed_is_write(sm, index), code = timed_is_code(sm, index);
    const u32 length = timed_length(sm, index), burst = timed_burst(sm, code, length);
    timed->bus_free = bank->column = at + burst;
    timed->entered -= 1;
    bank->ready = WS_NEVER;
    if (bank->waits.first != 0)
        timed->idle |= ws_bit(timed->next_bank);
    timed_look_ahead(sm);
    count(sm, WS_COUNT_dram_busy, burst);
    count(sm, writes ? WS_COUNT_dram_writes : WS_COUNT_dram_reads, 1);
    count(sm, WS_COUNT_dram_bytes, code ? MACHINE(sm, icache_line) : length * PLAN(sm, data_bytes));
    if (writes)
        timed_written(sm, index);
    else
        queue_push(sm, &timed->back, index, at + ws_max(PLAN(sm, t_cl) + burst, 1));
}

/* ---- A cycle ---- */

/* Next cycle, not before from, in which it acts, arriving lines aside. */
static inline u32 timed_next(PRIVATE const struct sm *sm, u32 from)
{
    const u32 next = ws_min(timed_enter_at(sm), timed_column_at(sm));
    return sm_timed(sm)->idle != 0 ? from : ws_max(next, from);
}

static inline void timed_cycle(PRIVATE struct sm *sm, u32 at)
{
    if (timed_enter_at(sm) <= at)
        timed_enter(sm, at);
    timed_picks(sm, at);
    if (timed_column_at(sm) <= at)
        timed_column(sm, at);
}

/* Before the first quantum: all banks are idle. */
static inline void timed_open(PRIVATE const struct sm *sm)
{
    queue_open(&sm_timed(sm)->sent);
    queue_open(&sm_timed(sm)->back);
    for (u32 bank = 0; bank < WS_BANKS; ++bank)
        sm_timed(sm)->banks[bank].ready = WS_NEVER;
}

/* Rebases times to the start of the next quantum. */
static inline void timed_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    GLOBAL struct ws_timed *timed = sm_timed(sm);
    timed->enter_at -= ws_min(timed->enter_at, elapsed);
    timed->bus_free -= ws_min(timed->bus_free, elapsed);
    timed->activated -= ws_min(timed->activated, elapsed);
    queue_rebase(sm, &timed->sent, elapsed);
    queue_rebase(sm, &timed->back, elapsed);
    for (u32 n = 0; n < MACHINE(sm, dram_banks); ++n) {
        GLOBAL struct ws_timed_bank *bank = &timed->banks[n];
        bank->activated -= ws_min(bank->activated, elapsed);
        bank->column -= ws_min(bank->column, elapsed);
        if (bank->ready != WS_NEVER)
            bank->ready -= ws_min(bank->ready, elapsed);
    }
}

#endif
