/* Events of warps and blocks in a step, in the order in which policies see them (pro.when). */
#include <stdlib.h>

#include "oracle/sm.h"

void event_add(struct sm *sm, enum event_kind kind, u32 slot, u32 block)
{
    sm->events = oracle_grow(sm->events, sm->event_count, sizeof *sm->events);
    sm->events[sm->event_count++] = (struct event){.kind = kind, .slot = slot, .block = block};
}

/* Blocks enter, and get block slots, in their order; the order of releases does not matter. */
static bool comes_before(const struct event *one, const struct event *other)
{
    return one->kind != other->kind ? one->kind < other->kind : one->slot < other->slot;
}

static void sort(struct sm *sm)
{
    for (size_t i = 1; i < sm->event_count; i++)
        for (size_t k = i; k > 0 && comes_before(&sm->events[k], &sm->events[k - 1]); k--) {
            const struct event earlier = sm->events[k];
            sm->events[k] = sm->events[k - 1];
            sm->events[k - 1] = earlier;
        }
}

void events_deliver(struct sm *sm)
{
    sort(sm);
    for (size_t i = 0; i < sm->event_count && sm->rules.policy->event; i++)
        sm->rules.policy->event(sm, &sm->events[i]);
    sm->event_count = 0;
}
