/* What a port's scheduler sees: its own slots (docs/model.md 7, port.slots). */
#ifndef WS_SCHEDULE_PORTS_H
#define WS_SCHEDULE_PORTS_H

#include "state/counts.h"

/* Place of the port in what a scheduler keeps for each. */
#if WS_PORTS == 1
#define AT_PORT(sm) 0
#else
#define AT_PORT(sm) (sm)->port
#endif

/* How many ports there are. */
static inline u32 ports(PRIVATE const struct sm *sm)
{
    return WS_PORTS == 1 ? 1 : sm->machine->core_ports;
}

/* Slots of the port. */
static inline slot_set port_slots(PRIVATE const struct sm *sm)
{
    slot_set slots = slots_below(WS_SLOTS);
    if (ports(sm) == 2)
        for (u32 n = 0; n < WS_SLOT_WORDS; ++n)
            slots_put_word(&slots, n, 0x55555555u << AT_PORT(sm));
    return slots;
}

#endif
