/* Round robin among consecutive slots of an issue port (schedulers.md), and queries common to all policies. Slots are given by
 * their place in the port. */
#pragma once

#include "oracle/sm.h"

/* The choice of schedule.round_robin among the ready slots at places first .. first + slots - 1, or NO_WARP. */
u32 round_robin_choose(const struct sm *sm, u32 port, const bool *ready, u32 first, u32 slots, u32 pointer);

/* The next place, cyclic in these. */
u32 round_robin_next(u32 place, u32 first, u32 slots);

/* The first ready slot of the port at or after a place, cyclic, or NO_WARP. */
u32 first_ready(const struct sm *sm, u32 port, const bool *ready, u32 place);

/* Whether the slot has an unfinished warp that does not await. */
bool goes_on(const struct sm *sm, u32 slot);
