/* The points of a search space. */
#include "warpsweep/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/bundled.h"
#include "config/space/rules.h"

enum ws_status space_new(struct ws_space **space, struct ws_error *error)
{
    *space = calloc(1, sizeof **space);
    if (*space) {
        (*space)->rules = calloc(1, sizeof *(*space)->rules);
        (*space)->experiment = calloc(1, sizeof *(*space)->experiment);
        if ((*space)->rules && (*space)->experiment)
            return WS_STATUS_ok;
    }
    ws_space_free(*space);
    *space = NULL;
    return ws_no_memory(error);
}

enum ws_status ws_space_load(const char *file_or_name, struct ws_space **space, struct ws_error *error)
{
    struct ws_space *made;
    *space = NULL;
    WS_TRY(space_new(&made, error));
    enum ws_status status = config_load_yaml(BUNDLED_SPACE, file_or_name, &made->rules->root, error);
    WS_THEN(status, space_read(made->rules->root, made, error));
    if (status == WS_STATUS_ok)
        *space = made;
    else
        ws_space_free(made);
    return status;
}

static void free_text(struct ws_space_text *text)
{
    free(text->text);
    free(text->place);
}

void ws_space_free(struct ws_space *space)
{
    if (!space)
        return;
    for (u32 n = 0; n < space->objective_count; n++) {
        free(space->objectives[n].name);
        free_text(&space->objectives[n].expression);
    }
    for (u32 n = 0; n < space->limit_count; n++)
        free_text(&space->limits[n]);
    free(space->objectives);
    free(space->limits);
    free(space->axes);
    free(space->baseline);
    free(space->frontend);
    free(space->weights);
    free(space->method.name);
    free(space->method.proposer);
    free(space->method.place);
    ws_experiment_free(space->experiment);
    if (space->rules) {
        axes_free(&space->rules->axes);
        ws_yaml_free(space->rules->root);
        ws_arena_free(&space->rules->arena);
        free(space->rules->baseline_label);
        free(space->rules);
    }
    free(space);
}

double ws_space_size(const struct ws_space *space)
{
    double size = 1;
    for (u32 n = 0; n < space->axis_count; n++)
        size *= space->axes[n].count;
    return size;
}

void space_draft(const struct ws_space *space, const u32 *choice, struct draft *draft)
{
    *draft = space->rules->base;
    for (u32 n = 0; n < space->axis_count; n++)
        draft_put(draft, space->axes[n].parameter, space->axes[n].values[choice[n]]);
}

enum ws_status ws_space_check(struct ws_space *space, const u32 *choice, struct ws_error *error)
{
    struct ws_space_rules *const rules = space->rules;
    struct draft draft;
    space_draft(space, choice, &draft);
    for (const struct ws_yaml *node = rules->constraints ? rules->constraints->first : NULL; node; node = node->next) {
        bool holds = false;
        struct ws_error failure;
        const enum ws_status status = constraint_holds(node, &draft.machine, &holds, &failure);
        if (status != WS_STATUS_ok) {
            if (rules->failure.status == WS_STATUS_ok)
                rules->failure = failure;
            return ws_fail(error, status, "%s", failure.message);
        }
        if (!holds)
            return ws_yaml_fail(node, error, "'%s' does not hold", node->text);
    }
    return ws_machine_check(&draft.machine, error);
}

bool ws_space_allows(struct ws_space *space, const u32 *choice)
{
    return ws_space_check(space, choice, NULL) == WS_STATUS_ok;
}

enum ws_status ws_space_failure(const struct ws_space *space, struct ws_error *error)
{
    const struct ws_error *const failure = &space->rules->failure;
    return failure->status == WS_STATUS_ok ? WS_STATUS_ok : ws_fail(error, failure->status, "%s", failure->message);
}

const char *ws_space_constraint(const struct ws_space *space, size_t n)
{
    const struct ws_yaml *node = space->rules->constraints ? space->rules->constraints->first : NULL;
    while (node && n-- > 0)
        node = node->next;
    return node ? node->text : NULL;
}

enum ws_status ws_space_add_point(struct ws_space *space, const u32 *choice, struct ws_error *error)
{
    const struct ws_space_rules *const rules = space->rules;
    const struct expansion expansion = {.experiment = space->experiment};
    struct draft draft;
    space_draft(space, choice, &draft);
    WS_TRY(draft_append_named(&draft, "", rules->axes.parameters, rules->axes.count, rules->place, &expansion, error));
    struct ws_point *const point = &space->experiment->points[space->experiment->point_count - 1];
    if (rules->baseline_label && !(point->baseline = strdup(rules->baseline_label)))
        return ws_no_memory(error);
    return WS_STATUS_ok;
}

void ws_space_clear(struct ws_space *space)
{
    struct ws_experiment *const experiment = space->experiment;
    for (size_t n = 0; n < experiment->point_count; n++) {
        struct ws_point *const point = &experiment->points[n];
        free(point->label);
        free(point->variation);
        free(point->overrides);
        free(point->baseline);
        free(point->frontend);
    }
    free(experiment->points);
    experiment->points = NULL;
    experiment->point_count = 0;
}

enum ws_status ws_space_choose(const struct ws_space *space, u32 axis, const char *value, u32 *choice, struct ws_error *error)
{
    const struct ws_space_axis *const from = &space->axes[axis];
    struct ws_machine machine = space->rules->base.machine;
    struct ws_names names = {.nearest = {.word = ""}}; /* no proposal: the nearest number is not the one with like digits */
    u32 number;
    WS_TRY(config_parse(from->parameter, value, &number, error));
    for (*choice = 0; *choice < from->count; ++*choice)
        if (from->values[*choice] == number)
            return WS_STATUS_ok;
    for (u32 n = 0; n < from->count; n++) {
        char text[64];
        config_put(&machine, from->parameter, from->values[n]);
        ws_machine_get(&machine, from->parameter, text, sizeof text);
        ws_names_offer(&names, text);
    }
    ws_fail(error, WS_STATUS_usage, "%s: found '%s', which is no value of the axis (%u values: %s)", from->key, value, from->count,
            ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_usage;
}
