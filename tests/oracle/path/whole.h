/* For path units whose packet is the whole warp: all threads of its path, each in its lane. */
#ifndef WS_TESTS_ORACLE_WHOLE_H
#define WS_TESTS_ORACLE_WHOLE_H

#include "oracle/sm.h"

void whole_peek(const struct sm *sm, u32 slot, struct packet *packet);
void whole_take(struct sm *sm, struct packet *packet);

#endif
