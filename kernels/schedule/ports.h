/* The slots that a port's scheduler sees (docs/model/schedulers.md, port.slots). */
#ifndef WS_SCHEDULE_PORTS_H
#define WS_SCHEDULE_PORTS_H

#include "state/counts.h"
#include "state/ports.h"

/* Index of the port in per-port state. */
#define AT_PORT(sm) (WS_PORTS == 1 ? 0 : (sm)->port)

/* Slots of the port. */
static inline slot_set port_slots(PRIVATE const struct sm *sm)
{
    return slots_of_port(sm, AT_PORT(sm));
}

#endif
