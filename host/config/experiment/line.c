/* Experiments from the command line: builds the tree of the equivalent YAML. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "config/experiment/line.h"

static enum ws_status out_of_memory(const struct line_builder *builder)
{
    return ws_no_memory(builder->error);
}

enum ws_status line_add(struct line_builder *builder, struct ws_yaml *parent, enum ws_yaml_kind kind, const char *option,
                        const char *key, const char *text, struct ws_yaml **added)
{
    struct ws_yaml *const node = ws_arena_alloc(&builder->arena, sizeof *node);
    if (!node)
        return out_of_memory(builder);
    *node = (struct ws_yaml){.kind = kind, .parent = parent};
    node->file = ws_arena_text(&builder->arena, option, strlen(option));
    node->key = key ? ws_arena_text(&builder->arena, key, strlen(key)) : NULL;
    node->text = text ? ws_arena_text(&builder->arena, text, strlen(text)) : NULL;
    if (!node->file || (key && !node->key) || (text && !node->text))
        return out_of_memory(builder);
    if (parent) {
        struct ws_yaml **place = &parent->first;
        while (*place)
            place = &(*place)->next;
        *place = node;
        parent->count++;
    }
    if (added)
        *added = node;
    return WS_STATUS_ok;
}

static enum ws_status add_text(struct line_builder *builder, struct ws_yaml *parent, const char *option, const char *key,
                               const char *text)
{
    return line_add(builder, parent, WS_YAML_SCALAR, option, key, text, NULL);
}

/* The items of "A,B,C". */
static enum ws_status add_items(struct line_builder *builder, struct ws_yaml *list, const char *option, const char *words)
{
    char *const copy = ws_arena_text(&builder->arena, words, strlen(words));
    if (!copy)
        return out_of_memory(builder);
    for (char *item = copy, *rest; item; item = rest) {
        rest = strchr(item, ',');
        if (rest)
            *rest++ = 0;
        WS_TRY(add_text(builder, list, option, NULL, item));
    }
    return WS_STATUS_ok;
}

/* Splits "KEY=VALUE" at the sign. */
static enum ws_status divide(struct line_builder *builder, const char *option, const char *form, const char *assignment, char **key,
                             const char **value)
{
    const char *const equals = strchr(assignment, '=');
    if (!equals)
        return ws_fail(builder->error, WS_STATUS_usage, "%s: found '%s', allowed is %s", option, assignment, form);
    *value = equals + 1;
    *key = ws_arena_text(&builder->arena, assignment, (size_t)(equals - assignment));
    return *key ? WS_STATUS_ok : out_of_memory(builder);
}

/* The mapping for "FROM..TO", "FROM..TO+STEP" or "FROM..TOxFACTOR". */
static enum ws_status add_range(struct line_builder *builder, struct ws_yaml *axes, const char *option, const char *key,
                                const char *range)
{
    struct ws_yaml *mapping;
    char *const from = ws_arena_text(&builder->arena, range, strlen(range));
    if (!from)
        return out_of_memory(builder);
    char *const to = strstr(from, "..") + 2, *const more = to + strcspn(to, "+x");
    const char *const progression = *more == '+' ? "step" : *more == 'x' ? "factor" : NULL;
    to[-2] = *more = 0;
    WS_TRY(line_add(builder, axes, WS_YAML_MAPPING, option, key, NULL, &mapping));
    WS_TRY(add_text(builder, mapping, option, "from", from));
    WS_TRY(add_text(builder, mapping, option, "to", to));
    return progression ? add_text(builder, mapping, option, progression, more + 1) : WS_STATUS_ok;
}

static enum ws_status add_axis(struct line_builder *builder, struct ws_yaml *axes, const char *text)
{
    static const char option[] = "--axis";
    const char *values = "";
    char *key = NULL;
    struct ws_yaml *list;
    WS_TRY(divide(builder, option, "KEY=VALUE,VALUE... or KEY=FROM..TO", text, &key, &values));
    if (strstr(values, "..") && !strchr(values, ','))
        return add_range(builder, axes, option, key, values);
    WS_TRY(line_add(builder, axes, WS_YAML_SEQUENCE, option, key, NULL, &list));
    return add_items(builder, list, option, values);
}

/* Without axes there is one point, the unchanged machine. */
static enum ws_status add_points(struct line_builder *builder, const struct ws_experiment_line *line, struct ws_yaml *root)
{
    struct ws_yaml *axes, *points, *point;
    if (line->axis_count > 0) {
        WS_TRY(line_add(builder, root, WS_YAML_MAPPING, "--axis", "axes", NULL, &axes));
        for (size_t n = 0; n < line->axis_count; n++)
            WS_TRY(add_axis(builder, axes, line->axes[n]));
        return WS_STATUS_ok;
    }
    WS_TRY(line_add(builder, root, WS_YAML_SEQUENCE, "--machine", "points", NULL, &points));
    WS_TRY(line_add(builder, points, WS_YAML_MAPPING, "--machine", NULL, NULL, &point));
    return add_text(builder, point, "--machine", "label", "base");
}

enum ws_status line_build(struct line_builder *builder, const struct ws_experiment_line *line, struct ws_yaml **root)
{
    struct ws_yaml *set, *traces;
    WS_TRY(line_add(builder, NULL, WS_YAML_MAPPING, line->name, NULL, NULL, root));
    WS_TRY(add_text(builder, *root, "--output", "name", line->name));
    WS_TRY(add_text(builder, *root, "--machine", "machine", line->machine));
    WS_TRY(line_add(builder, *root, WS_YAML_MAPPING, "--set", "set", NULL, &set));
    for (size_t n = 0; n < line->setting_count; n++) {
        const char *value = "";
        char *key = NULL;
        WS_TRY(divide(builder, "--set", "KEY=VALUE", line->settings[n], &key, &value));
        WS_TRY(add_text(builder, set, "--set", key, value));
    }
    WS_TRY(line_add(builder, *root, WS_YAML_SEQUENCE, "--trace", "traces", NULL, &traces));
    for (size_t n = 0; n < line->trace_count; n++)
        WS_TRY(add_items(builder, traces, "--trace", line->traces[n]));
    return add_points(builder, line, *root);
}

enum ws_status ws_experiment_read_line(const struct ws_experiment_line *line, struct ws_experiment **experiment,
                                       struct ws_error *error)
{
    struct line_builder builder = {.error = error};
    struct ws_yaml *root = NULL;
    *experiment = NULL;
    enum ws_status status = line_build(&builder, line, &root);
    WS_THEN(status, config_read_experiment(root, experiment, error));
    ws_arena_free(&builder.arena);
    return status;
}
