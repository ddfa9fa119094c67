#include "engine/variant.h"

#include <pthread.h>
#include <stdio.h>

#include "shared/image.h"

struct row {
    const char *name;
    u32 value, slots; /* slots of a path unit */
};

static const struct row pipelines[] = {
#define PIPELINE(name, value, doc) {#name, value, 0},
#include "shared/pipelines.def"
#undef PIPELINE
};

static const struct row paths[] = {
#define PATH(name, value, slots, doc) {#name, value, slots},
#include "shared/paths.def"
#undef PATH
};

static const struct row policies[] = {
#define POLICY(name, value, doc) {#name, value, 0},
#include "shared/policies.def"
};

static const struct row dispatches[] = {
#define DISPATCH(name, value, doc) {#name, value, 0},
#include "shared/dispatches.def"
#undef DISPATCH
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static struct ws_tuple tuples[WS_VARIANTS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void add(u32 *count, const struct row *pipeline, const struct row *path, const struct row *policy,
                const struct row *dispatch, u32 words)
{
    struct ws_tuple *const tuple = &tuples[(*count)++];
    *tuple = (struct ws_tuple){pipeline->value, path->value, policy->value, dispatch->value, words,
                               pipeline->name,  path->name,  policy->name,  dispatch->name,  ""};
    const int length =
        snprintf(tuple->name, sizeof tuple->name, "%s %s %s %s", pipeline->name, path->name, policy->name, dispatch->name);
    if (words > 1)
        snprintf(tuple->name + length, sizeof tuple->name - (size_t)length, " of %u slots", words * WS_LANES);
}

static void make_tuples(void)
{
    static const u32 words[] = {1, 2, 8};
    u32 count = 0;
    for (u32 width = 0; width < COUNT(words); width++)
        for (size_t n = 0; n < COUNT(pipelines) * COUNT(paths) * COUNT(policies) * COUNT(dispatches); n++) {
            const struct row *const dispatch = &dispatches[n % COUNT(dispatches)];
            const struct row *const policy = &policies[n / COUNT(dispatches) % COUNT(policies)];
            const struct row *const path = &paths[n / COUNT(dispatches) / COUNT(policies) % COUNT(paths)];
            const struct row *const pipeline = &pipelines[n / COUNT(dispatches) / COUNT(policies) / COUNT(paths)];
            if (width < (u32)WS_WIDTHS(path->slots))
                add(&count, pipeline, path, policy, dispatch, words[width]);
        }
}

const struct ws_tuple *ws_tuples(void)
{
    pthread_once(&made, make_tuples);
    return tuples;
}

/* Words of the sets that so many warps take. */
static u32 words_for(u32 warps)
{
    return warps <= WS_LANES ? 1 : warps <= 2 * WS_LANES ? 2 : 8;
}

void ws_variant_choose(struct ws_machine *machine, u32 variant)
{
    const struct ws_tuple *const tuple = &ws_tuples()[variant];
    machine->core_pipeline = tuple->pipeline;
    machine->divergence_unit = tuple->divergence;
    machine->schedule_policy = tuple->policy;
    machine->core_dispatch = tuple->dispatch;
    if (words_for(machine->core_warps) != tuple->words)
        machine->core_warps = tuple->words == 8 ? 4 * WS_LANES : tuple->words * WS_LANES;
}

u32 ws_variant_of(const struct ws_machine *machine)
{
    const u32 words = words_for(machine->core_warps);
    const struct ws_tuple *const all = ws_tuples();
    u32 n = 0;
    while (n < WS_VARIANTS &&
           !(all[n].pipeline == machine->core_pipeline && all[n].divergence == machine->divergence_unit &&
             all[n].policy == machine->schedule_policy && all[n].dispatch == machine->core_dispatch && all[n].words == words))
        n++;
    return n;
}
