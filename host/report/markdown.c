/* A figure's numbers as Markdown. */
#include <math.h>
#include <string.h>

#include "report/kinds.h"

static const struct {
    const char *paper, *figure, *size, *text;
} notes[] = {
#define NOTE(paper, figure, size, text) {#paper, #figure, #size, text},
#include "report/notes.def"
#undef NOTE
};

void ws_markdown_number(struct ws_text *text, const char *format, double value)
{
    ws_text_add(text, " ");
    if (isfinite(value))
        ws_text_add(text, format, value);
    else
        ws_text_add(text, "-");
    ws_text_add(text, " |");
}

void ws_markdown_heads(struct ws_text *text, const struct ws_measures *measures, const char *heading, const char *last)
{
    ws_text_add(text, "| %s |", heading);
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_text_add(text, " %s |", measures->trace[trace]);
    if (last)
        ws_text_add(text, " %s |", last);
    ws_text_add(text, "\n|---|");
    for (size_t n = 0; n < measures->traces + (last != NULL); n++)
        ws_text_add(text, "---:|");
    ws_text_add(text, "\n");
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
        ws_markdown_number(text, ws_target_format(target), target->value);
        ws_markdown_number(text, ws_target_format(target), row->ours);
        ws_markdown_number(text, ws_target_format_difference(target), row->ours - target->value);
        ws_text_add(text, " %s |\n", target->unit);
    }
}

void ws_render_markdown(struct ws_text *text, const struct ws_shown *shown)
{
    static ws_kind_function *const sections[] = {
#define KIND(name, standard, doc) [WS_FIGURE_##name] = ws_markdown_##name,
#include "warpsweep/figure_kinds.def"
#undef KIND
    };
    const struct ws_figure *const figure = shown->figure;
    ws_text_add(text, "\n## %s: %s\n\n%s. ", figure->name, figure->title, figure->source);
    ws_render_over(text, shown);
    ws_text_add(text, "\n\n");
    sections[figure->kind](text, shown);
    add_comparisons(text, shown);
    for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        if (strcmp(notes[n].paper, figure->paper) == 0 && strcmp(notes[n].figure, figure->name) == 0 &&
            strcmp(notes[n].size, shown->size) == 0)
            ws_text_add(text, "\n%s\n", notes[n].text);
}
