/* SP units, SFU and tensor unit: which unit executes an instruction, when it starts and when its results are written
 * (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_PARTS_UNITS_H
#define WS_PIPELINE_PARTS_UNITS_H

#include "pipeline/parts/latencies.h"
#include "pipeline/pipeline.h"

/* ---- Defined by the pipeline ---- */

/* Number of owners of units: issue ports, slices, or the SM. */
static inline u32 unit_owners(PRIVATE const struct sm *sm);

/* Cycle in which the results of an instruction are written, if it starts in a given cycle on the units of this number
 * (WS_UNIT_KINDS for each owner). Its start may move to get a write port. First lane only. */
static inline u32 results_written(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 number, u32 latency,
                                  PRIVATE u32 *start);

static inline void results_rebase(PRIVATE const struct sm *sm, u32 elapsed);

/* ---- Shared ---- */

enum unit { UNIT_SP, UNIT_SFU, UNIT_TENSOR, UNIT_LDST };

static inline u32 operation_unit(PRIVATE const struct sm *sm, u32 class_, u32 kind)
{
    if (class_ == WS_CLASS_load || class_ == WS_CLASS_store || class_ == WS_CLASS_atomic)
        return UNIT_LDST;
    if (class_ == WS_CLASS_tensor)
        return UNIT_TENSOR;
    const u32 multiplies = class_ == WS_CLASS_int && (kind == WS_KIND_mul || kind == WS_KIND_mad);
    const u32 sfu = class_ == WS_CLASS_sfu || (class_ <= WS_CLASS_fp64 && kind >= WS_KIND_div) ||
                    (multiplies && MACHINE(sm, unit_int_mul) == WS_int_mul_sfu);
    return sfu ? UNIT_SFU : UNIT_SP;
}

/* Fills the table of operations, by class and kind: latency << 2 | unit. Called before the first quantum. First lane only. */
static inline void units_open(PRIVATE const struct sm *sm)
{
    for (u32 class_ = 0; class_ < WS_CLASSES; ++class_)
        for (u32 kind = 0; kind < WS_KINDS; ++kind) {
            const u32 timed = kind == WS_KIND_fma && MACHINE(sm, unit_fma) == WS_fma_as_mad ? (u32)WS_KIND_mad : kind;
            sm_operations(sm)[class_ * WS_KINDS + kind] =
                (u8)(operation_latency(class_, timed) << 2 | operation_unit(sm, class_, kind));
        }
}

static inline u32 operation_of(PRIVATE const struct sm *sm, GLOBAL const struct ws_instruction *instruction)
{
    return sm_operations(sm)[instruction->operation];
}

static inline u32 unit_of(PRIVATE const struct sm *sm, GLOBAL const struct ws_instruction *instruction)
{
    return operation_of(sm, instruction) & 3;
}

/* First cycle in which an instruction that issues now has its operands. */
static inline u32 operands_collected(PRIVATE const struct sm *sm, GLOBAL const struct ws_instruction *instruction)
{
    return sm->now + MACHINE(sm, unit_collect) + instruction->reads * MACHINE(sm, unit_operand);
}

/* Units of a kind of an owner. */
static inline GLOBAL struct ws_unit *unit_at(PRIVATE const struct sm *sm, u32 owner, u32 kind)
{
    return sm_units(sm) + WS_UNIT_KINDS * owner + kind;
}

/* Capacity of the queue of an owner's units of a kind. */
static inline u32 unit_queue(PRIVATE const struct sm *sm, u32 kind)
{
    return kind == UNIT_SP    ? MACHINE(sm, unit_sp_queue)
           : kind == UNIT_SFU ? MACHINE(sm, unit_sfu_queue)
                              : MACHINE(sm, unit_tensor_queue);
}

/* Next cycle in which a full unit has room again. */
static inline u32 room_next(PRIVATE struct sm *sm)
{
    u32 next = WS_NEVER;
    if (sm->room_at <= sm->now)
        return next;
    if (lane_first()) {
        for (u32 owner = 0; owner < unit_owners(sm); ++owner) {
            for (u32 kind = 0; kind < WS_UNIT_KINDS; ++kind) {
                const u32 at = unit_at(sm, owner, kind)->room_at;
                next = at > sm->now ? ws_min(next, at) : next;
            }
        }
    }
    return lanes_from_first(&sm->lanes, next);
}

/* Starts an instruction on the units of this number; returns the cycle in which its results are written. First lane only. */
static inline u32 unit_start(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 number, u32 units,
                             u32 queue, u32 latency, u32 interval)
{
    GLOBAL struct ws_unit *unit = sm_units(sm) + number;
    const u32 from = operands_collected(sm, instruction);
    u32 place = 0;
    for (u32 n = 1; n < units; ++n)
        place = unit->free[n] < unit->free[place] ? n : place;
    u32 start = ws_max(ws_max(from, unit->last), unit->free[place]);
    const u32 written = results_written(sm, instruction, number, latency, &start);
    unit->free[place] = start + interval;
    unit->last = unit->starts[unit->issued % WS_STARTS] = start;
    unit->issued += 1;
    unit->room_at = unit->starts[(unit->issued - queue) % WS_STARTS]; /* 0 until the queue has been filled once */
    return written;
}

/* Issues an instruction to an owner's units other than LD/ST; returns the cycle in which its results are available. */
static inline u32 unit_issue(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 owner, u32 kind)
{
    const u32 place = operation_of(sm, instruction) >> 2, number = WS_UNIT_KINDS * owner + kind;
    GLOBAL const u32 *latency = &sm->machine->latency_int_add + place, *interval = &sm->machine->interval_int_add + place;
    u32 written = 0, room = 0;
    if (lane_first()) {
        written = unit_start(sm, instruction, number, kind == UNIT_SP ? MACHINE(sm, unit_sp) : 1, unit_queue(sm, kind), *latency,
                             *interval * PLAN(sm, entry));
        room = sm_units(sm)[number].room_at;
    }
    sm->room_at = ws_max(sm->room_at, lanes_from_first(&sm->lanes, room));
    return lanes_from_first(&sm->lanes, written) + MACHINE(sm, unit_writeback);
}

/* Rebases times to the start of the next quantum. */
static inline void units_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    for (u32 n = 0; n < WS_UNIT_KINDS * unit_owners(sm); ++n) {
        GLOBAL struct ws_unit *unit = sm_units(sm) + n;
        unit->last -= ws_min(unit->last, elapsed);
        unit->room_at -= ws_min(unit->room_at, elapsed);
        for (u32 place = 0; place < 4; ++place)
            unit->free[place] -= ws_min(unit->free[place], elapsed);
        for (u32 place = 0; place < WS_STARTS; ++place)
            unit->starts[place] -= ws_min(unit->starts[place], elapsed);
    }
    results_rebase(sm, elapsed);
}

#endif
