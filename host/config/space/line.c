/* Search spaces from the command line. */
#include <string.h>

#include "base/error.h"
#include "config/experiment/line.h"
#include "config/space/rules.h"

static enum ws_status add_list(struct line_builder *builder, struct ws_yaml *root, const char *option, const char *key,
                               const char *const *texts, size_t count)
{
    struct ws_yaml *list;
    if (count == 0)
        return WS_STATUS_ok;
    WS_TRY(line_add(builder, root, WS_YAML_SEQUENCE, option, key, NULL, &list));
    for (size_t n = 0; n < count; n++)
        WS_TRY(line_add(builder, list, WS_YAML_SCALAR, option, NULL, texts[n], NULL));
    return WS_STATUS_ok;
}

/* "maximize EXPRESSION" */
static enum ws_status add_objectives(struct line_builder *builder, struct ws_yaml *root, const struct ws_space_line *line)
{
    struct ws_yaml *list, *objective;
    WS_TRY(line_add(builder, root, WS_YAML_SEQUENCE, "--maximize", "objectives", NULL, &list));
    for (size_t n = 0; n < line->objective_count; n++) {
        const char *const text = line->objectives[n];
        const bool most = strncmp(text, "maximize ", 9) == 0;
        const char *const option = most ? "--maximize" : "--minimize";
        WS_TRY(line_add(builder, list, WS_YAML_MAPPING, option, NULL, NULL, &objective));
        WS_TRY(line_add(builder, objective, WS_YAML_SCALAR, option, most ? "maximize" : "minimize", text + 9, NULL));
    }
    return WS_STATUS_ok;
}

static enum ws_status build(struct line_builder *builder, const struct ws_space_line *line, struct ws_yaml **root)
{
    WS_TRY(line_build(builder, &line->experiment, root));
    WS_TRY(add_objectives(builder, *root, line));
    WS_TRY(add_list(builder, *root, "--limit", "limits", line->limits, line->limit_count));
    return add_list(builder, *root, "--constraint", "constraints", line->constraints, line->constraint_count);
}

enum ws_status ws_space_read_line(const struct ws_space_line *line, struct ws_space **space, struct ws_error *error)
{
    struct line_builder builder = {.error = error};
    struct ws_space *made;
    struct ws_yaml *root = NULL;
    *space = NULL;
    if (line->experiment.axis_count == 0)
        return ws_fail(error, WS_STATUS_usage, "a search needs --axis (-x) for each parameter that it may change");
    WS_TRY(space_new(&made, error));
    enum ws_status status = build(&builder, line, &root);
    made->rules->arena = builder.arena;
    WS_THEN(status, space_read(root, made, error));
    if (status == WS_STATUS_ok)
        *space = made;
    else
        ws_space_free(made);
    return status;
}
