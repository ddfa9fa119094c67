#include <stdlib.h>

#include "base/error.h"
#include "config/experiment/axis.h"

static enum ws_status count_points(const struct ws_yaml *place, const struct axes *axes, size_t *points, struct ws_error *error)
{
    *points = 1;
    for (size_t n = 0; n < axes->count; n++) {
        if (axes->axis[n].count > MOST_POINTS / *points)
            return ws_yaml_fail(place, error, "more than the %d points that are allowed; shorten axes, or use sample", MOST_POINTS);
        *points *= axes->axis[n].count;
    }
    return WS_STATUS_ok;
}

/* The point of a number: the last axis varies fastest. */
static void set_values(struct draft *draft, const struct axes *axes, size_t number)
{
    for (size_t n = axes->count; n-- > 0;) {
        const struct axis *const axis = &axes->axis[n];
        draft_put(draft, axis->parameter, axis->values[number % axis->count]);
        number /= axis->count;
    }
}

/* The parameters that labels name: those that differ between points, or all if none does. */
static size_t name_parameters(const struct axes *axes, size_t *named)
{
    size_t count = 0;
    for (size_t n = 0; n < axes->count; n++)
        if (axes->axis[n].count > 1)
            named[count++] = axes->parameters[n];
    for (size_t n = 0; count == 0 && n < axes->count; n++)
        named[n] = axes->parameters[n];
    return count > 0 ? count : axes->count;
}

static enum ws_status append_all(const struct draft *base, const struct axes *axes, const struct ws_yaml *place,
                                 const struct expansion *expansion, struct ws_error *error)
{
    size_t points, named[MOST_AXES];
    const size_t named_count = name_parameters(axes, named);
    WS_TRY(count_points(place, axes, &points, error));
    for (size_t number = 0; number < points; number++) {
        struct draft draft = *base;
        set_values(&draft, axes, number);
        WS_TRY(draft_append_named(&draft, "", named, named_count, place, expansion, error));
    }
    return WS_STATUS_ok;
}

enum ws_status grid_append(const struct draft *base, const struct ws_yaml *node, const struct expansion *expansion,
                           struct ws_error *error)
{
    if (!node)
        return WS_STATUS_ok;
    struct axes axes = {0};
    enum ws_status status = axes_read(node, base, expansion, &axes, error);
    WS_THEN(status, append_all(base, &axes, node, expansion, error));
    axes_free(&axes);
    return status;
}
