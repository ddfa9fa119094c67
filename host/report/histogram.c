/* Figures with a bar for each of a row of numbers, the paper's across it: shares of warps by their instructions, and the misses of
 * the warps of a thread block, at the figure's point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/grid.h"
#include "report/kinds.h"
#include "report/warps.h"

enum { MOST_BINS = 100 };

/* A bar. */
struct bar {
    char name[40]; /* the key of its target too */
    double ours, paper;
};

/* What the kinds show. */
struct view {
    const char *heading, *title;
    enum ws_target_kind target;
    size_t (*count)(const struct ws_warps *warps);
    void (*fill)(const struct ws_warps *warps, size_t n, struct bar *bar);
};

/* ---- Instructions ---- */

/* Bins up to the last that has a warp. */
static size_t count_bins(const struct ws_warps *warps)
{
    u64 most = 0;
    for (size_t n = 0; n < warps->all_count; n++)
        most = warps->all[n].packets > most ? warps->all[n].packets : most;
    const u64 bins = (most + warps->bin - 1) / warps->bin;
    return bins < MOST_BINS ? bins : MOST_BINS;
}

static void fill_bin(const struct ws_warps *warps, size_t n, struct bar *bar)
{
    const u64 above = n * warps->bin, most = above + warps->bin;
    snprintf(bar->name, sizeof bar->name, "(%llu,%llu]", (unsigned long long)above, (unsigned long long)most);
    bar->ours = ws_warps_share(warps, above, n + 1 == MOST_BINS ? UINT64_MAX : most);
}

static const struct view instructions = {.heading = "instructions of a warp",
                                         .title = "Warps by their instructions, %",
                                         .target = WS_TARGET_warp_share,
                                         .count = count_bins,
                                         .fill = fill_bin};

/* ---- Misses ---- */

static size_t count_warps(const struct ws_warps *warps)
{
    return warps->one_count;
}

static void fill_warp(const struct ws_warps *warps, size_t n, struct bar *bar)
{
    snprintf(bar->name, sizeof bar->name, "%u", warps->one[n].warp);
    bar->ours = ws_warp_misses(&warps->one[n]);
}

static const struct view misses = {.heading = "warp",
                                   .title = "Lines missed by each warp per 1000 instructions",
                                   .target = WS_TARGET_warp_misses,
                                   .count = count_warps,
                                   .fill = fill_warp};

/* ---- Both ---- */

static struct ws_warps warps_of(const struct ws_shown *shown)
{
    const struct ws_figure *const figure = shown->figure;
    return ws_warps_of(shown->measures, figure->paper, figure->name, ws_warps_point(shown->measures, figure));
}

/* What the paper says at this figure, or NaN. */
static double paper_of(const struct ws_shown *shown, const struct view *view, const char *key)
{
    size_t count;
    const struct ws_target *const targets = ws_targets(&count);
    for (size_t n = 0; n < count; n++)
        if (targets[n].kind == view->target && ws_target_of(&targets[n], shown->figure) && strcmp(targets[n].key, key) == 0)
            return targets[n].value;
    return (double)NAN;
}

static struct bar bar_of(const struct ws_shown *shown, const struct view *view, const struct ws_warps *warps, size_t n)
{
    struct bar bar = {.ours = (double)NAN};
    view->fill(warps, n, &bar);
    bar.paper = paper_of(shown, view, bar.name);
    return bar;
}

static void add_subject(struct ws_text *text, const struct view *view, const struct ws_warps *warps)
{
    if (view == &misses)
        ws_text_add(text, "block %u of ", warps->block);
    ws_text_add(text, "%s", warps->workload);
    if (view == &misses && warps->block != warps->wanted)
        ws_text_add(text, " (there is no block %u)", warps->wanted);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_warps warps = warps_of(shown);
    struct ws_text subject = {0};
    add_subject(&subject, view, &warps);
    ws_grid_cell(grid, "%s of %s", view->heading, subject.failed ? "" : subject.data);
    ws_text_free(&subject);
    ws_grid_cell(grid, view == &misses ? "misses per 1000 instructions" : "warps, %%");
    ws_grid_cell(grid, "paper");
    ws_grid_end(grid);
    for (size_t n = 0; n < view->count(&warps); n++) {
        const struct bar bar = bar_of(shown, view, &warps, n);
        ws_grid_cell(grid, "%s", bar.name);
        ws_grid_number(grid, "%.1f", bar.ours);
        ws_grid_number(grid, "%.1f", bar.paper);
        ws_grid_end(grid);
    }
}

static void add_data(struct ws_text *text, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_warps warps = warps_of(shown);
    ws_text_add(text, "$bars << EOD\n");
    for (size_t n = 0; n < view->count(&warps); n++) {
        const struct bar bar = bar_of(shown, view, &warps, n);
        ws_text_add(text, "\"%s\"", bar.name);
        ws_script_value(text, bar.ours);
        ws_script_value(text, bar.paper);
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

static bool paper_says(const struct ws_shown *shown, const struct view *view, const struct ws_warps *warps)
{
    for (size_t n = 0; n < view->count(warps); n++)
        if (isfinite(bar_of(shown, view, warps, n).paper))
            return true;
    return false;
}

static void add_panel(struct ws_text *text, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_warps warps = warps_of(shown);
    struct ws_text title = {0};
    if (view->count(&warps) == 0) {
        ws_script_nothing(text, "No times of warps: the experiment asks for none, or its jobs have failed");
        return;
    }
    ws_text_add(&title, "%s: ", view->title);
    add_subject(&title, view, &warps);
    ws_text_add(text, "set title ");
    ws_script_string(text, title.failed ? "" : title.data, " ");
    ws_text_free(&title);
    ws_text_add(text,
                " font \"DejaVu Sans,12\" offset 0,1.6\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.29\n"
                "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\nset boxwidth 0.8\nset yrange [0:*]\nset xrange [-0.55:%.2f]\n"
                "set xtics scale 0 rotate by 30 right font \"DejaVu Sans,10\"\n"
                "plot $bars using 0:2:xtic(1) with boxes lc rgb \"#2171b5\" title \"ours\"",
                (double)view->count(&warps) - 0.45);
    if (paper_says(shown, view, &warps))
        ws_text_add(text, ", $bars using ($0-0.4):3:(0.8):(0) with vectors nohead lw 2 lc rgb \"#d55e00\" title \"paper\"");
    ws_text_add(text, "\n");
}

#define SHOW(kind, view)                                                                                                           \
    static void fill_##kind(struct ws_grid *grid, const struct ws_shown *shown)                                                    \
    {                                                                                                                              \
        fill(grid, shown, &view);                                                                                                  \
    }                                                                                                                              \
    WS_GRID_TABLES(kind, fill_##kind)                                                                                              \
    void ws_data_##kind(struct ws_text *text, const struct ws_shown *shown)                                                        \
    {                                                                                                                              \
        add_data(text, shown, &view);                                                                                              \
    }                                                                                                                              \
    void ws_panels_##kind(struct ws_text *text, const struct ws_shown *shown)                                                      \
    {                                                                                                                              \
        add_panel(text, shown, &view);                                                                                             \
    }

SHOW(histogram, instructions)
SHOW(warp_misses, misses)
