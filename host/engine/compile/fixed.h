/* What jobs have in common, so that kernels can be compiled for it (kernels/state/sm.h). */
#pragma once

#include <stdbool.h>

#include "shared/job.h"

enum {
    WS_FIXED_NUMBERS = 0 /* that kernels read of a machine */
#define NUMBER(group, name, standard, least, most, unit, doc) +1
#define POWER(group, name, standard, least, most, unit, doc)  +1
#define CHOOSE(group, name, set, standard, doc)               +1
#define PLANNED(group, name, standard, least, most, unit, doc)
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
#define DERIVED(name, doc)             +1
#define DERIVED_EACH(name, count, doc) +1
#include "shared/plan.def"
};

/* Zeroed: of no jobs yet. */
struct ws_fixed {
    bool any;
    u32 recorded; /* kinds of events that are (struct ws_job) */
    bool recorded_varies;
    struct ws_machine machine; /* the first one, and what follows from it alone */
    struct ws_plan plan;
    bool varies[WS_FIXED_NUMBERS];
};

/* Seconds of a core, or of a device, that jobs must take so that kernels are compiled for them unasked: compiling takes 5 to 60,
 * and what runs after is 1.06 to 1.4 times as fast (docs/performance.md). */
enum { WS_FIXED_WORTH = 60 };

/* Adds a job of a legal machine, of which some kinds of events are recorded. Returns whether less is fixed than before, or it is
 * the first. */
bool ws_fixed_add(struct ws_fixed *fixed, const struct ws_machine *machine, u32 recorded);

/* The text that kernels are compiled with, to be freed; NULL without memory. */
char *ws_fixed_text(const struct ws_fixed *fixed);
