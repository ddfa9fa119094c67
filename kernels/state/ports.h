/* Issue ports and their slots (docs/model/schedulers.md, port.slots). */
#ifndef WS_STATE_PORTS_H
#define WS_STATE_PORTS_H

#include "state/slices.h"

/* Number of ports. */
static inline u32 ports(PRIVATE const struct sm *sm)
{
    return PATH_SLICES ? slices(sm) : WS_PORTS == 1 ? 1 : MACHINE(sm, core_issue_ports);
}

/* Slots of a port. */
static inline slot_set slots_of_port(PRIVATE const struct sm *sm, u32 port)
{
    slot_set slots = slots_below(WS_SLOTS);
    const u32 first = ports(sm) == 2 ? 0x55555555u : 0x11111111u;
    if (PATH_SLICES)
        return slots_of_slices(sm, ws_bit(port));
    if (ports(sm) > 1)
        FOR_WORDS (n)
            SLOT_WORD_PUT(slots, n, first << port);
    return slots;
}

/* The value of one port. With one work-item per lane values are in registers, which cannot be indexed (and clang turns a choice
 * between two of them into an index). */
static inline u32 port_value(PRIVATE const u32 *values, u32 port)
{
    u32 value = 0;
    if (LANE_COPIES > 1)
        return values[port];
    for (u32 n = 0; n < WS_PORTS; ++n)
        value |= values[n] & (0u - (u32)(port == n));
    return value;
}

static inline void port_put(PRIVATE u32 *values, u32 port, u32 value)
{
    if (LANE_COPIES > 1) {
        values[port] = value;
        return;
    }
    for (u32 n = 0; n < WS_PORTS; ++n)
        values[n] = port == n ? value : values[n];
}

#endif
