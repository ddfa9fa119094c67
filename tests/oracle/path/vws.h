/* Gangs of variable warp sizing: every warp is in one, identified by its lowest member slot; a single warp is a gang of one. With
 * other path units all warps are single. */
#pragma once

#include "oracle/sm.h"

enum { MOST_SLICES = 8 };

u32 set_of(const struct sm *sm, u32 slot);
u32 sets(const struct sm *sm);

/* The gang of a slot; a slot without a warp is alone. */
u32 gang_of(const struct sm *sm, u32 slot);
/* Members of the gang; slot receives them in ascending order. */
u32 gang_members(const struct sm *sm, u32 gang, u32 slot[MOST_SLICES]);
bool is_single(const struct sm *sm, u32 slot);
/* Gangs of the set, including single warps, with an unfinished warp; gang receives them in ascending order. */
u32 gangs_of_set(const struct sm *sm, u32 set, u32 gang[MOST_SLICES]);

/* The slots, all of one set, become a gang or a single warp. */
void gang_form(struct sm *sm, const u32 *slot, u32 count);

/* A gang has issued: ended members leave, and the others split by pc. */
void gang_parts(struct sm *sm, const u32 *slot, u32 members);

/* Invariants: members of a gang are running warps of one set at one pc. */
void gangs_check(const struct sm *sm);
