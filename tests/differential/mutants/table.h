/* The planted defects: rows of mutants.def. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

struct mutant {
    const char *name, *rule;         /* rule: an id of docs/model/, or of docs/lanes.md */
    u32 pipeline, divergence, words; /* pipeline, path unit, words of sets of slots, and lane form, in which it shows */
    const char *pipeline_name, *unit;
    u32 dispatch;
    const char *dispatch_name, *form;
    const char *place;                 /* name of a function or macro; name[n]: the n-th time that the pattern occurs in it */
    const char *pattern, *replacement; /* tokens */
};

extern const struct mutant mutants[];
extern const u32 mutant_count;

/* Whether two show in the same pipeline, unit, way of dispatch, words and form. */
bool mutants_alike(const struct mutant *one, const struct mutant *other);
