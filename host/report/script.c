/* The gnuplot script of a figure: what surrounds the panels of its kind. */
#include <math.h>
#include <string.h>

#include "report/kinds.h"

enum { SMALLEST = 6, LARGEST = 11 };  /* fonts of names below an axis */
enum { LINES = 5, MOST = 2 * LINES }; /* comparisons in each of two columns, in both; there is no room for more */

/* Backquotes would be run as a shell's command. */
void ws_script_string(struct ws_text *text, const char *words, const char *blank)
{
    ws_text_add(text, "\"");
    for (; *words; words++) {
        if (strchr("\"\\`\n", *words))
            ws_text_add(text, "\\%03o", (unsigned)*words);
        else if (*words == ' ')
            ws_text_add(text, "%s", blank);
        else
            ws_text_add(text, "%c", *words);
    }
    ws_text_add(text, "\"");
}

void ws_script_value(struct ws_text *text, double value)
{
    if (isfinite(value))
        ws_text_add(text, " %.6g", value);
    else
        ws_text_add(text, " ?");
}

void ws_script_traces(struct ws_text *text, const struct ws_measures *measures)
{
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_text_add(text, "%s", trace ? ", " : "");
        ws_script_string(text, measures->trace[trace], " ");
        ws_text_add(text, " %zu", trace);
    }
}

u32 ws_script_font(const char *const *names, size_t count, double pixels)
{
    const double letter = 0.72; /* its mean width in DejaVu Sans, by the font's size */
    size_t longest = 1;
    for (size_t n = 0; n < count; n++)
        for (const char *word = names[n]; *word; word += strcspn(word, " "), word += *word == ' ')
            longest = strcspn(word, " ") > longest ? strcspn(word, " ") : longest;
    const double font = pixels / ((double)longest * letter);
    return (u32)fmax(SMALLEST, fmin(LARGEST, font));
}

void ws_script_nothing(struct ws_text *text, const char *words)
{
    ws_text_add(text, "set label ");
    ws_script_string(text, words, " ");
    ws_text_add(text, " at graph 0.5, 0.5 center\nunset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\nplot 2 notitle\n");
}

static bool over_baseline(const struct ws_measures *measures, const struct ws_target *target)
{
    return measures->baseline < measures->points && strcmp(ws_measures_name(measures, measures->baseline), target->versus) == 0;
}

double ws_script_paper_gain(const struct ws_shown *shown, size_t point)
{
    size_t count;
    const struct ws_target *const target = ws_targets(&count);
    for (size_t n = 0; n < count; n++)
        if ((target[n].kind == WS_TARGET_gain || target[n].kind == WS_TARGET_harmonic) &&
            strcmp(target[n].paper, shown->figure->paper) == 0 &&
            strcmp(target[n].point, ws_measures_name(shown->measures, point)) == 0 && over_baseline(shown->measures, &target[n]))
            return target[n].value;
    return (double)NAN;
}

static void add_line(struct ws_text *text, double x, double y, const char *font, const char *words)
{
    ws_text_add(text, "set label ");
    ws_script_string(text, words, " ");
    ws_text_add(text, " at screen %.2f, %.3f left font \"%s\" front\n", x, y, font);
}

static void add_comparison(struct ws_text *words, const struct ws_comparison *row)
{
    const struct ws_target *const target = row->target;
    const char *const number = ws_target_format(target);
    ws_text_add(words, "%s, %s%s%s: paper ", target->metric, target->configuration, *target->versus ? " over " : "",
                target->versus);
    ws_text_add(words, number, target->value);
    if (!isfinite(row->ours)) {
        ws_text_add(words, " %s, ours missing", target->unit);
        return;
    }
    ws_text_add(words, " %s, ours ", target->unit);
    ws_text_add(words, number, row->ours);
    ws_text_add(words, " %s (", target->unit);
    ws_text_add(words, ws_target_format_difference(target), row->ours - target->value);
    ws_text_add(words, ")");
}

static void add_labels(struct ws_text *text, const struct ws_shown *shown)
{
    struct ws_text words = {0};
    add_line(text, 0.02, 0.95, "DejaVu Sans Bold,16", shown->figure->title);
    ws_text_add(&words, "%s. ", shown->figure->source);
    ws_render_over(&words, shown);
    add_line(text, 0.02, 0.895, "DejaVu Sans,11", words.failed ? "" : words.data);
    for (size_t n = 0; n < shown->comparison_count && n < MOST; n++) {
        words.length = 0;
        if (n == MOST - 1 && shown->comparison_count > MOST) {
            ws_text_add(&words, "and %zu more in comparison.md", shown->comparison_count - n);
        } else {
            ws_text_add(&words, "\xC2\xA7 %s  ", shown->comparisons[n].target->where);
            add_comparison(&words, &shown->comparisons[n]);
        }
        add_line(text, 0.02 + 0.48 * (double)(n / LINES), 0.14 - 0.028 * (double)(n % LINES),
                 shown->comparison_count > LINES ? "DejaVu Sans,8" : "DejaVu Sans,10", words.failed ? "" : words.data);
    }
    ws_text_free(&words);
}

/* The commands run twice, for SVG and for PNG; a file's name is folder/figure.type. */
void ws_render_script(struct ws_text *text, const struct ws_shown *shown, const char *folder)
{
    static ws_kind_function *const data[] = {
#define KIND(name, standard, doc) [WS_FIGURE_##name] = ws_data_##name,
#include "warpsweep/figure_kinds.def"
#undef KIND
    };
    static ws_kind_function *const panels[] = {
#define KIND(name, standard, doc) [WS_FIGURE_##name] = ws_panels_##name,
#include "warpsweep/figure_kinds.def"
#undef KIND
    };
    const enum ws_figure_kind kind = shown->figure->kind;
    ws_text_add(text, "# %s/%s: %s\nset encoding utf8\nset datafile missing \"?\"\n", shown->figure->paper, shown->figure->name,
                shown->figure->title);
    data[kind](text, shown);
    ws_text_add(text, "path = ");
    ws_script_string(text, folder, " ");
    ws_text_add(text,
                ".\"/%s.\"\n"
                "do for [type in \"svg png\"] {\n"
                "if (type eq \"svg\") { set terminal svg size 1180,640 font \"DejaVu Sans,11\" noenhanced background \"white\" }\n"
                "else { set terminal pngcairo size 2360,1280 fontscale 2 linewidth 2 font \"DejaVu Sans,11\" noenhanced background "
                "\"white\" }\n"
                "set output path.type\n"
                "set multiplot\n"
                "set border 3 lc rgb \"#606060\"\nset grid ytics lc rgb \"#e4e4e4\" lt 1\nset ytics nomirror scale 0.5\n"
                "set style fill solid 1.0 noborder\n",
                shown->figure->name);
    add_labels(text, shown);
    panels[kind](text, shown);
    ws_text_add(text, "unset multiplot\nset output\nunset label\n}\n");
}
