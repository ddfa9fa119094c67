/* Fetch: one warp a cycle fills its instruction buffer (step 8). */
#include "oracle/memory/levels.h"
#include "oracle/pipeline/scoreboard.h"

static struct feed *feed_of(const struct sm *sm, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    return &own->feeds[slot];
}

static bool can_be_tried(const struct sm *sm, u32 slot)
{
    const struct feed *feed = feed_of(sm, slot);
    return sm->warps[slot].state == WARP_RUNS && feed->entries == 0 && !feed->waits && sm->now >= feed->not_before;
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
    return first_access(sm, FIRST_CODE, &request, slot + 1);
}

static void fill(struct sm *sm, struct feed *feed, u32 first)
{
    for (u32 pc = first; feed->entries < sm->machine->core_buffer && pc < sm->image->instructions; pc++)
        if (line_of(sm, pc) == line_of(sm, first))
            feed->pc[feed->entries++] = pc;
    feed->valid_from = sm->now + sm->machine->core_fetch_latency;
}

static void try(struct sm *sm, u32 slot)
{
    struct feed *feed = feed_of(sm, slot);
    const u32 pc = sm->warps[slot].path.pc;
    if (pc >= sm->image->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    const enum outcome outcome = access_code(sm, slot, pc);
    if (outcome != REFUSED)
        count(sm, WS_COUNT_fetches, 1);
    if (outcome == FOUND)
        fill(sm, feed, pc);
    feed->waits = outcome == WAITS;
}

void scoreboard_fetch(struct sm *sm)
{
    struct scoreboard *own = sm->pipeline;
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const u32 slot = (own->next_fetch + i) % sm->machine->core_warps;
        if (!can_be_tried(sm, slot))
            continue;
        own->next_fetch = slot + 1;
        try(sm, slot);
        return;
    }
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
