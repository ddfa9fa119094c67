/* Figures of use: how many of the lanes are active, by workload; at all points or at the baseline. */
#include "report/kinds.h"
#include "report/stacked.h"

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

static const char *const words[] = {
#define USE(name, first, last, words, colour) words,
#include "report/uses.def"
#undef USE
};

static const char *const colours[] = {
#define USE(name, first, last, words, colour) colour,
#include "report/uses.def"
#undef USE
};

static const char *name_trace(const struct ws_shown *shown, size_t trace)
{
    return shown->measures->trace[trace];
}

static double share(const struct ws_shown *shown, size_t trace, size_t point, size_t use)
{
    return 100 * shown->measures->use[point * shown->measures->traces + trace][use];
}

static struct ws_stacked stack(const struct ws_shown *shown, struct range points)
{
    return (struct ws_stacked){.block = "use",
                               .groups = shown->measures->traces,
                               .first_bar = points.first,
                               .end_bar = points.end,
                               .classes = WS_USES,
                               .words = words,
                               .colours = colours,
                               .group = name_trace,
                               .share = share};
}

static void add_data(struct ws_text *text, const struct ws_shown *shown, struct range points)
{
    const struct ws_stacked stacked = stack(shown, points);
    ws_stacked_data(text, &stacked, shown);
}

static void add_panel(struct ws_text *text, const struct ws_shown *shown, struct range points)
{
    const struct ws_stacked stacked = stack(shown, points);
    struct ws_text title = {0};
    ws_text_add(&title, "Cycles by active lanes, %%");
    ws_stacked_add_bars(&title, &stacked, shown, "workload");
    ws_stacked_panel(text, &stacked, shown, title.failed ? "" : title.data);
    ws_text_free(&title);
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
        add_data(text, shown, points_of_##kind(shown->measures));                                                                  \
    }                                                                                                                              \
    void ws_panels_##kind(struct ws_text *text, const struct ws_shown *shown)                                                      \
    {                                                                                                                              \
        add_panel(text, shown, points_of_##kind(shown->measures));                                                                 \
    }

SHOW(use)
SHOW(baseline)
