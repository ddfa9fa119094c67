/* Joint memory accesses of a packet's lanes (docs/model/memory.md), for the host. */
#pragma once

#include <stdbool.h>

#include "shared/image.h"
#include "shared/machine.h"

/* Its parameters, of the group memory. */
struct ws_access_rules {
    u32 shared_banks, shared_wide, shared_atomics, atomics;
};

struct ws_access_rules ws_access_rules_of(const struct ws_machine *machine);

/* From the lanes left to serve, those of the next transactions to global memory, one per line. access: one per lane, in image
 * format. */
u32 ws_lanes_together(const struct ws_access_rules *rules, u32 class_, const u32 *access, u32 left);

/* Cycles of the shared-memory banks for an instruction's lanes, each starting at a word. */
u32 ws_shared_passes(const struct ws_access_rules *rules, const struct ws_instruction *instruction, const u32 *word, u32 lanes);
