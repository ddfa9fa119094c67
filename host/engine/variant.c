#include "engine/variant.h"

#include <pthread.h>
#include <stdio.h>

#include "shared/image.h"
#include "warpsweep/machine.h"

static struct ws_tuple tuples[WS_VARIANTS];

/* Kernels for pre-decoded traces. */
static const struct {
    const char *path;
    u32 pipeline, slots;
    bool all; /* all ways of dispatch, or block only */
} predecoded[] = {
#define PREDECODED(pipeline, path, slots, schedulers, dispatches)                                                                  \
    {#path, WS_pipeline_##pipeline, slots, WS_DISPATCHES_##dispatches == WS_DISPATCHES_all},
#include "shared/predecoded.def"
#undef PREDECODED
};

enum { PREDECODED_ROWS = sizeof predecoded / sizeof *predecoded };

static void make_tuple(const struct ws_machine *machine, const struct ws_variant *variant, u32 words, struct ws_tuple *tuple)
{
    *tuple =
        (struct ws_tuple){machine->core_pipeline, machine->divergence_unit, machine->schedule_policy, machine->core_dispatch, words,
                          variant->pipeline,      variant->divergence,      variant->policy,          variant->dispatch,      ""};
    const int length = snprintf(tuple->name, sizeof tuple->name, "%s %s %s %s", variant->pipeline, variant->divergence,
                                variant->policy, variant->dispatch);
    if (words > 1)
        snprintf(tuple->name + length, sizeof tuple->name - (size_t)length, " of %u slots", words * WS_LANES);
}

static void set_variant(struct ws_machine *machine, const struct ws_variant *variant)
{
    ws_machine_set(machine, "core.pipeline", variant->pipeline, NULL);
    ws_machine_set(machine, "divergence.unit", variant->divergence, NULL);
    ws_machine_set(machine, "schedule.policy", variant->policy, NULL);
    ws_machine_set(machine, "core.dispatch", variant->dispatch, NULL);
}

/* The row of kernels for pre-decoded traces in a machine's pipeline, or NULL. */
static const char *replaying(const struct ws_machine *machine, u32 words)
{
    for (u32 n = 0; n < PREDECODED_ROWS; n++)
        if (predecoded[n].pipeline == machine->core_pipeline && words * WS_LANES <= predecoded[n].slots &&
            (predecoded[n].all || machine->core_dispatch == WS_dispatch_block))
            return predecoded[n].path;
    return NULL;
}

static void make_tuples(void)
{
    static const u32 words[] = {1, 2, 8};
    struct ws_machine machine = {0};
    size_t variants;
    const struct ws_variant *const variant = ws_variants(&variants);
    u32 count = 0;
    for (u32 pass = 0; pass < 2; pass++)
        for (u32 width = 0; width < sizeof words / sizeof *words; width++)
            for (size_t n = 0; n < variants; n++) {
                struct ws_variant named = variant[n];
                set_variant(&machine, &variant[n]);
                if (pass == 1 && machine.divergence_unit != WS_divergence_pdom)
                    continue;
                if (pass == 1) {
                    named.divergence = replaying(&machine, words[width]);
                    machine.divergence_unit = WS_divergence_predecoded;
                }
                if (named.divergence && width < (u32)WS_WIDTHS(pass == 1 ? words[width] * WS_LANES : ws_machine_slots(&machine)))
                    make_tuple(&machine, &named, words[width], &tuples[count++]);
            }
}

const struct ws_tuple *ws_tuples(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_tuples);
    return tuples;
}

/* Words of a set of so many warps. */
static u32 words_for(u32 warps)
{
    return warps <= WS_LANES ? 1 : warps <= 2 * WS_LANES ? 2 : 8;
}

void ws_variant_choose(struct ws_machine *machine, u32 variant)
{
    const struct ws_tuple *const tuple = &ws_tuples()[variant];
    machine->core_pipeline = tuple->pipeline;
    machine->divergence_unit = tuple->divergence == WS_divergence_predecoded ? (u32)WS_divergence_pdom : tuple->divergence;
    machine->schedule_policy = tuple->policy;
    machine->core_dispatch = tuple->dispatch;
    if (words_for(machine->core_warps) != tuple->words)
        machine->core_warps = tuple->words == 8 ? 4 * WS_LANES : tuple->words * WS_LANES;
    if (ws_path_issues(tuple->divergence) == WS_ISSUES_threads)
        machine->icache_size = 0; /* the only legal value */
}

bool ws_variant_predecoded(const struct ws_machine *machine)
{
    const u32 unit = machine->divergence_unit;
    return (unit == WS_divergence_pdom || unit == WS_divergence_serial) && replaying(machine, words_for(machine->core_warps));
}

bool ws_variant_suits(const struct ws_machine *machine, u32 pipeline, u32 path, u32 dispatch, u32 words)
{
    return machine->core_pipeline == pipeline && machine->divergence_unit == path && machine->core_dispatch == dispatch &&
           words_for(machine->core_warps) == words;
}

u32 ws_variant_of(const struct ws_machine *machine)
{
    const struct ws_tuple *const all = ws_tuples();
    u32 n = 0;
    while (n < WS_VARIANTS && !(ws_variant_suits(machine, all[n].pipeline, all[n].divergence, all[n].dispatch, all[n].words) &&
                                all[n].policy == machine->schedule_policy))
        n++;
    return n;
}
