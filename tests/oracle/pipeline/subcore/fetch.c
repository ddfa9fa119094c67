/* Fetch of the sub-cores (step 8), their L0 instruction caches and stream buffers. */
#include "oracle/pipeline/subcore/subcore.h"

static u32 line_of(const struct sm *sm, u32 pc)
{
    return pc * sm->machine->icache_instruction_bytes / sm->machine->icache_line;
}

static bool lies_in_program(const struct sm *sm, u32 line)
{
    return line <= line_of(sm, sm->image->instructions - 1);
}

/* ---- L0 ---- */

static struct l0_line *set_of(const struct sm *sm, struct subcore *core, u32 line)
{
    const u32 ways = sm->machine->subcore_l0_ways, sets = sm->machine->subcore_l0 / sm->machine->icache_line / ways;
    return &core->l0[line % sets * ways];
}

static struct l0_line *find_in_l0(const struct sm *sm, struct subcore *core, u32 line)
{
    struct l0_line *const set = set_of(sm, core, line);
    for (u32 way = 0; way < sm->machine->subcore_l0_ways; way++)
        if (set[way].touched > 0 && set[way].line == line)
            return &set[way];
    return NULL;
}

static void fill_l0(const struct sm *sm, struct subcore *core, u32 line)
{
    struct l0_line *const set = set_of(sm, core, line), *way = find_in_l0(sm, core, line);
    for (u32 n = 0; !way && n < sm->machine->subcore_l0_ways; n++)
        if (set[n].touched == 0)
            way = &set[n];
    if (!way)
        way = set;
    for (u32 n = 1; set[0].touched > 0 && way->touched > 0 && way->line != line && n < sm->machine->subcore_l0_ways; n++)
        if (set[n].touched < way->touched)
            way = &set[n];
    *way = (struct l0_line){.line = line, .touched = ++core->touches};
}

/* ---- Lines on their way ---- */

static struct line_entry *entry_of(struct subcore *core, enum entry_kind kind, u32 line)
{
    for (u32 n = 0; n < LINE_ENTRIES; n++)
        if (core->lines[n].kind == kind && (kind == FREE || core->lines[n].line == line))
            return &core->lines[n];
    return NULL;
}

static bool is_head(const struct subcore *core, u32 line)
{
    return core->length > 0 && core->head == line;
}

static bool is_awaited(const struct sm *sm, u32 number, u32 line)
{
    for (u32 n = 0; n < port_slots(sm, number); n++)
        if (warp_feed(sm, port_slot(sm, number, n))->waits_for == line)
            return true;
    return false;
}

/* A line goes from its entry to the L0. */
static void move_to_l0(const struct sm *sm, struct subcore *core, struct line_entry *entry)
{
    fill_l0(sm, core, entry->line);
    if (entry->kind == STREAM) {
        core->head++;
        core->length--;
    }
    entry->kind = FREE;
}

static void wake(const struct sm *sm, u32 number, u32 line)
{
    for (u32 n = 0; n < port_slots(sm, number); n++)
        if (warp_feed(sm, port_slot(sm, number, n))->waits_for == line)
            warp_feed(sm, port_slot(sm, number, n))->waits_for = NO_LINE;
}

static void line_arrives(const struct sm *sm, u32 number, struct line_entry *entry)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    const u32 line = entry->line;
    if (entry->kind == ABANDONED) {
        entry->kind = FREE;
    } else if (entry->kind == DEMANDED || (is_head(core, line) && is_awaited(sm, number, line))) {
        move_to_l0(sm, core, entry);
        wake(sm, number, line);
    }
}

void subcore_lines(struct sm *sm)
{
    for (u32 number = 0; number < ports(sm); number++)
        for (u32 n = 0; n < LINE_ENTRIES; n++) {
            struct line_entry *const entry = &subcores_of(sm)->cores[number].lines[n];
            if (entry->kind != FREE && entry->at <= sm->now)
                line_arrives(sm, number, entry);
        }
}

void subcore_code_arrives(struct sm *sm, u32 ticket)
{
    struct subcore *const core = &subcores_of(sm)->cores[(ticket - 1) / LINE_ENTRIES];
    core->lines[(ticket - 1) % LINE_ENTRIES].at = sm->now + 2 * (u64)sm->machine->subcore_l0_latency;
}

/* ---- The instruction cache ---- */

/* A free entry gets the line; false if there is none, or the instruction cache has been used or refuses. */
static bool request_line(struct sm *sm, u32 number, u32 line, enum entry_kind kind)
{
    struct subcores *const own = sm->pipeline;
    struct line_entry *const entry = entry_of(&own->cores[number], FREE, 0);
    const u32 granules = sm->machine->icache_line / WS_GRANULE_BYTES;
    const struct request request = {
        .kind = LOAD, .granule = (WS_CODE_GRANULE / granules + line) * granules, .bytes = sm->machine->icache_line};
    if (!entry || own->code_used)
        return false;
    own->code_used = true;
    own->next_code = number + 1;
    const u32 ticket = number * LINE_ENTRIES + (u32)(entry - own->cores[number].lines) + 1;
    const enum outcome outcome = l1_access(sm, L1_CODE, &request, ticket);
    if (outcome == REFUSED)
        return false;
    *entry = (struct line_entry){
        .kind = kind, .line = line, .at = outcome == FOUND ? sm->now + 2 * (u64)sm->machine->subcore_l0_latency : NEVER};
    return true;
}

/* ---- Stream ---- */

static void restart(const struct sm *sm, struct subcore *core, u32 line)
{
    for (u32 n = 0; n < LINE_ENTRIES; n++)
        if (core->lines[n].kind == STREAM)
            core->lines[n].kind = core->lines[n].at <= sm->now ? FREE : ABANDONED;
    core->begun = true;
    core->stopped = false;
    core->head = line;
    core->length = 0;
}

static void prefetch(struct sm *sm, u32 number)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    const u32 line = core->head + core->length;
    if (!core->begun || core->stopped || core->length >= sm->machine->subcore_stream || !lies_in_program(sm, line))
        return;
    if (find_in_l0(sm, core, line) || entry_of(core, DEMANDED, line)) {
        core->stopped = true;
        return;
    }
    if (!request_line(sm, number, line, STREAM))
        return;
    core->length++;
    count(sm, WS_COUNT_prefetches, 1);
}

/* ---- Fetch ---- */

static u32 next_pc(const struct sm *sm, u32 slot)
{
    return sm->warps[slot].path.pc + warp_feed(sm, slot)->entries;
}

static bool can_be_tried(const struct sm *sm, u32 slot)
{
    const struct feed *const feed = warp_feed(sm, slot);
    return sm->warps[slot].state == WARP_RUNS && feed->entries < sm->machine->subcore_buffer && feed->waits_for == NO_LINE &&
           (next_pc(sm, slot) < sm->image->instructions || feed->entries == 0);
}

static u32 choose(const struct sm *sm, u32 number)
{
    const u32 greedy = subcores_of(sm)->cores[number].greedy;
    u32 youngest = NO_WARP;
    if (greedy != NO_WARP && can_be_tried(sm, greedy))
        return greedy;
    for (u32 n = 0; n < port_slots(sm, number); n++) {
        const u32 slot = port_slot(sm, number, n);
        if (can_be_tried(sm, slot) && (youngest == NO_WARP || warp_is_older(&sm->warps[youngest], &sm->warps[slot])))
            youngest = slot;
    }
    return youngest;
}

static void hit(struct sm *sm, u32 slot)
{
    struct feed *const feed = warp_feed(sm, slot);
    feed->valid_from[feed->entries] = sm->now + sm->machine->core_fetch_latency;
    feed->pc[feed->entries] = next_pc(sm, slot);
    feed->entries++;
    count(sm, WS_COUNT_l0_hits, 1);
}

/* The access misses L0 and stream. False if it is refused. */
static bool miss(struct sm *sm, u32 number, u32 slot, u32 line)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    const bool comes = is_head(core, line) || entry_of(core, DEMANDED, line);
    if (!comes && !request_line(sm, number, line, DEMANDED))
        return false;
    warp_feed(sm, slot)->waits_for = line;
    count(sm, WS_COUNT_l0_misses, 1);
    const bool claimed = core->length > 0 && is_awaited(sm, number, core->head);
    if (!comes && sm->machine->subcore_stream > 0 && !(core->begun && core->head == line + 1) && !claimed)
        restart(sm, core, line + 1);
    return true;
}

static void fetch(struct sm *sm, u32 number, u32 slot)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    const u32 line = line_of(sm, next_pc(sm, slot));
    struct l0_line *const found = find_in_l0(sm, core, line);
    struct line_entry *const head = is_head(core, line) ? entry_of(core, STREAM, line) : NULL;
    if (found) {
        found->touched = ++core->touches;
        hit(sm, slot);
    } else if (head && head->at <= sm->now) {
        move_to_l0(sm, core, head);
        count(sm, WS_COUNT_stream_hits, 1);
        hit(sm, slot);
    } else if (!miss(sm, number, slot, line)) {
        return;
    }
    count(sm, WS_COUNT_fetches, 1);
}

void subcore_fetch(struct sm *sm)
{
    const u32 first = subcores_of(sm)->next_code;
    subcores_of(sm)->code_used = false;
    for (u32 i = 0; i < ports(sm) && sm->status == WS_STATUS_running; i++) {
        const u32 number = (first + i) % ports(sm), slot = choose(sm, number);
        if (slot != NO_WARP && next_pc(sm, slot) >= sm->image->instructions)
            sm->status = WS_STATUS_bad_trace;
        else if (slot != NO_WARP)
            fetch(sm, number, slot);
        prefetch(sm, number);
    }
}

void feed_moves(struct sm *sm, u32 slot, u32 pc)
{
    struct feed *const feed = warp_feed(sm, slot);
    const struct warp *const warp = &sm->warps[slot];
    feed->entries--;
    for (u32 n = 0; n < feed->entries; n++) {
        feed->pc[n] = feed->pc[n + 1];
        feed->valid_from[n] = feed->valid_from[n + 1];
    }
    if (warp->state == WARP_RUNS && warp->path.pc == pc + 1)
        return;
    count(sm, WS_COUNT_buffer_flushes, feed->entries > 0);
    feed->entries = 0;
    feed->waits_for = NO_LINE;
}
