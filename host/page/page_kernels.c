/* Metrics and counters of a report's page. */
#include "base/error.h"
#include "page/outcome.h"
#include "page/page.h"

struct column {
    const char *name, *unit, *doc;
};

/* Without cycles, which come first, and without histograms. */
static const struct column counters[] = {
#define COUNTER(name_, accumulate, unit_, doc_, rules, reading) {.name = #name_, .unit = (unit_), .doc = (doc_)},
#define HISTOGRAM(name, bins, unit, doc, rules, reading)
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
};

enum { COUNTERS = sizeof counters / sizeof *counters };

static const struct column speedup = {"speedup", "", "cycles at the point's baseline / cycles"};

struct columns {
    struct ws_json *json;
    struct ws_text *sql;
};

static void add(const struct columns *to, const char *table, const struct column *column, const char *kind)
{
    ws_json_object(to->json, NULL);
    ws_json_text(to->json, "name", column->name);
    ws_json_text(to->json, "unit", column->unit);
    ws_json_text(to->json, "doc", column->doc);
    ws_json_text(to->json, "kind", kind);
    ws_json_end_object(to->json);
    ws_text_add(to->sql, ", %s.%s", table, column->name);
}

/* Speed-up and cycles, the metrics of metrics.def, and the other counters unless too many. */
static void add_columns(const struct columns *to, size_t kernels)
{
    size_t metrics;
    const struct ws_metric *const metric = ws_metrics(&metrics);
    add(to, "speedup", &speedup, "metric");
    add(to, "kernel", &counters[0], "metric");
    for (size_t n = 0; n < metrics; n++)
        add(to, "kernel", &(struct column){metric[n].name, metric[n].unit, metric[n].doc}, "metric");
    if (kernels > WS_PAGE_MOST_NUMBERS / (1 + metrics + COUNTERS))
        return;
    for (size_t n = 1; n < COUNTERS; n++)
        add(to, "kernel", &counters[n], "counter");
}

enum ws_status ws_page_kernels(struct ws_page *page, struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_text_add(&sql, "SELECT place, kernel.trace_position");
    ws_json_array(&page->json, "metrics");
    add_columns(&(struct columns){.json = &page->json, .sql = &sql}, page->kernels);
    ws_json_end_array(&page->json);
    ws_text_add(&sql,
                " FROM kernel JOIN " WS_PLACES " AS places ON places.point_position = kernel.point_position LEFT JOIN speedup "
                "USING (experiment, point, trace) WHERE experiment = ?1 ORDER BY place, kernel.trace_position");
    const enum ws_status status = sql.failed ? ws_no_memory(error) : ws_page_rows(page, "kernels", sql.data, error);
    ws_text_free(&sql);
    return status;
}
