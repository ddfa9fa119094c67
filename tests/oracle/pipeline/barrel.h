/* The barrel pipeline's state, and its step 6, which is a file of its own. */
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

/* What the path unit says of the slot, DECODE_FREE where it has no such thing. */
enum decode barrel_decode(const struct sm *sm, u32 slot);

/* One packet issues, or the slot is lost. */
void barrel_issue(struct sm *sm);
