/* Figures of use: how many of the lanes are active, by workload; at all points or at the baseline. */
#include "report/kinds.h"

static const struct {
    const char *words, *colour;
} uses[WS_USES] = {
#define USE(name, first, last, words_, colour_) {.words = (words_), .colour = (colour_)},
#include "report/uses.def"
#undef USE
};

/* The points that are shown: from first up to, without, end. */
struct range {
    size_t first, end;
};

static struct range points_of_use(const struct ws_measures *measures)
{
    return (struct range){0, measures->points};
}

static struct range points_of_baseline(const struct ws_measures *measures)
{
    return (struct range){measures->baseline, measures->baseline + (measures->baseline < measures->points)};
}

static double idle_percent(const struct ws_measures *measures, size_t point, size_t trace)
{
    return 100 * measures->use[point * measures->traces + trace][WS_USE_none];
}

/* ---- Tables ---- */

static void add_table(struct ws_text *text, const struct ws_measures *measures, struct range points)
{
    const int label = ws_table_label(measures);
    ws_table_heads(text, measures, "idle, %");
    ws_text_add(text, "\n");
    for (size_t point = points.first; point < points.end; point++) {
        ws_text_add(text, "%-*s", label, measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            ws_table_number(text, ws_table_width(measures, trace), "%.1f", idle_percent(measures, point, trace));
        ws_text_add(text, "\n");
    }
}

static void add_markdown(struct ws_text *text, const struct ws_measures *measures, struct range points)
{
    ws_markdown_heads(text, measures, "cycles without an active lane, %", NULL);
    for (size_t point = points.first; point < points.end; point++) {
        ws_text_add(text, "| %s |", measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            ws_markdown_number(text, "%.1f", idle_percent(measures, point, trace));
        ws_text_add(text, "\n");
    }
}

/* ---- The picture ---- */

/* Of each trace a row: for each point the shares up to each class, the class without active lanes last. */
static void add_data(struct ws_text *text, const struct ws_measures *measures, struct range points)
{
    ws_text_add(text, "$use << EOD\n");
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_text_add(text, "%zu", trace);
        for (size_t point = points.first; point < points.end; point++) {
            double sum = 0;
            for (size_t use = WS_USES; use-- > 0;)
                ws_script_value(text, 100 * (sum += measures->use[point * measures->traces + trace][use]));
        }
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

static void add_title(struct ws_text *text, const struct ws_measures *measures, struct range points)
{
    const bool several = points.end - points.first > 1;
    struct ws_text title = {0};
    ws_text_add(&title, "Cycles by active lanes, %%%s", several ? "; bars of a workload from the left: " : "");
    for (size_t point = points.first; several && point < points.end; point++)
        ws_text_add(&title, "%s%s", point > points.first ? ", " : "", measures->point[point]);
    ws_text_add(text, "set title ");
    ws_script_string(text, title.failed ? "" : title.data, " ");
    ws_text_free(&title);
}

/* A bar of several classes is several bars, the highest first, each in front of those before it. */
static void add_bars(struct ws_text *text, size_t points, double width)
{
    const char *joint = "plot ";
    for (size_t use = 0; use < WS_USES; use++) {
        for (size_t point = 0; point < points; point++, joint = ", ") {
            ws_text_add(text, "%s$use using ($1%+.4f):%zu with boxes lc rgb \"%s\" ", joint, ((double)point + 0.5) * width - 0.4,
                        2 + point * WS_USES + (WS_USES - 1 - use), uses[use].colour);
            if (point > 0)
                ws_text_add(text, "notitle");
            else
                ws_text_add(text, "title \"%s\"", uses[use].words);
        }
    }
    ws_text_add(text, "\n");
}

static void add_panel(struct ws_text *text, const struct ws_measures *measures, struct range points)
{
    const size_t count = points.end - points.first;
    if (count == 0)
        return;
    const double width = 0.8 / (double)count;
    add_title(text, measures, points);
    ws_text_add(text,
                " font \"DejaVu Sans,9\" offset 0,1.6\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.25\n"
                "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\n"
                "set boxwidth %.4f\nset yrange [0:100]\nset xrange [-0.55:%.2f]\nset xtics (",
                width * 0.9, (double)measures->traces - 0.45);
    ws_script_traces(text, measures);
    ws_text_add(text, ") scale 0 norotate font \"DejaVu Sans,11\"\n");
    add_bars(text, count, width);
}

/* ---- The kinds ---- */

#define SHOW(kind)                                                                                                                 \
    void ws_table_##kind(struct ws_text *text, const struct ws_shown *shown)                                                       \
    {                                                                                                                              \
        add_table(text, shown->measures, points_of_##kind(shown->measures));                                                       \
    }                                                                                                                              \
    void ws_markdown_##kind(struct ws_text *text, const struct ws_shown *shown)                                                    \
    {                                                                                                                              \
        add_markdown(text, shown->measures, points_of_##kind(shown->measures));                                                    \
    }                                                                                                                              \
    void ws_data_##kind(struct ws_text *text, const struct ws_shown *shown)                                                        \
    {                                                                                                                              \
        add_data(text, shown->measures, points_of_##kind(shown->measures));                                                        \
    }                                                                                                                              \
    void ws_panels_##kind(struct ws_text *text, const struct ws_shown *shown)                                                      \
    {                                                                                                                              \
        add_panel(text, shown->measures, points_of_##kind(shown->measures));                                                       \
    }

SHOW(use)
SHOW(baseline)
