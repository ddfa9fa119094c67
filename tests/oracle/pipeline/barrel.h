/* The state of the barrel pipeline, and its step 6 in a file of its own. */
#ifndef WS_TESTS_ORACLE_BARREL_H
#define WS_TESTS_ORACLE_BARREL_H

#include "oracle/sm.h"

struct barrel {
    struct packet *flights; /* issued and not completed */
    bool *ready;            /* of each slot, in this cycle */
    u32 *code_ticket;       /* of each slot: the instruction line that it waits for */
    u64 port_free;          /* first cycle in which the data port is free */
    u64 lanes_free;         /* first cycle in which the SIMD lanes take the next packet */
};

bool barrel_selectable(const struct sm *sm, u32 slot);
enum decode barrel_decode(const struct sm *sm, u32 slot);

/* One packet issues, or the slot is lost. */
void barrel_issue(struct sm *sm);

#endif
