#include "differential/mutants/mutants.h"

#include <string.h>

#include "shared/machine.h"

const struct mutant mutants[] = {
#define MUTANT(name, rule, unit, file, text, replacement)                                                                          \
    {#name, rule, WS_divergence_##unit, 1, #unit, "LOOP", file, text, replacement},
#define LANES(name, rule, form, unit, file, text, replacement)                                                                     \
    {#name, rule, WS_divergence_##unit, 1, #unit, #form, file, text, replacement},
#define WIDE(name, rule, words, form, unit, file, text, replacement)                                                               \
    {#name, rule, WS_divergence_##unit, words, #unit, #form, file, text, replacement},
#include "differential/mutants/mutants.def"
#undef MUTANT
#undef LANES
#undef WIDE
};

const u32 mutant_count = sizeof mutants / sizeof *mutants;

bool mutants_alike(const struct mutant *one, const struct mutant *other)
{
    return one->divergence == other->divergence && one->words == other->words && strcmp(one->form, other->form) == 0;
}
