/* The sub-core pipeline: the steps of a cycle, dependence counters, retirement (subcore.md). */
#include "oracle/pipeline/subcore/subcore.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/invariants.h"

enum { CYCLES_A_LOOK = 64 /* at memory */, MOST_COMMITS = 15, MOST_COPIES = 254 };

struct subcores *subcores_of(const struct sm *sm)
{
    return sm->pipeline;
}

struct feed *warp_feed(const struct sm *sm, u32 slot)
{
    return &subcores_of(sm)->feeds[slot];
}

struct subcore *core_of(const struct sm *sm, u32 slot)
{
    return &subcores_of(sm)->cores[port_of(sm, slot)];
}

bool is_fixed(const struct sm *sm, u32 unit)
{
    return unit < WS_SUB_SFU && (unit != WS_SUB_FP64 || sm->machine->subcore_fp64 == WS_fp64_unit_port);
}

static void feed_opens(struct feed *feed)
{
    *feed = (struct feed){.waits_for = NO_LINE};
}

static void start(struct sm *sm)
{
    struct subcores *const own = oracle_allocate(1, sizeof *own);
    sm->pipeline = own;
    own->feeds = oracle_allocate(sm->machine->core_warps, sizeof *own->feeds);
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        feed_opens(&own->feeds[slot]);
    for (u32 core = 0; core < ports(sm); core++) {
        own->cores[core].l0 = oracle_allocate(sm->machine->subcore_l0 / sm->machine->icache_line, sizeof *own->cores[core].l0);
        own->cores[core].greedy = port_last_slot(sm, core);
    }
    levels_start(sm);
}

static void finish(struct sm *sm)
{
    struct subcores *const own = sm->pipeline;
    while (own->flights) {
        struct flight *const next = own->flights->next;
        free(own->flights);
        own->flights = next;
    }
    for (u32 core = 0; core < MOST_SUBCORES; core++)
        free(own->cores[core].l0);
    free(own->feeds);
    free(own);
    levels_finish(sm);
}

/* ---- Dependence counters ---- */

static bool is_copy(const struct sm *sm, const struct ws_operands *operands)
{
    return sm->machine->subcore_fences == WS_toggle_on && operands->flags & WS_OPERANDS_COPY;
}

bool is_commit(const struct sm *sm, const struct ws_operands *operands)
{
    return sm->machine->subcore_fences == WS_toggle_on && operands->flags & WS_OPERANDS_COMMIT && is_fixed(sm, operands->unit);
}

bool groups_are_full(const struct sm *sm, u32 slot)
{
    const struct feed *const feed = warp_feed(sm, slot);
    const struct ws_operands *const operands = &sm->image->operands[feed->pc[0]];
    u32 commits = 0, copies = 0;
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next) {
        commits += flight->slot == slot && is_commit(sm, flight->operands);
        copies +=
            flight->slot == slot && is_copy(sm, flight->operands) && flight->group == feed->commits && flight->write_at >= sm->now;
    }
    return (is_commit(sm, operands) && commits == MOST_COMMITS) || (is_copy(sm, operands) && copies == MOST_COPIES);
}

/* A commit ends when it and all copies before it are written, any other instruction when it is written. */
static bool has_ended(const struct sm *sm, const struct flight *flight)
{
    bool copies = false;
    for (const struct flight *before = subcores_of(sm)->flights; before != flight; before = before->next)
        copies |= before->slot == flight->slot && is_copy(sm, before->operands) && before->write_at > sm->now;
    return flight->write_at <= sm->now && !(is_commit(sm, flight->operands) && copies);
}

/* MEMBAR waits for all counters. */
static bool fence_waits(const struct sm *sm, u32 slot)
{
    const struct feed *const feed = warp_feed(sm, slot);
    const u32 flags = sm->image->operands[feed->pc[0]].flags;
    u32 raised = 0;
    if (sm->machine->subcore_fences == WS_toggle_off)
        return false;
    for (u32 n = 0; n < WS_SUB_COUNTERS; n++)
        raised += feed->counters[n];
    return flags & WS_OPERANDS_FENCE && raised > 0;
}

bool counters_wait(const struct sm *sm, u32 slot)
{
    const struct feed *const feed = warp_feed(sm, slot);
    const struct ws_operands *const operands = &sm->image->operands[feed->pc[0]];
    const bool depbar = operands->flags & WS_OPERANDS_DEPBAR;
    const u32 mask = WS_CONTROL_WAITS(operands->control) | (depbar ? operands->others : 0u);
    for (u32 n = 0; n < WS_SUB_COUNTERS; n++)
        if (mask >> n & 1 && feed->counters[n] > 0)
            return true;
    return (depbar && feed->counters[operands->counter] > operands->limit) || fence_waits(sm, slot);
}

static void change(struct sm *sm, const struct flight *flight, u32 barrier, bool rises)
{
    u32 *const counters = warp_feed(sm, flight->slot)->counters;
    if (barrier >= WS_SUB_COUNTERS)
        return;
    if (rises ? counters[barrier] == 63 : counters[barrier] == 0)
        invariants_violation(sm, NULL, "counter %u of slot %u is %u and changes", barrier, flight->slot, counters[barrier]);
    counters[barrier] += rises ? 1 : 0xFFFFFFFFu;
}

/* Whether a fixed result of the sub-core is written in this cycle. */
static bool writes_fixed(const struct sm *sm, u32 core)
{
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next)
        if (port_of(sm, flight->slot) == core && is_fixed(sm, flight->unit) && flight->operands->flags & WS_OPERANDS_RESULT &&
            flight->write_at == sm->now)
            return true;
    return false;
}

/* Memory results wait for a write port. */
static void step_writes(struct sm *sm)
{
    for (struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next)
        if (sm->machine->subcore_write_port == WS_write_port_shared && flight->unit == WS_SUB_MEMORY && !flight->written_late &&
            flight->operands->flags & WS_OPERANDS_RESULT && flight->write_at == sm->now &&
            writes_fixed(sm, port_of(sm, flight->slot))) {
            flight->written_late = true;
            flight->write_at++;
        }
}

/* Counters rise, then fall. Instructions with both events behind them are forgotten. */
static void step_counters(struct sm *sm)
{
    struct subcores *const own = sm->pipeline;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        if (flight->left_control == sm->now) {
            change(sm, flight, WS_CONTROL_WRITES(flight->operands->control), true);
            change(sm, flight, WS_CONTROL_READS(flight->operands->control), true);
        }
    for (struct flight **place = &own->flights; *place;) {
        struct flight *const flight = *place;
        if (flight->read_at == sm->now)
            change(sm, flight, WS_CONTROL_READS(flight->operands->control), false);
        if (!flight->ended && has_ended(sm, flight)) {
            change(sm, flight, WS_CONTROL_WRITES(flight->operands->control), false);
            flight->ended = true;
        }
        if (flight->read_at > sm->now || !flight->ended) {
            place = &flight->next;
            continue;
        }
        *place = flight->next;
        free(flight);
    }
}

/* ---- Ends ---- */

static u32 flights_of(const struct sm *sm, u32 slot)
{
    u32 found = 0;
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next)
        found += flight->slot == slot;
    return found;
}

static void retire(struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        if (sm->warps[slot].state != WARP_ENDED || flights_of(sm, slot) > 0)
            continue;
        feed_opens(warp_feed(sm, slot));
        sm->rules.dispatch->warp_retired(sm, slot);
    }
}

/* ---- The cycle ---- */

/* Warps that a barrier releases issue later. */
static void release(struct sm *sm)
{
    bool *const waited = oracle_allocate(sm->machine->core_warps, sizeof *waited);
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        waited[slot] = sm->warps[slot].at_barrier;
    barriers_release(sm);
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (waited[slot] && !sm->warps[slot].at_barrier)
            warp_feed(sm, slot)->released = sm->now + sm->machine->subcore_barrier;
    free(waited);
}

static void clear_reads(struct sm *sm, u32 core)
{
    for (u32 bank = 0; bank < MOST_BANKS; bank++)
        subcores_of(sm)->cores[core].reads[bank][(sm->now + READ_CYCLES - 1) % READ_CYCLES] = 0;
}

static void rotate(struct sm *sm)
{
    if (sm->rules.policy->tick)
        sm->rules.policy->tick(sm);
    for (u32 port = 0; sm->rules.policy->rotate && port < ports(sm); port++)
        sm->rules.policy->rotate(sm, port);
}

static void cycle(struct sm *sm)
{
    levels_cycle(sm);
    subcore_lines(sm);
    constants_arrive(sm);
    fp64_cycle(sm);
    lsu_cycle(sm);
    for (u32 core = 0; core < ports(sm); core++) {
        clear_reads(sm, core);
        subcore_stages(sm, core);
    }
    retire(sm);
    if (sm->blocks_done == sm->image->blocks) {
        sm->status = WS_STATUS_ok;
        return;
    }
    release(sm);
    events_deliver(sm);
    dispatch_step(sm);
    rotate(sm);
    subcore_issue(sm);
    subcore_fetch(sm);
    step_writes(sm);
    step_counters(sm);
}

static bool awaits(const struct sm *sm, u32 slot)
{
    const struct feed *const feed = warp_feed(sm, slot);
    return sm->warps[slot].at_barrier || feed->waits_for != NO_LINE || (feed->entries > 0 && counters_wait(sm, slot));
}

static u32 in_flight(const struct sm *sm)
{
    u32 found = 0;
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next)
        found++;
    return found;
}

/* Instruction lines that the streams asked for may still be under way at the end. */
static u32 reads(const struct sm *sm)
{
    return levels_reads(sm) - l1_reads(sm, L1_CODE);
}

/* ---- Invariants ---- */

static void check_places(const struct sm *sm)
{
    u32 held[MOST_SUBCORES][GONE] = {{0}}, accepted = 0;
    for (const struct flight *flight = subcores_of(sm)->flights; flight; flight = flight->next) {
        if (flight->place != GONE)
            held[port_of(sm, flight->slot)][flight->place]++;
        accepted += flight->place == IN_LSU;
    }
    for (u32 core = 0; core < ports(sm); core++)
        if (held[core][IN_CONTROL] > 1 || held[core][IN_ALLOCATE] > 1 || held[core][IN_LATCH] > 1 || accepted > 1 ||
            held[core][IN_QUEUE] > sm->machine->subcore_memory_queue)
            invariants_violation(sm, NULL, "sub-core %u holds %u, %u, %u and %u instructions", core, held[core][IN_CONTROL],
                                 held[core][IN_ALLOCATE], held[core][IN_LATCH], held[core][IN_QUEUE]);
}

static void check(struct sm *sm)
{
    check_places(sm);
    if (sm->now % CYCLES_A_LOOK == 0)
        levels_check(sm);
}

const struct oracle_pipeline oracle_pipeline_subcore = {.start = start,
                                                        .finish = finish,
                                                        .cycle = cycle,
                                                        .data_arrives = lsu_answered,
                                                        .code_arrives = subcore_code_arrives,
                                                        .awaits = awaits,
                                                        .in_flight = in_flight,
                                                        .reads = reads,
                                                        .retires = true,
                                                        .check = check,
                                                        .check_end = levels_drain};
