/* Gangs of variable warp sizing: every warp is in one, known by the lowest slot among its members; a single warp is a gang of one.
 * With other path units all warps are single. */
#pragma once

#include "oracle/sm.h"

enum { MOST_SLICES = 8 };

u32 set_of(const struct sm *sm, u32 slot);
u32 sets(const struct sm *sm);

/* The gang of a slot, which may be without a warp and is then alone. */
u32 gang_of(const struct sm *sm, u32 slot);
/* Members of the gang; slot receives them from the lowest. */
u32 gang_members(const struct sm *sm, u32 gang, u32 slot[MOST_SLICES]);
bool is_single(const struct sm *sm, u32 slot);
/* Gangs of the set, single warps too, that have a warp that has not ended; gang receives them from the lowest. */
u32 gangs_of_set(const struct sm *sm, u32 set, u32 gang[MOST_SLICES]);

/* The slots, of one set, become a gang, or one that is single. */
void gang_form(struct sm *sm, const u32 *slot, u32 count);

/* A gang has issued: members that have ended leave, and those that remain part where their pcs do. */
void gang_parts(struct sm *sm, const u32 *slot, u32 members);

/* Invariants: the members of a gang are running warps of one set at one pc. */
void gangs_check(const struct sm *sm);
