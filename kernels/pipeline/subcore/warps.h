/* Sub-cores and their warps (docs/model/subcore.md). The first lane owns their structs; sets of slots are uniform. */
#ifndef WS_PIPELINE_SUBCORE_WARPS_H
#define WS_PIPELINE_SUBCORE_WARPS_H

#include "pipeline/parts/latencies.h"
#include "pipeline/parts/timing_wheel.h"
#include "schedule/ports.h"

static inline GLOBAL struct ws_subcore *subcore_at(PRIVATE const struct sm *sm, u32 port)
{
    return sm_subcores(sm) + port;
}

static inline GLOBAL struct ws_sub_warp *warp_at(PRIVATE const struct sm *sm, u32 slot)
{
    return sm_sub_warps(sm) + slot;
}

/* Puts whether a sub-core is in a mask of struct ws_busy. First lane only. */
static inline void busy_put(GLOBAL u8 *mask, u32 port, u32 is)
{
    *mask = (u8)((*mask & ~ws_bit(port)) | is << port);
}

/* Slot from which a sub-core issued last; initially its highest. */
static inline u32 port_last(PRIVATE const struct sm *sm, u32 port)
{
    const u32 last = port_value(sm->issued_last, port);
    return last != WS_NEVER ? last : slots_last(slots_and(slots_of_port(sm, port), slots_below(MACHINE(sm, core_warps))));
}

static inline GLOBAL const struct ws_operands *operands_at(PRIVATE const struct sm *sm, u32 pc)
{
#ifdef WS_LANES_LOOP
    return sm->operands + pc;
#else
    return ws_operands_behind(sm->program, sm->job->instructions) + pc;
#endif
}

static inline u32 is_fixed(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    return operands->unit < WS_SUB_SFU && (operands->unit != WS_SUB_FP64 || MACHINE(sm, subcore_fp64) == WS_fp64_unit_port);
}

/* Whether it accesses memory; other instructions of unit MEMORY exchange values between lanes. */
static inline u32 is_access(GLOBAL const struct ws_instruction *instruction)
{
    return instruction->class_ >= WS_CLASS_load && instruction->class_ <= WS_CLASS_atomic;
}

/* The last event of an instruction is known: its cycle. First lane only. */
static inline void instruction_ends(PRIVATE const struct sm *sm, u32 slot, u32 at)
{
    GLOBAL struct ws_sub_warp *warp = warp_at(sm, slot);
    warp->done_at = ws_max(warp->done_at, at + 1);
    warp->out -= 1;
}

/* Results that are reserved, once those written are gone. First lane only. */
static inline u32 results_reserved(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core)
{
    while (core->result_count != 0 && core->results[core->result_first] <= sm->now) {
        core->result_first = (core->result_first + 1) % WS_SUB_RESULTS;
        core->result_count -= 1;
    }
    return core->result_count;
}

/* ---- Latencies ---- */

/* Fills the table of the places of operations among the latencies. First lane only. */
static inline void latencies_open(PRIVATE const struct sm *sm)
{
    for (u32 class_ = 0; class_ < WS_CLASSES; ++class_)
        for (u32 kind = 0; kind < WS_KINDS; ++kind)
            sm_sub_latency(sm)[class_ * WS_KINDS + kind] =
                (u8)operation_latency(class_, kind == WS_KIND_fma ? (u32)WS_KIND_mad : kind);
}

/* Place of an instruction's latency and interval: the SFU has one for whatever is no division. */
static inline u32 latency_place(PRIVATE const struct sm *sm, u32 pc)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    return operands_at(sm, pc)->unit == WS_SUB_SFU && instruction->kind < WS_KIND_div ? (u32)LATENCY_SFU
                                                                                      : sm_sub_latency(sm)[instruction->operation];
}

static inline u32 latency_of(PRIVATE const struct sm *sm, u32 pc)
{
    return (&sm->machine->latency_int_add)[latency_place(sm, pc)];
}

/* Cycles for which its unit's input is taken. */
static inline u32 interval_of(PRIVATE const struct sm *sm, u32 pc)
{
    return (&sm->machine->interval_int_add)[latency_place(sm, pc)] * PLAN(sm, entry);
}

#endif
