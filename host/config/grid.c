#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/draft.h"

enum { MOST_POINTS = 1 << 20 };

/* Refuses an axis without values or with one twice. */
static enum ws_status check_axis(const struct ws_yaml *axis, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(axis, WS_YAML_SEQUENCE, error));
    if (!axis->first)
        return ws_yaml_fail(axis, error, "an axis needs at least one value");
    const char *text;
    for (const struct ws_yaml *value = axis->first; value; value = value->next) {
        WS_TRY(ws_yaml_text(value, &text, error));
        for (const struct ws_yaml *other = axis->first; other != value; other = other->next) {
            if (strcmp(other->text, value->text) == 0)
                return ws_yaml_fail(value, error, "found '%s', which the axis has already", text);
        }
    }
    return WS_STATUS_ok;
}

static enum ws_status check_axes(const struct ws_yaml *axes, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(axes, WS_YAML_MAPPING, error));
    if (!axes->first)
        return ws_yaml_fail(axes, error, "a grid needs at least one axis");
    size_t points = 1;
    for (const struct ws_yaml *axis = axes->first; axis; axis = axis->next) {
        WS_TRY(check_axis(axis, error));
        if (axis->count > MOST_POINTS / points)
            return ws_yaml_fail(axes, error, "more than the %d points that are allowed", MOST_POINTS);
        points *= axis->count;
    }
    return WS_STATUS_ok;
}

/* Walks the values of one axis, and below each of them the axes that follow. label names the values chosen so far. */
static enum ws_status walk(const struct draft *base, const struct ws_yaml *axis, struct ws_text *label,
                           struct ws_experiment *experiment, struct ws_error *error)
{
    const size_t length = label->length;
    for (const struct ws_yaml *value = axis->first; value; value = value->next) {
        struct draft draft = *base;
        WS_TRY(draft_set(&draft, axis, value, error));
        label->length = length;
        ws_text_add(label, "%s%s=%s", length > 0 ? " " : "", axis->key, value->text);
        if (label->failed)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", axis->file);
        if (axis->next)
            WS_TRY(walk(&draft, axis->next, label, experiment, error));
        else
            WS_TRY(draft_append(&draft, label->data, axis->parent, experiment, error));
    }
    return WS_STATUS_ok;
}

enum ws_status grid_append(const struct draft *base, const struct ws_yaml *axes, struct ws_experiment *experiment,
                           struct ws_error *error)
{
    if (!axes)
        return WS_STATUS_ok;
    WS_TRY(check_axes(axes, error));
    struct ws_text label = {0};
    const enum ws_status status = walk(base, axes->first, &label, experiment, error);
    ws_text_free(&label);
    return status;
}
