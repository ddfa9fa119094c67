#include "cli/sweep/sweep_headline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/table.h"
#include "warpsweep/results.h"

#define SHOWN          3 /* places */
#define TEXT(number)   #number
#define TEXT_OF(macro) TEXT(macro)

/* Ranks points of ?1: first by mean (trace NULL), then on each trace. If several equal the best, the next ones follow, too. A
 * point's value is its speed-up over its baseline (1 for the baseline itself), or its IPC if ?3 is not 1. For the mean a point
 * needs all ?2 traces. Baseline cycles come from a window: a join would take time quadratic in the number of points. */
static const char question[] =
    "WITH ran AS MATERIALIZED (SELECT point, baseline, point_position, trace, trace_position, cycles, ipc FROM kernel "
    "WHERE experiment = ?1), "
    "referred AS (SELECT *, coalesce(baseline, point) AS reference, 0 AS refers FROM ran UNION ALL SELECT *, point, 1 FROM ran), "
    "value AS (SELECT trace, trace_position, point, point_position, iif(?3 = '1', 1.0 * reference_cycles / cycles, ipc) AS value "
    "FROM (SELECT *, max(cycles) FILTER (WHERE refers) OVER (PARTITION BY trace, reference) AS reference_cycles FROM referred) "
    "WHERE NOT refers AND (?3 <> '1' OR baseline NOT NULL OR point IN (SELECT baseline FROM ran))), "
    "compared AS (SELECT * FROM value WHERE value > 0 UNION ALL "
    "SELECT NULL, NULL, point, point_position, exp(avg(ln(value))) FROM value WHERE value > 0 GROUP BY point, point_position "
    "HAVING count(*) = CAST(?2 AS INTEGER)), "
    "placed AS (SELECT *, row_number() OVER best_first AS place, first_value(value) OVER best_first AS best, "
    "count(*) OVER (PARTITION BY trace) AS points FROM compared "
    "WINDOW best_first AS (PARTITION BY trace ORDER BY value DESC, point_position)), "
    "tied AS (SELECT *, count(*) FILTER (WHERE value > best * (1 - 1e-12)) OVER (PARTITION BY trace) AS equal FROM placed) "
    "SELECT trace, place, point, value, 100 * (1 - value / best), points, equal FROM tied "
    "WHERE points > 1 AND (place <= " TEXT_OF(SHOWN) " OR place = equal + 1) ORDER BY trace NOT NULL, trace_position, trace, place";

enum { COLUMN_TRACE, COLUMN_PLACE, COLUMN_POINT, COLUMN_VALUE, COLUMN_BEHIND, COLUMN_POINTS, COLUMN_EQUAL };

/* A difference that prints as 0.0. */
static const double LEAST_SHOWN = 0.05;

struct headline {
    const struct ws_experiment *experiment;
    struct ws_text *out;
    struct cli_table traces;
    bool gains; /* over baselines; else IPC */
};

/* Number of points equal to the best. */
static int equals(const struct ws_results_row *row)
{
    return atoi(row->values[COLUMN_EQUAL]);
}

/* Whether all are equal. */
static bool all_equal(const struct ws_results_row *row)
{
    return strcmp(row->values[COLUMN_EQUAL], row->values[COLUMN_POINTS]) == 0;
}

static double shown(const struct headline *headline, double value)
{
    return headline->gains ? 100 * (value - 1) : value;
}

/* Behind the first: "; POINT" for points equal to it, then the gaps of the next ones. */
static void add_next(const struct ws_results_row *row, int place, struct ws_text *out)
{
    const double behind = strtod(row->values[COLUMN_BEHIND], NULL);
    const int equal = equals(row);
    if (place <= equal) {
        ws_text_add(out, "; %s", row->values[COLUMN_POINT]);
        return;
    }
    if (place == equal + 1 && equal > SHOWN)
        ws_text_add(out, " and %d more", equal - SHOWN);
    ws_text_add(out, "%s %s, ", place == equal + 1 ? "; next:" : ";", row->values[COLUMN_POINT]);
    ws_text_add(out, behind < LEAST_SHOWN ? "under %.1f %% behind" : "%.1f %% behind", behind < LEAST_SHOWN ? 0.1 : behind);
}

static void add_mean(struct headline *headline, const struct ws_results_row *row, int place)
{
    const struct ws_experiment *const experiment = headline->experiment;
    const double value = shown(headline, strtod(row->values[COLUMN_VALUE], NULL));
    const size_t points = strtoull(row->values[COLUMN_POINTS], NULL, 10);
    struct ws_text *const out = headline->out;
    const bool equal = all_equal(row);
    if (place > 1) {
        if (!equal)
            add_next(row, place, out);
        return;
    }
    if (equal)
        ws_text_add(out, "all points are equal");
    else
        ws_text_add(out, "best");
    if (experiment->trace_count > 1)
        ws_text_add(out, " on the geometric mean of %zu traces", experiment->trace_count);
    if (points < experiment->point_count)
        ws_text_add(out, ", of the %zu points of %zu that can be compared", points, experiment->point_count);
    if (equal)
        ws_text_add(out, headline->gains ? ": %+.1f %% over their baselines" : ": IPC %.3f", value);
    else if (equals(row) == 1)
        ws_text_add(out, headline->gains ? ": %s, %+.1f %% over its baseline" : ": %s, IPC %.3f", row->values[COLUMN_POINT], value);
    else
        ws_text_add(out,
                    headline->gains ? ": %d equal points, %+.1f %% over their baselines: %s" : ": %d equal points, IPC %.3f: %s",
                    equals(row), value, row->values[COLUMN_POINT]);
}

/* A trace's row of the table: the best, then the second. */
static void add_trace(struct headline *headline, const struct ws_results_row *row, int place)
{
    struct cli_table *const table = &headline->traces;
    if (place > 2)
        return;
    if (place == 1)
        cli_table_text(table, row->values[COLUMN_TRACE]);
    cli_table_text(table, all_equal(row) ? (place == 1 ? "all equal" : "-") : row->values[COLUMN_POINT]);
    if (place == 1)
        cli_table_real(table, shown(headline, strtod(row->values[COLUMN_VALUE], NULL)), headline->gains ? 1 : 3);
    else if (equals(row) > 1 && !all_equal(row))
        cli_table_text(table, "equal");
    else
        cli_table_real(table, strtod(row->values[COLUMN_BEHIND], NULL), 1);
}

static enum ws_status take_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct headline *const headline = context;
    (void)error;
    (row->values[COLUMN_TRACE] ? add_trace : add_mean)(headline, row, atoi(row->values[COLUMN_PLACE]));
    return WS_STATUS_ok;
}

static bool has_baselines(const struct ws_experiment *experiment)
{
    for (size_t n = 0; n < experiment->point_count; n++)
        if (experiment->points[n].baseline)
            return true;
    return false;
}

enum ws_status cli_sweep_headline(const char *results, const struct ws_experiment *experiment, u32 run, struct ws_text *out,
                                  struct ws_error *error)
{
    const bool gains = has_baselines(experiment);
    struct headline headline = {.experiment = experiment,
                                .out = out,
                                .gains = gains,
                                .traces.columns = {"trace", "best", gains ? "gain, %" : "IPC", "second", "behind, %"}};
    char traces[24], number[24];
    const char *const parameters[] = {experiment->name, traces, gains ? "1" : "0", NULL};
    struct ws_results *file;
    const size_t before = out->length;
    snprintf(traces, sizeof traces, "%zu", experiment->trace_count);
    WS_TRY(ws_results_open(results, WS_RESULTS_READ, &file, error));
    snprintf(number, sizeof number, "%u", run);
    enum ws_status status = ws_results_choose_run(file, number, error);
    WS_THEN(status, ws_results_query(file, question, parameters, take_row, &headline, error));
    if (out->length > before)
        ws_text_add(out, "\n");
    if (experiment->trace_count > 1 && headline.traces.count > 0)
        cli_table_print(&headline.traces, out);
    cli_table_free(&headline.traces);
    ws_results_close(file, NULL);
    return status;
}

bool cli_sweep_variants(const struct ws_sweep_estimate *estimate, struct ws_text *out)
{
    size_t count, shown = 0;
    const struct ws_variant *const variant = ws_variants(&count);
    for (size_t n = 0; n < count && n < sizeof estimate->variants / sizeof *estimate->variants; n++)
        if (estimate->variants[n] > 0)
            ws_text_add(out, "%s %s %s %s %s (%zu jobs)", shown++ > 0 ? "," : "", variant[n].pipeline, variant[n].divergence,
                        variant[n].policy, variant[n].dispatch, estimate->variants[n]);
    return shown > 0;
}

long cli_sweep_cores(const struct ws_engine_options *engine)
{
    const long cores = engine->threads ? (long)engine->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? cores : 1;
}
