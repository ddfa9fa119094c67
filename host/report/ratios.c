#include "report/ratios.h"

#include <math.h>

#include "report/kinds.h"
#include "report/speedup.h"

#define PAPER_COLOUR "#d55e00"
#define BAR_SHARE    0.92 /* of the room between two bars' middles */

/* Told apart by colour-blind eyes and on grey paper. */
static const char *const shades[] = {"#bdd7e7", "#4292c6", "#08306b", "#9a9a9a", "#525252"};
enum { SHADES = sizeof shades / sizeof *shades };

/* Of each group a row: its place, then for each other point ours and the paper's. */
void ws_ratios_data(struct ws_text *text, const struct ws_ratios *ratios, const struct ws_shown *shown)
{
    size_t place = 0;
    ws_text_add(text, "$ratios << EOD\n");
    for (size_t group = 0; group < ratios->groups; group++) {
        if (!ratios->group(shown, group))
            continue;
        ws_text_add(text, "%zu", place++);
        for (size_t other = 0; other < shown->measures->points; other++) {
            if (!ws_shown_other(shown, other))
                continue;
            ws_script_value(text, ratios->ratio(shown, group, other));
            ws_script_value(text, ratios->paper(shown, group, other));
        }
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

/* Bars begin at 1, where nothing differs. */
static void add_axes(struct ws_text *text, const struct ws_ratios *ratios, const struct ws_shown *shown)
{
    double low = 0.95, high = 1.05;
    size_t place = 0;
    ws_text_add(text, "set xtics (");
    for (size_t group = 0; group < ratios->groups; group++) {
        const char *const name = ratios->group(shown, group);
        if (!name)
            continue;
        ws_text_add(text, "%s", place > 0 ? ", " : "");
        ws_script_string(text, name, " ");
        ws_text_add(text, " %zu", place++);
        for (size_t other = 0; other < shown->measures->points; other++) {
            if (!ws_shown_other(shown, other))
                continue;
            const double ours = ratios->ratio(shown, group, other), paper = ratios->paper(shown, group, other);
            low = fmin(low, fmin(ours, paper)); /* fmin and fmax leave NaN out */
            high = fmax(high, fmax(ours, paper));
        }
    }
    ws_text_add(text,
                ") scale 0 rotate by 30 right font \"DejaVu Sans,10\"\nset yrange [%.3f:%.3f]\nset xrange [-0.55:%.2f]\n"
                "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb \"#606060\" front\n",
                low - 0.05 * (high - low), high + 0.05 * (high - low), (double)place - 0.45);
}

static bool paper_says(const struct ws_ratios *ratios, const struct ws_shown *shown, size_t other)
{
    for (size_t group = 0; group < ratios->groups; group++)
        if (ratios->group(shown, group) && isfinite(ratios->paper(shown, group, other)))
            return true;
    return false;
}

/* The bar of another point in each group, and across it the paper's values if it has any; *said becomes true then. */
static void add_bar(struct ws_text *text, const struct ws_ratios *ratios, const struct ws_shown *shown, size_t other, size_t bar,
                    bool *said)
{
    const double width = 0.8 / (double)ws_shown_others(shown), shift = ((double)bar + 0.5) * width - 0.4;
    const double left = shift - BAR_SHARE * width / 2, right = shift + BAR_SHARE * width / 2;
    const size_t column = 2 * bar + 2;
    ws_text_add(text, "%s$ratios using 1:%zu:($1%+.4f):($1%+.4f):(1):%zu with boxxyerror lc rgb \"%s\" title ", bar > 0 ? ", " : "",
                column, left, right, column, shades[bar % SHADES]);
    ws_script_string(text, ws_measures_name(shown->measures, other), " ");
    if (!paper_says(ratios, shown, other))
        return;
    ws_text_add(text, ", $ratios using ($1%+.4f):%zu:(%.4f):(0) with vectors nohead lw 2 lc rgb \"" PAPER_COLOUR "\" notitle",
                shift - width / 2, column + 1, width);
    *said = true;
}

void ws_ratios_panel(struct ws_text *text, const struct ws_ratios *ratios, const struct ws_shown *shown)
{
    size_t bar = 0;
    bool said = false;
    if (ws_shown_others(shown) == 0) {
        ws_script_nothing(text, "No other points");
        return;
    }
    ws_text_add(text, "set title ");
    ws_script_string(text, ratios->title, " ");
    ws_text_add(text,
                " font \"DejaVu Sans,12\" offset 0,2.8\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.29\n"
                "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\n");
    add_axes(text, ratios, shown);
    ws_text_add(text, "plot ");
    for (size_t other = 0; other < shown->measures->points; other++)
        if (ws_shown_other(shown, other))
            add_bar(text, ratios, shown, other, bar++, &said);
    if (said)
        ws_text_add(text, ", keyentry with lines lw 2 lc rgb \"" PAPER_COLOUR "\" title \"paper\"");
    ws_text_add(text, "\nunset arrow\n");
}
