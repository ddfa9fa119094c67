/* What a program is compiled for: a row of each table of shared/ (pipelines, paths, policies, dispatches) and the words of its sets
 * of slots. A path unit runs in the pipelines of shared/runs.def, with up to so many slots. */
#pragma once

#include <stdbool.h>

#include "shared/machine.h"
#include "shared/variants.h"

/* Number of set widths for a path unit with at most so many slots: 1, 2 and 8 words. */
#define WS_WIDTHS(slots) (1 + ((slots) > 32) + ((slots) > 64))

enum {
    WS_VARIANTS = 0
#define RUNS(pipeline, path, slots, schedulers, dispatches)                                                                        \
    +WS_WIDTHS(slots) * WS_SCHEDULERS_##schedulers *WS_DISPATCHES_##dispatches
#include "shared/runs.def"
#undef RUNS
#define PREDECODED(pipeline, path, slots, schedulers, dispatches)                                                                  \
    +WS_WIDTHS(slots) * WS_SCHEDULERS_##schedulers *WS_DISPATCHES_##dispatches
#include "shared/predecoded.def"
#undef PREDECODED
};

struct ws_tuple {
    u32 pipeline, divergence, policy, dispatch;
    u32 words;                                                           /* of a set of slots */
    const char *pipeline_name, *path_name, *policy_name, *dispatch_name; /* as in WS_PATH_NAME */
    char name[96];                                                       /* for messages */
};

/* All variants, WS_VARIANTS of them; first those with sets of one word, last those for pre-decoded traces (shared/predecoded.def),
 * with divergence WS_divergence_predecoded. */
const struct ws_tuple *ws_tuples(void);

/* Sets a machine's choices to those of a variant, core.warps to a value that needs its sets, and icache.size to 0 if that is the
 * only legal value. For pre-decoded traces: `pdom`, whose trace is to be pre-decoded. */
void ws_variant_choose(struct ws_machine *machine, u32 variant);

/* The variant of a machine, WS_VARIANTS for none. */
u32 ws_variant_of(const struct ws_machine *machine);

/* Whether a variant for pre-decoded traces fits the machine, whose path unit must keep warps fixed. */
bool ws_variant_predecoded(const struct ws_machine *machine);

/* Whether kernels of a pipeline, path unit, way of dispatch and set width, with any scheduler, fit a machine. */
bool ws_variant_suits(const struct ws_machine *machine, u32 pipeline, u32 path, u32 dispatch, u32 words);
