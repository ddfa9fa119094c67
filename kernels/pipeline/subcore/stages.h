/* The stages behind issue through which variable instructions go: Control, memory queue, SFU, shared FP64 unit
 * (docs/model/subcore.md). First lane only. */
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
    const u32 leaves = sm->now + cycles + MACHINE(sm, subcore_path), read = leaves - 1 + stores, slot = entry->answers;
    core->address_free = sm->now + cycles;
    core->ldst_started += 1;
    sm_busy(sm)->sends |= (u8)ws_bit(port);
    entry->at = leaves;
    fall_at(sm, slot, WS_CONTROL_READS(operands->control), read);
    warp_at(sm, slot)->done_at = ws_max(warp_at(sm, slot)->done_at, read + 1);
}

/* ---- SFU ---- */

/* A variable instruction that accesses no memory starts: it reads its registers. */
static inline void instruction_starts(PRIVATE const struct sm *sm, GLOBAL const struct ws_latch *latch)
{
    GLOBAL const struct ws_operands *const operands = operands_at(sm, latch->pc);
    const u32 written = sm->now + latency_of(sm, latch->pc);
    fall_at(sm, latch->slot, WS_CONTROL_READS(operands->control), sm->now);
    fall_at(sm, latch->slot, WS_CONTROL_WRITES(operands->control), written);
    instruction_ends(sm, latch->slot, written);
}

static inline void sfu_starts(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core)
{
    GLOBAL struct ws_latch *latch = &core->sfu;
    if (!latch->full)
        return;
    if (core->sfu_free > sm->now || reads_are_taken(sm, core, operands_at(sm, latch->pc)))
        return;
    core->sfu_free = sm->now + interval_of(sm, latch->pc);
    latch->full = 0;
    instruction_starts(sm, latch);
}

/* ---- The FP64 unit that sub-cores share ---- */

static inline void fp64_starts(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_fp64 *unit = sm_fp64(sm);
    if (sm_busy(sm)->fp64 == 0 || unit->free_at > sm->now)
        return;
    for (u32 n = 0; n < ports(sm); ++n) {
        const u32 port = (unit->turn + n) & (ports(sm) - 1);
        GLOBAL struct ws_subcore *core = subcore_at(sm, port);
        GLOBAL const struct ws_latch *const latch = core->fp64 + core->fp64_first;
        if (core->fp64_count == 0 || reads_are_taken(sm, core, operands_at(sm, latch->pc)))
            continue;
        core->fp64_first = (core->fp64_first + 1) % WS_SUB_FP64_MOST;
        core->fp64_count -= 1;
        busy_put(&sm_busy(sm)->fp64, port, core->fp64_count != 0);
        unit->free_at = sm->now + interval_of(sm, latch->pc);
        unit->turn = port + 1;
        instruction_starts(sm, latch);
        return;
    }
}

/* ---- Control, of variable instructions ---- */

/* Whether an instruction can leave Control; if so it does. */
static inline u32 control_leaves(PRIVATE const struct sm *sm, u32 port, GLOBAL struct ws_subcore *core)
{
    const u32 unit = operands_at(sm, core->control.pc)->unit;
    if (unit == WS_SUB_MEMORY) {
        if (core->ldst_count == MACHINE(sm, subcore_memory_queue))
            return 0;
        core->ldst_count += 1;
    } else if (unit == WS_SUB_FP64) {
        if (core->fp64_count == MACHINE(sm, subcore_fp64_queue))
            return 0;
        core->fp64[(core->fp64_first + core->fp64_count) % WS_SUB_FP64_MOST] = core->control;
        core->fp64_count += 1;
        sm_busy(sm)->fp64 |= (u8)ws_bit(port);
    } else {
        if (core->sfu.full)
            return 0;
        core->sfu = core->control;
    }
    return 1;
}

/* The instruction in Control leaves, or is held for a cycle; returns whether it is held. */
static inline u32 controls(PRIVATE const struct sm *sm, u32 port, GLOBAL struct ws_subcore *core)
{
    GLOBAL struct ws_latch *latch = &core->control;
    if (!latch->full)
        return 0;
    if (!control_leaves(sm, port, core))
        return 1;
    latch->full = 0;
    rise_at(sm, latch->slot, operands_at(sm, latch->pc)->control, sm->now);
    return 0;
}

/* The stages of the sub-cores that hold an instruction there. */
static inline void stages(PRIVATE struct sm *sm)
{
    sm->controls_held = 0;
    for (u32 left = sm_busy(sm)->stages; left != 0; left &= left - 1) {
        const u32 port = ws_ctz(left);
        GLOBAL struct ws_subcore *core = subcore_at(sm, port);
        memory_starts(sm, port);
        sfu_starts(sm, core);
        sm->controls_held += controls(sm, port, core);
        busy_put(&sm_busy(sm)->stages, port, core->control.full | core->sfu.full | (core->ldst_started != core->ldst_count));
    }
}

/* Next cycle after this one in which a stage of a sub-core may act, beside an instruction that is held in Control. */
static inline u32 stages_next(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core)
{
    u32 next = core->ldst_started != core->ldst_count ? core->address_free : WS_NEVER;
    next = core->sfu.full ? ws_min(next, core->sfu_free) : next;
    next = core->fp64_count != 0 ? ws_min(next, sm_fp64(sm)->free_at) : next;
    return ws_max(next, sm->now + 1);
}

#endif
