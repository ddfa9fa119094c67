/* Issue ports in the order of a cycle, and the step rotate (docs/model/pipelines.md). A pipeline defines
 *   awaiting   slots that wait, in the sense of docs/model/schedulers.md */
#ifndef WS_PIPELINE_PARTS_PORT_ORDER_H
#define WS_PIPELINE_PARTS_PORT_ORDER_H

#include "pipeline/parts/issue_ports.h"
#include "pipeline/parts/timing_wheel.h"

static inline slot_set awaiting(PRIVATE const struct sm *sm);

/* Each port's scheduler updates its state. */
static inline void rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    policy_tick(sm, lanes);
    if (!policy_rotates(sm))
        return;
    const slot_set awaits = awaiting(sm);
    for (sm->port = 0; sm->port < MACHINE(sm, core_issue_ports); ++sm->port)
        policy_rotate(sm, lanes, awaits);
}

/* The first port of this cycle; port_from: the n-th of so many ports from it on. Their number divides WS_WHEEL. */
static inline u32 first_port(PRIVATE const struct sm *sm)
{
    return MACHINE(sm, core_issue_port_order) == WS_port_order_rotate
               ? wheel_place(sm, sm->now) & (MACHINE(sm, core_issue_ports) - 1)
               : 0;
}

static inline u32 port_from(u32 ports, u32 first, u32 n)
{
    return (n + first) & (ports - 1);
}

/* The n-th port in the order of this cycle. */
static inline u32 port_in_turn(PRIVATE const struct sm *sm, u32 n)
{
    return port_from(MACHINE(sm, core_issue_ports), first_port(sm), n);
}

#endif
