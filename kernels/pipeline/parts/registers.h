/* The scoreboard: when the registers of a warp are available (docs/model/pipelines.md). A warp's cells are read and written in its
 * slot's lane. */
#ifndef WS_PIPELINE_PARTS_REGISTERS_H
#define WS_PIPELINE_PARTS_REGISTERS_H

#include "pipeline/pipeline.h"

/* A load in flight writes the register. The low 16 bits hold the load's pc. */
#define REGISTER_PENDING 0xFFFF0000u

/* Why a register counts as long: a load has marked it; MARK_ENDS: the mark ends when the result in flight is written. */
enum { MARK_NONE, MARK_LOAD, MARK_ENDS };

/* Whether marks are kept. Only rotating schedulers use long registers. With one work-item per lane this test costs more than the
 * marks. */
static inline u32 keeps_marks(PRIVATE const struct sm *sm)
{
    return LANE_COPIES == 1 || policy_rotates(sm);
}

static inline u32 register_cell(PRIVATE const struct sm *sm, u32 slot, u32 number)
{
    return slot * sm->plan->registers + number;
}

/* Whether loads from a space mark what they write. */
static inline u32 marks_registers(GLOBAL const struct ws_instruction *instruction)
{
    return instruction->class_ == WS_CLASS_load && instruction->space != WS_SPACE_shared && instruction->space != WS_SPACE_constant;
}

/* A warp enters: all its registers are available, since the slot's last warp has retired; marks are cleared. */
static inline void registers_open(PRIVATE const struct sm *sm, u32 slot)
{
    const u32 cell = register_cell(sm, slot, 0);
    for (u32 n = 0; n < sm->plan->registers && keeps_marks(sm); ++n)
        sm_register_marks(sm)[cell + n] = MARK_NONE;
}

/* Sets or clears the mark of a cell's register when an instruction issues. */
static inline void register_marks(PRIVATE const struct sm *sm, u32 cell, u32 marks)
{
    const u32 mark = sm_register_marks(sm)[cell];
    const u32 again = mark == MARK_ENDS && sm_register_at(sm)[cell] > sm->now; /* the instruction writes the register twice */
    sm_register_marks(sm)[cell] = marks ? MARK_LOAD : again || mark == MARK_LOAD ? MARK_ENDS : MARK_NONE;
}

/* The results of an instruction that issues become available in a cycle; of a load in flight: REGISTER_PENDING + pc. */
static inline void registers_reserve(PRIVATE const struct sm *sm, u32 slot, GLOBAL const struct ws_instruction *instruction, u32 at)
{
    for (u32 n = 0; n < instruction->writes; ++n) {
        const u32 cell = register_cell(sm, slot, instruction->dst[n]);
        if (keeps_marks(sm))
            register_marks(sm, cell, marks_registers(instruction));
        sm_register_at(sm)[cell] = at;
    }
}

/* The results of a load in flight become available in a cycle; hit: all its lines came from its first-level cache. */
static inline void registers_return(PRIVATE const struct sm *sm, u32 slot, GLOBAL const struct ws_instruction *load, u32 at,
                                    u32 hit)
{
    const u32 sticky = MACHINE(sm, schedule_long) == WS_long_sticky;
    for (u32 n = 0; n < load->writes; ++n) {
        const u32 cell = register_cell(sm, slot, load->dst[n]);
        sm_register_at(sm)[cell] = at;
        if (keeps_marks(sm) && marks_registers(load))
            sm_register_marks(sm)[cell] = !sticky ? MARK_ENDS : hit ? MARK_NONE : MARK_LOAD;
    }
}

/* Cycle from which an instruction has its registers; REGISTER_PENDING or more while unknown. */
static inline u32 registers_there(PRIVATE const struct sm *sm, u32 slot, GLOBAL const struct ws_instruction *instruction)
{
    GLOBAL const u32 *const at = sm_register_at(sm) + register_cell(sm, slot, 0);
    u32 there = 0;
    if (instruction->uses - 1u < WS_USES_KEPT) {
        for (u32 n = 0; n < WS_USES_KEPT; ++n)
            there = ws_max(there, at[instruction->used[n]]);
    } else {
        for (u32 n = 0; n < instruction->writes; ++n)
            there = ws_max(there, at[instruction->dst[n]]);
        for (u32 n = 0; n < instruction->reads; ++n)
            there = ws_max(there, at[instruction->src[n]]);
    }
    return there;
}

/* Cycle until which an instruction reads a long register; REGISTER_PENDING or more while unknown. */
static inline u32 registers_long(PRIVATE const struct sm *sm, u32 slot, GLOBAL const struct ws_instruction *instruction)
{
    u32 until = 0;
    for (u32 n = 0; n < instruction->reads; ++n) {
        const u32 cell = register_cell(sm, slot, instruction->src[n]), mark = sm_register_marks(sm)[cell];
        until = mark == MARK_LOAD ? WS_NEVER : mark == MARK_ENDS ? ws_max(until, sm_register_at(sm)[cell]) : until;
    }
    return until;
}

/* Rebases times to the start of the next quantum. */
static inline void registers_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    GLOBAL u32 *at = sm_register_at(sm);
    for (u32 cell = 0; cell < MACHINE(sm, core_warps) * sm->plan->registers; ++cell)
        at[cell] -= at[cell] >= REGISTER_PENDING ? 0 : ws_min(at[cell], elapsed);
}

#endif
