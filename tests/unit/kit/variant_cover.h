/* Few variants for what takes seconds to compile each: an OpenCL driver's programs. */
#pragma once

#include "engine/variant.h"

/* Numbers of variants such that each path unit of each pipeline, each scheduler, dispatch and width of sets stands in one of these:
 * the same in every run, the first of all and then one by one for the most that those before lack. Returns how many there are. */
u32 variant_cover(u32 variants[WS_VARIANTS]);

/* Whether a machine's variant is one of them. */
bool is_in_variant_cover(const struct ws_machine *machine);

/* Whether the variant that replays its packets is. */
bool is_replayed_in_variant_cover(const struct ws_machine *machine);
