/* Columns of a series: metrics, counters with their bins, and gauges, by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/run/series.h"

static const char *const standard[] = {
#define SERIES(name) #name,
#include "cli/run/series.def"
#undef SERIES
};

/* Calls take for each column that there is; whole: the name in the table, static. */
static enum ws_status for_each(enum ws_status (*take)(void *context, const struct cli_series_column *column, const char *whole,
                                                      struct ws_error *error),
                               void *context, struct ws_error *error)
{
    size_t count;
    struct cli_series_column column = {.kind = CLI_SERIES_METRIC};
    const struct ws_metric *const metrics = ws_metrics(&count);
    for (column.index = 0; column.index < count; column.index++) {
        column.unit = metrics[column.index].unit;
        snprintf(column.name, sizeof column.name, "%s", metrics[column.index].name);
        WS_TRY(take(context, &column, metrics[column.index].name, error));
    }
    column.kind = CLI_SERIES_COUNTER;
    const struct ws_counter *const counters = ws_counter_list(&count);
    for (size_t n = 0; n < count; n++) {
        column.unit = counters[n].unit;
        for (u32 bin = 0; bin < counters[n].bins; bin++) {
            column.index = counters[n].index + bin;
            snprintf(column.name, sizeof column.name, counters[n].bins > 1 ? "%s_%u" : "%s", counters[n].name, bin);
            WS_TRY(take(context, &column, counters[n].name, error));
        }
    }
    column.kind = CLI_SERIES_GAUGE;
    const struct ws_gauge *const gauges = ws_gauge_list(&count);
    for (column.index = 0; column.index < count; column.index++) {
        column.unit = gauges[column.index].unit;
        snprintf(column.name, sizeof column.name, "%s", gauges[column.index].name);
        WS_TRY(take(context, &column, gauges[column.index].name, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status add(struct cli_series_columns *columns, const struct cli_series_column *column, struct ws_error *error)
{
    struct cli_series_column *const larger = realloc(columns->column, (columns->count + 1) * sizeof *larger);
    if (!larger)
        return ws_no_memory(error);
    columns->column = larger;
    columns->column[columns->count++] = *column;
    return WS_STATUS_ok;
}

/* A name is looked for. */
struct search {
    struct cli_series_columns *columns;
    const char *name; /* NULL: every column */
    struct ws_nearest nearest;
    bool found;
};

/* The column has the name, or is a bin of the histogram of that name. */
static enum ws_status compare(void *context, const struct cli_series_column *column, const char *whole, struct ws_error *error)
{
    struct search *const search = context;
    if (search->name && strcmp(search->name, column->name) != 0 && strcmp(search->name, whole) != 0) {
        ws_nearest_offer(&search->nearest, whole);
        return WS_STATUS_ok;
    }
    search->found = true;
    return add(search->columns, column, error);
}

static enum ws_status add_name(struct cli_series_columns *columns, const char *name, struct ws_error *error)
{
    struct search search = {.columns = columns, .name = name, .nearest = {.word = name}};
    WS_TRY(for_each(compare, &search, error));
    if (search.found)
        return WS_STATUS_ok;
    ws_fail(
        error, WS_STATUS_usage,
        "found '%s', allowed are metrics, counters and gauges, as `warpsweep list metrics`, `counters` and `gauges` name them, or "
        "all%s%s%s",
        name, search.nearest.best ? " (did you mean '" : "", search.nearest.best ? search.nearest.best : "",
        search.nearest.best ? "'?)" : "");
    return WS_STATUS_usage;
}

static enum ws_status add_list(struct cli_series_columns *columns, const char *names, struct ws_error *error)
{
    char *const list = strdup(names);
    char *rest = NULL, *name = list ? strtok_r(list, ",", &rest) : NULL;
    enum ws_status status = !list ? ws_no_memory(error) : name ? WS_STATUS_ok : add_name(columns, names, error);
    for (; status == WS_STATUS_ok && name; name = strtok_r(NULL, ",", &rest))
        status = add_name(columns, name, error);
    free(list);
    return status;
}

enum ws_status cli_series_choose(const char *names, struct cli_series_columns *columns, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    if (names && strcmp(names, "all") == 0)
        return for_each(compare, &(struct search){.columns = columns}, error);
    if (names)
        return add_list(columns, names, error);
    for (size_t n = 0; n < sizeof standard / sizeof *standard && status == WS_STATUS_ok; n++)
        status = add_name(columns, standard[n], error);
    return status;
}

void cli_series_columns_free(struct cli_series_columns *columns)
{
    free(columns->column);
    *columns = (struct cli_series_columns){.count = 0};
}
