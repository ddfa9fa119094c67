/* Values that jobs share, to which kernels can be specialized (kernels/state/sm.h). */
#pragma once

#include <stdbool.h>

#include "shared/job.h"

enum {
    WS_FIXED_NUMBERS = 0 /* values of a machine that kernels read */
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

/* Zeroed: no jobs yet. */
struct ws_fixed {
    bool any;
    u32 recorded; /* kinds of recorded events (struct ws_job) */
    bool recorded_varies;
    struct ws_machine machine; /* of the first job, and values derived from it alone */
    struct ws_plan plan;
    bool varies[WS_FIXED_NUMBERS];
};

/* Seconds of a core, or of a device, that jobs must take before kernels are specialized by default: compiling takes 5 to 60
 * seconds, and specialized kernels are 1.06 to 1.4 times as fast (docs/performance.md). */
enum { WS_FIXED_WORTH = 60 };

/* Adds a job of a legal machine with the kinds of events that it records. Returns whether fewer values are shared than before, or
 * it is the first job. */
bool ws_fixed_add(struct ws_fixed *fixed, const struct ws_machine *machine, u32 recorded);

/* The text to compile kernels with, to be freed; NULL without memory. */
char *ws_fixed_text(const struct ws_fixed *fixed);

/* The text that fixes only the scheduler (schedule.policy), to be freed; NULL without memory. */
char *ws_fixed_scheduler_text(u32 scheduler);
