/* The stages of a sub-core behind issue: memory queue, SFU, Allocate, Control (docs/model/subcore.md). First lane only. */
#ifndef WS_PIPELINE_SUBCORE_STAGES_H
#define WS_PIPELINE_SUBCORE_STAGES_H

#include "pipeline/subcore/counters.h"
#include "pipeline/subcore/registers.h"

/* ---- Memory instructions of a sub-core: a ring of those in the memory queue, before them the one that the LD/ST unit holds, and
 * behind them the one in Control ---- */

static inline GLOBAL struct ws_ldst *memory_at_place(PRIVATE const struct sm *sm, u32 port, u32 place)
{
    const u32 room = MACHINE(sm, subcore_memory_queue) + 2;
    place += subcore_at(sm, port)->ldst_first;
    return sm_sub_ldst(sm) + port * room + (place >= room ? place - room : place);
}

/* 4-byte words that a lane accesses. */
static inline u32 words_of(GLOBAL const struct ws_instruction *instruction)
{
    return is_access(instruction) ? ws_max(instruction->bytes / 4, 1) : 1;
}

/* Cycles of the address unit. */
static inline u32 address_cycles(PRIVATE const struct sm *sm, u32 pc)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    const u32 halved =
        (operands_at(sm, pc)->flags & WS_OPERANDS_UNIFORM) || instruction->space == WS_SPACE_shared || !is_access(instruction);
    return halved ? (MACHINE(sm, subcore_address) + 1) / 2 : MACHINE(sm, subcore_address);
}

/* The memory queue starts its oldest instruction that has not started. */
static inline void memory_starts(PRIVATE struct sm *sm, u32 port)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    if (core->ldst_started == core->ldst_count || core->address_free > sm->now)
        return;
    GLOBAL struct ws_ldst *entry = memory_at_place(sm, port, core->ldst_started);
    GLOBAL const struct ws_operands *const operands = operands_at(sm, entry->pc);
    if (reads_are_taken(sm, core, operands))
        return;
    const u32 cycles = address_cycles(sm, entry->pc), more = 2 * (words_of(sm->program + entry->pc) - 1);
    const u32 stores = entry->class_ == WS_CLASS_store ? more + (operands->flags & WS_OPERANDS_UNIFORM ? 1 : 3) : 0;
    const u32 read = sm->now + cycles + 4 + stores, slot = entry->answers;
    core->address_free = sm->now + cycles;
    core->ldst_started += 1;
    entry->at = sm->now + cycles + 5;
    fall_at(sm, slot, WS_CONTROL_READS(operands->control), read);
    warp_at(sm, slot)->done_at = ws_max(warp_at(sm, slot)->done_at, read + 1);
}

/* ---- SFU ---- */

static inline void sfu_starts(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core)
{
    GLOBAL struct ws_latch *latch = &core->sfu;
    GLOBAL const struct ws_operands *const operands = operands_at(sm, latch->pc);
    if (!latch->full || core->sfu_free > sm->now || reads_are_taken(sm, core, operands))
        return;
    const u32 written = sm->now + latency_of(sm, latch->pc);
    core->sfu_free = sm->now + interval_of(sm, latch->pc);
    latch->full = 0;
    fall_at(sm, latch->slot, WS_CONTROL_READS(operands->control), sm->now);
    fall_at(sm, latch->slot, WS_CONTROL_WRITES(operands->control), written);
    instruction_ends(sm, latch->slot, written);
}

/* ---- The fixed path ---- */

/* A fixed instruction is held for a cycle: so is the input that it takes. */
static inline void latch_held(GLOBAL struct ws_subcore *core, GLOBAL struct ws_latch *latch)
{
    latch->until += 1;
    core->unit_free[latch->input] = ws_max(core->unit_free[latch->input], latch->until);
}

/* Write event of an instruction that leaves Allocate. */
static inline u32 written_at(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core, u32 pc)
{
    const u32 at = sm->now + 4 + latency_of(sm, pc);
    if (!(operands_at(sm, pc)->flags & WS_OPERANDS_RESULT))
        return at;
    core->written = ws_max(at, core->written + 1);
    core->results[(core->result_first + core->result_count) % WS_SUB_RESULTS] = core->written;
    core->result_count += 1;
    core->results_coming -= 1;
    return core->written;
}

static inline void allocates(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core)
{
    GLOBAL struct ws_latch *latch = &core->allocate;
    GLOBAL const struct ws_operands *const operands = operands_at(sm, latch->pc);
    if (!latch->full)
        return;
    if (!registers_read(sm, core, latch->slot, operands)) {
        count(sm, WS_COUNT_register_stalls, 1);
        latch_held(core, latch);
        return;
    }
    const u32 read = sm->now + 3, written = written_at(sm, core, latch->pc);
    latch->full = 0;
    fall_at(sm, latch->slot, WS_CONTROL_READS(operands->control), read);
    fall_at(sm, latch->slot, WS_CONTROL_WRITES(operands->control), written);
    instruction_ends(sm, latch->slot, ws_max(read, written));
}

/* Whether an instruction can leave Control; if so it does. */
static inline u32 control_leaves(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core)
{
    GLOBAL const struct ws_latch *latch = &core->control;
    const u32 unit = operands_at(sm, latch->pc)->unit;
    if (unit == WS_SUB_MEMORY) {
        if (core->ldst_count == MACHINE(sm, subcore_memory_queue))
            return 0;
        core->ldst_count += 1;
        return 1;
    }
    GLOBAL struct ws_latch *next = unit == WS_SUB_SFU ? &core->sfu : &core->allocate;
    if (next->full)
        return 0;
    *next = *latch;
    return 1;
}

static inline void controls(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core)
{
    GLOBAL struct ws_latch *latch = &core->control;
    if (!latch->full)
        return;
    if (control_leaves(sm, core)) {
        latch->full = 0;
        core->rises = 1;
        core->rising_slot = latch->slot;
        core->rising_pc = latch->pc;
        return;
    }
    count(sm, WS_COUNT_control_stalls, 1);
    if (is_fixed(operands_at(sm, latch->pc)))
        latch_held(core, latch);
}

/* Whether a stage has an instruction. */
static inline u32 stages_busy(GLOBAL const struct ws_subcore *core)
{
    return core->control.full || core->allocate.full || core->sfu.full || core->ldst_count != 0;
}

/* The stages of all sub-cores. */
static inline void stages(PRIVATE struct sm *sm)
{
    for (u32 port = 0; port < ports(sm); ++port) {
        GLOBAL struct ws_subcore *core = subcore_at(sm, port);
        if (!stages_busy(core))
            continue;
        memory_starts(sm, port);
        sfu_starts(sm, core);
        allocates(sm, core);
        controls(sm, core);
    }
}

#endif
