#include "differential/mutants/mutants.h"

#include "shared/machine.h"

const struct mutant mutants[] = {
#define MUTANT(name, rule, unit, file, text, replacement)                                                                          \
    {#name, rule, WS_divergence_##unit, #unit, "LOOP", file, text, replacement},
#define LANES(name, rule, form, unit, file, text, replacement)                                                                     \
    {#name, rule, WS_divergence_##unit, #unit, #form, file, text, replacement},
#include "differential/mutants/mutants.def"
#undef MUTANT
#undef LANES
};

const u32 mutant_count = sizeof mutants / sizeof *mutants;
