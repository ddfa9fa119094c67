/* Numbers that change from round to round of a loop. */
#include <inttypes.h>

#include "base/error.h"
#include "frontend/launch/file.h"

enum ws_status launch_series_read(const struct ws_yaml *node, u32 loop, i64 least, i64 most, struct launch_series *series,
                                  struct ws_error *error)
{
    static const char *const known[] = {"start", "plus", "times", NULL};
    const struct ws_yaml *start = NULL, *const plus = ws_yaml_get(node, "plus"), *const times = ws_yaml_get(node, "times");
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_yaml_need(node, "start", &start, error));
    if (loop == LAUNCH_NO_BUFFER)
        return ws_yaml_fail(node, error, "a value that changes is for launches within a loop (launches with repeat or until)");
    if (!plus == !times)
        return ws_yaml_fail(node, error, "one of the keys plus, times is needed");
    *series = (struct launch_series){.node = node, .times = 1, .least = least, .most = most, .loop = loop};
    WS_TRY(ws_yaml_signed(start, least, most, &series->start, error));
    return ws_yaml_signed(plus ? plus : times, INT64_MIN, INT64_MAX, plus ? &series->plus : &series->times, error);
}

enum ws_status launch_series_value(const struct ws_launch_file *file, const struct launch_series *series, i64 *value,
                                   struct ws_error *error)
{
    const u64 round = file->steps[series->loop].round;
    bool fits = true;
    *value = series->start;
    for (u64 n = 0; n < round && fits; n++)
        fits = !__builtin_mul_overflow(*value, series->times, value) && !__builtin_add_overflow(*value, series->plus, value);
    if (fits && *value >= series->least && *value <= series->most)
        return WS_STATUS_ok;
    return ws_yaml_fail(series->node, error, "round %" PRIu64 " of the loop leaves the range from %" PRId64 " to %" PRId64, round,
                        series->least, series->most);
}
