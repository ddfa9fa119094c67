/* Few variants for what takes seconds to compile each: an OpenCL driver's programs. */
#ifndef WS_TESTS_VARIANT_PAIRS_H
#define WS_TESTS_VARIANT_PAIRS_H

#include "engine/variant.h"

/* Numbers of variants such that each path unit, scheduler, dispatch and width of sets stands in one of these with each pipeline that
 * it stands with in any: the same in every run, chosen one by one for the most pairs that those before lack. Returns how many there
 * are. */
u32 variant_pairs(u32 variants[WS_VARIANTS]);

/* Whether a machine's variant is one of them. */
bool in_variant_pairs(const struct ws_machine *machine);

#endif
