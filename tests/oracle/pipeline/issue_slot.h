/* What every pipeline counts and tells of its issue slots. */
#pragma once

#include "oracle/sm.h"

/* Whether the scheduler looks at the slot. */
bool slot_looked_at(const struct sm *sm, u32 slot);

void slot_lost(struct sm *sm, enum oracle_kind kind);

/* What the warp in the slot would issue. */
void slot_peek(const struct sm *sm, u32 slot, struct packet *packet);

/* An instruction begins with the packet. */
void slot_begins(struct sm *sm, const struct packet *packet);

/* The packet issues; path unit and access have taken what they take. */
void slot_issues(struct sm *sm, const struct packet *packet);
