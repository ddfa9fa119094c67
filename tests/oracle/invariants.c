#include "oracle/invariants.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_A_CYCLE = 32 };

/* A thread on its own path. Packets do not show jumps and false guards, so the walker may be behind by some of these. */
struct walker {
    u32 pc;
    u64 decisions, accesses;
    bool exited;
    u64 issues_from; /* first cycle in which it may issue again */
    u64 seen;        /* last check that found it in a place */
};

struct checker {
    struct walker *walkers; /* of all threads of the image */
    u64 looks;
    u32 slot;                       /* next block to check */
    u64 lane_issues_from[WS_LANES]; /* of slices */
};

void invariants_start(struct sm *sm)
{
    if (!sm->log || !sm->log->want_invariants)
        return;
    sm->log->violation[0] = '\0';
    sm->checker = oracle_allocate(1, sizeof *sm->checker);
    sm->checker->walkers = oracle_allocate((size_t)sm->image->blocks * sm->image->block_threads, sizeof *sm->checker->walkers);
}

void invariants_finish(struct sm *sm)
{
    if (sm->checker)
        free(sm->checker->walkers);
    free(sm->checker);
}

static struct walker *walker_of(const struct sm *sm, const struct thread *thread)
{
    return &sm->checker->walkers[thread - sm->threads];
}

void invariants_violation(const struct sm *sm, const struct thread *thread, const char *format, ...)
{
    struct oracle_log *log = sm->log;
    va_list arguments;
    int length;
    if (log->violation[0])
        return;
    length = snprintf(log->violation, sizeof log->violation, "cycle %llu: ", (unsigned long long)sm->now);
    if (thread)
        length += snprintf(log->violation + length, sizeof log->violation - (size_t)length, "block %u thread %u ", thread->block,
                           thread->number);
    va_start(arguments, format);
    vsnprintf(log->violation + length, sizeof log->violation - (size_t)length, format, arguments);
    va_end(arguments);
}

static void end_if_violationed(struct sm *sm)
{
    if (sm->log->violation[0])
        sm->status = WS_STATUS_internal;
}

static bool in_program(const struct sm *sm, const struct walker *walker)
{
    return walker->pc < sm->image->instructions;
}

/* Skips an instruction at which the thread may be invisible; false if it must be visible. */
static bool pass(const struct sm *sm, const struct thread *thread, struct walker *walker)
{
    const struct ws_instruction *ins = &sm->image->program[walker->pc];
    if (ins->class_ == WS_CLASS_jump) {
        walker->pc = ins->target;
        return true;
    }
    if (!(ins->flags & WS_GUARDED) || decision_of(sm, thread, walker->decisions))
        return false;
    walker->decisions++;
    walker->pc++;
    return true;
}

/* Walks on to pc; false if the thread must be visible at another pc first. */
static bool walk_to(const struct sm *sm, const struct thread *thread, struct walker *walker, u32 pc)
{
    for (u32 steps = 0; steps <= sm->image->instructions && in_program(sm, walker); steps++) {
        if (walker->pc == pc)
            return true;
        if (!pass(sm, thread, walker))
            return false;
    }
    return walker->pc == pc;
}

static void execute(const struct sm *sm, const struct thread *thread, struct walker *walker)
{
    const struct ws_instruction *ins = &sm->image->program[walker->pc];
    const bool decides = ins->class_ == WS_CLASS_branch || ins->flags & WS_GUARDED;
    const bool decision = decides && decision_of(sm, thread, walker->decisions);
    walker->decisions += decides;
    walker->accesses += ins->flags & WS_ADDRESSED ? 1 : 0;
    walker->exited = ins->class_ == WS_CLASS_exit;
    if (ins->flags & WS_GUARDED && !decision)
        invariants_violation(sm, thread, "issues pc %u with a false guard", walker->pc);
    if (ins->class_ == WS_CLASS_jump || (ins->class_ == WS_CLASS_branch && decision))
        walker->pc = ins->target;
    else
        walker->pc++;
}

static void check_issue(const struct sm *sm, const struct thread *thread, u32 pc, u32 lane)
{
    struct walker *walker = walker_of(sm, thread);
    const u32 home = thread->number % sm->machine->core_warp_size % WS_LANES;
    if (sm->rules.path->home_lanes && lane != home)
        invariants_violation(sm, thread, "issues in lane %u, not %u", lane, home);
    if (walker->issues_from > sm->now)
        invariants_violation(sm, thread, "issues twice");
    if (walker->exited) {
        invariants_violation(sm, thread, "issues pc %u after its exit", pc);
        return;
    }
    if (!walk_to(sm, thread, walker, pc)) {
        invariants_violation(sm, thread, "issues pc %u where its path has pc %u", pc, walker->pc);
        return;
    }
    walker->issues_from = sm->now + 1;
    execute(sm, thread, walker);
    if (thread->decisions != walker->decisions)
        invariants_violation(sm, thread, "has taken %llu decisions, not %llu", (unsigned long long)thread->decisions,
                             (unsigned long long)walker->decisions);
    if (thread->accesses != walker->accesses)
        invariants_violation(sm, thread, "has taken %llu addresses, not %llu", (unsigned long long)thread->accesses,
                             (unsigned long long)walker->accesses);
}

/* The lanes of all slices are disjoint and complete. */
static void check_lane(struct sm *sm, u32 slot, u32 lane)
{
    const u32 n = port_of(sm, slot) * sm->machine->core_warp_size + lane;
    if (sm->checker->lane_issues_from[n] > sm->now)
        invariants_violation(sm, NULL, "lane %u of the slices issues twice", n);
    sm->checker->lane_issues_from[n] = sm->now + 1;
}

void invariants_issued(struct sm *sm, const struct packet *packet)
{
    if (!sm->checker)
        return;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        if (!packet->thread[lane])
            continue;
        check_issue(sm, packet->thread[lane], packet->pc, lane);
        if (is_sliced(sm))
            check_lane(sm, packet->slot, lane);
    }
    end_if_violationed(sm);
}

void invariants_bundle_issued(struct sm *sm, const struct bundle *bundle, const struct packet *packet)
{
    if (!sm->checker)
        return;
    const u32 pc = bundle->thread[bundle_lowest(bundle)]->pc;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        const struct thread *thread = bundle->thread[lane];
        if (!thread)
            continue;
        if (sm->rules.path->pool->one_pc && thread->pc != pc)
            invariants_violation(sm, thread, "issues pc %u with others at pc %u", thread->pc, pc);
        if (packet->thread[lane])
            check_issue(sm, thread, thread->pc, lane);
    }
    end_if_violationed(sm);
}

void invariants_place(const struct sm *sm, const struct thread *thread, u32 pc, bool joins)
{
    struct walker *walker = walker_of(sm, thread), walked = *walker;
    const bool first = walker->seen != sm->checker->looks;
    walker->seen = sm->checker->looks;
    if (!first && !joins)
        invariants_violation(sm, thread, "is in two places, one at pc %u", pc);
    if (!first || pc == UNDER_WAY)
        return;
    if (walker->exited)
        invariants_violation(sm, thread, "has exited and is at pc %u", pc);
    else if (!walk_to(sm, thread, &walked, pc))
        invariants_violation(sm, thread, "is at pc %u where its path has pc %u", pc, walked.pc);
}

static void look_at_block(struct sm *sm, u32 block)
{
    const u32 unissued = sm->rules.dispatch->unissued ? sm->rules.dispatch->unissued(sm, block) : 0;
    sm->checker->looks++;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (sm->warps[slot].state != SLOT_FREE && sm->warps[slot].block == block)
            sm->rules.path->places(sm, slot);
    for (u32 number = 0; number < sm->image->block_threads; number++) {
        const struct thread *thread = thread_of(sm, block, number);
        const struct walker *walker = walker_of(sm, thread);
        if (number / sm->machine->core_warp_size >= warps_per_block(sm) - unissued)
            continue;
        if (!walker->exited && walker->seen != sm->checker->looks)
            invariants_violation(sm, thread, "is in no place");
    }
    end_if_violationed(sm);
}

void invariants_cycle(struct sm *sm)
{
    if (!sm->checker)
        return;
    if (sm->rules.pipeline->check)
        sm->rules.pipeline->check(sm);
    if (sm->rules.dispatch->check)
        sm->rules.dispatch->check(sm);
    end_if_violationed(sm);
    if (sm->now % (1 + sm->image->block_threads / THREADS_A_CYCLE) != 0)
        return;
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const struct warp *warp = &sm->warps[sm->checker->slot++ % sm->machine->core_warps];
        if (warp->state == SLOT_FREE)
            continue;
        look_at_block(sm, warp->block);
        return;
    }
}

static void check_empty(struct sm *sm)
{
    for (size_t i = 0; i < (size_t)sm->image->blocks * sm->image->block_threads; i++)
        if (!sm->checker->walkers[i].exited)
            invariants_violation(sm, &sm->threads[i], "has not exited");
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (sm->warps[slot].state != SLOT_FREE)
            invariants_violation(sm, NULL, "slot %u is not free at the end", slot);
    if (sm->rules.pipeline->in_flight(sm) > 0)
        invariants_violation(sm, NULL, "%u packets are in flight at the end", sm->rules.pipeline->in_flight(sm));
    if (sm->rules.pipeline->reads(sm) > 0)
        invariants_violation(sm, NULL, "%u reads are in flight at the end", sm->rules.pipeline->reads(sm));
    if (sm->rules.pipeline->check_end)
        sm->rules.pipeline->check_end(sm);
    if (sm->rules.dispatch->check_end)
        sm->rules.dispatch->check_end(sm);
}

void invariants_end(struct sm *sm)
{
    const u64 *counters = sm->counters;
    const u64 classed = counters[WS_COUNT_warp_instructions] + counters[WS_COUNT_stall_idle] + counters[WS_COUNT_stall_scoreboard] +
                        counters[WS_COUNT_stall_pipeline];
    if (!sm->checker)
        return;
    if (sm->status == WS_STATUS_ok)
        check_empty(sm);
    if ((sm->status == WS_STATUS_ok || sm->status == WS_STATUS_deadlock) && classed != counters[WS_COUNT_cycles] * ports(sm))
        invariants_violation(sm, NULL, "%llu slots are classed", (unsigned long long)classed);
    end_if_violationed(sm);
}
