/* A detector of races: what of a launch's values depends on the order in which its threads happened to execute (docs/frontend.md,
 * "Races"). */
#pragma once

#include "frontend/exec/step.h"

struct ws_plan;
struct ws_run;
struct ws_races;
struct ws_shadow;

/* A detector for a launch; NULL when out of memory. To be freed by ws_races_free. plan must stay where it is. */
struct ws_races *ws_races_make(const struct ws_plan *plan);
void ws_races_free(struct ws_races *races);

/* The detector for options->hint_races: the first race of two warps in shared memory is told, once. NULL: the kernel gives no
 * reason to look, or there is no memory. */
struct ws_races *ws_races_make_hint(const struct ws_plan *plan);

/* A block begins: *shadow: the record of the block's shared memory, cleared; allocated if NULL. To be freed by ws_shadow_free.
 * False when out of memory. */
bool ws_races_begin_block(struct ws_races *races, struct ws_shadow **shadow);
void ws_shadow_free(struct ws_shadow *shadow);

/* From now on accesses are those of the block that run executes. */
void ws_races_enter(struct ws_races *races, const struct ws_run *run);

/* The running thread is about to access bytes at `at` in the range of the step. False when out of memory. */
bool ws_races_note(struct ws_races *races, const struct ws_step *step, const u8 *at, u64 bytes, bool writes);

/* All accesses so far have taken place: judges the last one. */
void ws_races_end(struct ws_races *races);
