#include <math.h>
#include <string.h>

#include "report/kinds.h"

static int longest(char *const *words, size_t count, size_t least)
{
    size_t most = least;
    for (size_t n = 0; n < count; n++)
        if (strlen(words[n]) > most)
            most = strlen(words[n]);
    return (int)most;
}

void ws_table_number(struct ws_text *text, int width, const char *format, double value)
{
    char digits[40] = "-";
    if (isfinite(value))
        snprintf(digits, sizeof digits, format, value);
    ws_text_add(text, "  %*s", width, digits);
}

int ws_table_label(const struct ws_measures *measures)
{
    return longest(measures->point, measures->points, 8);
}

int ws_table_width(const struct ws_measures *measures, size_t trace)
{
    return longest(&measures->trace[trace], 1, 7);
}

void ws_table_heads(struct ws_text *text, const struct ws_measures *measures, const char *heading)
{
    ws_text_add(text, "%-*s", ws_table_label(measures), heading);
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_text_add(text, "  %*s", ws_table_width(measures, trace), measures->trace[trace]);
}

static void add_comparisons(struct ws_text *text, const struct ws_shown *shown)
{
    ws_text_add(text, "\n%-7s  %-26s  %-30s  %-20s  %9s  %9s  %10s\n", "section", "metric", "configuration", "over", "paper",
                "ours", "difference");
    for (size_t n = 0; n < shown->comparison_count; n++) {
        const struct ws_comparison *const row = &shown->comparisons[n];
        const struct ws_target *const target = row->target;
        const char *const format = ws_target_format(target);
        ws_text_add(text, "%-7s  %-26s  %-30s  %-20s", target->where, target->metric, target->configuration, target->versus);
        ws_table_number(text, 9, format, target->value);
        ws_table_number(text, 9, format, row->ours);
        ws_table_number(text, 10, ws_target_format_difference(target), row->ours - target->value);
        ws_text_add(text, "  %s\n", target->unit);
    }
}

void ws_render_over(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "Ours: ");
    if (measures->whole_traces < measures->traces)
        ws_text_add(text, "%zu of ", measures->whole_traces);
    ws_text_add(text, "%zu workload%s, ", measures->traces, measures->traces == 1 ? "" : "s");
    if (measures->mixed_sizes)
        ws_text_add(text, "sizes of the variations");
    else if (measures->several_sizes)
        ws_text_add(text, "in their sizes");
    else
        ws_text_add(text, "size %s", shown->size);
    ws_text_add(text, ". Paper: %s.", shown->figure->over);
}

void ws_render_table(struct ws_text *text, const struct ws_shown *shown)
{
    static ws_kind_function *const tables[] = {
#define KIND(name, standard, doc) [WS_FIGURE_##name] = ws_table_##name,
#include "warpsweep/figure_kinds.def"
#undef KIND
    };
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "%s/%s: %s (%s)\n\n", shown->figure->paper, shown->figure->name, shown->figure->title, shown->figure->source);
    tables[shown->figure->kind](text, shown);
    if (shown->comparison_count > 0)
        add_comparisons(text, shown);
    ws_text_add(text, "\n");
    ws_render_over(text, shown);
    ws_text_add(text, "\nRun on %s: %s\n", measures->engine, measures->device);
}
