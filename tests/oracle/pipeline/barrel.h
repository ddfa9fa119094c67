/* The barrel pipeline's state, and its step 6, in a separate file. */
#pragma once

#include "oracle/pipeline/lanes.h"

struct barrel {
    struct packet *flights; /* issued and not completed */
    bool *ready;            /* of each slot, in this cycle */
    u32 *code_ticket;       /* of each slot: the instruction line that it waits for */
    struct lanes lanes;
};

/* In the sense of schedulers.md. */
bool barrel_selectable(const struct sm *sm, u32 slot);

/* State of decode by the path unit for a slot; DECODE_FREE if it has none. */
enum decode barrel_decode(const struct sm *sm, u32 slot);

/* One packet issues, or the slot stalls. */
void barrel_issue(struct sm *sm);
