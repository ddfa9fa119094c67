/* What the lanes of a packet access together (docs/model/memory.md), for the host. */
#pragma once

#include <stdbool.h>

#include "shared/image.h"
#include "shared/machine.h"

/* What that depends on; parameters of group memory. */
struct ws_access_rules {
    u32 shared_banks, shared_wide, shared_atomics, atomics;
};

struct ws_access_rules ws_access_rules_of(const struct ws_machine *machine);

/* Of the lanes left to be served, those of the next transactions to global memory, one for each line. access: that of each lane, as
 * an image has it. */
u32 ws_lanes_together(const struct ws_access_rules *rules, u32 class_, const u32 *access, u32 left);

/* Cycles of the banks of shared memory for an instruction's lanes, each from a word on. */
u32 ws_shared_passes(const struct ws_access_rules *rules, const struct ws_instruction *instruction, const u32 *word, u32 lanes);
