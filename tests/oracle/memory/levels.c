/* The order of memory's actions in a cycle (mem.order). */
#include "oracle/memory/levels.h"

#include <stdlib.h>

#include "oracle/invariants.h"

enum { DRAIN_CYCLES = 1 << 24 };

void levels_start(struct sm *sm)
{
    sm->levels = oracle_allocate(1, sizeof *sm->levels);
    l1_start(sm);
    l2_start(sm);
    replies_start(sm);
    timed_start(sm);
}

void levels_finish(struct sm *sm)
{
    l1_finish(sm);
    messages_free(&sm->levels->sent);
    l2_finish(sm);
    replies_finish(sm);
    timed_finish(sm->timed);
    free(sm->levels);
}

void levels_cycle(struct sm *sm)
{
    replies_cycle(sm);
    timed_lines(sm);
    l2_cycle(sm);
    timed_cycle(sm);
}

u32 levels_reads(const struct sm *sm)
{
    u32 reads = 0;
    for (enum l1_cache cache = 0; cache < L1_CACHES; cache++)
        reads += l1_reads(sm, cache);
    return reads;
}

void levels_check(const struct sm *sm)
{
    const u32 held = messages_count(&sm->levels->sent) + l2_waiting(sm) + replies_under_way(sm) + timed_messages(sm);
    if (held != sm->levels->unanswered)
        invariants_violation(sm, NULL, "%u requests are unanswered, and %u somewhere", sm->levels->unanswered, held);
    if (held > sm->machine->dram_queue)
        invariants_violation(sm, NULL, "%u requests are unanswered", held);
    if (timed_unserved(sm) > sm->machine->dram_queue)
        invariants_violation(sm, NULL, "%u requests are unserved", timed_unserved(sm));
    l1_check(sm);
    l2_check(sm);
}

void levels_drain(struct sm *sm)
{
    u64 scratch[WS_COUNTERS] = {0}, *const counters = sm->counters;
    sm->counters = scratch;
    for (u32 i = 0; i < DRAIN_CYCLES && (sm->levels->unanswered > 0 || timed_unserved(sm) > 0); i++) {
        sm->now++;
        levels_cycle(sm);
    }
    sm->counters = counters;
    if (sm->levels->unanswered > 0 || timed_unserved(sm) > 0 || l2_reads(sm) > 0)
        invariants_violation(sm, NULL, "%u requests are never answered, %u never served, %u lines never come",
                             sm->levels->unanswered, timed_unserved(sm), l2_reads(sm));
    levels_check(sm);
}
