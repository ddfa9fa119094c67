/* Constant operands c[bank][offset] of fixed instructions: the L0 constant caches of sub-cores (docs/model/subcore.md). A set holds
 * line + 1, last touched first. */
#ifndef WS_PIPELINE_SUBCORE_CONSTANTS_H
#define WS_PIPELINE_SUBCORE_CONSTANTS_H

#include "pipeline/subcore/warps.h"
#include "schedule/cggty.h"

/* ---- First lane only ---- */

static inline GLOBAL u32 *constant_set(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    const u32 sets = MACHINE(sm, subcore_constant_sets);
    return sm_constant_lines(sm) + (port * sets + line % sets) * MACHINE(sm, subcore_constant_ways);
}

static inline u32 constant_has(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    GLOBAL const u32 *set = constant_set(sm, port, line);
    u32 has = 0;
    for (u32 way = 0; way < MACHINE(sm, subcore_constant_ways); ++way)
        has |= set[way] == line + 1;
    return has;
}

/* A line is touched, or takes the place of the one touched longest ago. */
static inline void constant_touched(PRIVATE const struct sm *sm, u32 port, u32 line)
{
    GLOBAL u32 *set = constant_set(sm, port, line);
    u32 way = 0;
    while (way + 1 < MACHINE(sm, subcore_constant_ways) && set[way] != line + 1)
        ++way;
    for (; way > 0; --way)
        set[way] = set[way - 1];
    set[0] = line + 1;
}

/* The line on its way to a sub-core arrives, if its cycle has come; returns when it will, WS_NEVER without one. */
static inline u32 constant_arrives(PRIVATE const struct sm *sm, u32 port)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    if (core->constant_line == 0 || core->constant_at > sm->now)
        return core->constant_line == 0 ? WS_NEVER : core->constant_at;
    constant_touched(sm, port, core->constant_line - 1);
    core->constant_line = 0;
    return WS_NEVER;
}

/* The line that the warp in a slot misses is requested, if none is on its way. */
static inline void constant_requested(PRIVATE struct sm *sm, u32 port, u32 slot)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, port);
    if (core->constant_line != 0)
        return;
    core->constant_line = warp_at(sm, slot)->constant_line + 1;
    core->constant_at = sm->now + MACHINE(sm, subcore_constant_miss);
    count(sm, WS_COUNT_operand_misses, 1);
}

/* End of the cycles in which misses of the warp that issued last stop the sub-core; 0 without a miss. */
static inline u32 constant_hold_end(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core)
{
    return core->missed_at == 0 ? 0 : core->missed_at + MACHINE(sm, subcore_constant_hold);
}

/* The warp that issued last misses in this cycle; returns whether that stops the sub-core. */
static inline u32 constant_holds(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core)
{
    core->missed_at = core->missed_at == 0 ? sm->now : core->missed_at;
    return sm->now < constant_hold_end(sm, core);
}

/* ---- In all lanes ---- */

/* Warps of the port sm->port, of a set that is ready otherwise, that miss a constant; *holds: they stop the sub-core. */
static inline slot_set constants_missed(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready, PRIVATE u32 *holds)
{
    const u32 port = sm->port, last = port_last(sm, port);
    slot_set missed = slots_none();
    *holds = 0;
    if (MACHINE(sm, subcore_constant_sets) == 0 || !slots_any(slots_and(ready, sm->head_constants)))
        return missed;
    if (lane_first())
        for (slot_set left = slots_and(ready, sm->head_constants); slots_any(left); left = slots_rest(left))
            if (!constant_has(sm, port, warp_at(sm, slots_first(left))->constant_line))
                missed = slots_with(missed, slots_first(left));
    missed = slots_from_first(&sm->lanes, missed);
    if (!slots_any(missed))
        return missed;
    const u32 asks = slots_has(missed, last) ? last : slots_youngest(sm, lanes, missed);
    if (lane_first()) {
        constant_requested(sm, port, asks);
        *holds = asks == last && constant_holds(sm, subcore_at(sm, port));
    }
    *holds = lanes_from_first(&sm->lanes, *holds);
    sm->lines_at = ws_min(sm->lines_at, sm->now + MACHINE(sm, subcore_constant_miss));
    return missed;
}

#endif
