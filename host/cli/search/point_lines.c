#include "cli/search/point_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/documents/json.h"
#include "base/documents/yaml.h"
#include "base/error.h"

/* ---- Writing ---- */

static void add_parameters(struct ws_json *json, const struct ws_space *space, const u32 *choice)
{
    struct ws_machine machine = space->machine;
    ws_json_object(json, "parameters");
    for (u32 n = 0; n < space->axis_count; n++) {
        const struct ws_space_axis *const axis = &space->axes[n];
        char value[64];
        ((u32 *)&machine)[axis->parameter] = axis->values[choice[n]];
        ws_machine_get(&machine, axis->parameter, value, sizeof value);
        if (axis->ordered)
            ws_json_unsigned(json, axis->key, axis->values[choice[n]]);
        else
            ws_json_text(json, axis->key, value);
    }
    ws_json_end_object(json);
}

void cli_point_add(const struct ws_space *space, const struct ws_search_point *point, struct ws_text *out)
{
    struct ws_json json = {.text = out, .flat = true};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "id", point->id);
    ws_json_unsigned(&json, "generation", point->generation);
    ws_json_text(&json, "fidelity", point->size);
    add_parameters(&json, space, point->choice);
    if (point->status) {
        ws_json_text(&json, "status", point->status);
        if (point->reason)
            ws_json_text(&json, "reason", point->reason);
        ws_json_object(&json, "objectives");
        for (u32 n = 0; n < space->objective_count; n++)
            ws_json_real(&json, space->objectives[n].name, point->objectives[n]);
        ws_json_end_object(&json);
        ws_json_real(&json, "excess", point->excess);
        ws_json_bool(&json, "on_front", point->front);
    }
    ws_json_end_object(&json);
    ws_text_add(out, "\n");
}

void cli_point_add_illegal(const struct ws_space *space, const struct cli_told *told, struct ws_text *out)
{
    struct ws_json json = {.text = out, .flat = true};
    ws_json_object(&json, NULL);
    add_parameters(&json, space, told->told.choice);
    ws_json_text(&json, "status", "illegal");
    ws_json_text(&json, "reason", told->illegal);
    ws_json_end_object(&json);
    ws_text_add(out, "\n");
}

/* ---- Reading ---- */

static enum ws_status unknown_parameter(const struct ws_yaml *node, const struct ws_space *space, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = node->key}};
    for (u32 n = 0; n < space->axis_count; n++)
        ws_names_offer(&names, space->axes[n].key);
    ws_yaml_fail(node, error, "found '%s', which is no axis of the search; axes are %s", node->key, ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_bad_input;
}

static enum ws_status read_parameters(const struct ws_yaml *mapping, const struct ws_space *space, u32 *choice,
                                      struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_expect(mapping, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *node = mapping->first; node; node = node->next) {
        u32 n = 0;
        while (n < space->axis_count && strcmp(space->axes[n].key, node->key) != 0)
            n++;
        if (n == space->axis_count)
            return unknown_parameter(node, space, error);
    }
    for (u32 n = 0; n < space->axis_count; n++) {
        const struct ws_yaml *node;
        WS_TRY(ws_yaml_need(mapping, space->axes[n].key, &node, error));
        WS_TRY(ws_yaml_text(node, &text, error));
        if (ws_space_choose(space, n, text, &choice[n], error) != WS_STATUS_ok)
            return ws_yaml_at(node, error);
    }
    return WS_STATUS_ok;
}

static enum ws_status read_fidelity(const struct ws_yaml *node, const struct ws_space *space, enum ws_size standard, u32 *fidelity,
                                    struct ws_error *error)
{
    const struct ws_fidelity only = {.size = standard};
    const u32 count = space->fidelity_count > 0 ? space->fidelity_count : 1;
    struct ws_names names = {.nearest = {.word = node ? node->text : NULL}};
    char name[WS_FIDELITY_NAME];
    *fidelity = count - 1;
    if (!node)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(node, WS_YAML_SCALAR, error));
    for (*fidelity = 0; *fidelity < count; ++*fidelity) {
        ws_fidelity_name(space->fidelity_count > 0 ? &space->fidelity[*fidelity] : &only, name);
        if (strcmp(node->text, name) == 0) {
            ws_names_free(&names);
            return WS_STATUS_ok;
        }
        ws_names_offer(&names, name);
    }
    ws_yaml_fail(node, error, "found '%s', the search has %s", node->text, ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_bad_input;
}

/* A point of the space, or the reason why it is none. */
static enum ws_status check(struct ws_space *space, struct cli_told *line, struct ws_error *error)
{
    struct ws_error reason;
    const enum ws_status status = ws_space_check(space, line->told.choice, &reason);
    WS_TRY(ws_space_failure(space, error));
    if (status == WS_STATUS_ok)
        return status;
    line->illegal = strdup(reason.message);
    return line->illegal ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status read_line(const struct ws_yaml *root, struct ws_space *space, const struct ws_search_options *options,
                                struct cli_told *line, struct ws_error *error)
{
    static const char *const keys[] = {"id", "generation", "parameters", "fidelity", NULL};
    const struct ws_yaml *const id = ws_yaml_get(root, "id"), *const fidelity = ws_yaml_get(root, "fidelity");
    const struct ws_yaml *parameters = ws_yaml_get(root, "parameters");
    uint64_t number;
    WS_TRY(ws_yaml_expect_keys(root, keys, error));
    if (id) {
        WS_TRY(ws_yaml_unsigned(id, 0, UINT32_MAX, &number, error));
        line->told.by_id = true;
        line->told.id = (u32)number;
        line->told.same_fidelity = fidelity != NULL;
    } else {
        WS_TRY(ws_yaml_need(root, "parameters", &parameters, error));
    }
    WS_TRY(read_fidelity(fidelity, space, options->size, &line->told.fidelity, error));
    if (!parameters)
        return WS_STATUS_ok;
    u32 *const choice = calloc(space->axis_count, sizeof *choice);
    if (!choice)
        return ws_yaml_no_memory(root, error);
    line->told.choice = choice;
    WS_TRY(read_parameters(parameters, space, choice, error));
    return id ? WS_STATUS_ok : check(space, line, error);
}

enum ws_status cli_told_read(struct ws_space *space, const struct ws_search_options *options, const char *file, char *text,
                             struct cli_told_list *list, struct ws_error *error)
{
    u32 room = 1, number = 0;
    for (const char *at = text; *at; at++)
        room += *at == '\n';
    *list = (struct cli_told_list){.line = calloc(room, sizeof *list->line)};
    if (!list->line)
        return ws_no_memory(error);
    for (char *line = text, *next; line && *line; line = next) {
        struct ws_text place = {0};
        struct ws_yaml *root = NULL;
        next = strchr(line, '\n');
        const size_t length = next ? (size_t)(next++ - line) : strlen(line);
        number++;
        if (strspn(line, " \t\r") >= length)
            continue;
        ws_text_add(&place, "%s:%u", file, number);
        enum ws_status status = place.failed ? ws_no_memory(error) : ws_yaml_parse(place.data, line, length, &root, error);
        if (status == WS_STATUS_bad_input && error && strstr(error->message, "not YAML"))
            memcpy(strstr(error->message, "not YAML"), "not JSON", strlen("not JSON"));
        WS_THEN(status, read_line(root, space, options, &list->line[list->count++], error));
        ws_yaml_free(root);
        ws_text_free(&place);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

void cli_told_free(struct cli_told_list *list)
{
    for (u32 n = 0; list->line && n < list->count; n++) {
        free((void *)(uintptr_t)list->line[n].told.choice);
        free(list->line[n].illegal);
    }
    free(list->line);
}
