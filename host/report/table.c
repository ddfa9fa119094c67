#include <math.h>
#include <string.h>

#include "report/sensitivity.h"

static int longest(char *const *words, size_t count, size_t least)
{
    size_t most = least;
    for (size_t n = 0; n < count; n++)
        if (strlen(words[n]) > most)
            most = strlen(words[n]);
    return (int)most;
}

static void add_number(struct ws_text *text, int width, const char *format, double value)
{
    char digits[40] = "-";
    if (isfinite(value))
        snprintf(digits, sizeof digits, format, value);
    ws_text_add(text, "  %*s", width, digits);
}

static void add_heads(struct ws_text *text, const struct ws_measures *measures, int label)
{
    ws_text_add(text, "%-*s", label, "IPC");
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_text_add(text, "  %*s", longest(&measures->trace[trace], 1, 7), measures->trace[trace]);
    ws_text_add(text, "  %14s  %14s\n", "geo. mean gain", "ar. mean gain");
}

static void add_points(struct ws_text *text, const struct ws_measures *measures, int label)
{
    for (size_t point = 0; point < measures->points; point++) {
        ws_text_add(text, "%-*s", label, measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            add_number(text, longest(&measures->trace[trace], 1, 7), "%.3f", measures->ipc[point * measures->traces + trace]);
        if (point != measures->baseline) {
            add_number(text, 14, "%+.1f %%", measures->geometric[point]);
            add_number(text, 14, "%+.1f %%", measures->arithmetic[point]);
        }
        ws_text_add(text, "\n");
    }
}

/* The share of cycles without an active lane. */
static void add_idle(struct ws_text *text, const struct ws_shown *shown, int label)
{
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "%-*s", label, "idle, %");
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_text_add(text, "  %*s", longest(&measures->trace[trace], 1, 7), measures->trace[trace]);
    ws_text_add(text, "\n");
    for (size_t point = 0; point < measures->points; point++) {
        if (shown->figure->kind == WS_FIGURE_baseline && point != measures->baseline)
            continue;
        ws_text_add(text, "%-*s", label, measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            add_number(text, longest(&measures->trace[trace], 1, 7), "%.1f",
                       100 * measures->use[point * measures->traces + trace][WS_USE_none]);
        ws_text_add(text, "\n");
    }
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
        add_number(text, 9, format, target->value);
        add_number(text, 9, format, row->ours);
        add_number(text, 10, ws_target_format_difference(target), row->ours - target->value);
        ws_text_add(text, "  %s\n", target->unit);
    }
}

void ws_render_over(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "Ours: ");
    if (measures->whole_traces < measures->traces)
        ws_text_add(text, "%zu of ", measures->whole_traces);
    ws_text_add(text, "%zu workloads, size %s. Paper: %s.", measures->traces, shown->size, shown->figure->over);
}

void ws_render_table(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const int label = longest(measures->point, measures->points, 8);
    ws_text_add(text, "%s/%s: %s (%s)\n\n", shown->figure->paper, shown->figure->name, shown->figure->title, shown->figure->source);
    if (shown->figure->kind == WS_FIGURE_sensitivity) {
        ws_sensitivity_table(text, measures);
    } else if (shown->figure->kind == WS_FIGURE_gains) {
        add_heads(text, measures, label);
        add_points(text, measures, label);
    } else {
        add_idle(text, shown, label);
    }
    if (shown->comparison_count > 0)
        add_comparisons(text, shown);
    ws_text_add(text, "\n");
    ws_render_over(text, shown);
    ws_text_add(text, "\nRun on %s: %s\n", measures->engine, measures->device);
}
