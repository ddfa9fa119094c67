#include "differential/mutants/table.h"

#include <string.h>

#include "shared/machine.h"

const struct mutant mutants[] = {
#define ROW(name, rule, pipeline, unit, words, dispatch, form, place, pattern, replacement)                                        \
    {#name,                                                                                                                        \
     rule,                                                                                                                         \
     WS_pipeline_##pipeline,                                                                                                       \
     WS_divergence_##unit,                                                                                                         \
     words,                                                                                                                        \
     #pipeline,                                                                                                                    \
     #unit,                                                                                                                        \
     WS_dispatch_##dispatch,                                                                                                       \
     #dispatch,                                                                                                                    \
     #form,                                                                                                                        \
     #place,                                                                                                                       \
     pattern,                                                                                                                      \
     replacement},
#define MUTANT(name, rule, unit, ...)            ROW(name, rule, barrel, unit, 1, block, LOOP, __VA_ARGS__)
#define LANES(name, rule, form, unit, ...)       ROW(name, rule, barrel, unit, 1, block, form, __VA_ARGS__)
#define WIDE(name, rule, words, form, unit, ...) ROW(name, rule, barrel, unit, words, block, form, __VA_ARGS__)
#define SCOREBOARD(name, rule, unit, ...)        ROW(name, rule, scoreboard, unit, 1, block, LOOP, __VA_ARGS__)
#define PLACES(name, rule, pipeline, ...)        ROW(name, rule, pipeline, pdom, 1, warp, LOOP, __VA_ARGS__)
#define SUBCORE(name, rule, ...)                 ROW(name, rule, subcore, pdom, 1, block, LOOP, __VA_ARGS__)
#include "differential/mutants/mutants.def"
#undef MUTANT
#undef LANES
#undef WIDE
#undef SCOREBOARD
#undef PLACES
#undef SUBCORE
};

const u32 mutant_count = sizeof mutants / sizeof *mutants;

bool mutants_alike(const struct mutant *one, const struct mutant *other)
{
    return one->pipeline == other->pipeline && one->divergence == other->divergence && one->words == other->words &&
           one->dispatch == other->dispatch && strcmp(one->form, other->form) == 0;
}
