/* Round robin and the two levels (section 7). With rr all slots are one group. */
#include "oracle/sm.h"

static u32 group_size(const struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    return m->schedule_policy == WS_policy_two_level ? m->schedule_fetch_group : m->core_warps;
}

static u32 groups(const struct sm *sm)
{
    return (sm->machine->core_warps + group_size(sm) - 1) / group_size(sm);
}

static u32 first_slot(const struct sm *sm, u32 group)
{
    return group * group_size(sm);
}

static u32 slots_of(const struct sm *sm, u32 group)
{
    const u32 rest = sm->machine->core_warps - first_slot(sm, group);
    return rest < group_size(sm) ? rest : group_size(sm);
}

/* Round robin inside a group: NO_WARP when nothing in it is selectable. */
static u32 choose_in(const struct sm *sm, u32 group)
{
    const u32 first = first_slot(sm, group), slots = slots_of(sm, group);
    u32 chosen = NO_WARP;
    for (u32 i = 0; i < slots; i++) {
        const u32 slot = first + (sm->pointer[group] - first + i) % slots;
        if (!warp_selectable(sm, slot))
            continue;
        if (chosen == NO_WARP)
            chosen = slot;
        else if (sm->machine->schedule_round_robin == WS_round_robin_fewest && sm->warps[slot].fetched < sm->warps[chosen].fetched)
            chosen = slot;
    }
    return chosen;
}

/* Sticky round robin: the first selectable warp from the pointer on. */
static u32 choose_sticky(const struct sm *sm)
{
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const u32 slot = (sm->pointer[0] + i) % sm->machine->core_warps;
        if (warp_selectable(sm, slot))
            return slot;
    }
    return NO_WARP;
}

u32 schedule_choose(const struct sm *sm)
{
    if (sm->machine->schedule_policy == WS_policy_srr)
        return choose_sticky(sm);
    for (u32 i = 0; i < groups(sm); i++) {
        const u32 chosen = choose_in(sm, (sm->top + i) % groups(sm));
        if (chosen != NO_WARP)
            return chosen;
    }
    return NO_WARP;
}

void schedule_selected(struct sm *sm, u32 slot)
{
    if (sm->machine->schedule_policy == WS_policy_srr)
        return;
    const u32 group = slot / group_size(sm), first = first_slot(sm, group);
    sm->pointer[group] = first + (slot - first + 1) % slots_of(sm, group);
}

void schedule_count_begun(struct sm *sm, u32 slot)
{
    if (sm->machine->schedule_timeout_unit == WS_timeout_unit_warp && slot / group_size(sm) == sm->top)
        sm->issued_from_top++;
}

void schedule_count_threads(struct sm *sm, u32 slot, u64 threads)
{
    if (sm->machine->schedule_timeout_unit == WS_timeout_unit_thread && slot / group_size(sm) == sm->top)
        sm->issued_from_top += threads;
}

static bool awaits(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    return warp->waits_instruction || warp->at_barrier || warp->waits == WAITS_AT_INSTRUCTION || warp->waits == WAITS_AT_MEETING ||
           warp_waits_for_memory(sm, slot);
}

static bool goes_on(const struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    return warp->resident && !warp->ended && !warp->out && !awaits(sm, slot);
}

static bool stalled(const struct sm *sm, u32 group)
{
    for (u32 i = 0; i < slots_of(sm, group); i++) {
        const u32 slot = first_slot(sm, group) + i;
        if (goes_on(sm, slot))
            return false;
    }
    return true;
}

static void next_on_top(struct sm *sm)
{
    sm->top = (sm->top + 1) % groups(sm);
    sm->issued_from_top = 0;
    count(sm, WS_COUNT_group_switches, 1);
}

static void move_sticky(struct sm *sm)
{
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const u32 slot = (sm->pointer[0] + i) % sm->machine->core_warps;
        if (goes_on(sm, slot)) {
            sm->pointer[0] = slot;
            return;
        }
    }
}

void schedule_rotate(struct sm *sm)
{
    if (sm->machine->schedule_policy == WS_policy_srr) {
        move_sticky(sm);
        return;
    }
    bool another_goes_on = false;
    for (u32 group = 0; group < groups(sm); group++)
        another_goes_on |= group != sm->top && !stalled(sm, group);
    const u32 timeout = sm->machine->schedule_timeout;
    if (stalled(sm, sm->top) && another_goes_on) {
        next_on_top(sm);
    } else if (timeout > 0 && groups(sm) > 1 && sm->issued_from_top > timeout) {
        next_on_top(sm);
        count(sm, WS_COUNT_timeouts, 1);
    }
}
