#include "report/bars.h"

#include <math.h>

#include "report/kinds.h"

#define PAPER_COLOUR "#d55e00"

/* Told apart by colour-blind eyes and on grey paper. */
static const char *const shades[] = {"#9a9a9a", "#bdd7e7", "#6baed6", "#2171b5", "#08306b", "#d9d9d9", "#525252", "#c7e9c0"};
enum { SHADES = sizeof shades / sizeof *shades };

static size_t count_bars(const struct ws_bars *bars, const struct ws_shown *shown)
{
    return bars->bars > 0 ? bars->bars : shown->measures->points;
}

static const char *bar_name(const struct ws_bars *bars, const struct ws_shown *shown, size_t bar)
{
    if (bars->name)
        return bars->name;
    return bars->bars > 0 ? bars->bar_name(shown, bar) : shown->measures->point[bar];
}

static bool has_bars(const struct ws_bars *bars, const struct ws_shown *shown, size_t bar)
{
    return !bars->bar || bars->bar(shown, bar);
}

/* Of each group a row: its place, then for each bar ours and the paper's. */
void ws_bars_data(struct ws_text *text, const struct ws_bars *bars, const struct ws_shown *shown)
{
    ws_text_add(text, "$bars << EOD\n");
    for (size_t group = 0; group < bars->groups; group++) {
        ws_text_add(text, "%zu", group);
        for (size_t bar = 0; bar < count_bars(bars, shown); bar++) {
            if (!has_bars(bars, shown, bar))
                continue;
            ws_script_value(text, bars->value(shown, group, bar));
            ws_script_value(text, bars->paper(shown, group, bar));
        }
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

/* What the panel has to show. */
struct extent {
    size_t bars;
    double least, most; /* least: 0 unless a bar is below */
    bool paper_says;
};

/* Whether the paper reports anything of a bar. */
static bool paper_says(const struct ws_bars *bars, const struct ws_shown *shown, size_t bar)
{
    for (size_t group = 0; group < bars->groups; group++)
        if (isfinite(bars->paper(shown, group, bar)))
            return true;
    return false;
}

static struct extent measure(const struct ws_bars *bars, const struct ws_shown *shown)
{
    struct extent extent = {0};
    for (size_t bar = 0; bar < count_bars(bars, shown); bar++) {
        if (!has_bars(bars, shown, bar))
            continue;
        extent.bars++;
        extent.paper_says = extent.paper_says || paper_says(bars, shown, bar);
        for (size_t group = 0; group < bars->groups; group++) { /* fmin and fmax leave NaN out */
            const double ours = bars->value(shown, group, bar), paper = bars->paper(shown, group, bar);
            extent.least = fmin(extent.least, fmin(ours, paper));
            extent.most = fmax(extent.most, fmax(ours, paper));
        }
    }
    return extent;
}

static void add_axes(struct ws_text *text, const struct ws_bars *bars, const struct ws_shown *shown, const struct extent *extent)
{
    ws_text_add(text, "set yrange [%.4g:%.4g]\nset xrange [-0.55:%.2f]\nset xtics (", 1.05 * extent->least,
                extent->most > 0 ? 1.05 * extent->most : 1, (double)bars->groups - 0.45);
    for (size_t group = 0; group < bars->groups; group++) {
        ws_text_add(text, "%s", group > 0 ? ", " : "");
        ws_script_string(text, bars->group(shown, group), " ");
        ws_text_add(text, " %zu", group);
    }
    ws_text_add(text, ") scale 0 rotate by 30 right font \"DejaVu Sans,10\"\n");
}

/* A bar in each group, and across it the paper's values. */
static void add_bar(struct ws_text *text, const struct ws_bars *bars, const struct ws_shown *shown, size_t bar, size_t place,
                    double width)
{
    const double shift = ((double)place + 0.5) * width - 0.4;
    const size_t column = 2 * place + 2;
    ws_text_add(text, "%s$bars using ($1%+.4f):%zu with boxes lc rgb \"%s\" title ", place > 0 ? ", " : "", shift, column,
                shades[place % SHADES]);
    ws_script_string(text, bar_name(bars, shown, bar), " ");
    if (paper_says(bars, shown, bar))
        ws_text_add(text, ", $bars using ($1%+.4f):%zu:(%.4f):(0) with vectors nohead lw 2 lc rgb \"" PAPER_COLOUR "\" notitle",
                    shift - width / 2, column + 1, width);
}

void ws_bars_panel(struct ws_text *text, const struct ws_bars *bars, const struct ws_shown *shown)
{
    const struct extent extent = measure(bars, shown);
    const double width = 0.8 / (double)(extent.bars > 0 ? extent.bars : 1);
    size_t place = 0;
    if (extent.bars == 0 || bars->groups == 0) {
        ws_script_nothing(text, "No points");
        return;
    }
    ws_text_add(text, "set title ");
    ws_script_string(text, bars->title, " ");
    ws_text_add(text,
                " font \"DejaVu Sans,12\" offset 0,2.8\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.29\n"
                "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\nset boxwidth %.4f\n",
                0.92 * width);
    add_axes(text, bars, shown, &extent);
    ws_text_add(text, "plot ");
    for (size_t bar = 0; bar < count_bars(bars, shown); bar++)
        if (has_bars(bars, shown, bar))
            add_bar(text, bars, shown, bar, place++, width);
    if (extent.paper_says)
        ws_text_add(text, ", keyentry with lines lw 2 lc rgb \"" PAPER_COLOUR "\" title \"paper\"");
    ws_text_add(text, "\n");
}
