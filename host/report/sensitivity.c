/* Figures of sensitivity: mean gains of the same points in every variation of an experiment; a row a variation, a column or mark a
 * point, broken lines where the paper has a value. */
#include <math.h>
#include <string.h>

#include "report/kinds.h"

/* Marks that colour-blind eyes and grey paper tell apart. */
static const struct {
    const char *colour;
    int point; /* gnuplot's number of a shape */
} marks[] = {{"#56b4e9", 7}, {"#0072b2", 5}, {"#08306b", 13}, {"#009e73", 9}, {"#7f7f7f", 11}, {"#cc79a7", 15}};
enum { MARKS = sizeof marks / sizeof *marks };

/* Points of a variation stand together. */
static bool begins(const struct ws_measures *measures, size_t point)
{
    return point == 0 || strcmp(measures->variation[point], measures->variation[point - 1]) != 0;
}

/* Whether a point is a column: one of the first variation, its baseline excepted. */
static bool is_column(const struct ws_measures *measures, size_t point)
{
    return strcmp(measures->variation[point], measures->variation[0]) == 0 && measures->base[point] != point;
}

/* The mean gain of the point called as the column is, in the variation that begins at first; NaN where there is none. */
static double gain(const struct ws_measures *measures, size_t first, size_t column)
{
    for (size_t point = first; point < measures->points && (point == first || !begins(measures, point)); point++)
        if (strcmp(ws_measures_name(measures, point), ws_measures_name(measures, column)) == 0)
            return measures->geometric[point];
    return (double)NAN;
}

/* ---- Tables ---- */

static void add_percent(struct ws_text *text, const char *format, double value)
{
    char digits[40] = "-";
    if (isfinite(value))
        snprintf(digits, sizeof digits, "%+.1f", value);
    ws_text_add(text, format, digits);
}

void ws_table_sensitivity(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "%-32s", "geo. mean gain, %");
    for (size_t column = 0; column < measures->points && !(column > 0 && begins(measures, column)); column++)
        if (is_column(measures, column))
            ws_text_add(text, "  %s", ws_measures_name(measures, column));
    for (size_t point = 0; point < measures->points; point++) {
        if (!begins(measures, point))
            continue;
        ws_text_add(text, "\n%-32s", measures->variation[point]);
        for (size_t column = 0; column < measures->points; column++)
            if (is_column(measures, column)) {
                char format[20];
                snprintf(format, sizeof format, "  %%%ds", (int)strlen(ws_measures_name(measures, column)));
                add_percent(text, format, gain(measures, point, column));
            }
    }
    ws_text_add(text, "\n");
}

void ws_markdown_sensitivity(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "| mean gain, %% |");
    for (size_t column = 0; column < measures->points; column++)
        if (is_column(measures, column))
            ws_text_add(text, " %s |", ws_measures_name(measures, column));
    ws_text_add(text, "\n|---|");
    for (size_t column = 0; column < measures->points; column++)
        if (is_column(measures, column))
            ws_text_add(text, "---:|");
    for (size_t point = 0; point < measures->points; point++) {
        if (!begins(measures, point))
            continue;
        ws_text_add(text, "\n| %s |", measures->variation[point]);
        for (size_t column = 0; column < measures->points; column++)
            if (is_column(measures, column))
                add_percent(text, " %s |", gain(measures, point, column));
    }
    ws_text_add(text, "\n");
}

/* ---- The picture ---- */

void ws_data_sensitivity(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    size_t row = 0;
    ws_text_add(text, "$gain << EOD\n");
    for (size_t point = 0; point < measures->points; point++) {
        if (!begins(measures, point))
            continue;
        ws_text_add(text, "%zu", row++);
        for (size_t column = 0; column < measures->points; column++)
            if (is_column(measures, column))
                ws_script_value(text, gain(measures, point, column));
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

/* Names of the variations down the left, one row each; the range covers every gain and zero. */
static void add_axes(struct ws_text *text, const struct ws_measures *measures)
{
    double low = 0, high = 1;
    size_t rows = 0;
    ws_text_add(text, "set ytics (");
    for (size_t point = 0; point < measures->points; point++) {
        low = fmin(low, measures->geometric[point]); /* fmin and fmax leave NaN out */
        high = fmax(high, measures->geometric[point]);
        if (!begins(measures, point))
            continue;
        ws_text_add(text, "%s", rows > 0 ? ", " : "");
        ws_script_string(text, measures->variation[point], " ");
        ws_text_add(text, " %zu", rows++);
    }
    ws_text_add(text,
                ") nomirror scale 0 font \"DejaVu Sans,11\"\nset yrange [%.1f:-0.7]\nset xrange [%.2f:%.2f]\n"
                "set xtics nomirror scale 0.5\nset grid xtics ytics lc rgb \"#e4e4e4\" lt 1\n",
                (double)rows - 0.3, low < 0 ? low - 0.05 * (high - low) : 0, high + 0.05 * (high - low));
}

static void add_paper_lines(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    size_t mark = 0;
    for (size_t column = 0; column < measures->points; column++) {
        if (!is_column(measures, column))
            continue;
        const double paper = ws_script_paper_gain(shown, column);
        if (isfinite(paper))
            ws_text_add(
                text,
                "set arrow from first %.3f, graph 0 to first %.3f, graph 1 nohead dashtype 2 linewidth 1.5 lc rgb \"%s\" back\n",
                paper, paper, marks[mark % MARKS].colour);
        mark++;
    }
}

void ws_panels_sensitivity(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    size_t mark = 0;
    ws_text_add(text, "set title \"Mean IPC gain over the baseline of the same row, %%; broken lines: the paper\" font \"DejaVu "
                      "Sans,12\" offset 0,1.6\n"
                      "set lmargin at screen 0.235; set rmargin at screen 0.975; set tmargin at screen 0.76; set bmargin at screen "
                      "0.075\n"
                      "set key at screen 0.605, screen 0.79 center horizontal maxrows 1 reverse Left samplen 1 font \"DejaVu "
                      "Sans,10\"\n");
    add_axes(text, measures);
    add_paper_lines(text, shown);
    ws_text_add(text, "plot ");
    for (size_t column = 0; column < measures->points; column++) {
        if (!is_column(measures, column))
            continue;
        ws_text_add(text, "%s$gain using %zu:1 with points pt %d ps 1.7 lc rgb \"%s\" title ", mark > 0 ? ", " : "", mark + 2,
                    marks[mark % MARKS].point, marks[mark % MARKS].colour);
        ws_script_string(text, ws_measures_name(measures, column), " ");
        mark++;
    }
    ws_text_add(text, "\nunset arrow\n");
}
