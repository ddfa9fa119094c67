/* Step 6 where threads issue: select, access, counting, and the class of a stall slot (divergence.md, memory.md). A packet of dwf
 * is one of mimd whose threads share their pc. */
#include <string.h>

#include "oracle/invariants.h"
#include "oracle/memory/memory.h"
#include "oracle/pipeline/issue_slot.h"
#include "oracle/pipeline/pool.h"

/* The accesses of a packet, in their order. */
enum { LOADS, STORES, ATOMICS, OF_SHARED, OF_LOCAL, ACCESSES };

static bool belongs_to(const struct ws_instruction *ins, u32 access)
{
    static const u8 classes[] = {[LOADS] = WS_CLASS_load, [STORES] = WS_CLASS_store, [ATOMICS] = WS_CLASS_atomic};
    if (access == OF_SHARED)
        return accesses(ins, WS_SPACE_shared);
    if (access == OF_LOCAL)
        return accesses(ins, WS_SPACE_local);
    return accesses(ins, WS_SPACE_global) && ins->class_ == classes[access];
}

/* The bundle's threads with a true guard and such an access, as a packet. */
static bool find_access(const struct sm *sm, const struct bundle *bundle, u32 access, struct packet *packet)
{
    memset(packet, 0, sizeof *packet);
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        struct thread *thread = bundle->thread[lane];
        if (!thread || !belongs_to(pool_instruction(sm, thread), access) || !participates(sm, thread, pool_instruction(sm, thread)))
            continue;
        packet->thread[lane] = thread;
        packet->ins = pool_instruction(sm, thread);
        packet->widest = packet->ins->bytes > packet->widest ? packet->ins->bytes : packet->widest;
        packet->atomic |= packet->ins->class_ == WS_CLASS_atomic;
        packet->lanes++;
    }
    return packet->lanes > 0;
}

static u32 find_accesses(const struct sm *sm, const struct bundle *bundle, struct packet packets[ACCESSES])
{
    u32 found = 0;
    for (u32 access = 0; access < ACCESSES; access++)
        found += find_access(sm, bundle, access, &packets[found]);
    return found;
}

static void perform(struct sm *sm, struct bundle *bundle, struct packet *packets, u32 packet_count, struct passage *passage)
{
    for (u32 i = 0; i < packet_count; i++) {
        passage->reads |= access_reads_global(sm, &packets[i]);
        passage->port += access_perform(sm, &packets[i]);
        for (u32 lane = 0; lane < WS_LANES; lane++)
            if (packets[i].thread[lane])
                bundle->tickets[lane] = packets[i].lane_tickets[lane];
    }
}

/* Counts thread instructions one by one; returns lanes with a true guard; consumes all decisions. */
static void execute(struct sm *sm, const struct bundle *bundle, struct packet *shown)
{
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        struct thread *thread = bundle->thread[lane];
        if (!thread)
            continue;
        const struct ws_instruction *ins = pool_instruction(sm, thread);
        count(sm, WS_COUNT_thread_instructions, 1);
        count(sm, WS_COUNT_thread_class + ins->class_, 1);
        if (participates(sm, thread, ins)) {
            shown->thread[lane] = thread;
            shown->threads++;
            count(sm, WS_COUNT_register_reads, ins->reads);
            count(sm, WS_COUNT_register_writes, ins->writes);
            if (ins->class_ <= WS_CLASS_sfu)
                count(sm, WS_COUNT_lane_operations + 8u * ins->class_ + ins->kind, 1);
            if (ins->class_ == WS_CLASS_tensor)
                count(sm, WS_COUNT_tensor_operations, 1);
        }
        if (ins->class_ == WS_CLASS_branch)
            thread->taken = decision_of(sm, thread, thread->decisions);
        if (ins->class_ == WS_CLASS_exit)
            thread->taken = participates(sm, thread, ins);
        if (ins->class_ == WS_CLASS_branch || ins->flags & WS_GUARDED)
            thread->decisions++;
    }
}

/* A packet's branches count as one; it is divergent if its branching threads diverge, or are at different pcs. */
static void count_branch(struct sm *sm, const struct bundle *bundle)
{
    const struct thread *first = NULL;
    bool divergent = false;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        const struct thread *thread = bundle->thread[lane];
        if (!thread || pool_instruction(sm, thread)->class_ != WS_CLASS_branch)
            continue;
        first = first ? first : thread;
        divergent |= thread->pc != first->pc || thread->taken != first->taken;
    }
    if (first)
        count(sm, divergent ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
}

static void count_packet(struct sm *sm, const struct bundle *bundle)
{
    const struct thread *lowest = bundle->thread[bundle_lowest(bundle)];
    struct packet shown = {.slot = lowest->slot, .pc = lowest->pc, .ins = pool_instruction(sm, lowest)};
    execute(sm, bundle, &shown);
    count_branch(sm, bundle);
    count(sm, WS_COUNT_warp_instructions, 1);
    count(sm, WS_COUNT_instructions_fetched, 1);
    count(sm, WS_COUNT_warp_class + shown.ins->class_, 1);
    count(sm, WS_COUNT_active_lanes + shown.threads, 1);
    count(sm, WS_COUNT_operand_reads, shown.threads > 0 ? shown.ins->reads : 0);
    count(sm, WS_COUNT_operand_writes, shown.threads > 0 ? shown.ins->writes : 0);
    code_fetch(sm, shown.pc);
    sm->last_issue = sm->now;
    log_issue(sm, &shown);
    invariants_bundle_issued(sm, bundle, &shown);
}

/* Threads that issue together have passed what any of them has. */
static void share_passed(struct bundle *bundle)
{
    u32 most = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (bundle->thread[lane] && bundle->thread[lane]->passed > most)
            most = bundle->thread[lane]->passed;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (bundle->thread[lane])
            bundle->thread[lane]->passed = most;
}

static void issue(struct sm *sm, struct bundle *bundle, struct packet *packets, u32 packet_count)
{
    struct pool *own = sm->pipeline;
    const struct oracle_pool *pool = sm->rules.path->pool;
    struct passage passage = {.entry = pool->entry ? pool->entry(sm, bundle) : 0, .stages = pool->stages ? pool->stages(sm) : 0};
    pool->issued(sm, bundle);
    if (sm->machine->dwf_passed == WS_dwf_passed_warp)
        share_passed(bundle);
    perform(sm, bundle, packets, packet_count, &passage);
    bundle->earliest = lanes_enter(sm, &own->lanes, &passage);
    count_packet(sm, bundle);
    bundles_append(&own->flights, bundle);
}

static bool in_program(const struct sm *sm, const struct bundle *bundle)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (bundle->thread[lane] && bundle->thread[lane]->pc >= sm->image->instructions)
            return false;
    return true;
}

static void select_and_issue(struct sm *sm)
{
    struct bundle bundle = {0};
    struct packet packets[ACCESSES];
    sm->rules.path->pool->select(sm, &bundle);
    if (!in_program(sm, &bundle)) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    const u32 packet_count = find_accesses(sm, &bundle, packets);
    if (accesses_fit(sm, packets, packet_count)) {
        issue(sm, &bundle, packets, packet_count);
    } else {
        count(sm, WS_COUNT_dram_queue_full, 1);
        slot_lost(sm, ORACLE_PIPELINE);
    }
}

void pool_issue(struct sm *sm)
{
    const struct pool *own = sm->pipeline;
    const struct oracle_pool *pool = sm->rules.path->pool;
    const bool queued = pool->queued && pool->queued(sm);
    if (!pool->any(sm))
        slot_lost(sm, own->flights || queued ? ORACLE_SCOREBOARD : ORACLE_IDLE);
    else if (lanes_block(sm, &own->lanes) || (pool->stalls && pool->stalls(sm)))
        slot_lost(sm, ORACLE_PIPELINE);
    else
        select_and_issue(sm);
}
