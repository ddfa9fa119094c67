/* Effect of loads on the oldest buffered instruction of a small warp (docs/model/pipelines.md, split on memory). */
#ifndef WS_PIPELINE_SLICES_MEMBERS_H
#define WS_PIPELINE_SLICES_MEMBERS_H

#include "pipeline/parts/buffer.h"

/* A warp enters: no load has written its registers. Runs in the slot's lane. */
static inline void loads_open(PRIVATE const struct sm *sm, u32 slot)
{
    const u32 cell = register_cell(sm, slot, 0);
    for (u32 n = 0; n < sm->plan->registers; ++n)
        sm_loaded(sm)[cell + n] = 0;
}

/* Whether a load in flight writes a register of the warp in a slot, or has written it since the warp's last issue. Runs in the
 * slot's lane. */
static inline u32 is_loaded(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 slot, u32 number)
{
    const u32 cell = register_cell(sm, slot, number);
    return sm_loaded(sm)[cell] && sm_register_at(sm)[cell] > lanes->issued_at[AT(slot)];
}

/* The warp's oldest buffered instruction is another. */
static inline void loads_of_head(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    PER_SLOT(u32, loads);
    if (MACHINE(sm, vws_split) == WS_gang_split_none)
        return;
    GLOBAL const struct ws_instruction *const instruction = sm->program + slots_pick(&sm->lanes, lanes->pc, slot);
    if (slot_is(slot)) {
        loads[AT(slot)] = 0;
        for (u32 n = 0; n < instruction->reads; ++n)
            loads[AT(slot)] |= is_loaded(sm, lanes, slot, instruction->src[n]);
        for (u32 n = 0; n < instruction->writes; ++n)
            loads[AT(slot)] |= is_loaded(sm, lanes, slot, instruction->dst[n]);
    }
    sm->loads_head = slots_put(sm->loads_head, slot, slots_pick(&sm->lanes, loads, slot));
}

/* Marks the registers that an issuing instruction writes. Runs in the slot's lane. */
static inline void loads_issue(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot,
                               GLOBAL const struct ws_instruction *instruction)
{
    if (MACHINE(sm, vws_split) == WS_gang_split_none)
        return;
    lanes->issued_at[AT(slot)] = sm->now;
    for (u32 n = 0; n < instruction->writes; ++n)
        sm_loaded(sm)[register_cell(sm, slot, instruction->dst[n])] = (u8)marks_registers(instruction);
}

static inline void member_head(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    oldest_changes(sm, lanes, slot);
    loads_of_head(sm, lanes, slot);
}

/* The warp has issued the instruction at pc; its pc is already the next one. */
static inline void member_moves_on(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc)
{
    buffer_moves_on(sm, lanes, slot, pc);
    if (slots_pick(&sm->lanes, lanes->buffered, slot) != 0)
        loads_of_head(sm, lanes, slot);
}

#endif
