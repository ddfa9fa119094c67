/* For path units with whole-warp packets: all threads of the path, each in its lane. */
#pragma once

#include "oracle/sm.h"

void whole_peek(const struct sm *sm, u32 slot, struct packet *packet);
void whole_take(struct sm *sm, struct packet *packet);
