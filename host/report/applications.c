#include "report/applications.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/statistics.h"

static const struct {
    const char *paper, *name, *kernels;
} applications[] = {
#define APPLICATION(paper, name, kernels) {#paper, name, kernels},
#include "report/applications.def"
#undef APPLICATION
};

enum { APPLICATIONS = sizeof applications / sizeof *applications };

/* In the order of enum WS_STALL_*; counts have no total. */
static const struct printed {
    const char *paper, *application, *point;
    double stalls[WS_STALLS];
} counts[] =
    {
#define STALL_COUNTS(paper, application, point, pipeline, idle, scoreboard)                                                        \
    {#paper, application, point, {pipeline, idle, scoreboard, (pipeline) + (idle) + (scoreboard)}},
#include "report/stall_tables.def"
},
  ratios[] = {
#define STALL_RATIOS(paper, application, versus, pipeline, idle, scoreboard, total)                                                \
    {#paper, application, versus, {pipeline, idle, scoreboard, total}},
#include "report/stall_tables.def"
};

enum { COUNTS = sizeof counts / sizeof *counts, RATIOS = sizeof ratios / sizeof *ratios };

_Static_assert(WS_STALL_pipeline == 0 && WS_STALL_idle == 1 && WS_STALL_scoreboard == 2 && WS_STALL_total == 3,
               "the order of stall_tables.def");

/* ---- Applications ---- */

bool ws_has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* The row of a trace's application, or APPLICATIONS. */
static size_t row_of(const char *paper, const struct ws_measures *measures, size_t trace)
{
    size_t row = 0;
    while (row < APPLICATIONS &&
           (strcmp(applications[row].paper, paper) != 0 || !ws_has_word(applications[row].kernels, measures->trace[trace])))
        row++;
    return row;
}

size_t ws_application(const char *paper, const struct ws_measures *measures, size_t trace)
{
    const size_t row = row_of(paper, measures, trace);
    if (row == APPLICATIONS)
        return trace;
    size_t first = 0;
    while (row_of(paper, measures, first) != row)
        first++;
    return first;
}

const char *ws_application_name(const char *paper, const struct ws_measures *measures, size_t trace)
{
    const size_t row = row_of(paper, measures, trace);
    return row < APPLICATIONS ? applications[row].name : measures->trace[trace];
}

double ws_application_stalls(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t stall)
{
    double sum = 0;
    for (size_t trace = application; trace < measures->traces; trace++)
        if (ws_application(paper, measures, trace) == application)
            sum += ws_measures_whole(measures, trace) ? measures->stalls[point * measures->traces + trace][stall] : (double)NAN;
    return sum;
}

double ws_application_ratio(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t other,
                            size_t stall)
{
    const double ours = ws_application_stalls(paper, measures, application, point, stall);
    const double theirs = ws_application_stalls(paper, measures, application, other, stall);
    return ours > 0 && theirs > 0 ? theirs / ours : (double)NAN;
}

double ws_application_mean(const char *paper, const struct ws_measures *measures, size_t point, size_t other, size_t stall)
{
    struct ws_mean mean = {0};
    for (size_t trace = 0; trace < measures->traces; trace++)
        if (ws_application(paper, measures, trace) == trace)
            ws_mean_add(&mean, ws_application_ratio(paper, measures, trace, point, other, stall));
    return ws_mean_geometric(&mean);
}

/* ---- The paper ---- */

static const struct printed *find(const struct printed *rows, size_t count, const char *paper, const struct ws_measures *measures,
                                  size_t application, const char *point)
{
    for (size_t n = 0; n < count; n++)
        if (strcmp(rows[n].paper, paper) == 0 && strcmp(rows[n].point, point) == 0 &&
            strcmp(rows[n].application, ws_application_name(paper, measures, application)) == 0)
            return &rows[n];
    return NULL;
}

double ws_paper_ratio(const char *paper, const struct ws_measures *measures, size_t application, const char *versus, size_t stall)
{
    const struct printed *const row = find(ratios, RATIOS, paper, measures, application, versus);
    return row ? row->stalls[stall] : (double)NAN;
}

double ws_paper_mean(const char *paper, const char *versus, size_t stall)
{
    struct ws_mean mean = {0};
    for (size_t n = 0; n < RATIOS; n++)
        if (strcmp(ratios[n].paper, paper) == 0 && strcmp(ratios[n].point, versus) == 0)
            ws_mean_add(&mean, ratios[n].stalls[stall]);
    return ws_mean_geometric(&mean);
}

double ws_paper_share(const char *paper, const struct ws_measures *measures, size_t application, const char *point, size_t stall)
{
    const struct printed *const own = find(counts, COUNTS, paper, measures, application, point);
    const struct printed *const ratio = find(ratios, RATIOS, paper, measures, application, point);
    const struct printed *base = own;
    double sum = 0, share = 0;
    for (size_t n = 0; n < COUNTS && !base; n++) /* the ratios are over this one */
        base = find(&counts[n], 1, paper, measures, application, counts[n].point);
    if (!base || (!own && !ratio))
        return (double)NAN;
    for (size_t n = 0; n < WS_STALL_total; n++) {
        const double slots = base->stalls[n] * (own ? 1 : ratio->stalls[n]);
        sum += slots;
        share = n == stall ? slots : share;
    }
    return 100 * share / sum;
}
