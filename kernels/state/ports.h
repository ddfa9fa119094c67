/* Issue ports and their slots (docs/model.md 7, port.slots). */
#ifndef WS_STATE_PORTS_H
#define WS_STATE_PORTS_H

#include "state/slices.h"

/* How many ports there are. */
static inline u32 ports(PRIVATE const struct sm *sm)
{
    return PATH_SLICES ? slices(sm) : WS_PORTS == 1 ? 1 : sm->machine->core_ports;
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
            SLOT_WORD(slots, n) = first << port;
    return slots;
}

#endif
