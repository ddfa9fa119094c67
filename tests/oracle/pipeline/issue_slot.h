/* Counters and events of issue slots, common to all pipelines. */
#pragma once

#include "oracle/sm.h"

/* Whether the scheduler considers the slot. */
bool slot_looked_at(const struct sm *sm, u32 slot);

void slot_lost(struct sm *sm, enum oracle_kind kind);

/* The next packet of the warp in the slot. */
void slot_peek(const struct sm *sm, u32 slot, struct packet *packet);

/* The packet starts an instruction. */
void slot_begins(struct sm *sm, const struct packet *packet);

/* The packet issues; path unit and access have consumed its streams. */
void slot_issues(struct sm *sm, const struct packet *packet);
