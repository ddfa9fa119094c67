/* The mutants: rows of mutants.def. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

struct mutant {
    const char *name, *rule;         /* rule: an id of docs/model/, or of docs/lanes.md */
    u32 pipeline, divergence, words; /* its pipeline, path unit, words of slot sets, and lane form */
    const char *pipeline_name, *unit;
    u32 dispatch;
    const char *dispatch_name, *form;
    const char *place;                 /* name of a function or macro; name[n]: the n-th occurrence of the pattern in it */
    const char *pattern, *replacement; /* tokens */
};

extern const struct mutant mutants[];
extern const u32 mutant_count;

/* Whether two have the same pipeline, unit, dispatch, words and form. */
bool mutants_alike(const struct mutant *one, const struct mutant *other);
