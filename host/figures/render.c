/* A figure as text, Markdown and rows of JSON. */
#include <math.h>

#include "base/error.h"
#include "figures/shown.h"

void ws_comparison_value(struct ws_text *text, const struct ws_comparison *row, double value)
{
    if (isfinite(value))
        ws_text_add(text, row->sign ? "%+.*f" : "%.*f", row->digits, value);
    else
        ws_text_add(text, "-");
}

void ws_comparison_difference(struct ws_text *text, const struct ws_comparison *row)
{
    ws_comparison_value(text, &(struct ws_comparison){.digits = row->digits, .sign = true}, row->simulated - row->paper);
}

/* A value, padded to a column of this width. */
static void add_column(struct ws_text *text, int width, const struct ws_comparison *row, double value)
{
    struct ws_text cell = {0};
    ws_comparison_value(&cell, row, value);
    ws_text_add(text, "  %*s", width, cell.failed ? "" : cell.data);
    ws_text_free(&cell);
}

static void add_comparisons(struct ws_text *text, const struct ws_shown *shown)
{
    ws_text_add(text, "\n%-7s  %-26s  %-30s  %-20s  %9s  %9s  %10s\n", "section", "metric", "configuration", "over", "paper",
                "simulated", "difference");
    for (size_t n = 0; n < shown->comparisons; n++) {
        const struct ws_comparison *const row = &shown->comparison[n];
        const struct ws_comparison difference = {.digits = row->digits, .sign = true};
        ws_text_add(text, "%-7s  %-26s  %-30s  %-20s", row->where, row->metric, row->configuration, row->versus);
        add_column(text, 9, row, row->paper);
        add_column(text, 9, row, row->simulated);
        add_column(text, 10, &difference, row->simulated - row->paper);
        ws_text_add(text, "  %s%s\n", row->unit, row->matched ? ", matched" : "");
    }
}

void ws_shown_text(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_paper_figure *const figure = shown->figure;
    const char *const source = ws_paper_text(figure, "source");
    ws_text_add(text, "%s%s%s: %s", figure->paper ? figure->paper->name : "", figure->paper ? "/" : "", figure->name,
                ws_paper_text(figure, "title"));
    ws_text_add(text, *source ? " (%s)\n\n" : "\n\n", source);
    ws_table_text(text, &shown->table);
    if (shown->comparisons > 0)
        add_comparisons(text, shown);
    ws_text_add(text, "\n%s\nRun on %s\n", shown->over.data, shown->device.data);
}

enum ws_status ws_shown_markdown(struct ws_text *text, const struct ws_shown *shown, const char *size, struct ws_error *error)
{
    const char *const source = ws_paper_text(shown->figure, "source");
    ws_text_add(text, "\n## %s: %s\n\n%s%s%s\n\n", shown->figure->name, ws_paper_text(shown->figure, "title"), source,
                *source ? ". " : "", shown->over.data);
    ws_table_markdown(text, &shown->table);
    if (shown->comparisons > 0)
        ws_text_add(text,
                    "\n| section | what | versus | paper | simulated | difference | unit |\n|---|---|---|---:|---:|---:|---|\n");
    for (size_t n = 0; n < shown->comparisons; n++) {
        const struct ws_comparison *const row = &shown->comparison[n];
        ws_text_add(text, "| %s | %s, %s | %s | ", row->where, row->metric, row->configuration, row->versus);
        ws_comparison_value(text, row, row->paper);
        ws_text_add(text, " | ");
        ws_comparison_value(text, row, row->simulated);
        ws_text_add(text, " | ");
        ws_comparison_difference(text, row);
        ws_text_add(text, "%s | %s |\n", row->matched ? ", matched" : "", row->unit);
    }
    return size ? ws_paper_notes(shown->figure, size, text, error) : WS_STATUS_ok;
}

void ws_shown_rows(struct ws_json *json, const struct ws_shown *shown)
{
    for (size_t n = 0; n < shown->comparisons; n++) {
        const struct ws_comparison *const row = &shown->comparison[n];
        ws_json_object(json, NULL);
        ws_json_text(json, "where", row->where);
        ws_json_text(json, "metric", row->metric);
        ws_json_text(json, "configuration", row->configuration);
        ws_json_text(json, "versus", row->versus);
        ws_json_real(json, "paper", row->paper);
        ws_json_real(json, "simulated", round(row->simulated * 1000) / 1000);
        ws_json_text(json, "unit", row->unit);
        if (row->matched)
            ws_json_bool(json, "matched", true);
        ws_json_end_object(json);
    }
}
