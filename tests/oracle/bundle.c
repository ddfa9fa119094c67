#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/sm.h"

u32 bundle_count(const struct bundle *bundle)
{
    u32 threads = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        threads += bundle->thread[lane] != NULL;
    return threads;
}

u32 bundle_lowest(const struct bundle *bundle)
{
    u32 lane = 0;
    while (!bundle->thread[lane])
        lane++;
    return lane;
}

void bundles_append(struct bundle **list, const struct bundle *bundle)
{
    struct bundle *copy = oracle_allocate(1, sizeof *copy);
    *copy = *bundle;
    copy->next = NULL;
    while (*list)
        list = &(*list)->next;
    *list = copy;
}

void bundles_drop(struct bundle **place)
{
    struct bundle *bundle = *place;
    *place = bundle->next;
    free(bundle);
}

void bundles_free(struct bundle **list)
{
    while (*list)
        bundles_drop(list);
}

void bundles_places(const struct sm *sm, const struct bundle *list, u32 slot, bool under_way)
{
    for (const struct bundle *bundle = list; bundle; bundle = bundle->next)
        for (u32 lane = 0; lane < WS_LANES; lane++) {
            const struct thread *thread = bundle->thread[lane];
            if (thread && thread->slot == slot)
                invariants_place(sm, thread, under_way ? UNDER_WAY : thread->pc, false);
        }
}
