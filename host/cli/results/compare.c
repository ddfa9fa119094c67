#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/results/runs.h"
#include "cli/table.h"
#include "warpsweep/results.h"

enum {
    KEY_FORMAT = 0x1000,
    KEY_METRIC,
    KEY_TOLERANCE,
    KEY_DIGESTS,
    KEY_RUN,
    KEY_POINT_A,
    KEY_POINT_B,
    KEY_TRACE_A,
    KEY_TRACE_B,
    TEXT_DIGITS = 4,
    JSON_DIGITS = 12,
    DIFFERENCE_EXIT = 1,
    TROUBLE_EXIT = 2
};

struct arguments {
    const char *a, *b;
    const char **metrics; /* room for all arguments */
    struct ws_compare_options options;
    bool json, digests;
};

/* Results, in printed form. */
struct findings {
    struct cli_table notes, points, changes, others;
    struct cli_table differences; /* notes, for people */
    bool digests;                 /* of traces and machines, also for people */
    int digits;
};

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, CLI_TEXT_OR_JSON, 0, "output format; default text", 0},
    {"metric", KEY_METRIC, "NAME", 0, "counter or metric to compare, or all; may be repeated; default cycles and ipc", 0},
    {"digests", KEY_DIGESTS, NULL, 0, "also print digests of traces and machines that differ", 0},
    {"tolerance", KEY_TOLERANCE, "PERCENT", 0, "ignore differences of up to PERCENT of the value in A; default 0", 0},
    {"run", KEY_RUN, "N[,M]", 0, "compare run N of A with run M of B; M defaults to N; default newest", 0},
    {"point-a", KEY_POINT_A, "NAME", 0, "compare this point of A only, with --point-b of B", 1},
    {"point-b", KEY_POINT_B, "NAME", 0, "point of B; of A, if B is not given", 1},
    {"trace-a", KEY_TRACE_A, "NAME", 0, "compare this trace of A only, with --trace-b of B", 1},
    {"trace-b", KEY_TRACE_B, "NAME", 0, "trace of B; of A, if B is not given", 1},
    {0},
};

static double parse_percent(struct argp_state *state, const char *text)
{
    char *end;
    const double percent = strtod(text, &end);
    if (end == text || *end || !isfinite(percent) || percent < 0)
        argp_error(state, "--tolerance: found '%s', allowed is a percentage from 0", text);
    return percent;
}

static error_t take_file(struct arguments *arguments, char *file, struct argp_state *state)
{
    const char **const place = arguments->a ? &arguments->b : &arguments->a;
    if (*place)
        argp_error(state, "only two results files at a time; '%s' is one too many", file);
    *place = file;
    return 0;
}

/* "N" or "N,M". */
static void take_runs(struct ws_compare_options *compare, char *runs, struct argp_state *state)
{
    static const char digits[] = "0123456789";
    char *const comma = strchr(runs, ',');
    const char *const second = comma ? comma + 1 : runs;
    if (!*second || second[strspn(second, digits)] || strspn(runs, digits) != (comma ? (size_t)(comma - runs) : strlen(runs)) ||
        comma == runs)
        argp_error(state, "--run: found '%s', allowed is N (run N of both), or N,M (run N of A and run M of B)", runs);
    compare->run_a = runs;
    compare->run_b = second;
    if (comma)
        *comma = 0;
}

static void check_pairs(const struct ws_compare_options *compare, struct argp_state *state)
{
    if (!compare->point_a != !compare->point_b)
        argp_error(state, "--point-a and --point-b go together");
    if (!compare->trace_a != !compare->trace_b)
        argp_error(state, "--trace-a and --trace-b go together");
}

/* File with a point or trace. */
static const char **choice(struct ws_compare_options *compare, int key)
{
    const char **const places[] = {&compare->point_a, &compare->point_b, &compare->trace_a, &compare->trace_b};
    return places[key - KEY_POINT_A];
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_FORMAT:
        arguments->json = cli_parse_json(state, argument);
        return 0;
    case KEY_METRIC:
        arguments->metrics[arguments->options.metric_count++] = argument;
        return 0;
    case KEY_DIGESTS:
        arguments->digests = true;
        return 0;
    case KEY_RUN:
        take_runs(&arguments->options, argument, state);
        return 0;
    case KEY_TOLERANCE:
        arguments->options.tolerance = parse_percent(state, argument) / 100;
        return 0;
    case KEY_POINT_A:
    case KEY_POINT_B:
    case KEY_TRACE_A:
    case KEY_TRACE_B:
        *choice(&arguments->options, key) = argument;
        return 0;
    case ARGP_KEY_ARG:
        return take_file(arguments, argument, state);
    case ARGP_KEY_END:
        check_pairs(&arguments->options, state);
        if (arguments->a && !arguments->b &&
            (arguments->options.point_a || arguments->options.trace_a || arguments->options.run_b != arguments->options.run_a))
            arguments->b = arguments->a;
        if (!arguments->b)
            argp_error(state,
                       "found %s, allowed are two files, or one with --run N,M, --point-a and --point-b, or --trace-a and "
                       "--trace-b",
                       arguments->a ? "one file" : "no file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Differences ---- */

/* One line for people: "dram.row_hit 100 -> 90", and its points. Machines of points are identified by their parameters. */
static void add_difference(struct findings *findings, const struct ws_compare_note *note)
{
    const bool machine = strcmp(note->kind, "machine of point") == 0, trace = strcmp(note->kind, "trace") == 0;
    struct ws_text what = {0}, where = {0};
    if (machine && !findings->digests)
        return;
    ws_text_add(&what, trace && !findings->digests ? "contents of trace" : "%s %s -> %s", note->kind, note->a, note->b);
    ws_text_add(&where, note->count > 1 ? "%s and %zu more" : "%s", note->name, note->count - 1);
    if (!what.failed && !where.failed) {
        cli_table_text(&findings->differences, note->experiment);
        cli_table_text(&findings->differences, what.data);
        cli_table_text(&findings->differences, where.data);
    }
    findings->differences.failed = findings->differences.failed || what.failed || where.failed;
    ws_text_free(&what);
    ws_text_free(&where);
}

static void add_note(void *context, const struct ws_compare_note *note)
{
    struct cli_table *const table = &((struct findings *)context)->notes;
    add_difference(context, note);
    cli_table_text(table, note->experiment);
    cli_table_text(table, note->kind);
    cli_table_text(table, note->name);
    cli_table_text(table, note->a);
    cli_table_text(table, note->b);
    cli_table_number(table, note->count);
}

static void add_point(void *context, const struct ws_compare_point *point)
{
    const struct findings *const findings = context;
    struct cli_table *const table = &((struct findings *)context)->points;
    cli_table_text(table, point->experiment);
    cli_table_text(table, point->point);
    cli_table_text(table, point->metric);
    cli_table_number(table, point->kernels);
    cli_table_number(table, point->changed);
    cli_table_real(table, point->ratio, findings->digits);
}

static void add_change(void *context, const struct ws_compare_change *change)
{
    const struct findings *const findings = context;
    struct cli_table *const table = &((struct findings *)context)->changes;
    const int digits = change->whole ? 0 : findings->digits;
    cli_table_text(table, change->experiment);
    cli_table_text(table, change->point);
    cli_table_text(table, change->trace);
    cli_table_number(table, change->shards);
    cli_table_text(table, change->metric);
    cli_table_real(table, change->a, digits);
    cli_table_real(table, change->b, digits);
    cli_table_real(table, 100 * change->difference, findings->digits);
}

static void add_other(void *context, const struct ws_compare_other *other)
{
    struct cli_table *const table = &((struct findings *)context)->others;
    cli_table_text(table, other->experiment);
    cli_table_text(table, other->point);
    cli_table_text(table, other->trace);
    cli_table_number(table, other->shards);
    cli_table_text(table, other->a ? other->a : "missing");
    cli_table_text(table, other->b ? other->b : "missing");
}

/* ---- Printing ---- */

static void add_table(const struct cli_table *table, const char *title, struct ws_text *out)
{
    if (table->count == 0)
        return;
    ws_text_add(out, "\n%s:\n", title);
    cli_table_print(table, out);
}

/* Merges differences that are equal except for the point, and kernels equal except for the trace. */
static void group(struct findings *findings)
{
    enum { COLUMN_POINT = 1, COLUMN_TRACE = 2 };
    cli_table_group(&findings->points, COLUMN_POINT);
    cli_table_group(&findings->changes, COLUMN_POINT);
    cli_table_group(&findings->others, COLUMN_TRACE);
    cli_table_group(&findings->others, COLUMN_POINT);
}

static void add_text(const struct arguments *arguments, const struct ws_compare_summary *summary, struct findings *findings,
                     struct ws_text *out)
{
    group(findings);
    ws_text_add(out, "A: %s", arguments->a);
    cli_add_runs(arguments->a, arguments->options.run_a, out);
    ws_text_add(out, "\nB: %s", arguments->b);
    cli_add_runs(arguments->b, arguments->options.run_b, out);
    ws_text_add(out, "\n");
    ws_text_add(out, "kernels: %zu the same, %zu changed, %zu failed in one, %zu only in A, %zu only in B\n", summary->same,
                summary->changed, summary->failed, summary->only_a, summary->only_b);
    add_table(&findings->differences, "the experiments differ in", out);
    add_table(&findings->points, "points that have changed, and the geometric mean of B / A", out);
    add_table(&findings->changes, "kernels that have changed", out);
    add_table(&findings->others, "kernels that have failed or are missing", out);
}

static void add_json(const struct arguments *arguments, const struct ws_compare_summary *summary, struct findings *findings,
                     struct ws_text *out)
{
    struct ws_json json = {.text = out};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "schema", 1);
    ws_json_text(&json, "a", arguments->a);
    ws_json_text(&json, "b", arguments->b);
    cli_add_json_runs("a_runs", arguments->a, arguments->options.run_a, &json);
    cli_add_json_runs("b_runs", arguments->b, arguments->options.run_b, &json);
    ws_json_real(&json, "tolerance", 100 * arguments->options.tolerance);
    ws_json_unsigned(&json, "same", summary->same);
    ws_json_unsigned(&json, "changed", summary->changed);
    ws_json_unsigned(&json, "failed", summary->failed);
    ws_json_unsigned(&json, "only_a", summary->only_a);
    ws_json_unsigned(&json, "only_b", summary->only_b);
    cli_table_json(&findings->notes, "notes", &json);
    cli_table_json(&findings->points, "points", &json);
    cli_table_json(&findings->changes, "changes", &json);
    cli_table_json(&findings->others, "others", &json);
    ws_json_end_object(&json);
}

static int compare(const struct arguments *arguments)
{
    struct findings findings = {.notes.columns = {"experiment", "what", "name", "a", "b", "count"},
                                .points.columns = {"experiment", "point", "metric", "kernels", "changed", "ratio"},
                                .changes.columns = {"experiment", "point", "trace", "shards", "metric", "a", "b", "percent"},
                                .others.columns = {"experiment", "point", "trace", "shards", "a", "b"},
                                .differences.columns = {"experiment", "A -> B", "where"},
                                .digests = arguments->digests,
                                .digits = arguments->json ? JSON_DIGITS : TEXT_DIGITS};
    const struct ws_compare_sink sink = {WS_STRUCT(compare_sink), .note = add_note,   .point = add_point,
                                         .change = add_change,    .other = add_other, .context = &findings};
    struct ws_compare_summary summary;
    struct ws_error error;
    struct ws_text out = {0};
    if (!arguments->options.run_a) {
        cli_note_runs(arguments->a);
        cli_note_runs(arguments->b);
    }
    const enum ws_status status = ws_results_compare(arguments->a, arguments->b, &arguments->options, &sink, &summary, &error);
    if (status == WS_STATUS_ok)
        (arguments->json ? add_json : add_text)(arguments, &summary, &findings, &out);
    cli_table_free(&findings.notes);
    cli_table_free(&findings.points);
    cli_table_free(&findings.changes);
    cli_table_free(&findings.others);
    cli_table_free(&findings.differences);
    if (status != WS_STATUS_ok) {
        cli_fail(&error);
        return TROUBLE_EXIT;
    }
    if (cli_print(&out) != 0)
        return TROUBLE_EXIT;
    return summary.changed + summary.failed + summary.only_a + summary.only_b > 0 ? DIFFERENCE_EXIT : 0;
}

const struct argp cli_compare_argp = {.options = options,
                                      .parser = parse,
                                      .args_doc = "A.db B.db",
                                      .doc = "Compare two results files: parameters and traces that differ, and the change of each "
                                             "metric at every point and trace. Exit status: 0 if results are equal, 1 if they "
                                             "differ, 2 on errors."};

int cli_compare(int argc, char **argv)
{
    struct arguments arguments = {.metrics = calloc((size_t)argc, sizeof *arguments.metrics),
                                  .options = {WS_STRUCT(compare_options)}};
    if (!arguments.metrics) {
        cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
        return TROUBLE_EXIT;
    }
    arguments.options.metrics = arguments.metrics;
    argp_parse(&cli_compare_argp, argc, argv, 0, NULL, &arguments);
    const int exit_code = compare(&arguments);
    free(arguments.metrics);
    return exit_code;
}
