#include "differential/mutants/mutants.h"

#include <string.h>

#include "shared/machine.h"

const struct mutant mutants[] = {
#define MUTANT(name, rule, unit, file, text, replacement)                                                                          \
    {#name, rule, WS_pipeline_barrel, WS_divergence_##unit, 1, "barrel", #unit, WS_dispatch_block, "block", "LOOP",                \
     file,  text, replacement},
#define LANES(name, rule, form, unit, file, text, replacement)                                                                     \
    {#name, rule, WS_pipeline_barrel, WS_divergence_##unit, 1, "barrel", #unit, WS_dispatch_block, "block", #form,                 \
     file,  text, replacement},
#define WIDE(name, rule, words, form, unit, file, text, replacement)                                                               \
    {#name, rule, WS_pipeline_barrel, WS_divergence_##unit, words, "barrel", #unit, WS_dispatch_block, "block", #form,             \
     file,  text, replacement},
#define SCOREBOARD(name, rule, unit, file, text, replacement)                                                                      \
    {#name,                                                                                                                        \
     rule,                                                                                                                         \
     WS_pipeline_scoreboard,                                                                                                       \
     WS_divergence_##unit,                                                                                                         \
     1,                                                                                                                            \
     "scoreboard",                                                                                                                 \
     #unit,                                                                                                                        \
     WS_dispatch_block,                                                                                                            \
     "block",                                                                                                                      \
     "LOOP",                                                                                                                       \
     file,                                                                                                                         \
     text,                                                                                                                         \
     replacement},
#define PLACES(name, rule, pipeline, file, text, replacement)                                                                      \
    {#name, rule,       WS_pipeline_##pipeline, WS_divergence_pdom, 1, #pipeline, "pdom", WS_dispatch_warp, "warp", "LOOP", file,  \
     text,  replacement},
#include "differential/mutants/mutants.def"
#undef MUTANT
#undef LANES
#undef WIDE
#undef SCOREBOARD
#undef PLACES
};

const u32 mutant_count = sizeof mutants / sizeof *mutants;

bool mutants_alike(const struct mutant *one, const struct mutant *other)
{
    return one->pipeline == other->pipeline && one->divergence == other->divergence && one->words == other->words &&
           one->dispatch == other->dispatch && strcmp(one->form, other->form) == 0;
}
