/* The barrel of path units of threads: the steps of a cycle (order.md), completing packets, barriers (divergence.md). */
#include "oracle/pipeline/pool.h"

#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/memory/memory.h"

static void start(struct sm *sm)
{
    struct pool *own = oracle_allocate(1, sizeof *own);
    own->released = oracle_allocate(sm->machine->core_warps, sizeof *own->released);
    sm->pipeline = own;
    memory_start(sm);
}

static void finish(struct sm *sm)
{
    struct pool *own = sm->pipeline;
    bundles_free(&own->flights);
    bundles_free(&own->held);
    free(own->released);
    free(own);
    memory_finish(sm);
}

const struct ws_instruction *pool_instruction(const struct sm *sm, const struct thread *thread)
{
    return &sm->image->program[thread->pc];
}

void pool_enter(struct thread *thread, u32 slot, u32 lane)
{
    thread->slot = slot;
    thread->lane = lane;
    thread->pc = thread->passed = 0;
}

static bool is_reconvergence(const struct sm *sm, u32 pc)
{
    for (u32 i = 0; i < sm->image->instructions; i++)
        if (sm->image->program[i].class_ == WS_CLASS_branch && sm->image->program[i].reconverge == pc)
            return true;
    return false;
}

/* The thread has executed its instruction, and has not exited. */
static void go_on(const struct sm *sm, struct thread *thread)
{
    const struct ws_instruction *ins = pool_instruction(sm, thread);
    const bool jumps = ins->class_ == WS_CLASS_jump || (ins->class_ == WS_CLASS_branch && thread->taken);
    thread->pc = jumps ? ins->target : thread->pc + 1;
    thread->passed += is_reconvergence(sm, thread->pc);
}

/* Threads at a barrier, those of a block together. */
static void hold(struct pool *own, struct bundle *arrived)
{
    while (bundle_count(arrived) > 0) {
        const u32 block = arrived->thread[bundle_lowest(arrived)]->block;
        struct bundle held = {0};
        for (u32 lane = 0; lane < WS_LANES; lane++)
            if (arrived->thread[lane] && arrived->thread[lane]->block == block) {
                held.thread[lane] = arrived->thread[lane];
                arrived->thread[lane] = NULL;
            }
        bundles_append(&own->held, &held);
    }
}

/* A bundle leaves the pipeline; threads with missing lines stay in it. */
static void leave_pipeline(struct sm *sm, struct bundle *bundle)
{
    struct bundle completed = {0}, arrived = {0};
    bundle->left = true;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        struct thread *thread = bundle->thread[lane];
        if (!thread || bundle->tickets[lane] != NO_TICKET)
            continue;
        const u32 class_ = pool_instruction(sm, thread)->class_;
        bundle->thread[lane] = NULL;
        thread->exited = class_ == WS_CLASS_exit && thread->taken;
        if (thread->exited)
            continue;
        go_on(sm, thread);
        (class_ == WS_CLASS_barrier ? &arrived : &completed)->thread[lane] = thread;
    }
    hold(sm->pipeline, &arrived);
    if (bundle_count(&completed) > 0)
        sm->rules.path->pool->completed(sm, &completed);
}

static bool waits_for_line(const struct bundle *bundle)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (bundle->tickets[lane] != NO_TICKET)
            return true;
    return false;
}

static bool is_held(const struct pool *own, const struct thread *thread)
{
    for (const struct bundle *held = own->held; held; held = held->next)
        for (u32 lane = 0; lane < WS_LANES; lane++)
            if (held->thread[lane] == thread)
                return true;
    return false;
}

/* Warps end with their last thread, and arrive when all their threads are held. */
static void settle_warp(struct sm *sm, struct warp *warp)
{
    u32 alive = 0, held = 0;
    for (u32 i = 0; i < warp->path.count; i++) {
        alive += !warp->path.thread[i]->exited;
        held += is_held(sm->pipeline, warp->path.thread[i]);
    }
    if (alive == 0)
        sm->rules.dispatch->warp_ended(sm, (u32)(warp - sm->warps));
    else if (held == alive && !warp->at_barrier)
        warp_arrives(sm, warp);
}

static void complete(struct sm *sm)
{
    struct pool *own = sm->pipeline;
    struct bundle **place = &own->flights;
    while (*place) {
        struct bundle *bundle = *place;
        const bool whole = sm->machine->dwf_wait == WS_dwf_wait_warp;
        if (!bundle->left && bundle->earliest <= sm->now && !(whole && waits_for_line(bundle)))
            leave_pipeline(sm, bundle);
        if (bundle_count(bundle) == 0)
            bundles_drop(place);
        else
            place = &bundle->next;
    }
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (sm->warps[slot].state == WARP_RUNS)
            settle_warp(sm, &sm->warps[slot]);
    if (sm->rules.path->advance)
        sm->rules.path->advance(sm);
}

void pool_released(struct sm *sm, u32 slot)
{
    ((struct pool *)sm->pipeline)->released[slot] = true;
}

static void release(struct sm *sm)
{
    struct pool *own = sm->pipeline;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        own->released[slot] = false;
    barriers_release(sm);
    struct bundle **place = &own->held;
    while (*place) {
        const struct bundle *held = *place;
        if (own->released[held->thread[bundle_lowest(held)]->slot]) {
            sm->rules.path->pool->released(sm, held);
            bundles_drop(place);
        } else {
            place = &(*place)->next;
        }
    }
}

static void cycle(struct sm *sm)
{
    memory_fill(sm);
    complete(sm);
    if (sm->blocks_done == sm->image->blocks) {
        sm->status = WS_STATUS_ok;
        return;
    }
    release(sm);
    dispatch_step(sm);
    pool_issue(sm);
}

/* Threads out of the pipeline return, in order of packets, then lanes. */
static void data_arrives(struct sm *sm, u32 ticket)
{
    struct pool *own = sm->pipeline;
    struct thread **come = NULL;
    u32 comes = 0;
    for (struct bundle *bundle = own->flights; bundle; bundle = bundle->next)
        for (u32 lane = 0; lane < WS_LANES; lane++) {
            if (bundle->tickets[lane] != ticket)
                continue;
            bundle->tickets[lane] = NO_TICKET;
            if (!bundle->left)
                continue;
            go_on(sm, bundle->thread[lane]);
            come = oracle_grow(come, comes, sizeof *come);
            come[comes++] = bundle->thread[lane];
            bundle->thread[lane] = NULL;
        }
    if (comes > 0)
        sm->rules.path->pool->line(sm, come, comes);
    free(come);
}

void pool_places(const struct sm *sm, u32 slot)
{
    const struct pool *own = sm->pipeline;
    bundles_places(sm, own->flights, slot, true);
    bundles_places(sm, own->held, slot, false);
    sm->rules.path->pool->places(sm, slot);
}

static u32 in_flight(const struct sm *sm)
{
    const struct pool *own = sm->pipeline;
    u32 bundles = 0;
    for (const struct bundle *bundle = own->flights; bundle; bundle = bundle->next)
        bundles++;
    for (const struct bundle *bundle = own->held; bundle; bundle = bundle->next)
        bundles++;
    return bundles;
}

static void check(struct sm *sm)
{
    const struct pool *own = sm->pipeline;
    for (const struct bundle *bundle = own->flights; bundle; bundle = bundle->next)
        if (bundle_count(bundle) == 0)
            invariants_violation(sm, NULL, "a packet without threads is under way");
    if (sm->rules.path->pool->check)
        sm->rules.path->pool->check(sm);
}

static void check_end(struct sm *sm)
{
    if (sm->rules.path->pool->any(sm) || (sm->rules.path->pool->queued && sm->rules.path->pool->queued(sm)))
        invariants_violation(sm, NULL, "threads are in the pool at the end");
}

const struct oracle_pipeline oracle_pipeline_pool = {.start = start,
                                                     .finish = finish,
                                                     .cycle = cycle,
                                                     .data_arrives = data_arrives,
                                                     .in_flight = in_flight,
                                                     .reads = memory_reads,
                                                     .check = check,
                                                     .check_end = check_end};
