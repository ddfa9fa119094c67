/* Gangs of variable warp sizing (pipelines.md): issue order, splits on memory, and re-forming. */
#include <stdlib.h>

#include "oracle/memory/memory.h"
#include "oracle/pipeline/scoreboard.h"

static bool has_gangs(const struct sm *sm)
{
    return is_sliced(sm) && sm->machine->vws_gangs == WS_toggle_on;
}

static u32 size_of(const struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES];
    return gang_members(sm, gang, slot);
}

/* ---- Waits at reconvergence pcs ---- */

static bool is_met(const struct sm *sm, u32 pc)
{
    for (u32 i = 0; i < sm->image->instructions; i++)
        if (sm->image->program[i].class_ == WS_CLASS_branch && sm->image->program[i].reconverge == pc)
            return true;
    return false;
}

static bool is_short(const struct sm *sm, u32 slot)
{
    u32 gangs[MOST_SLICES];
    return gangs_of_set(sm, set_of(sm, slot), gangs) > 1;
}

void meeting_begins(struct sm *sm, const u32 *slot, u32 count_of)
{
    for (u32 i = 0; i < count_of; i++) {
        const bool waits = has_gangs(sm) && sm->machine->vws_reform == WS_gang_reform_sync &&
                           is_met(sm, sm->warps[slot[i]].path.pc) && is_short(sm, slot[i]);
        feed_of(sm, slot[i])->meets_until = waits ? sm->now + sm->machine->vws_sync : 0;
    }
}

void meetings_end(struct sm *sm)
{
    for (u32 slot = 0; has_gangs(sm) && slot < sm->machine->core_warps; slot++)
        if (feed_of(sm, slot)->meets_until < sm->now || !is_short(sm, slot))
            feed_of(sm, slot)->meets_until = 0;
}

bool meets_others(const struct sm *sm, u32 slot)
{
    return feed_of(sm, slot)->meets_until > 0;
}

/* ---- Splits on memory ---- */

static bool is_ready(const struct sm *sm, u32 slot)
{
    return warp_readiness(sm, slot) == READY;
}

static bool uses_what_was_far(const struct sm *sm, u32 slot)
{
    const struct feed *feed = feed_of(sm, slot);
    if (feed->entries == 0)
        return false;
    const struct ws_instruction *ins = &sm->image->program[feed->pc[0]];
    for (u32 i = 0; i < ins->reads; i++)
        if (register_was_far(sm, slot, ins->src[i]))
            return true;
    for (u32 i = 0; i < ins->writes; i++)
        if (register_was_far(sm, slot, ins->dst[i]))
            return true;
    return false;
}

static void part(struct sm *sm, const u32 *slot, u32 count_of)
{
    for (u32 i = 0; i < count_of && sm->machine->vws_split == WS_gang_split_impatient; i++)
        gang_form(sm, &slot[i], 1);
    if (sm->machine->vws_split == WS_gang_split_group && count_of > 0)
        gang_form(sm, slot, count_of);
}

static void split(struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES], ready[MOST_SLICES], others[MOST_SLICES], ready_count = 0, other_count = 0;
    const u32 members = gang_members(sm, gang, slot);
    bool far = false;
    for (u32 i = 0; i < members; i++) {
        far |= uses_what_was_far(sm, slot[i]);
        if (is_ready(sm, slot[i]))
            ready[ready_count++] = slot[i];
        else
            others[other_count++] = slot[i];
    }
    if (!far || ready_count == 0 || other_count == 0)
        return;
    part(sm, ready, ready_count);
    part(sm, others, other_count);
    count(sm, WS_COUNT_gang_memory_splits, 1);
}

void gangs_split(struct sm *sm)
{
    if (!has_gangs(sm) || sm->machine->vws_split == WS_gang_split_none)
        return;
    for (u32 set = 0; set < sets(sm); set++) {
        u32 gangs[MOST_SLICES];
        const u32 found = gangs_of_set(sm, set, gangs);
        for (u32 n = 0; n < found; n++)
            split(sm, gangs[n]);
    }
}

/* ---- Issue ---- */

/* A gang is identified by its lowest slot. */
static bool is_greedy(const struct sm *sm, u32 gang)
{
    const struct scoreboard *own = sm->pipeline;
    return own->gangs_issued_at > 0 && own->gang_issued_at[gang] == own->gangs_issued_at;
}

/* All warps of a set have entered together, with consecutive numbers. */
static bool is_older(const struct sm *sm, u32 one, u32 other)
{
    const struct warp *a = &sm->warps[one], *b = &sm->warps[other];
    if (a->block != b->block)
        return a->block < b->block;
    return a->number / ports(sm) != b->number / ports(sm) ? a->number / ports(sm) < b->number / ports(sm)
                                                          : port_of(sm, one) < port_of(sm, other);
}

static bool goes_by_greed(const struct sm *sm, u32 one, u32 other)
{
    if (is_greedy(sm, one) != is_greedy(sm, other))
        return is_greedy(sm, one);
    return is_older(sm, one, other);
}

/* Sets, from the one whose turn it is. */
static u32 turn_of(const struct sm *sm, u32 gang)
{
    const struct scoreboard *own = sm->pipeline;
    return (set_of(sm, gang) + sets(sm) - own->next_issued_set % sets(sm)) % sets(sm);
}

static bool goes_before(const struct sm *sm, u32 one, u32 other)
{
    const u32 a = size_of(sm, one), b = size_of(sm, other);
    const u32 pc = sm->warps[one].path.pc, other_pc = sm->warps[other].path.pc;
    switch (sm->machine->vws_gang_policy) {
    case WS_gang_policy_bgto:
        return a != b ? a > b : goes_by_greed(sm, one, other);
    case WS_gang_policy_lgto:
        return a != b ? a < b : goes_by_greed(sm, one, other);
    case WS_gang_policy_gto:
        return goes_by_greed(sm, one, other);
    case WS_gang_policy_lrr:
        return turn_of(sm, one) != turn_of(sm, other) ? turn_of(sm, one) < turn_of(sm, other) : one < other;
    default:
        return pc != other_pc ? pc < other_pc : is_older(sm, one, other);
    }
}

/* The ready gangs, in order. */
static u32 order_gangs(const struct sm *sm, u32 *order)
{
    u32 count_of = 0, gangs[MOST_SLICES];
    for (u32 set = 0; set < sets(sm); set++) {
        const u32 found = gangs_of_set(sm, set, gangs);
        for (u32 n = 0; n < found; n++) {
            if (size_of(sm, gangs[n]) == 1 || !gang_is_ready(sm, gangs[n]))
                continue;
            u32 place = count_of++;
            for (; place > 0 && goes_before(sm, gangs[n], order[place - 1]); place--)
                order[place] = order[place - 1];
            order[place] = gangs[n];
        }
    }
    return count_of;
}

static bool overlaps(const struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES];
    const u32 members = gang_members(sm, gang, slot);
    for (u32 i = 0; i < members; i++)
        if (slice_of(sm, slot[i])->issues_from > sm->now)
            return true;
    return false;
}

static bool gang_finds_room(const struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES];
    const u32 members = gang_members(sm, gang, slot);
    for (u32 i = 0; i < members; i++)
        if (!finds_room(sm, slot[i]))
            return false;
    return true;
}

static void issue(struct sm *sm, u32 gang)
{
    struct scoreboard *own = sm->pipeline;
    u32 slot[MOST_SLICES];
    const u32 members = gang_members(sm, gang, slot);
    own->gangs_issued_at = own->gang_issued_at[gang] = sm->now + 1;
    own->next_issued_set = set_of(sm, gang) + 1;
    count(sm, WS_COUNT_gang_issues + members, 1);
    for (u32 i = 0; i < members; i++)
        warp_issues(sm, slot[i], true);
    gang_parts(sm, slot, members);
    meeting_begins(sm, slot, members);
}

void gangs_issue(struct sm *sm)
{
    if (!has_gangs(sm))
        return;
    u32 *const order = oracle_allocate(sm->machine->core_warps, sizeof *order);
    const u32 found = order_gangs(sm, order);
    u32 issued = 0;
    for (u32 n = 0; n < found && issued < sm->machine->vws_gang_issues; n++) {
        if (overlaps(sm, order[n])) {
            if (sm->machine->vws_overlap == WS_gang_overlap_stop)
                break;
            continue;
        }
        if (!gang_finds_room(sm, order[n]))
            continue;
        issue(sm, order[n]);
        issued++;
    }
    free(order);
}

/* ---- Reform ---- */

static bool all_are_ready(const struct sm *sm, u32 gang)
{
    u32 slot[MOST_SLICES];
    const u32 members = gang_members(sm, gang, slot);
    for (u32 i = 0; i < members; i++)
        if (!is_ready(sm, slot[i]))
            return false;
    return true;
}

static bool may_merge(const struct sm *sm, u32 one, u32 other)
{
    const struct warp *a = &sm->warps[one], *b = &sm->warps[other];
    if (a->path.pc != b->path.pc || a->at_barrier || b->at_barrier)
        return false;
    return sm->machine->vws_split == WS_gang_split_none || all_are_ready(sm, one) == all_are_ready(sm, other);
}

/* Each buffer keeps as many instructions as all have, valid with the last. */
static void share_buffers(struct sm *sm, const u32 *slot, u32 members)
{
    u32 entries = MOST_BUFFER;
    u64 valid_from = 0;
    for (u32 i = 0; i < members; i++) {
        const struct feed *feed = feed_of(sm, slot[i]);
        entries = feed->entries < entries ? feed->entries : entries;
        valid_from = feed->valid_from > valid_from ? feed->valid_from : valid_from;
    }
    for (u32 i = 0; i < members; i++) {
        feed_of(sm, slot[i])->entries = entries;
        feed_of(sm, slot[i])->valid_from = valid_from;
    }
}

/* The gangs become one. */
static void merge(struct sm *sm, const u32 *gang, u32 gangs)
{
    u32 slot[MOST_SLICES], members = 0;
    for (u32 n = 0; n < gangs; n++)
        members += gang_members(sm, gang[n], slot + members);
    gang_form(sm, slot, members);
    share_buffers(sm, slot, members);
    count(sm, WS_COUNT_gang_merges, 1);
}

static void reform_set(struct sm *sm, const u32 *gang, u32 gangs)
{
    for (u32 first = 0; first < gangs; first++) {
        u32 merged[MOST_SLICES] = {gang[first]}, count_of = 1;
        for (u32 other = first + 1; other < gangs; other++)
            if (may_merge(sm, gang[first], gang[other]) && (count_of == 1 || sm->machine->vws_merge == WS_gang_merge_all))
                merged[count_of++] = gang[other];
        if (count_of == 1)
            continue;
        merge(sm, merged, count_of);
        return;
    }
}

void gangs_reform(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    u32 gang[MOST_SLICES];
    if (!has_gangs(sm) || sm->machine->vws_reform == WS_gang_reform_none)
        return;
    for (u32 i = 0; i < sets(sm); i++) {
        const u32 set = (own->next_reformed_set + i) % sets(sm), gangs = gangs_of_set(sm, set, gang);
        if (gangs < 2)
            continue;
        own->next_reformed_set = set + 1;
        reform_set(sm, gang, gangs);
        return;
    }
}
