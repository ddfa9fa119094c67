#include "config/experiment/axis.h"

#include <stdlib.h>

#include "base/error.h"

static int compare(const void *a, const void *b)
{
    const u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

/* Whether a value occurs twice. */
static bool has_double(const struct axis *axis, u32 *sorted, u32 *value)
{
    for (size_t n = 0; n < axis->count; n++)
        sorted[n] = axis->values[n];
    qsort(sorted, axis->count, sizeof *sorted, compare);
    for (size_t n = 1; n < axis->count; n++) {
        *value = sorted[n];
        if (sorted[n - 1] == sorted[n])
            return true;
    }
    return false;
}

static enum ws_status allocate(const struct ws_yaml *node, struct axis *axis, size_t room, struct ws_error *error)
{
    if (room > MOST_VALUES)
        return ws_yaml_fail(node, error, "more than the %d values that an axis may have; use a larger step, or two sweeps",
                            MOST_VALUES);
    axis->values = calloc(room + 1, sizeof *axis->values);
    return axis->values ? WS_STATUS_ok : ws_yaml_no_memory(node, error);
}

/* Fails at the last occurrence of a repeated value. */
static enum ws_status fail_double(const struct ws_yaml *list, const struct axis *axis, u32 value, struct ws_error *error)
{
    const struct ws_yaml *found = list;
    size_t n = 0;
    for (const struct ws_yaml *item = list->first; item; item = item->next, n++)
        if (axis->values[n] == value)
            found = item;
    return ws_yaml_fail(found, error, "found '%s', which the axis has already; remove one", found->text);
}

static enum ws_status read_list(const struct ws_yaml *list, struct axis *axis, struct ws_error *error)
{
    if (!list->first)
        return ws_yaml_fail(list, error, "an axis needs at least one value");
    WS_TRY(allocate(list, axis, list->count, error));
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        const char *text;
        WS_TRY(ws_yaml_text(item, &text, error));
        if (config_parse(axis->parameter, text, &axis->values[axis->count++], error) != WS_STATUS_ok)
            return ws_yaml_at(item, error);
    }
    u32 *const sorted = calloc(axis->count, sizeof *sorted);
    u32 value = 0;
    if (!sorted)
        return ws_yaml_no_memory(list, error);
    const bool doubled = has_double(axis, sorted, &value);
    free(sorted);
    return doubled ? fail_double(list, axis, value, error) : WS_STATUS_ok;
}

/* An end of a range: a value of the parameter. */
static enum ws_status read_end(const struct ws_yaml *range, const char *key, size_t parameter, u32 *value, struct ws_error *error)
{
    const struct ws_yaml *node;
    const char *text;
    WS_TRY(ws_yaml_need(range, key, &node, error));
    WS_TRY(ws_yaml_text(node, &text, error));
    if (config_parse(parameter, text, value, error) == WS_STATUS_ok)
        return WS_STATUS_ok;
    ws_fail_in(error, "%s: ", key);
    return ws_yaml_at(node, error);
}

/* The next value, in a wider type to avoid wrap-around. */
struct progression {
    uint64_t step, factor;
};

static uint64_t next(const struct progression *progression, uint64_t value)
{
    return value * progression->factor + progression->step;
}

/* A step is a number in the parameter's unit, but not bounded like it. */
static enum ws_status read_step(const struct ws_yaml *node, size_t parameter, uint64_t *step, struct ws_error *error)
{
    u32 number;
    const bool readable = node->kind == WS_YAML_SCALAR && !node->quoted && config_parse_number(parameter, node->text, &number);
    if (readable && number > 0) {
        *step = number;
        return WS_STATUS_ok;
    }
    return ws_yaml_unsigned(node, 1, UINT32_MAX, step, error);
}

static enum ws_status read_progression(const struct ws_yaml *range, const struct axis *axis, bool power,
                                       struct progression *progression, struct ws_error *error)
{
    const struct ws_yaml *const step = ws_yaml_get(range, "step"), *const factor = ws_yaml_get(range, "factor");
    *progression = power ? (struct progression){.factor = 2} : (struct progression){.factor = 1, .step = 1};
    if (step && factor)
        return ws_yaml_fail(factor, error, "a range has a step or a factor, not both");
    if (step) {
        progression->factor = 1;
        return read_step(step, axis->parameter, &progression->step, error);
    }
    if (factor) {
        progression->step = 0;
        return ws_yaml_unsigned(factor, 2, UINT32_MAX, &progression->factor, error);
    }
    return WS_STATUS_ok;
}

static enum ws_status refuse_wide(const struct ws_yaml *range, u32 from, u32 to, size_t values, struct ws_error *error)
{
    return ws_yaml_fail(range, error,
                        "%u..%u has %zu values; give a step or a factor: %u..%u+%u, %u..%ux2 or, for every value, %u..%u+1", from,
                        to, values, from, to, (to - from) / 8, from ? from : 1, to, from, to);
}

/* The legal values in a range; with a step or factor all of its values must be legal. */
static enum ws_status fill_range(const struct ws_yaml *range, const struct progression *progression, u32 from, u32 to, bool wide,
                                 struct axis *axis, struct ws_error *error)
{
    uint64_t value = from;
    size_t room = 0;
    for (; value <= to && room <= MOST_VALUES; value = next(progression, value))
        room++;
    if (room > WIDE_RANGE && room <= MOST_VALUES && !wide)
        return refuse_wide(range, from, to, room, error);
    WS_TRY(allocate(range, axis, room, error));
    for (value = from; axis->count < room; value = next(progression, value)) {
        axis->values[axis->count++] = (u32)value;
        if (!config_within(axis->parameter, (u32)value))
            return ws_yaml_fail(range, error, "found %llu, which is none of the parameter's values", (unsigned long long)value);
    }
    return WS_STATUS_ok;
}

static enum ws_status read_range(const struct ws_yaml *range, bool sampled, struct axis *axis, struct ws_error *error)
{
    static const char *const keys[] = {"from", "to", "step", "factor", NULL};
    size_t count;
    const struct ws_parameter *const parameter = &ws_parameters(&count)[axis->parameter];
    struct progression progression;
    u32 from, to;
    WS_TRY(ws_yaml_expect_keys(range, keys, error));
    if (parameter->set)
        return ws_yaml_fail(range, error, "a range needs a parameter with numbers; list the choices");
    WS_TRY(read_end(range, "from", axis->parameter, &from, error));
    WS_TRY(read_end(range, "to", axis->parameter, &to, error));
    if (from > to)
        return ws_yaml_fail(range, error, "the range ends at %u, before it begins at %u", to, from);
    WS_TRY(read_progression(range, axis, parameter->power, &progression, error));
    if (from == 0 && progression.step == 0)
        return ws_yaml_fail(range, error, "a range with a factor begins above 0");
    const bool wide = sampled || ws_yaml_get(range, "step") || ws_yaml_get(range, "factor");
    return fill_range(range, &progression, from, to, wide, axis, error);
}

static enum ws_status read_axis(void *context, size_t parameter, const struct ws_yaml *node, struct ws_error *error)
{
    struct axes *const axes = context;
    struct axis *const axis = &axes->axis[axes->count];
    axes->parameters[axes->count++] = axis->parameter = parameter;
    axis->place = node;
    if (node->kind == WS_YAML_SCALAR)
        return ws_yaml_fail(node, error, "found '%s', allowed is a list of values or a range {from, to}", node->text);
    return node->kind == WS_YAML_MAPPING ? read_range(node, axes->sampled, axis, error) : read_list(node, axis, error);
}

enum ws_status axes_read(const struct ws_yaml *mapping, const struct draft *base, const struct expansion *expansion,
                         struct axes *axes, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(mapping, WS_YAML_MAPPING, error));
    if (!mapping->first)
        return ws_yaml_fail(mapping, error, "at least one axis is needed");
    WS_TRY(config_each(mapping, read_axis, axes, error));
    for (size_t n = 0; n < axes->count; n++)
        WS_TRY(draft_refuse_set(base, axes->axis[n].parameter, axes->axis[n].place, expansion, error));
    return WS_STATUS_ok;
}

void axes_free(struct axes *axes)
{
    for (size_t n = 0; n < axes->count; n++)
        free(axes->axis[n].values);
}
