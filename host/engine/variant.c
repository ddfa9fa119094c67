#include "engine/variant.h"

static const struct ws_tuple tuples[] = {
#define VARIANT(pipeline, divergence, policy, dispatch)                                                                            \
    {WS_pipeline_##pipeline, WS_divergence_##divergence, WS_policy_##policy, WS_dispatch_##dispatch,                               \
     #pipeline " " #divergence " " #policy " " #dispatch},
#include "shared/variants.def"
#undef VARIANT
};

const struct ws_tuple *ws_tuples(void)
{
    return tuples;
}

void ws_variant_choose(struct ws_machine *machine, u32 variant)
{
    machine->core_pipeline = tuples[variant].pipeline;
    machine->divergence_unit = tuples[variant].divergence;
    machine->schedule_policy = tuples[variant].policy;
    machine->core_dispatch = tuples[variant].dispatch;
}

u32 ws_variant_of(const struct ws_machine *machine)
{
    u32 n = 0;
    while (n < WS_VARIANTS && !(tuples[n].pipeline == machine->core_pipeline && tuples[n].divergence == machine->divergence_unit &&
                                tuples[n].policy == machine->schedule_policy && tuples[n].dispatch == machine->core_dispatch))
        n++;
    return n;
}
