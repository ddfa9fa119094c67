/* Experiments built through the C API. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/experiment/draft.h"
#include "config/experiment/traces.h"

static enum ws_status no_memory(const char *name, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", name);
}

enum ws_status ws_experiment_new(const char *name, const char *machine, struct ws_experiment **experiment, struct ws_error *error)
{
    *experiment = NULL;
    if (!*name || strpbrk(name, "/\\"))
        return ws_fail(error, WS_STATUS_bad_input, "found '%s', allowed is what can name a file in a folder: no slashes", name);
    struct ws_experiment *const made = calloc(1, sizeof *made);
    if (!made)
        return no_memory(name, error);
    *made = (struct ws_experiment){.name = strdup(name), .about = strdup(""), .machine = strdup(machine), .shards = 1};
    if (!made->name || !made->about || !made->machine) {
        ws_experiment_free(made);
        return no_memory(name, error);
    }
    *experiment = made;
    return WS_STATUS_ok;
}

enum ws_status ws_experiment_add_point(struct ws_experiment *experiment, const char *label, const struct ws_machine *machine,
                                       const char *baseline, struct ws_error *error)
{
    const struct ws_yaml nowhere = {.file = experiment->name};
    const struct expansion expansion = {.experiment = experiment};
    struct ws_machine standard;
    struct draft draft = {.machine = *machine};
    if (ws_machine_check(machine, error) != WS_STATUS_ok)
        return ws_fail_in(error, "%s: point '%s': ", experiment->name, label);
    ws_machine_defaults(&standard);
    for (size_t n = 0; n < PARAMETERS; n++)
        draft.set[n] = config_value(machine, n) != config_value(&standard, n);
    return draft_append(&draft, label, baseline, &nowhere, &expansion, error);
}

enum ws_status ws_experiment_add_trace(struct ws_experiment *experiment, const char *trace, struct ws_error *error)
{
    return traces_append(experiment, trace, "") ? WS_STATUS_ok : no_memory(experiment->name, error);
}
