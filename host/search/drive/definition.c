#include <stdlib.h>
#include <xxhash.h>

#include "base/documents/json.h"
#include "base/error.h"
#include "results/identity.h"
#include "search/drive/state.h"
#include "warpsweep/engine.h"

static void add_axes(struct ws_json *json, const struct ws_space *space)
{
    struct ws_machine machine = space->machine;
    ws_json_array(json, "axes");
    for (u32 n = 0; n < space->axis_count; n++) {
        const struct ws_space_axis *const axis = &space->axes[n];
        ws_json_object(json, NULL);
        ws_json_text(json, "parameter", axis->key);
        ws_json_array(json, "choices");
        for (u32 choice = 0; choice < axis->count; choice++) {
            char value[64];
            ((u32 *)&machine)[axis->parameter] = axis->values[choice];
            ws_machine_get(&machine, axis->parameter, value, sizeof value);
            if (axis->ordered)
                ws_json_unsigned(json, NULL, axis->values[choice]);
            else
                ws_json_text(json, NULL, value);
        }
        ws_json_end_array(json);
        ws_json_bool(json, "ordered", axis->ordered);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
}

static void add_goals(struct ws_json *json, const struct ws_space *space)
{
    ws_json_array(json, "objectives");
    for (u32 n = 0; n < space->objective_count; n++) {
        ws_json_object(json, NULL);
        ws_json_text(json, "name", space->objectives[n].name);
        ws_json_text(json, "goal", space->objectives[n].maximize ? "maximize" : "minimize");
        ws_json_text(json, "expression", space->objectives[n].expression.text);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
    ws_json_array(json, "limits");
    for (u32 n = 0; n < space->limit_count; n++)
        ws_json_text(json, NULL, space->limits[n].text);
    ws_json_end_array(json);
}

static void add_workloads(struct ws_json *json, const struct ws_search_state *search)
{
    const struct ws_space *const space = search->space;
    ws_json_array(json, "workloads");
    for (size_t n = 0; n < space->experiment->trace_count; n++) {
        ws_json_object(json, NULL);
        ws_json_text(json, "trace", space->experiment->traces[n]);
        ws_json_real(json, "weight", space->weights[n]);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
    ws_json_unsigned(json, "shards", space->experiment->shards);
    ws_json_unsigned(json, "input_seed", search->options->seed);
    ws_json_array(json, "fidelities");
    for (u32 n = 0; n < search->fidelities; n++)
        ws_json_text(json, NULL, search->fidelity_name[n]);
    ws_json_end_array(json);
}

static void add_method(struct ws_json *json, const struct ws_search_state *search)
{
    const struct ws_search_settings *const settings = &search->settings;
    ws_json_object(json, "method");
    ws_json_text(json, "name", search->method->name);
    ws_json_unsigned(json, "population", settings->population);
    ws_json_unsigned(json, "reduction", settings->reduction);
    if (settings->proposer)
        ws_json_text(json, "proposer", settings->proposer->name);
    ws_json_end_object(json);
    ws_json_unsigned(json, "seed", search->space->seed);
    ws_json_unsigned(json, "generation", search->space->generation); /* 0: by the budget */
}

enum ws_status ws_search_define(struct ws_search_state *search, struct ws_error *error)
{
    const struct ws_space *const space = search->space;
    struct ws_json json = {.text = &search->definition, .flat = true};
    u64 baseline[sizeof(struct ws_machine) / sizeof(u32)];
    ws_json_object(&json, NULL);
    ws_json_text(&json, "name", search->name);
    ws_json_text(&json, "machine", space->experiment->machine);
    ws_json_text(&json, "machine_digest", ws_digest_text(ws_machine_digest(&space->machine)).text);
    ws_json_unsigned(&json, "model_version", WS_MODEL_VERSION);
    ws_json_text(&json, "frontend", space->frontend);
    ws_json_unsigned(&json, "lockstep", search->options->lockstep);
    add_axes(&json, space);
    ws_json_array(&json, "constraints");
    const char *constraint;
    for (size_t n = 0; (constraint = ws_space_constraint(space, n)); n++)
        ws_json_text(&json, NULL, constraint);
    ws_json_end_array(&json);
    for (u32 n = 0; space->baseline && n < space->axis_count; n++)
        baseline[n] = space->baseline[n];
    if (space->baseline)
        ws_json_numbers(&json, "baseline", baseline, space->axis_count);
    add_goals(&json, space);
    add_workloads(&json, search);
    add_method(&json, search);
    ws_json_end_object(&json);
    if (search->definition.failed)
        return ws_no_memory(error);
    snprintf(search->identity, sizeof search->identity, "%016llx",
             (unsigned long long)XXH3_64bits(search->definition.data, search->definition.length));
    return WS_STATUS_ok;
}
