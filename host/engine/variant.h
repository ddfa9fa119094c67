/* What a program is specialised for: a row of each table of shared/ (pipelines, paths, policies, dispatches) and how many slots its
 * sets have. A path unit runs in the pipelines of shared/runs.def, with at most so many slots. */
#pragma once

#include <stdbool.h>

#include "shared/machine.h"
#include "shared/variants.h"

/* Widths of sets of slots that a path unit of at most so many slots has: 1, 2 and 8 words. */
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

/* All variants, WS_VARIANTS of them; those of sets of one word first, and last those that replay packets (shared/predecoded.def),
 * with divergence WS_divergence_predecoded. */
const struct ws_tuple *ws_tuples(void);

/* Gives a machine the choices of a variant, core.warps that it takes its sets for, and icache.size 0 where that is all it may be.
 * For those that replay packets: `pdom`, of which the packets are to be made. */
void ws_variant_choose(struct ws_machine *machine, u32 variant);

/* The variant of a machine, WS_VARIANTS if there is none. */
u32 ws_variant_of(const struct ws_machine *machine);

/* Whether there is a variant that replays the packets of a machine, which keeps its warps as they are. */
bool ws_variant_predecoded(const struct ws_machine *machine);

/* Whether kernels of a pipeline, a path unit, a way of dispatch and sets of so many words, whatever the scheduler, are a machine's.
 */
bool ws_variant_suits(const struct ws_machine *machine, u32 pipeline, u32 path, u32 dispatch, u32 words);
