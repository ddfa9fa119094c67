/* Maps a machine's choices to their rules: a row of the shared tables finds its struct by name. */
#include "oracle/sm.h"

#define DECLARE(kind, name)            extern const struct oracle_##kind oracle_##kind##_##name;
#define PATH(name, value, issues, doc) DECLARE(path, name)
#include "shared/paths.def"
#undef PATH
#define POLICY(name, value, doc)      DECLARE(policy, name)
#define POOL_POLICY(name, value, doc) DECLARE(policy, name)
#include "shared/policies.def"
#define PIPELINE(name, value, ports, buffers, retires, levels, registers, spaces, doc) DECLARE(pipeline, name)
#include "shared/pipelines.def"
#undef PIPELINE
#define DISPATCH(name, value, doc)  DECLARE(dispatch, name)
#define SPECIFIED(name, value, doc) DECLARE(dispatch, name)
#include "shared/dispatches.def"
extern const struct oracle_pipeline oracle_pipeline_pool;

struct oracle_rules rules_of(const struct ws_machine *machine)
{
    static const struct oracle_path *const paths[] = {
#define PATH(name, value, issues, doc) [value] = &oracle_path_##name,
#include "shared/paths.def"
#undef PATH
    };
    static const struct oracle_policy *const policies[] = {
#define POLICY(name, value, doc)      [value] = &oracle_policy_##name,
#define POOL_POLICY(name, value, doc) [value] = &oracle_policy_##name,
#include "shared/policies.def"
    };
    static const struct oracle_pipeline *const pipelines[] = {
#define PIPELINE(name, value, ports, buffers, retires, levels, registers, spaces, doc) [value] = &oracle_pipeline_##name,
#include "shared/pipelines.def"
#undef PIPELINE
    };
    static const struct oracle_dispatch *const dispatches[] = {
#define DISPATCH(name, value, doc)  [value] = &oracle_dispatch_##name,
#define SPECIFIED(name, value, doc) [value] = &oracle_dispatch_##name,
#include "shared/dispatches.def"
    };
    const struct oracle_path *const path = paths[machine->divergence_unit];
    return (struct oracle_rules){.path = path,
                                 .policy = policies[machine->schedule_policy],
                                 .pipeline = path->pool ? &oracle_pipeline_pool : pipelines[machine->core_pipeline],
                                 .dispatch = dispatches[machine->core_dispatch]};
}
