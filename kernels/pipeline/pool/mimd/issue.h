/* The issue slot of path unit `mimd`: threads with separate pcs issue together (docs/model/divergence.md). */
#ifndef WS_PIPELINE_POOL_MIMD_ISSUE_H
#define WS_PIPELINE_POOL_MIMD_ISSUE_H

#include "pipeline/pool/mimd/mimd.h"
#include "pipeline/parts/port.h"

/* Instructions of a packet's threads, each in its lane. */
struct mimd {
    struct packet packet;                          /* mask: lanes that have a thread; lanes: those with a true guard */
    u32 branches, decides, exits, holds, privates; /* lanes by class of instruction */
    u32 passes, latency;
    PER_LANE(u32, pc);
    PER_LANE(u32, bits);
    PER_LANE(u32, address);
};

/* Accesses are serial: to global memory by class, then to shared memory. */
enum { MIMD_ACCESSES = 4, WIDEST_ACCESS = 16 };
CONSTANT u8 mimd_classes[MIMD_ACCESSES] = {WS_CLASS_load, WS_CLASS_store, WS_CLASS_atomic, 0};

/* Whether a thread is ready. */
static inline u32 mimd_any_ready(PRIVATE struct sm *sm)
{
    u32 any = 0;
    if (lane_first())
        for (u32 warp = 0; warp < MACHINE(sm, core_warps); ++warp)
            any |= mimd_ready(sm, warp);
    return lanes_from_first(&sm->lanes, any);
}

/* Lanes of the packet with an instruction of a class, or (WS_CLASSES) with one of some flags. */
static inline u32 lanes_of(PRIVATE struct sm *sm, PRIVATE const struct mimd *mimd, u32 class_, u32 flags)
{
    PER_LANE(u32, is);
    FOR_LANES (lane) {
        GLOBAL const struct ws_instruction *const instruction = sm->program + mimd->pc[OF(lane)];
        is[OF(lane)] = class_ == WS_CLASSES ? instruction->flags & flags : instruction->class_ == class_;
    }
    return lanes_ballot(&sm->lanes, is) & mimd->packet.mask;
}

/* Lanes that access a space of memory. */
static inline u32 lanes_to(PRIVATE struct sm *sm, PRIVATE const struct mimd *mimd, u32 space, u32 flags)
{
    PER_LANE(u32, is);
    FOR_LANES (lane) {
        GLOBAL const struct ws_instruction *const instruction = sm->program + mimd->pc[OF(lane)];
        is[OF(lane)] = instruction->space == space && (instruction->flags & flags) == flags;
    }
    return lanes_ballot(&sm->lanes, is) & mimd->packet.lanes;
}

/* The packet that would issue. */
static inline void mimd_peek(PRIVATE struct sm *sm, PRIVATE struct mimd *mimd)
{
    PRIVATE struct packet *packet = &mimd->packet;
    u32 n = 0;
    if (lane_first()) {
        n = dynamic_take(sm);
        mimd_gather(sm, n, sm->next_thread);
    }
    lanes_fence(&sm->lanes);
    packet->slot = lanes_from_first(&sm->lanes, n);
    packet->mask = packet->lanes = dynamic_warp(sm, packet->slot)->mask;
    FOR_LANES (lane) {
        mimd->pc[OF(lane)] = packet->mask >> lane & 1 ? sm_thread_pc(sm)[dynamic_threads(sm, packet->slot)[lane]] : 0;
        mimd->bits[OF(lane)] = mimd->address[OF(lane)] = 0;
    }
    const u32 guarded = lanes_of(sm, mimd, WS_CLASSES, WS_GUARDED);
    mimd->branches = lanes_of(sm, mimd, WS_CLASS_branch, 0);
    mimd->holds = lanes_of(sm, mimd, WS_CLASS_barrier, 0);
    mimd->decides = guarded | mimd->branches;
    if (mimd->decides != 0) {
        path_threads(sm, packet, mimd->decides);
        peek_decisions(sm, &packet->threads, mimd->bits);
        packet->lanes &= ~(guarded & ~lanes_ballot(&sm->lanes, mimd->bits));
    }
    mimd->exits = lanes_of(sm, mimd, WS_CLASS_exit, 0) & packet->lanes;
    mimd->privates = lanes_to(sm, mimd, WS_SPACE_local, 0);
}

/* Lanes of the n-th access. */
static inline u32 mimd_access(PRIVATE struct sm *sm, PRIVATE const struct mimd *mimd, u32 n)
{
    if (n == MIMD_ACCESSES - 1)
        return lanes_to(sm, mimd, WS_SPACE_shared, WS_ADDRESSED);
    return lanes_to(sm, mimd, WS_SPACE_global, WS_ADDRESSED) & lanes_of(sm, mimd, mimd_classes[n], 0);
}

/* Computes addresses of all accesses; returns the room in memory that they wait for, 0 for none. */
static inline u32 mimd_try(PRIVATE struct sm *sm, PRIVATE struct mimd *mimd)
{
    const u32 lanes = lanes_to(sm, mimd, WS_SPACE_global, WS_ADDRESSED) | lanes_to(sm, mimd, WS_SPACE_shared, WS_ADDRESSED);
    u32 reads = 0, writes = 0;
    if (lanes == 0)
        return 0;
    path_threads(sm, &mimd->packet, lanes);
    peek_accesses(sm, &mimd->packet.threads, mimd->address);
    if (MACHINE(sm, memory_ideal))
        return 0;
    for (u32 n = 0; n < MIMD_ACCESSES - 1; ++n) {
        const u32 mask = mimd_access(sm, mimd, n), class_ = mimd_classes[n];
        if (mask == 0)
            continue;
        access_lines(sm, class_, mimd->address, mask, &mimd->packet.access);
        if (lane_first()) {
            reads += access_new_reads(sm, mimd->packet.access.lines, class_);
            writes += access_writes(sm, class_) ? mimd->packet.access.lines : 0;
        }
        lanes_fence(&sm->lanes);
    }
    return lanes_from_first(&sm->lanes, lane_first() ? queue_wants(sm, reads, writes) : 0);
}

/* An access to shared memory: as wide as its widest lane, atomic if one lane is. */
static inline void mimd_access_shared(PRIVATE struct sm *sm, PRIVATE struct mimd *mimd, u32 mask)
{
    PER_LANE(u32, narrower);
    const u32 atomics = mask & lanes_of(sm, mimd, WS_CLASS_atomic, 0);
    FOR_LANES (lane)
        narrower[OF(lane)] = mask >> lane & 1 ? WIDEST_ACCESS - sm->program[mimd->pc[OF(lane)]].bytes : WIDEST_ACCESS;
    access_shared(sm, atomics != 0 ? WS_CLASS_atomic : WS_CLASS_load, WIDEST_ACCESS - lanes_least(&sm->lanes, narrower),
                  mimd->address, mask, &mimd->packet.access);
}

/* Sends the accesses. */
static inline void mimd_send(PRIVATE struct sm *sm, PRIVATE struct mimd *mimd)
{
    PRIVATE struct packet *packet = &mimd->packet;
    const u32 executing = packet->lanes;
    mimd->passes = mimd->latency = 0;
    for (u32 n = 0; n < MIMD_ACCESSES; ++n) {
        const u32 mask = mimd_access(sm, mimd, n), shared = n == MIMD_ACCESSES - 1;
        if (mask == 0)
            continue;
        path_threads(sm, packet, mask);
        /* any lane's: all are of one space, and those to global memory of one class */
        packet->instruction = sm->program + lanes_pick(&sm->lanes, mimd->pc, ws_ctz(mask));
        packet->lanes = mask;
        if (shared) {
            mimd_access_shared(sm, mimd, mask);
        } else {
            access_lines(sm, mimd_classes[n], mimd->address, mask, &packet->access);
            flight_accesses(sm, packet, mimd->address);
        }
        port_send(sm, packet);
        mimd->passes += packet->access.passes;
        mimd->latency = ws_max(mimd->latency, port_latency(sm, mimd_classes[n], packet->instruction->space));
        lanes_fence(&sm->lanes);
        packet->lanes = executing;
    }
}

/* Counts a packet, as one of the class of its lowest lane's instruction. First lane only. */
static inline void mimd_count(PRIVATE struct sm *sm, PRIVATE const struct mimd *mimd)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, mimd->packet.slot);
    LOCAL u32 *counters = sm->scratch->counters;
    for (u32 lanes = mimd->packet.mask; lanes != 0; lanes &= lanes - 1) {
        const u32 lane = ws_ctz(lanes), executes = mimd->packet.lanes >> lane & 1;
        GLOBAL const struct ws_instruction *const instruction = sm->program + sm_thread_pc(sm)[threads[lane]];
        lanes_add(&counters[WS_COUNT_warp_class + instruction->class_], lane == 0);
        lanes_add(&counters[WS_COUNT_thread_class + instruction->class_], 1);
        lanes_add(&counters[WS_COUNT_register_reads], instruction->reads * executes);
        lanes_add(&counters[WS_COUNT_register_writes], instruction->writes * executes);
        if (lane == 0 && mimd->packet.lanes != 0) {
            lanes_add(&counters[WS_COUNT_operand_reads], instruction->reads);
            lanes_add(&counters[WS_COUNT_operand_writes], instruction->writes);
        }
        if (is_arithmetic(instruction))
            lanes_add(&counters[operation_bin(instruction)], executes);
    }
    lanes_add(&counters[WS_COUNT_active_lanes + ws_popcount(mimd->packet.lanes)], 1);
    lanes_add(&counters[WS_COUNT_private_accesses], mimd->privates != 0);
}

/* Whether the branching threads diverge, or execute different branches. */
static inline u32 mimd_diverges(PRIVATE struct sm *sm, PRIVATE const struct mimd *mimd)
{
    PER_LANE(u32, differs);
    const u32 lead = ws_ctz(mimd->branches), pc = lanes_pick(&sm->lanes, mimd->pc, lead);
    const u32 taken = lanes_ballot(&sm->lanes, mimd->bits) & mimd->branches;
    FOR_LANES (lane)
        differs[OF(lane)] = (mimd->branches >> lane & 1) && mimd->pc[OF(lane)] != pc;
    return lanes_any(&sm->lanes, differs) || (taken != 0 && taken != mimd->branches);
}

/* The threads go to their next pcs. */
static inline void mimd_follow(PRIVATE struct sm *sm, PRIVATE struct mimd *mimd)
{
    PER_LANE(u32, next);
    PER_LANE(u32, outside);
    PRIVATE struct packet *packet = &mimd->packet;
    GLOBAL const u16 *threads = dynamic_threads(sm, packet->slot);
    const u32 going = packet->mask & ~mimd->exits;
    if (mimd->branches != 0)
        count(sm, mimd_diverges(sm, mimd) ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (mimd->decides != 0) {
        path_threads(sm, packet, mimd->decides);
        take(&packet->threads, sm_decisions(sm));
    }
    FOR_LANES (lane) {
        GLOBAL const struct ws_instruction *const instruction = sm->program + mimd->pc[OF(lane)];
        const u32 goes = (mimd->branches >> lane & 1) && mimd->bits[OF(lane)];
        next[OF(lane)] = goes ? instruction->target : pc_after(instruction, mimd->pc[OF(lane)]);
        outside[OF(lane)] = (going >> lane & 1) && next[OF(lane)] >= sm->job->instructions;
    }
    if (lanes_any(&sm->lanes, outside)) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    FOR_LANES_OF (lane, going)
        sm_thread_pc(sm)[threads[lane]] = (u16)next[OF(lane)];
}

/* The packet's threads are no longer ready. */
static inline void mimd_take(PRIVATE struct sm *sm, PRIVATE const struct mimd *mimd)
{
    const u32 n = mimd->packet.slot, threads = MACHINE(sm, core_warps) * MACHINE(sm, core_warp_size);
    u32 last = 0;
    if (lane_first()) {
        for (u32 lanes = mimd->packet.mask; lanes != 0; lanes &= lanes - 1) {
            last = dynamic_threads(sm, n)[ws_ctz(lanes)];
            sm_ready_threads(sm)[home_warp(sm, last)] &= ~ws_bit(last & (MACHINE(sm, core_warp_size) - 1));
        }
        dynamic_warp(sm, n)->exits = mimd->exits;
        dynamic_warp(sm, n)->holds = mimd->holds;
    }
    last = lanes_from_first(&sm->lanes, last);
    sm->next_thread = last + 1 == threads ? 0 : last + 1;
}

/* Whether there are packets other than those that a barrier has released in this cycle. */
static inline u32 mimd_is_busy(PRIVATE struct sm *sm)
{
    return lanes_from_first(&sm->lanes, lane_first() ? pool_busy(sm) > pool_released(sm) : 0);
}

/* Uses the cycle's issue slot. */
static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct mimd mimd;
    if (!mimd_any_ready(sm))
        return mimd_is_busy(sm) ? SLOT_SCOREBOARD : SLOT_IDLE;
    if (sm->now < sm->select_at)
        return SLOT_PIPELINE;
    mimd_peek(sm, &mimd);
    const u32 wanted = mimd_try(sm, &mimd);
    if (wanted != 0) {
        if (lane_first())
            dynamic_free(sm, mimd.packet.slot);
        return refuse(sm, 0, wanted);
    }
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_instructions_fetched, 1);
    if (lane_first())
        mimd_count(sm, &mimd);
    const u32 lead = dynamic_threads(sm, mimd.packet.slot)[0];
    record_issue(sm, home_warp(sm, lead), lanes_pick(&sm->lanes, mimd.pc, 0), mimd.packet.lanes);
    mimd_take(sm, &mimd);
    mimd_send(sm, &mimd);
    mimd_follow(sm, &mimd);
    flight_begins(sm, lanes, &mimd.packet, port_pass(sm, PLAN(sm, entry), mimd.passes, mimd.latency), OUTCOME_NEXT);
    return SLOT_ISSUED;
}

#endif
