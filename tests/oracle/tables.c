/* From a machine's choices to their rules: a new row of the shared tables finds its struct by its name. */
#include "oracle/sm.h"

/* Rows of the other sets of choices name no rules. */
#define SET_round_robin(use, name, value)
#define SET_timeout_unit(use, name, value)
#define SET_first_path(use, name, value)
#define SET_refetch(use, name, value)
#define SET_decode(use, name, value)
#define SET_port(use, name, value)
#define SET_store(use, name, value)
#define SET_mapping(use, name, value)
#define SET_toggle(use, name, value)
#define SET_divergence(use, name, value) use(path, name, value)
#define SET_policy(use, name, value)     use(policy, name, value)
#define SET_pipeline(use, name, value)   use(pipeline, name, value)
#define SET_dispatch(use, name, value)   use(dispatch, name, value)

#define DECLARE(kind, name, value)    extern const struct oracle_##kind oracle_##kind##_##name;
#define CHOICE(set, name, value, doc) SET_##set(DECLARE, name, value)
#include "shared/choices.def"
#undef CHOICE

enum { MOST_ROWS = 256 };

static const struct {
    const struct oracle_path *path[MOST_ROWS];
    const struct oracle_policy *policy[MOST_ROWS];
    const struct oracle_pipeline *pipeline[MOST_ROWS];
    const struct oracle_dispatch *dispatch[MOST_ROWS];
} tables = {
#define ROW(kind, name, value)        .kind[value] = &oracle_##kind##_##name,
#define CHOICE(set, name, value, doc) SET_##set(ROW, name, value)
#include "shared/choices.def"
#undef CHOICE
};

struct oracle_rules rules_of(const struct ws_machine *machine)
{
    return (struct oracle_rules){.path = tables.path[machine->divergence_unit],
                                 .policy = tables.policy[machine->schedule_policy],
                                 .pipeline = tables.pipeline[machine->core_pipeline],
                                 .dispatch = tables.dispatch[machine->core_dispatch]};
}
