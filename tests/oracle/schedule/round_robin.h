/* Round robin inside consecutive slots (section 7), and what all policies ask of a warp. */
#ifndef WS_TESTS_ORACLE_ROUND_ROBIN_H
#define WS_TESTS_ORACLE_ROUND_ROBIN_H

#include "oracle/sm.h"

/* The choice of schedule.round_robin among the ready slots of first .. first + slots - 1, or NO_WARP. */
u32 round_robin_choose(const struct sm *sm, const bool *ready, u32 first, u32 slots, u32 pointer);

/* The slot after this one, cyclic in those slots. */
u32 round_robin_next(u32 slot, u32 first, u32 slots);

/* Whether the slot has an unfinished warp that does not await. */
bool goes_on(const struct sm *sm, u32 slot);

#endif
