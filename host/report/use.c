/* Figures of use: how many of the lanes are active, by workload; at all points or at the baseline. */
#include "report/use.h"

#include <stdio.h>

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

const char *const ws_use_colours[WS_USES] = {
#define USE(name, colour) colour,
#include "report/uses.def"
#undef USE
};

/* Lanes of a packet at every point, 0 where they differ. */
static u32 common_lanes(const struct ws_measures *measures)
{
    const u32 lanes = measures->points > 0 ? measures->dimensions[0].lanes : 0;
    for (size_t point = 0; point < measures->points; point++)
        if (measures->dimensions[point].lanes != lanes)
            return 0;
    return lanes;
}

/* The first and last number of lanes of the class; last is 0 when there is none. */
static void find_range(u32 lanes, unsigned use, u32 *first, u32 *last)
{
    *first = *last = 0;
    for (u32 n = 1; n <= lanes; n++) {
        if (ws_use_of(n, lanes) != use)
            continue;
        *first = *first > 0 ? *first : n;
        *last = n;
    }
}

void ws_use_words(struct ws_use_words *words, const struct ws_measures *measures)
{
    static const char *const shares[WS_USES] = {"none", "to 1/4 of the lanes", "to 1/2", "to 3/4", "below all", "all"};
    const u32 lanes = common_lanes(measures);
    for (unsigned use = 0; use < WS_USES; use++) {
        char *const text = words->text[use];
        u32 first, last;
        find_range(lanes, use, &first, &last);
        if (use == WS_USE_none || lanes == 0)
            snprintf(text, sizeof words->text[use], "%s", shares[use]);
        else if (first < last)
            snprintf(text, sizeof words->text[use], "%u to %u", first, last);
        else
            snprintf(text, sizeof words->text[use], last > 0 ? "%u" : "", last);
        words->words[use] = text;
    }
}

static const char *name_trace(const struct ws_shown *shown, size_t trace)
{
    return shown->measures->trace[trace];
}

static double share(const struct ws_shown *shown, size_t trace, size_t point, size_t use)
{
    return 100 * shown->measures->use[point * shown->measures->traces + trace][use];
}

static struct ws_stacked stack(const struct ws_shown *shown, struct range points, const struct ws_use_words *words)
{
    return (struct ws_stacked){.block = "use",
                               .groups = shown->measures->traces,
                               .first_bar = points.first,
                               .end_bar = points.end,
                               .classes = WS_USES,
                               .words = words->words,
                               .colours = ws_use_colours,
                               .group = name_trace,
                               .share = share};
}

static void add_data(struct ws_text *text, const struct ws_shown *shown, struct range points)
{
    struct ws_use_words words;
    ws_use_words(&words, shown->measures);
    const struct ws_stacked stacked = stack(shown, points, &words);
    ws_stacked_data(text, &stacked, shown);
}

static void add_panel(struct ws_text *text, const struct ws_shown *shown, struct range points)
{
    struct ws_use_words words;
    ws_use_words(&words, shown->measures);
    const struct ws_stacked stacked = stack(shown, points, &words);
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
