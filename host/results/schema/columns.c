#include "results/schema/columns.h"

#include <stdio.h>
#include <string.h>

#include "warpsweep/machine.h"
#include "warpsweep/results.h"

enum { accumulate_sum, accumulate_most };

/* Parameters, counters and metrics are columns of one view: duplicate names fail to compile. */
struct columns_of_a_view {
#define NUMBER(group, name, default_, least, most, unit, doc) char group##_##name;
#define POWER(group, name, default_, least, most, unit, doc)  char group##_##name;
#define CHOOSE(group, name, set, default_, doc)               char group##_##name;
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
#define COUNTER(name, accumulate, unit, doc, rules, reading) char name;
#define HISTOGRAM(name, bins, unit, doc, rules, reading)     char name;
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
#define METRIC(name, expression, unit, doc) char name;
#include "results/schema/metrics.def"
#undef METRIC
};

const struct ws_counter_column ws_counter_columns[] = {
#define COUNTER(name_, accumulate, unit, doc, rules, reading)                                                                      \
    {.name = #name_, .index = WS_COUNT_##name_, .bins = 0, .most = accumulate_##accumulate == accumulate_most},
#define HISTOGRAM(name_, bins_, unit, doc, rules, reading)                                                                         \
    {.name = #name_, .index = WS_COUNT_##name_, .bins = (bins_), .most = false},
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
};

const size_t ws_counter_column_count = sizeof ws_counter_columns / sizeof *ws_counter_columns;

struct ws_column_name ws_key_column(const char *key)
{
    struct ws_column_name column;
    snprintf(column.name, sizeof column.name, "%s", key);
    column.name[strcspn(column.name, ".")] = '_';
    return column;
}

struct ws_column_name ws_parameter_column(size_t n)
{
    size_t count;
    return ws_key_column(ws_parameters(&count)[n].key);
}

void ws_add_parameter_columns(struct ws_text *text, bool types)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    struct ws_machine standard;
    ws_machine_defaults(&standard);
    for (size_t n = 0; n < count; n++) {
        char value[64];
        ws_machine_get(&standard, n, value, sizeof value);
        ws_text_add(text, ", %s", ws_parameter_column(n).name);
        if (types)
            ws_text_add(text, parameters[n].set ? " TEXT NOT NULL DEFAULT '%s'" : " INTEGER NOT NULL DEFAULT %s", value);
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

/* If a counter is missing for one shard, it is NULL for the kernel: 9e999 (infinity) marks it. */
#define FOLDED(column) ", nullif(%s(ifnull(" column ", 9e999)), 9e999)"

void ws_add_accumulated_counter(struct ws_text *text, const struct ws_counter_column *counter, u32 bin)
{
    const bool most = counter->most || counter->index == WS_COUNT_cycles;
    if (counter->bins == 0)
        ws_text_add(text, FOLDED("%s") " AS %s", most ? "max" : "sum", counter->name, counter->name);
    else
        ws_text_add(text, FOLDED("%s_%u") " AS %s_%u", "sum", counter->name, bin, counter->name, bin);
}

void ws_add_accumulated_counters(struct ws_text *text)
{
    for (size_t n = 0; n < ws_counter_column_count; n++)
        for (u32 bin = 0; bin == 0 || bin < ws_counter_columns[n].bins; bin++)
            ws_add_accumulated_counter(text, &ws_counter_columns[n], bin);
}
