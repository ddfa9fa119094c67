/* A small covering set of variants, for tests that compile each for seconds. */
#pragma once

#include "engine/variant.h"

/* Greedy cover: each path unit of each pipeline, scheduler, dispatch and set width occurs in a chosen variant; of the schedulers
 * that only dwf has one, all with WS_EVERY_SCHEDULER in the environment. Deterministic: the first variant, then always the one that
 * adds most. Returns how many there are. */
u32 variant_cover(u32 variants[WS_VARIANTS]);

/* Whether a machine's variant is one of them. */
bool is_in_variant_cover(const struct ws_machine *machine);

/* Whether its pre-decoded variant is one of them. */
bool is_replayed_in_variant_cover(const struct ws_machine *machine);
