/* Fetch: warps fill their instruction buffers (step 8): core.fetches a cycle, or with slices gangs, then single warps of each
 * slice. */
#include "oracle/memory/levels.h"
#include "oracle/pipeline/scoreboard.h"

static bool can_be_tried(const struct sm *sm, u32 slot)
{
    const struct feed *feed = feed_of(sm, slot);
    return sm->warps[slot].state == WARP_RUNS && feed->entries == 0 && feed->waits_for == NO_TICKET && sm->now >= feed->not_before;
}

static u32 line_of(const struct sm *sm, u32 pc)
{
    return pc * sm->machine->icache_instruction_bytes / sm->machine->icache_line;
}

static enum outcome access_code(struct sm *sm, u32 slot, u32 pc)
{
    const u32 granules = sm->machine->icache_line / WS_GRANULE_BYTES;
    const struct request request = {
        .kind = LOAD, .granule = (WS_CODE_GRANULE / granules + line_of(sm, pc)) * granules, .bytes = sm->machine->icache_line};
    return l1_access(sm, L1_CODE, &request, slot + 1);
}

/* From a line of so many bytes. */
static void fill(struct sm *sm, struct feed *feed, u32 first, u32 bytes)
{
    const u32 size = sm->machine->icache_instruction_bytes;
    for (u32 pc = first; feed->entries < sm->machine->core_buffer && pc < sm->image->instructions; pc++)
        if (pc * size / bytes == first * size / bytes)
            feed->pc[feed->entries++] = pc;
    feed->valid_from = sm->now + sm->machine->core_fetch_latency;
}

/* False if the program has no such instruction. */
static bool is_in_program(struct sm *sm, u32 pc)
{
    if (pc >= sm->image->instructions)
        sm->status = WS_STATUS_bad_trace;
    return pc < sm->image->instructions;
}

/* An access for warps at one pc, single or a gang. */
static enum outcome try(struct sm *sm, const u32 *slot, u32 count_of)
{
    const u32 pc = sm->warps[slot[0]].path.pc;
    const enum outcome outcome = access_code(sm, slot[0], pc);
    if (outcome != REFUSED)
        count(sm, WS_COUNT_fetches, 1);
    for (u32 i = 0; i < count_of; i++) {
        if (outcome == FOUND)
            fill(sm, feed_of(sm, slot[i]), pc, sm->machine->icache_line);
        if (outcome == WAITS)
            feed_of(sm, slot[i])->waits_for = slot[0] + 1;
    }
    return outcome;
}

/* ---- Gangs ---- */

static bool gang_can_be_tried(const struct sm *sm, const u32 *slot, u32 members)
{
    for (u32 i = 0; i < members; i++)
        if (!can_be_tried(sm, slot[i]))
            return false;
    return members > 1;
}

/* Returns the number of accesses by gangs, at most this many. */
static u32 fetch_gangs(struct sm *sm, u32 most)
{
    struct scoreboard *own = sm->pipeline;
    const u32 first = own->next_fetched_set;
    u32 made = 0, gangs[MOST_SLICES], slot[MOST_SLICES];
    for (u32 i = 0; i < sets(sm); i++) {
        const u32 set = (first + i) % sets(sm), found = gangs_of_set(sm, set, gangs);
        for (u32 n = 0; n < found && made < most; n++) {
            const u32 members = gang_members(sm, gangs[n], slot);
            if (!gang_can_be_tried(sm, slot, members) || !is_in_program(sm, sm->warps[slot[0]].path.pc))
                continue;
            own->next_fetched_set = set + 1;
            made++;
            if (try(sm, slot, members) != REFUSED)
                count(sm, WS_COUNT_gang_fetches, 1);
        }
    }
    return made;
}

/* ---- Slices ---- */

static u32 fewer(u32 one, u32 other)
{
    return one < other ? one : other;
}

/* Bytes and number of an L0's lines, and the line number of the warp's pc. */
static u32 l0_line(const struct sm *sm)
{
    return fewer(sm->machine->icache_line, sm->machine->vws_l0);
}

static u32 l0_lines(const struct sm *sm)
{
    return sm->machine->vws_l0 / l0_line(sm);
}

static u32 l0_number(const struct sm *sm, u32 slot)
{
    return sm->warps[slot].path.pc * sm->machine->icache_instruction_bytes / l0_line(sm);
}

static struct kept_line *find_kept(const struct sm *sm, struct slice *slice, u32 number)
{
    for (u32 i = 0; i < l0_lines(sm); i++)
        if (slice->l0[i].touched > 0 && slice->l0[i].number == number)
            return &slice->l0[i];
    return NULL;
}

static void keep_line(const struct sm *sm, struct slice *slice, u32 number)
{
    struct kept_line *oldest = &slice->l0[0];
    for (u32 i = 1; i < l0_lines(sm); i++)
        if (slice->l0[i].touched < oldest->touched)
            oldest = &slice->l0[i];
    *oldest = (struct kept_line){.number = number, .touched = ++slice->touches};
}

/* The single warp whose turn it is, or NO_WARP. */
static u32 next_of(const struct sm *sm, u32 n)
{
    const struct scoreboard *own = sm->pipeline;
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const u32 slot = (own->slices[n].next_fetch * slices(sm) + n + i) % sm->machine->core_warps;
        if (slot % slices(sm) == n && can_be_tried(sm, slot) && is_single(sm, slot))
            return slot;
    }
    return NO_WARP;
}

static void try_l1(struct sm *sm, struct slice *slice, u32 slot, bool has_l0)
{
    const enum outcome outcome = try(sm, &slot, 1);
    if (has_l0 && outcome != REFUSED)
        count(sm, WS_COUNT_l0_misses, 1);
    if (has_l0 && outcome == FOUND)
        keep_line(sm, slice, l0_number(sm, slot));
}

/* A slice tries a warp, with or without a remaining access. Returns whether it made one. */
static bool fetch_slice(struct sm *sm, u32 n, bool access_left)
{
    struct scoreboard *own = sm->pipeline;
    struct slice *slice = &own->slices[n];
    const u32 slot = next_of(sm, n);
    const bool has_l0 = is_sliced(sm) && sm->machine->vws_l0 > 0;
    if (slot == NO_WARP || !is_in_program(sm, sm->warps[slot].path.pc))
        return false;
    struct kept_line *kept = has_l0 ? find_kept(sm, slice, l0_number(sm, slot)) : NULL;
    if (!kept && !access_left)
        return false;
    slice->next_fetch = slot / slices(sm) + 1;
    if (kept) {
        kept->touched = ++slice->touches;
        fill(sm, feed_of(sm, slot), sm->warps[slot].path.pc, l0_line(sm));
        count(sm, WS_COUNT_fetches, 1);
        count(sm, WS_COUNT_l0_hits, 1);
        return false;
    }
    try_l1(sm, slice, slot, has_l0);
    return true;
}

static void try_next(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    const u32 first = own->next_slice;
    u32 left = is_sliced(sm) ? sm->machine->vws_fetches : 1;
    if (is_sliced(sm))
        left -= fetch_gangs(sm, fewer(left, sm->machine->vws_gang_issues));
    for (u32 i = 0; i < slices(sm); i++) {
        const u32 n = (first + i) % slices(sm);
        if (!fetch_slice(sm, n, left > 0))
            continue;
        left--;
        own->next_slice = n + 1;
    }
}

void scoreboard_fetch(struct sm *sm)
{
    const u32 times = is_sliced(sm) ? 1 : sm->machine->core_fetches;
    for (u32 n = 0; n < times && sm->status == WS_STATUS_running; n++)
        try_next(sm);
}

void buffer_moves(struct sm *sm, u32 slot, u32 pc)
{
    struct feed *feed = feed_of(sm, slot);
    const struct warp *warp = &sm->warps[slot];
    feed->entries--;
    feed->pc[0] = feed->pc[1];
    if (feed->entries > 0 && (warp->state != WARP_RUNS || warp->path.pc != feed->pc[0])) {
        feed->entries = 0;
        count(sm, WS_COUNT_buffer_flushes, 1);
    }
    if (warp->path.pc != pc + 1)
        feed->not_before = sm->now + sm->machine->core_branch_delay;
}
