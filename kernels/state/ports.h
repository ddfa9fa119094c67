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
    const u32 first = ports(sm) == 2 ? 0x55555555u : 0x11111111u, word = first << port;
    if (PATH_SLICES)
        return slots_of_slices(sm, ws_bit(port));
#ifdef WS_STATE_SLOTS_ONE_H
    slots = ports(sm) > 1 ? slots / 0xFFFFFFFFu * word : slots;
#else
    if (ports(sm) > 1)
        FOR_WORDS (n)
            SLOT_WORD_PUT(slots, n, word);
#endif
    return slots;
}

/* The ports that have a slot of a set, a mask. */
static inline u32 ports_of(PRIVATE const struct sm *sm, slot_set set)
{
    u32 with = 0;
#ifdef WS_STATE_SLOTS_ONE_H
    for (u32 slots = WS_SLOTS / 2; slots >= 4 && !PATH_SLICES; slots /= 2)
        set |= set >> slots;
    set |= ports(sm) > 2 ? 0 : set >> 2;
    set |= ports(sm) > 1 ? 0 : set >> 1;
    if (!PATH_SLICES)
        return (u32)set & ws_bits_below(ports(sm));
#endif
    for (u32 port = 0; port < ports(sm); ++port)
        with |= slots_any(slots_and(set, slots_of_port(sm, port))) << port;
    return with;
}

/* A mask of ports in their order from one on: bit n is the n-th. */
static inline u32 ports_turned(u32 mask, u32 ports, u32 first)
{
    return (mask | mask << ports) >> first & ws_bits_below(ports);
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
