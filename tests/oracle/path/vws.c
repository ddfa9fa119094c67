/* Variable warp sizing (pipelines.md): warps as in pdom, and their lockstep. */
#include "oracle/path/vws.h"

#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/pdom.h"
#include "oracle/path/whole.h"

struct vws {
    struct stack *stacks;
    u32 *gang; /* of each slot */
};

static struct vws *own_of(const struct sm *sm)
{
    return sm->path;
}

static void start(struct sm *sm)
{
    struct vws *own = oracle_allocate(1, sizeof *own);
    own->stacks = pdom_start(sm);
    own->gang = oracle_allocate(sm->machine->core_warps, sizeof *own->gang);
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        own->gang[slot] = slot;
    sm->path = own;
}

static void finish(struct sm *sm)
{
    pdom_finish(sm, own_of(sm)->stacks);
    free(own_of(sm)->gang);
    free(sm->path);
}

/* The warps of a set enter together, from its first slot on. */
static void enter(struct sm *sm, u32 slot)
{
    pdom_enter(sm, slot);
    own_of(sm)->gang[slot] = sm->machine->vws_gangs == WS_toggle_on ? set_of(sm, slot) * ports(sm) : slot;
}

static void take(struct sm *sm, struct packet *packet)
{
    pdom_take(sm, &own_of(sm)->stacks[packet->slot], packet);
}

static void completed(struct sm *sm, const struct packet *packet)
{
    pdom_completed(sm, &own_of(sm)->stacks[packet->slot], packet);
}

static void places(const struct sm *sm, u32 slot)
{
    pdom_places(sm, &own_of(sm)->stacks[slot], slot);
}

const struct oracle_path oracle_path_vws = {.start = start,
                                            .finish = finish,
                                            .enter = enter,
                                            .ready = pdom_ready,
                                            .peek = whole_peek,
                                            .take = take,
                                            .completed = completed,
                                            .places = places,
                                            .home_lanes = true};

/* ---- Gangs ---- */

u32 set_of(const struct sm *sm, u32 slot)
{
    return slot / ports(sm);
}

u32 sets(const struct sm *sm)
{
    return sm->machine->core_warps / ports(sm);
}

u32 gang_of(const struct sm *sm, u32 slot)
{
    return is_sliced(sm) ? own_of(sm)->gang[slot] : slot;
}

u32 gang_members(const struct sm *sm, u32 gang, u32 slot[MOST_SLICES])
{
    if (!is_sliced(sm)) {
        slot[0] = gang;
        return 1;
    }
    const u32 first = set_of(sm, gang) * ports(sm);
    u32 count = 0;
    for (u32 other = first; other < first + ports(sm); other++)
        if (gang_of(sm, other) == gang)
            slot[count++] = other;
    return count;
}

bool is_single(const struct sm *sm, u32 slot)
{
    u32 members[MOST_SLICES];
    return gang_members(sm, gang_of(sm, slot), members) == 1;
}

u32 gangs_of_set(const struct sm *sm, u32 set, u32 gang[MOST_SLICES])
{
    u32 count = 0;
    for (u32 slot = set * ports(sm); slot < (set + 1) * ports(sm); slot++)
        if (sm->warps[slot].state == WARP_RUNS && gang_of(sm, slot) == slot)
            gang[count++] = slot;
    return count;
}

void gang_form(struct sm *sm, const u32 *slot, u32 count)
{
    u32 lowest = slot[0];
    for (u32 i = 0; i < count; i++)
        lowest = slot[i] < lowest ? slot[i] : lowest;
    for (u32 i = 0; i < count; i++)
        own_of(sm)->gang[slot[i]] = lowest;
}

/* Slots whose warps run, and are at the pc. */
static u32 choose_at(const struct sm *sm, const u32 *slot, u32 count, u32 pc, u32 *chosen)
{
    u32 found = 0;
    for (u32 i = 0; i < count; i++)
        if (sm->warps[slot[i]].state == WARP_RUNS && sm->warps[slot[i]].path.pc == pc)
            chosen[found++] = slot[i];
    return found;
}

void gang_parts(struct sm *sm, const u32 *slot, u32 members)
{
    u32 chosen[MOST_SLICES], parts = 0;
    for (u32 i = 0; i < members; i++) {
        if (sm->warps[slot[i]].state != WARP_RUNS) {
            gang_form(sm, &slot[i], 1);
            continue;
        }
        const u32 found = choose_at(sm, slot, members, sm->warps[slot[i]].path.pc, chosen);
        gang_form(sm, chosen, found);
        parts += chosen[0] == slot[i];
    }
    if (parts > 1)
        count(sm, WS_COUNT_gang_splits, 1);
}

static void check_member(const struct sm *sm, u32 gang, u32 slot)
{
    if (sm->warps[slot].state != WARP_RUNS)
        invariants_violation(sm, NULL, "the gang of slot %u has slot %u, whose warp does not run", gang, slot);
    if (sm->warps[slot].path.pc != sm->warps[gang].path.pc)
        invariants_violation(sm, NULL, "the gang of slot %u is at pc %u, its slot %u at pc %u", gang, sm->warps[gang].path.pc, slot,
                             sm->warps[slot].path.pc);
    if (sm->machine->vws_gangs == WS_toggle_off)
        invariants_violation(sm, NULL, "slots %u and %u are a gang", gang, slot);
}

void gangs_check(const struct sm *sm)
{
    u32 members[MOST_SLICES];
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        const u32 gang = gang_of(sm, slot), count = gang_members(sm, gang, members);
        if (set_of(sm, gang) != set_of(sm, slot) || count == 0 || members[0] != gang)
            invariants_violation(sm, NULL, "slot %u is in the gang of slot %u, which has none", slot, gang);
        for (u32 i = 0; count > 1 && i < count; i++)
            check_member(sm, gang, members[i]);
    }
}
