#include "config/draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { LONGEST_VALUE = 32 };

enum ws_status draft_set(struct draft *draft, const struct ws_yaml *key, const struct ws_yaml *value, struct ws_error *error)
{
    const char *text;
    u32 number;
    const size_t n = config_find(key->key);
    if (n == PARAMETERS) {
        config_unknown(key->key, error);
        return ws_fail_in(error, "%s:%u: ", key->file, key->line);
    }
    WS_TRY(ws_yaml_text(value, &text, error));
    if (config_parse(n, text, &number, error) != WS_STATUS_ok)
        return ws_fail_in(error, "%s:%u: ", value->file, value->line);
    config_put(&draft->machine, n, number);
    draft->set[n] = true;
    return WS_STATUS_ok;
}

enum ws_status draft_set_all(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error)
{
    if (!mapping)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(mapping, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *member = mapping->first; member; member = member->next)
        WS_TRY(draft_set(draft, member, member, error));
    return WS_STATUS_ok;
}

/* Makes room for one more point; the room is always a power of two. */
static bool reserve(struct ws_experiment *experiment)
{
    const size_t count = experiment->point_count;
    if (count > 0 && (count & (count - 1)) != 0)
        return true;
    struct ws_point *const points = realloc(experiment->points, (count == 0 ? 1 : 2 * count) * sizeof *points);
    if (points)
        experiment->points = points;
    return points != NULL;
}

static char *overrides_text(const struct draft *draft)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    struct ws_text text = {0};
    char value[LONGEST_VALUE];
    ws_text_bytes(&text, "", 0);
    for (size_t n = 0; n < count; n++) {
        if (!draft->set[n])
            continue;
        ws_machine_get(&draft->machine, n, value, sizeof value);
        ws_text_add(&text, "%s%s=%s", text.length > 0 ? " " : "", parameters[n].key, value);
    }
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

enum ws_status draft_append(const struct draft *draft, const char *label, const struct ws_yaml *place,
                            struct ws_experiment *experiment, struct ws_error *error)
{
    if (ws_machine_check(&draft->machine, error) != WS_STATUS_ok)
        return ws_fail_in(error, "%s:%u: point '%s': ", place->file, place->line, label);
    if (!reserve(experiment))
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", place->file);
    struct ws_point *const point = &experiment->points[experiment->point_count];
    *point = (struct ws_point){.label = strdup(label), .overrides = overrides_text(draft), .machine = draft->machine};
    experiment->point_count++;
    if (!point->label || !point->overrides)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", place->file);
    return WS_STATUS_ok;
}
