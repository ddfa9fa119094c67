/* Figures of signs: in how many variations of the experiment the figure's point is faster than another one, by workload and in the
 * mean. */
#include <math.h>
#include <string.h>

#include "report/grid.h"
#include "report/kinds.h"
#include "report/speedup.h"
#include "report/stacked.h"

enum { WIN, DRAW, LOSS, ENDINGS };

static const char *const words[ENDINGS] = {"faster", "within half a percent", "slower"};
static const char *const colours[ENDINGS] = {"#2171b5", "#d9d9d9", "#d55e00"};

/* How often each ending; traces count from 0, measures->traces is their mean. */
struct score {
    size_t endings[ENDINGS], variations;
};

/* Whether a point is the figure's in its variation. */
static bool is_point(const struct ws_shown *shown, size_t point)
{
    return ws_shown_peer(shown, point) == point;
}

static struct score count(const struct ws_shown *shown, size_t trace, size_t other)
{
    const struct ws_measures *const measures = shown->measures;
    const char *const name = ws_measures_name(measures, other);
    struct score score = {0};
    for (size_t point = 0; point < measures->points; point++) {
        if (!is_point(shown, point))
            continue;
        const size_t peer = ws_measures_peer(measures, name, point);
        const double speedup =
            trace < measures->traces ? ws_speedup(measures, point, peer, trace) : ws_speedup_mean(measures, point, peer);
        if (!isfinite(speedup))
            continue;
        score.variations++;
        score.endings[fabs(speedup - 1) < WS_SPEEDUP_DRAW ? DRAW : speedup > 1 ? WIN : LOSS]++;
    }
    return score;
}

static const char *name(const struct ws_shown *shown, size_t trace)
{
    return trace < shown->measures->traces ? shown->measures->trace[trace] : "GEOMEAN";
}

/* ---- Tables ---- */

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "variations in which %s is faster, equal, slower", shown->figure->point);
    for (size_t other = 0; other < measures->points; other++)
        if (ws_shown_other(shown, other))
            ws_grid_cell(grid, "%s", ws_measures_name(measures, other));
    ws_grid_end(grid);
    for (size_t trace = 0; trace <= measures->traces; trace++) {
        ws_grid_cell(grid, "%s", name(shown, trace));
        for (size_t other = 0; other < measures->points; other++) {
            if (!ws_shown_other(shown, other))
                continue;
            const struct score score = count(shown, trace, other);
            ws_grid_cell(grid, "%zu, %zu, %zu", score.endings[WIN], score.endings[DRAW], score.endings[LOSS]);
        }
        ws_grid_end(grid);
    }
}

WS_GRID_TABLES(signs, fill)

/* ---- The picture ---- */

static double share(const struct ws_shown *shown, size_t trace, size_t other, size_t ending)
{
    const struct score score = count(shown, trace, other);
    return score.variations > 0 ? 100 * (double)score.endings[ending] / (double)score.variations : (double)NAN;
}

static struct ws_stacked stack(const struct ws_shown *shown)
{
    return (struct ws_stacked){.block = "signs",
                               .groups = shown->measures->traces + 1,
                               .end_bar = shown->measures->points,
                               .classes = ENDINGS,
                               .words = words,
                               .colours = colours,
                               .group = name,
                               .bar = ws_shown_other,
                               .share = share};
}

void ws_data_signs(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_stacked stacked = stack(shown);
    ws_stacked_data(text, &stacked, shown);
}

void ws_panels_signs(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_stacked stacked = stack(shown);
    struct ws_text title = {0};
    ws_text_add(&title, "Variations in which %s is faster than another point, %%", shown->figure->point);
    ws_stacked_add_bars(&title, &stacked, shown, "workload");
    ws_stacked_panel(text, &stacked, shown, title.failed ? "" : title.data);
    ws_text_free(&title);
}
