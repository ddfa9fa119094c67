/* Reads the definition of a search. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/space/rules.h"

static enum ws_status copy(const struct ws_yaml *node, const char *text, char **to, struct ws_error *error)
{
    *to = strdup(text);
    return *to ? WS_STATUS_ok : ws_yaml_no_memory(node, error);
}

/* "FILE:LINE: PATH: " of a node. */
static enum ws_status copy_place(const struct ws_yaml *node, char **place, struct ws_error *error)
{
    struct ws_error text;
    ws_yaml_fail(node, &text, "%s", "");
    return copy(node, text.message, place, error);
}

static enum ws_status copy_text(const struct ws_yaml *node, struct ws_space_text *to, struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_text(node, &text, error));
    WS_TRY(copy(node, text, &to->text, error));
    return copy_place(node, &to->place, error);
}

/* ---- Parameters ---- */

static int ascending(const void *one, const void *other)
{
    const u32 a = *(const u32 *)one, b = *(const u32 *)other;
    return (a > b) - (a < b);
}

static enum ws_status read_axes(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    struct ws_space_rules *const rules = space->rules;
    const struct expansion expansion = {.experiment = space->experiment, .alone = true};
    size_t count;
    WS_TRY(ws_yaml_need(root, "axes", &rules->place, error));
    rules->axes.sampled = true;
    WS_TRY(axes_read(rules->place, &rules->base, &expansion, &rules->axes, error));
    space->axes = calloc(rules->axes.count, sizeof *space->axes);
    if (!space->axes)
        return ws_yaml_no_memory(root, error);
    for (size_t n = 0; n < rules->axes.count; n++) {
        struct axis *const axis = &rules->axes.axis[n];
        const struct ws_parameter *const parameter = &ws_parameters(&count)[axis->parameter];
        if (!parameter->set)
            qsort(axis->values, axis->count, sizeof *axis->values, ascending);
        space->axes[space->axis_count++] = (struct ws_space_axis){.key = parameter->key,
                                                                  .parameter = axis->parameter,
                                                                  .values = axis->values,
                                                                  .count = (u32)axis->count,
                                                                  .ordered = parameter->set == NULL};
    }
    return WS_STATUS_ok;
}

static enum ws_status read_machine(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    const struct ws_yaml *machine;
    struct ws_machine_file file;
    struct draft *const base = &space->rules->base;
    WS_TRY(ws_yaml_need(root, "machine", &machine, error));
    WS_TRY(config_load_machine(machine, &file, space->experiment, error));
    base->machine = file.machine;
    WS_TRY(draft_set_all(base, ws_yaml_get(root, "set"), error));
    WS_TRY(draft_set_frontend(base, ws_yaml_get(root, "frontend"), error));
    space->machine = base->machine;
    space->frontend = draft_frontend_text(&base->frontend);
    return space->frontend ? WS_STATUS_ok : ws_yaml_no_memory(root, error);
}

/* Checks syntax and names at the first choice, where constraints need not hold. */
static enum ws_status read_constraints(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(root, "constraints");
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    u32 *const first = calloc(space->axis_count, sizeof *first);
    if (!first)
        return ws_yaml_no_memory(root, error);
    space->rules->constraints = list;
    ws_space_allows(space, first);
    free(first);
    return ws_space_failure(space, error);
}

/* ---- The baseline ---- */

struct settings {
    struct ws_space *space;
    struct draft draft;
};

static enum ws_status take_setting(void *context, size_t parameter, const struct ws_yaml *value, struct ws_error *error)
{
    struct settings *const settings = context;
    size_t count;
    for (u32 n = 0; n < settings->space->axis_count; n++)
        if (settings->space->axes[n].parameter == parameter)
            return draft_set_parameter(&settings->draft, parameter, value, error);
    return ws_yaml_fail(value, error, "%s is no axis; a baseline gives values of axes, set gives those of all points",
                        ws_parameters(&count)[parameter].key);
}

/* The index of the draft's value on each axis; the number of the first axis that lacks it, else that of axes. */
static u32 find_choices(const struct ws_space *space, const struct draft *draft, u32 *choice)
{
    for (u32 n = 0; n < space->axis_count; n++) {
        const struct ws_space_axis *const axis = &space->axes[n];
        for (choice[n] = 0; choice[n] < axis->count; choice[n]++)
            if (axis->values[choice[n]] == config_value(&draft->machine, axis->parameter))
                break;
        if (choice[n] == axis->count)
            return n;
    }
    return space->axis_count;
}

static enum ws_status label_baseline(struct ws_space *space, struct ws_error *error)
{
    WS_TRY(ws_space_add_point(space, space->baseline, error));
    space->rules->baseline_label = strdup(space->experiment->points[0].label);
    ws_space_clear(space);
    return space->rules->baseline_label ? WS_STATUS_ok : ws_no_memory(error);
}

/* The machine with the settings of the key, where all of its values lie on axes. Without the key a machine beside the axes gives no
 * baseline. */
static enum ws_status read_baseline(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(root, "baseline");
    struct settings settings = {.space = space, .draft = space->rules->base};
    char value[64];
    struct ws_error reason;
    if (node)
        WS_TRY(config_each(node, take_setting, &settings, error));
    u32 *const choice = calloc(space->axis_count, sizeof *choice);
    if (!choice)
        return ws_yaml_no_memory(root, error);
    const u32 missing = find_choices(space, &settings.draft, choice);
    const bool allowed = missing == space->axis_count && ws_space_check(space, choice, &reason) == WS_STATUS_ok;
    if (allowed) {
        space->baseline = choice;
        return label_baseline(space, error);
    }
    free(choice);
    if (!node)
        return ws_space_failure(space, error);
    if (missing == space->axis_count)
        return ws_yaml_fail(node, error, "the baseline is no point of the space: %s", reason.message);
    ws_machine_get(&settings.draft.machine, space->axes[missing].parameter, value, sizeof value);
    return ws_yaml_fail(node, error, "the baseline has %s %s, which its axis lacks; name one of its values, or add this one",
                        space->axes[missing].key, value);
}

/* ---- Workloads ---- */

static enum ws_status read_weight(const struct ws_yaml *node, struct ws_space *space, struct ws_error *error)
{
    const struct ws_experiment *const experiment = space->experiment;
    struct ws_names names = {.nearest = {.word = node->key}};
    double weight;
    WS_TRY(ws_yaml_real(node, &weight, error));
    if (!(weight > 0))
        return ws_yaml_fail(node, error, "found '%s', allowed is a number above 0", node->text);
    for (size_t n = 0; n < experiment->trace_count; n++) {
        ws_names_offer(&names, experiment->traces[n]);
        if (strcmp(experiment->traces[n], node->key) == 0) {
            space->weights[n] = weight;
            ws_names_free(&names);
            return WS_STATUS_ok;
        }
    }
    ws_yaml_fail(node, error, "found '%s', which is none of traces: %s", node->key, ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_bad_input;
}

static enum ws_status read_weights(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    const struct ws_yaml *const weights = ws_yaml_get(root, "weights");
    space->weights = calloc(space->experiment->trace_count, sizeof *space->weights);
    if (!space->weights)
        return ws_yaml_no_memory(root, error);
    for (size_t n = 0; n < space->experiment->trace_count; n++)
        space->weights[n] = 1;
    if (!weights)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(weights, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *node = weights->first; node; node = node->next)
        WS_TRY(read_weight(node, space, error));
    return WS_STATUS_ok;
}

#define SIZE(size, name) name,
static const char *const sizes[] = {WS_SIZE_TABLE(SIZE, ) NULL};
#undef SIZE

void ws_fidelity_name(const struct ws_fidelity *fidelity, char text[WS_FIDELITY_NAME])
{
    if (fidelity->shards == 0)
        snprintf(text, WS_FIDELITY_NAME, "%s", sizes[fidelity->size]);
    else
        snprintf(text, WS_FIDELITY_NAME, "%s with %u shard%s", sizes[fidelity->size], fidelity->shards,
                 fidelity->shards == 1 ? "" : "s");
}

/* NAME, or {size: NAME, shards: COUNT}. */
static enum ws_status read_fidelity(const struct ws_yaml *node, const struct ws_experiment *experiment,
                                    struct ws_fidelity *fidelity, struct ws_error *error)
{
    static const char *const keys[] = {"size", "shards", NULL};
    const struct ws_yaml *name = node, *shards;
    uint64_t sampled = 0;
    size_t size;
    if (node->kind == WS_YAML_MAPPING) {
        WS_TRY(ws_yaml_expect_keys(node, keys, error));
        WS_TRY(ws_yaml_need(node, "size", &name, error));
        WS_TRY(ws_yaml_need(node, "shards", &shards, error));
        if (experiment->shards < 2)
            return ws_yaml_fail(shards, error,
                                "the search has 1 shard, of which none can be left out; set shards, the number of SMs");
        WS_TRY(ws_yaml_unsigned(shards, 1, experiment->shards - 1, &sampled, error));
    }
    WS_TRY(ws_yaml_choice(name, sizes, &size, error));
    *fidelity = (struct ws_fidelity){.size = (enum ws_size)size, .shards = (u32)sampled};
    return WS_STATUS_ok;
}

static bool ascend(const struct ws_fidelity *a, const struct ws_fidelity *b)
{
    return a->size < b->size || (a->size == b->size && a->shards > 0 && (b->shards == 0 || b->shards > a->shards));
}

static enum ws_status read_fidelities(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(root, "fidelities");
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *node = list->first; node; node = node->next) {
        struct ws_fidelity *const fidelity = &space->fidelity[space->fidelity_count];
        char before[WS_FIDELITY_NAME], name[WS_FIDELITY_NAME];
        if (space->fidelity_count == WS_FIDELITIES)
            return ws_yaml_fail(node, error, "at most %u fidelities are allowed", WS_FIDELITIES);
        WS_TRY(read_fidelity(node, space->experiment, fidelity, error));
        ws_fidelity_name(fidelity, name);
        if (space->fidelity_count > 0 && !ascend(fidelity - 1, fidelity)) {
            ws_fidelity_name(fidelity - 1, before);
            return ws_yaml_fail(node, error, "found '%s' after '%s'; fidelities ascend: tiny, small, paper, and shards of a size",
                                name, before);
        }
        space->fidelity_count++;
    }
    if (space->fidelity_count > 0 && space->fidelity[space->fidelity_count - 1].shards > 0)
        return ws_yaml_fail(list, error, "the last fidelity has all shards; name its size alone");
    if (space->fidelity_count == 0)
        return ws_yaml_fail(list, error, "at least one size is needed: tiny, small, paper");
    if (space->rules->base.frontend.sets_size)
        return ws_yaml_fail(list, error, "frontend.size is set, too; leave one of the two out");
    return WS_STATUS_ok;
}

/* ---- Objectives and limits ---- */

/* The name of an objective without one: its expression. */
static enum ws_status read_objective(const struct ws_yaml *node, struct ws_space *space, struct ws_error *error)
{
    static const char *const keys[] = {"name", "maximize", "minimize", NULL};
    struct ws_space_objective *const objective = &space->objectives[space->objective_count++];
    const struct ws_yaml *const most = ws_yaml_get(node, "maximize"), *const least = ws_yaml_get(node, "minimize");
    const char *name;
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    if (!most == !least)
        return ws_yaml_fail(node, error, "an objective has maximize or minimize, one of them, with an expression");
    objective->maximize = most != NULL;
    WS_TRY(copy_text(most ? most : least, &objective->expression, error));
    WS_TRY(ws_yaml_optional_text(ws_yaml_get(node, "name"), &name, error));
    WS_TRY(copy(node, name ? name : objective->expression.text, &objective->name, error));
    for (u32 n = 0; n + 1 < space->objective_count; n++)
        if (strcmp(space->objectives[n].name, objective->name) == 0)
            return ws_yaml_fail(node, error, "'%s' is the name of another objective, too; give each a name of its own",
                                objective->name);
    return WS_STATUS_ok;
}

static enum ws_status read_goals(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    const struct ws_yaml *const limits = ws_yaml_get(root, "limits"), *objectives;
    WS_TRY(ws_yaml_need(root, "objectives", &objectives, error));
    WS_TRY(ws_yaml_expect(objectives, WS_YAML_SEQUENCE, error));
    if (limits)
        WS_TRY(ws_yaml_expect(limits, WS_YAML_SEQUENCE, error));
    if (!objectives->first)
        return ws_yaml_fail(objectives, error, "at least one objective is needed: {maximize: EXPRESSION}");
    space->objectives = calloc(objectives->count, sizeof *space->objectives);
    space->limits = calloc(limits ? limits->count + 1 : 1, sizeof *space->limits);
    if (!space->objectives || !space->limits)
        return ws_yaml_no_memory(root, error);
    for (const struct ws_yaml *node = objectives->first; node; node = node->next)
        WS_TRY(read_objective(node, space, error));
    for (const struct ws_yaml *node = limits ? limits->first : NULL; node; node = node->next)
        WS_TRY(copy_text(node, &space->limits[space->limit_count++], error));
    return WS_STATUS_ok;
}

/* ---- How to search ---- */

static enum ws_status read_number(const struct ws_yaml *mapping, const char *key, uint64_t least, uint64_t most, uint64_t *number,
                                  struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(mapping, key);
    return node ? ws_yaml_unsigned(node, least, most, number, error) : WS_STATUS_ok;
}

static enum ws_status read_method(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    static const char *const keys[] = {"name", "population", "reduction", "proposer", NULL};
    const struct ws_yaml *const method = ws_yaml_get(root, "method"), *name = method, *proposer;
    const char *text;
    uint64_t population = 0, reduction = 0;
    if (!method)
        return WS_STATUS_ok;
    WS_TRY(copy_place(method, &space->method.place, error));
    if (method->kind == WS_YAML_MAPPING) {
        WS_TRY(ws_yaml_expect_keys(method, keys, error));
        WS_TRY(ws_yaml_need(method, "name", &name, error));
        WS_TRY(read_number(method, "population", 4, 1 << 20, &population, error));
        WS_TRY(read_number(method, "reduction", 2, 1 << 20, &reduction, error));
        proposer = ws_yaml_get(method, "proposer");
        WS_TRY(ws_yaml_optional_text(proposer, &text, error));
        if (text)
            WS_TRY(copy(proposer, text, &space->method.proposer, error));
    }
    space->method.population = (u32)population;
    space->method.reduction = (u32)reduction;
    WS_TRY(ws_yaml_text(name, &text, error));
    return copy(name, text, &space->method.name, error);
}

static enum ws_status read_budget(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    static const char *const keys[] = {"simulations", "minutes", NULL};
    const struct ws_yaml *const budget = ws_yaml_get(root, "budget");
    uint64_t simulations = 0;
    if (!budget)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(budget, WS_YAML_MAPPING, error));
    WS_TRY(ws_yaml_expect_keys(budget, keys, error));
    WS_TRY(read_number(budget, "simulations", 1, (uint64_t)1 << 40, &simulations, error));
    space->simulations = simulations;
    if (ws_yaml_get(budget, "minutes"))
        WS_TRY(ws_yaml_real(ws_yaml_get(budget, "minutes"), &space->minutes, error));
    if (ws_yaml_get(budget, "minutes") && !(space->minutes > 0))
        return ws_yaml_fail(ws_yaml_get(budget, "minutes"), error, "allowed is a number above 0");
    return WS_STATUS_ok;
}

enum ws_status space_read(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error)
{
    static const char *const keys[] = {"name",   "about",      "machine", "set",         "frontend", "traces",     "weights",
                                       "shards", "fidelities", "axes",    "constraints", "baseline", "objectives", "limits",
                                       "budget", "seed",       "method",  "generation",  NULL};
    uint64_t seed = 0, generation = 0;
    WS_TRY(ws_yaml_expect_keys(root, keys, error));
    WS_TRY(config_read_head(root, space->experiment, error));
    WS_TRY(read_machine(root, space, error));
    WS_TRY(read_axes(root, space, error));
    WS_TRY(read_constraints(root, space, error));
    WS_TRY(read_weights(root, space, error));
    WS_TRY(read_fidelities(root, space, error));
    WS_TRY(read_goals(root, space, error));
    WS_TRY(read_method(root, space, error));
    WS_TRY(read_budget(root, space, error));
    WS_TRY(read_number(root, "seed", 0, INT64_MAX, &seed, error));
    WS_TRY(read_number(root, "generation", 1, 1 << 20, &generation, error));
    space->seed = seed;
    space->generation = (u32)generation;
    return read_baseline(root, space, error);
}
