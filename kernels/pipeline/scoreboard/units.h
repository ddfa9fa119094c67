/* SP units and SFU: where an instruction goes, when it starts and has its results (docs/model.md 10). */
#ifndef WS_PIPELINE_SCOREBOARD_UNITS_H
#define WS_PIPELINE_SCOREBOARD_UNITS_H

#include "pipeline/pipeline.h"

enum unit { UNIT_SP, UNIT_SFU, UNIT_LDST };

/* Latency or interval of an instruction: fields of ws_machine stand in the order of kinds (machine_latency_is_by_kind). */
enum { KINDS_OF_CLASS = 5, LATENCY_SFU = 3 * KINDS_OF_CLASS, LATENCY_OTHER };

/* Place of an instruction among the latencies. Divisions of floating-point numbers are of class sfu. */
static inline u32 latency_place(PRIVATE const struct ws_instruction *instruction)
{
    const u32 kind = instruction->kind, class_ = instruction->class_;
    if (class_ == WS_CLASS_sfu)
        return kind == WS_KIND_div        ? WS_CLASS_fp32 * KINDS_OF_CLASS + 4
               : kind == WS_KIND_div_fp64 ? WS_CLASS_fp64 * KINDS_OF_CLASS + 4
                                          : LATENCY_SFU;
    if (class_ > WS_CLASS_fp64 || kind == WS_KIND_other || kind == WS_KIND_fma)
        return LATENCY_OTHER;
    return class_ * KINDS_OF_CLASS + (kind >= WS_KIND_div ? 4 : kind - WS_KIND_add);
}

static inline u32 unit_of(PRIVATE const struct sm *sm, PRIVATE const struct ws_instruction *instruction)
{
    const u32 class_ = instruction->class_, kind = instruction->kind;
    if (class_ == WS_CLASS_load || class_ == WS_CLASS_store || class_ == WS_CLASS_atomic)
        return UNIT_LDST;
    const u32 multiplies = class_ == WS_CLASS_int && (kind == WS_KIND_mul || kind == WS_KIND_mad);
    const u32 sfu = class_ == WS_CLASS_sfu || (class_ <= WS_CLASS_fp64 && kind >= WS_KIND_div) ||
                    (multiplies && sm->machine->unit_int_mul == WS_int_mul_sfu);
    return sfu ? UNIT_SFU : UNIT_SP;
}

/* First cycle in which an instruction that issues now has its operands. */
static inline u32 operands_collected(PRIVATE const struct sm *sm, PRIVATE const struct ws_instruction *instruction)
{
    return sm->now + sm->machine->unit_collect + instruction->reads * sm->machine->unit_operand;
}

/* Starts an instruction that has its operands from a cycle on; returns the start. In the first lane. */
static inline u32 unit_start(GLOBAL struct ws_unit *unit, u32 units, u32 from, u32 interval)
{
    u32 place = 0;
    for (u32 n = 1; n < units; ++n)
        place = unit->free[n] < unit->free[place] ? n : place;
    const u32 start = ws_max(ws_max(from, unit->last), unit->free[place]);
    unit->free[place] = start + interval;
    unit->last = unit->starts[unit->issued % WS_STARTS] = start;
    unit->issued += 1;
    return start;
}

/* Issues an instruction to the SP units or the SFU; returns the cycle in which its results are there. */
static inline u32 unit_issue(PRIVATE struct sm *sm, PRIVATE const struct ws_instruction *instruction, u32 kind)
{
    GLOBAL const u32 *latency = &sm->machine->latency_int_add + latency_place(instruction);
    GLOBAL const u32 *interval = &sm->machine->interval_int_add + latency_place(instruction);
    const u32 queue = kind == UNIT_SP ? sm->machine->unit_sp_queue : sm->machine->unit_sfu_queue;
    u32 start = 0, room = 0;
    if (lane_first()) {
        GLOBAL struct ws_unit *unit = sm_units(sm) + kind;
        start = unit_start(unit, kind == UNIT_SP ? sm->machine->unit_sp : 1, operands_collected(sm, instruction),
                           *interval * sm->plan->entry);
        room = unit->issued >= queue ? unit->starts[(unit->issued - queue) % WS_STARTS] : 0;
    }
    room = lanes_from_first(&sm->lanes, room);
    if (kind == UNIT_SP)
        sm->sp_room_at = room;
    else
        sm->sfu_room_at = room;
    return lanes_from_first(&sm->lanes, start) + *latency + sm->machine->unit_writeback;
}

/* Cycles of the slice that ends become cycles of the next; in the first lane. */
static inline void units_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    for (u32 kind = UNIT_SP; kind <= UNIT_SFU; ++kind) {
        GLOBAL struct ws_unit *unit = sm_units(sm) + kind;
        unit->last -= ws_min(unit->last, elapsed);
        for (u32 n = 0; n < 4; ++n)
            unit->free[n] -= ws_min(unit->free[n], elapsed);
        for (u32 n = 0; n < WS_STARTS; ++n)
            unit->starts[n] -= ws_min(unit->starts[n], elapsed);
    }
}

#endif
