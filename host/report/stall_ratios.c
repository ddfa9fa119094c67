/* Figures of stall ratios: issue slots lost at other points over those lost at the figure's, by kind and application. */
#include "report/applications.h"
#include "report/grid.h"
#include "report/kinds.h"
#include "report/ratios.h"
#include "report/speedup.h"

static const char *const words[WS_STALLS] = {
#define STALL(name, words, colour) [WS_STALL_##name] = words,
#include "report/stalls.def"
#undef STALL
    [WS_STALL_total] = "total",
};

/* Applications by their first traces; behind them stands their mean. */
static const char *name(const struct ws_shown *shown, size_t trace)
{
    if (trace == shown->measures->traces)
        return "GEOMEAN";
    return ws_application(shown->figure->paper, shown->measures, trace) == trace
               ? ws_application_name(shown->figure->paper, shown->measures, trace)
               : NULL;
}

static double ours(const struct ws_shown *shown, size_t trace, size_t other, size_t stall)
{
    const size_t point = ws_shown_point(shown);
    if (trace < shown->measures->traces)
        return ws_application_ratio(shown->figure->paper, shown->measures, trace, point, other, stall);
    return ws_application_mean(shown->figure->paper, shown->measures, point, other, stall);
}

static double paper(const struct ws_shown *shown, size_t trace, size_t other, size_t stall)
{
    const char *const versus = shown->measures->point[other];
    return trace < shown->measures->traces ? ws_paper_ratio(shown->figure->paper, shown->measures, trace, versus, stall)
                                           : ws_paper_mean(shown->figure->paper, versus, stall);
}

/* ---- Tables ---- */

static void add_heads(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "over %s (paper's)", shown->figure->point);
    for (size_t stall = 0; stall < WS_STALLS; stall++)
        ws_grid_cell(grid, "%s %s, slots", shown->figure->point, words[stall]);
    for (size_t other = 0; other < measures->points; other++)
        for (size_t stall = 0; ws_shown_other(shown, other) && stall < WS_STALLS; stall++)
            ws_grid_cell(grid, "%s %s", measures->point[other], words[stall]);
    ws_grid_end(grid);
}

/* Ours, and behind it in brackets the paper's if it has one. */
static void add_pair(struct ws_grid *grid, double own, double papers)
{
    if (!(papers > 0)) {
        ws_grid_number(grid, "%.2f", own);
        return;
    }
    if (own > 0)
        ws_grid_cell(grid, "%.2f (%.2f)", own, papers);
    else
        ws_grid_cell(grid, "- (%.2f)", papers);
}

static void add_row(struct ws_grid *grid, const struct ws_shown *shown, size_t trace)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t point = ws_shown_point(shown);
    ws_grid_cell(grid, "%s", name(shown, trace));
    for (size_t stall = 0; stall < WS_STALLS; stall++) {
        if (trace < measures->traces && point < measures->points)
            ws_grid_number(grid, "%.0f", ws_application_stalls(shown->figure->paper, shown->measures, trace, point, stall));
        else
            ws_grid_cell(grid, "%s", "");
    }
    for (size_t other = 0; other < measures->points; other++)
        for (size_t stall = 0; ws_shown_other(shown, other) && stall < WS_STALLS; stall++)
            add_pair(grid, ours(shown, trace, other, stall), paper(shown, trace, other, stall));
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    add_heads(grid, shown);
    for (size_t trace = 0; trace <= shown->measures->traces; trace++)
        if (name(shown, trace))
            add_row(grid, shown, trace);
}

WS_GRID_TABLES(stall_ratios, fill)

/* ---- The picture ---- */

static double our_total(const struct ws_shown *shown, size_t trace, size_t other)
{
    return ours(shown, trace, other, WS_STALL_total);
}

static double paper_total(const struct ws_shown *shown, size_t trace, size_t other)
{
    return paper(shown, trace, other, WS_STALL_total);
}

static struct ws_ratios bars(const struct ws_shown *shown, const char *title)
{
    return (struct ws_ratios){
        .title = title, .groups = shown->measures->traces + 1, .group = name, .ratio = our_total, .paper = paper_total};
}

void ws_data_stall_ratios(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_ratios ratios = bars(shown, "");
    ws_ratios_data(text, &ratios, shown);
}

void ws_panels_stall_ratios(struct ws_text *text, const struct ws_shown *shown)
{
    struct ws_text title = {0};
    ws_text_add(&title, "Lost issue slots of others over those of %s", shown->figure->point);
    const struct ws_ratios ratios = bars(shown, title.failed ? "" : title.data);
    ws_ratios_panel(text, &ratios, shown);
    ws_text_free(&title);
}
