/* The planted defects: rows of mutants.def. */
#ifndef WS_TESTS_MUTANTS_H
#define WS_TESTS_MUTANTS_H

#include "shared/dialect.h"

struct mutant {
    const char *name, *rule; /* rule: an id of docs/model.md, or of docs/lanes.md */
    u32 divergence;          /* path unit and lane form in which it shows */
    const char *unit, *form;
    const char *file; /* how the path of its file of kernels/ ends */
    const char *text, *replacement;
};

extern const struct mutant mutants[];
extern const u32 mutant_count;

#endif
