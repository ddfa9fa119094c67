/* `majority_table`: `majority` with a table of limited size, roughly in order (docs/model/schedulers.md; Fung 4.3). */
#ifndef WS_SCHEDULE_POOL_MAJORITY_TABLE_H
#define WS_SCHEDULE_POOL_MAJORITY_TABLE_H

/* Place of a pc in the table, or that after the last. */
static inline u32 table_find(PRIVATE const struct sm *sm, u32 pc)
{
    u32 n = 0;
    while (n < sm_pool(sm)->entries && sm_majority_entries(sm)[n].pc != pc)
        ++n;
    return n;
}

static inline u32 majority_table_choose(PRIVATE struct sm *sm)
{
    u32 best = sm_pool(sm)->kept_pc == WS_NEVER ? WS_NO_PLACE : pool_oldest(sm, sm_pool(sm)->kept_pc);
    for (u32 n = 0; n < sm_pool(sm)->entries && best == WS_NO_PLACE; ++n)
        best = pool_oldest(sm, sm_majority_entries(sm)[n].pc);
    return best == WS_NO_PLACE ? pool_oldest(sm, WS_NEVER) : best;
}

static inline void majority_table_joins(PRIVATE struct sm *sm, u32 pc, u32 threads)
{
    GLOBAL struct ws_majority *entries = sm_majority_entries(sm);
    const u32 n = table_find(sm, pc);
    if (n == MACHINE(sm, dwf_majority_table)) {
        count(sm, WS_COUNT_majority_overflows, 1);
        return;
    }
    if (n == sm_pool(sm)->entries) {
        const struct ws_majority entry = {(u16)pc, 0};
        entries[n] = entry;
        sm_pool(sm)->entries += 1;
    }
    entries[n].threads += (u16)threads;
    if (n > 0 && entries[n].threads > entries[n - 1].threads) {
        const struct ws_majority entry = entries[n];
        entries[n] = entries[n - 1];
        entries[n - 1] = entry;
    }
}

static inline void majority_table_leaves(PRIVATE struct sm *sm, u32 pc, u32 threads)
{
    GLOBAL struct ws_majority *entries = sm_majority_entries(sm);
    u32 n = table_find(sm, pc);
    if (n == sm_pool(sm)->entries)
        return;
    entries[n].threads -= (u16)ws_min(threads, entries[n].threads);
    if (entries[n].threads != 0)
        return;
    sm_pool(sm)->entries -= 1;
    for (; n < sm_pool(sm)->entries; ++n)
        entries[n] = entries[n + 1];
}

#endif
