#include "oracle/pipeline/issue_slot.h"

#include <string.h>

#include "oracle/invariants.h"

bool slot_looked_at(const struct sm *sm, u32 slot)
{
    return !sm->rules.policy->looks_at || sm->rules.policy->looks_at(sm, slot);
}

void slot_lost(struct sm *sm, enum oracle_kind kind)
{
    count(sm,
          kind == ORACLE_IDLE         ? WS_COUNT_stall_idle
          : kind == ORACLE_SCOREBOARD ? WS_COUNT_stall_scoreboard
                                      : WS_COUNT_stall_pipeline,
          1);
    log_lost(sm, kind);
}

void slot_peek(const struct sm *sm, u32 slot, struct packet *packet)
{
    memset(packet, 0, sizeof *packet);
    packet->slot = slot;
    packet->pc = sm->warps[slot].path.pc;
    packet->ins = instruction_of(sm, &sm->warps[slot]);
    sm->rules.path->peek(sm, slot, packet);
}

static void thread_instructions(struct sm *sm, const struct packet *packet, u32 threads)
{
    count(sm, WS_COUNT_thread_instructions, threads);
    count(sm, WS_COUNT_thread_class + packet->ins->class_, threads);
    if (sm->rules.policy->executed)
        sm->rules.policy->executed(sm, packet->slot, threads);
}

void slot_begins(struct sm *sm, const struct packet *packet)
{
    if (sm->rules.policy->begun)
        sm->rules.policy->begun(sm, packet->slot);
    count(sm, WS_COUNT_instructions_fetched, 1);
    sm->warps[packet->slot].fetched++;
    thread_instructions(sm, packet, packet->masked);
}

void slot_issues(struct sm *sm, const struct packet *packet)
{
    count(sm, WS_COUNT_warp_instructions, 1);
    count(sm, WS_COUNT_warp_class + packet->ins->class_, 1);
    count(sm, WS_COUNT_active_lanes + packet->lanes, 1);
    count(sm, WS_COUNT_register_reads, (u64)packet->threads * packet->ins->reads);
    count(sm, WS_COUNT_register_writes, (u64)packet->threads * packet->ins->writes);
    used_by_packet(sm, packet);
    thread_instructions(sm, packet, packet->threads);
    if (sm->rules.policy->issued && !packet->in_gang)
        sm->rules.policy->issued(sm, packet);
    sm->last_issue = sm->now;
    log_issue(sm, packet);
    invariants_issued(sm, packet);
}
