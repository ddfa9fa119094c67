#include "results/columns.h"

#include <string.h>

#include "warpsweep/machine.h"
#include "warpsweep/results.h"

enum { fold_sum, fold_most };

const struct ws_counter_column ws_counter_columns[] = {
#define COUNTER(name_, fold, unit, doc)    {.name = #name_, .index = WS_COUNT_##name_, .bins = 0, .most = fold_##fold == fold_most},
#define HISTOGRAM(name_, bins_, unit, doc) {.name = #name_, .index = WS_COUNT_##name_, .bins = (bins_), .most = false},
#include "shared/counters.def"
#undef COUNTER
#undef HISTOGRAM
};

const size_t ws_counter_column_count = sizeof ws_counter_columns / sizeof *ws_counter_columns;

static const struct ws_metric metrics[] = {
#define METRIC(name_, expression, unit_, doc_) {.name = #name_, .unit = (unit_), .doc = (doc_)},
#include "results/metrics.def"
#undef METRIC
};

static const char *const expressions[] = {
#define METRIC(name, expression, unit, doc) expression,
#include "results/metrics.def"
#undef METRIC
};

enum { METRICS = sizeof metrics / sizeof *metrics };

const struct ws_metric *ws_metrics(size_t *count)
{
    *count = METRICS;
    return metrics;
}

void ws_add_parameter_columns(struct ws_text *text, bool types)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        const size_t group = strcspn(parameters[n].key, ".");
        ws_text_add(text, ", %.*s_%s", (int)group, parameters[n].key, parameters[n].key + group + 1);
        if (types)
            ws_text_add(text, "%s", parameters[n].set ? " TEXT NOT NULL" : " INTEGER NOT NULL");
    }
}

void ws_add_counter_columns(struct ws_text *text, const char *behind)
{
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        if (counter->bins == 0)
            ws_text_add(text, ", %s%s", counter->name, behind);
        for (u32 bin = 0; bin < counter->bins; bin++)
            ws_text_add(text, ", %s_%u%s", counter->name, bin, behind);
    }
}

void ws_add_folded_counters(struct ws_text *text)
{
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        const bool most = counter->most || counter->index == WS_COUNT_cycles;
        if (counter->bins == 0)
            ws_text_add(text, ", %s(%s) AS %s", most ? "max" : "sum", counter->name, counter->name);
        for (u32 bin = 0; bin < counter->bins; bin++)
            ws_text_add(text, ", sum(%s_%u) AS %s_%u", counter->name, bin, counter->name, bin);
    }
}

void ws_add_metrics(struct ws_text *text)
{
    for (size_t n = 0; n < METRICS; n++)
        ws_text_add(text, ", %s AS %s", expressions[n], metrics[n].name);
}

void ws_add_metric_terms(struct ws_text *text)
{
    ws_text_add(text, ", warp_instructions + stall_idle + stall_scoreboard + stall_pipeline AS slots, 0");
    for (u32 lanes = 1; lanes <= WS_COUNT_active_lanes_last - WS_COUNT_active_lanes; lanes++)
        ws_text_add(text, " + %u * active_lanes_%u", lanes, lanes);
    ws_text_add(text, " AS lanes");
}
