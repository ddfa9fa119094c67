/* A figure's numbers as Markdown. */
#include <math.h>
#include <string.h>

#include "report/sensitivity.h"

static const struct {
    const char *paper, *figure, *size, *text;
} notes[] = {
#define NOTE(paper, figure, size, text) {#paper, #figure, #size, text},
#include "report/notes.def"
#undef NOTE
};

static void add_number(struct ws_text *text, const char *format, double value)
{
    ws_text_add(text, " ");
    if (isfinite(value))
        ws_text_add(text, format, value);
    else
        ws_text_add(text, "-");
    ws_text_add(text, " |");
}

static void add_rule(struct ws_text *text, size_t numbers)
{
    ws_text_add(text, "\n|---|");
    for (size_t n = 0; n < numbers; n++)
        ws_text_add(text, "---:|");
    ws_text_add(text, "\n");
}

/* IPC and mean gains, or the share of cycles without an active lane. */
static void add_points(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const bool gains = shown->figure->kind == WS_FIGURE_gains;
    ws_text_add(text, gains ? "| IPC |" : "| cycles without an active lane, %% |");
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_text_add(text, " %s |", measures->trace[trace]);
    ws_text_add(text, gains ? " mean gain, %% |" : "");
    add_rule(text, measures->traces + gains);
    for (size_t point = 0; point < measures->points; point++) {
        if (shown->figure->kind == WS_FIGURE_baseline && point != measures->baseline)
            continue;
        ws_text_add(text, "| %s |", measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++) {
            const size_t cell = point * measures->traces + trace;
            if (gains)
                add_number(text, "%.2f", measures->ipc[cell]);
            else
                add_number(text, "%.1f", 100 * measures->use[cell][WS_USE_none]);
        }
        if (gains && point == measures->baseline)
            ws_text_add(text, " |");
        else if (gains)
            add_number(text, "%+.1f", measures->geometric[point]);
        ws_text_add(text, "\n");
    }
}

static void add_comparisons(struct ws_text *text, const struct ws_shown *shown)
{
    if (shown->comparison_count == 0)
        return;
    ws_text_add(text, "\n| section | what | versus | paper | ours | difference | unit |\n|---|---|---|---:|---:|---:|---|\n");
    for (size_t n = 0; n < shown->comparison_count; n++) {
        const struct ws_comparison *const row = &shown->comparisons[n];
        const struct ws_target *const target = row->target;
        ws_text_add(text, "| %s | %s, %s | %s |", target->where, target->metric, target->configuration, target->versus);
        add_number(text, ws_target_format(target), target->value);
        add_number(text, ws_target_format(target), row->ours);
        add_number(text, ws_target_format_difference(target), row->ours - target->value);
        ws_text_add(text, " %s |\n", target->unit);
    }
}

void ws_render_markdown(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_figure *const figure = shown->figure;
    ws_text_add(text, "\n## %s: %s\n\n%s. ", figure->name, figure->title, figure->source);
    ws_render_over(text, shown);
    ws_text_add(text, "\n\n");
    if (figure->kind == WS_FIGURE_sensitivity)
        ws_sensitivity_markdown(text, shown->measures);
    else
        add_points(text, shown);
    add_comparisons(text, shown);
    for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        if (strcmp(notes[n].paper, figure->paper) == 0 && strcmp(notes[n].figure, figure->name) == 0 &&
            strcmp(notes[n].size, shown->size) == 0)
            ws_text_add(text, "\n%s\n", notes[n].text);
}
