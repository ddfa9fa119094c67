/* Results files: SQLite databases with the results of sweeps (docs/results.md). One thread at a time may use a struct ws_results;
 * several threads or processes may open the same file. */
#ifndef WARPSWEEP_RESULTS_H
#define WARPSWEEP_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "warpsweep/machine.h"
#include "warpsweep/status.h"

struct ws_results;

/* READ requires an existing file and does not change it; WRITE creates the file if missing. */
enum ws_results_access { WS_RESULTS_READ, WS_RESULTS_WRITE };

/* Opens a results file. A file of a build with other parameters, defaults or counters is upgraded to this build: missing parameters
 * get their defaults, missing counters are NULL, columns unknown to this build stay, old names are replaced. READ upgrades a
 * temporary copy, which later changes of the file do not reach. A file that is no database, not from warpsweep, or of another
 * layout is WS_STATUS_bad_input; one that cannot be opened, read or written is WS_STATUS_no_file. Several processes may have one
 * file open. *results must be closed. */
enum ws_status ws_results_open(const char *path, enum ws_results_access access, struct ws_results **results,
                               struct ws_error *error);

/* Leaves a single file, without a log, unless another process still uses it. Frees results in every case; NULL is allowed. */
enum ws_status ws_results_close(struct ws_results *results, struct ws_error *error);

/* The same after a failure: removes the file if this created it (or found it empty), unless it has an experiment. */
void ws_results_abandon(struct ws_results *results);

/* Selects the run of each experiment that the views of a file opened for reading show, by number ("2"), or "all"; runs with a later
 * one are called "NAME (run N)". By default views show the newest run of each. An unknown run is WS_STATUS_usage. */
enum ws_status ws_results_choose_run(struct ws_results *results, const char *run, struct ws_error *error);

/* Whether the views have an experiment of this name. */
enum ws_status ws_results_has(struct ws_results *results, const char *experiment, bool *has, struct ws_error *error);

/* Adds the derived views (docs/sql.md: workload, configuration, measure, pair, application) to one connection, once. With an
 * experiment, all views show it alone, and queries are faster. Does not change the file. */
enum ws_status ws_results_derive(struct ws_results *results, const char *experiment, struct ws_error *error);

/* Adds a temporary table from CSV (RFC 4180, names first), whose text is modified; runs a script of CREATE TEMP VIEW. file is for
 * messages. Errors in either are WS_STATUS_bad_input. */
enum ws_status ws_results_table(struct ws_results *results, const char *name, const char *file, char *text, struct ws_error *error);
enum ws_status ws_results_script(struct ws_results *results, const char *script, const char *file, struct ws_error *error);

/* A row of an answer; texts are valid until the callback returns; SQL's NULL is NULL. */
struct ws_results_row {
    size_t count;
    const char **names;
    const char **values;
    const bool *numbers; /* whether a value is a number, with SQLite's 15 digits */
};

/* Runs one SQL query over the tables and views of docs/results.md; anything but a single statement that only reads is
 * WS_STATUS_usage. parameters (NULL, or texts ended by NULL) are bound to ?1, ?2, ... Calls row for each row of the answer; a
 * status other than WS_STATUS_ok ends the query and is returned. */
enum ws_status ws_results_query(struct ws_results *results, const char *sql, const char *const *parameters,
                                enum ws_status (*row)(void *context, const struct ws_results_row *row, struct ws_error *error),
                                void *context, struct ws_error *error);

/* A metric: a column of the views `result` and `kernel` computed from counters. */
struct ws_metric {
    const char *name, *unit, *doc;
};
const struct ws_metric *ws_metrics(size_t *count);

/* Evaluates every metric, in the order of ws_metrics, for the WS_COUNTERS counters of one job on the machine, by the expressions of
 * the view `result`. values has one element for each metric; NaN if the denominator is 0. Fails only without memory. */
enum ws_status ws_metric_values(const struct ws_machine *machine, const u64 *counters, double *values, struct ws_error *error);

/* The same for many jobs of one machine, with prepared expressions. A failed open leaves *query NULL; close takes NULL. */
struct ws_metric_query;
enum ws_status ws_metric_query_open(const struct ws_machine *machine, struct ws_metric_query **query, struct ws_error *error);
enum ws_status ws_metric_query_values(struct ws_metric_query *query, const u64 *counters, double *values, struct ws_error *error);
void ws_metric_query_close(struct ws_metric_query *query);

/* Format of a table: comma-separated values (RFC 4180, LF line ends, names first, an empty field for NULL), or one JSON object for
 * each line. */
enum ws_export_format { WS_EXPORT_CSV, WS_EXPORT_JSON_LINES };

/* What to export; zero is all of the view `result` as CSV. */
struct ws_export_options {
    size_t struct_size;            /* WS_STRUCT(export_options) */
    const char *view;              /* "result", "kernel", "speedup", "block", "warp", "sort" or "run"; NULL is "result" */
    const char *columns;           /* "a,b,c": names of the view's columns, or dotted keys of parameters; NULL is all */
    const char *const *conditions; /* "COLUMN OP VALUE", OP one of = != < <= > >= ~ (docs/results.md); all must hold */
    size_t condition_count;
    enum ws_export_format format;
    const char *run; /* as of ws_results_choose_run; NULL for the newest */
    size_t *rows;    /* receives the number of rows written; may be NULL */
};

/* Writes a view in the order of experiments, points, traces, shards. options may be NULL for zero ones. An unknown view or column,
 * or an invalid condition, is WS_STATUS_usage, and nothing is written; a failed write is WS_STATUS_no_file. */
enum ws_status ws_results_export(struct ws_results *results, const struct ws_export_options *options, FILE *out,
                                 struct ws_error *error);

/* Writes the answer to an SQL query (ws_results_query) in that format; nothing for an answer without rows. */
enum ws_status ws_results_answer(struct ws_results *results, const char *sql, enum ws_export_format format, FILE *out,
                                 struct ws_error *error);

/* ---- Merging files ---- */

/* What happened to the jobs of a merged file. */
struct ws_merge_counts {
    size_t taken, dropped; /* dropped: another file has the same job */
    size_t searches;       /* runs of searches: not merged, their points are */
};

struct ws_merge_options {
    size_t struct_size;           /* WS_STRUCT(merge_options) */
    bool (*go_on)(void *context); /* polled before every job: false interrupts; may be NULL */
    void *context;
};

/* Merges the experiments and jobs of results files into output, which is created if missing and must be none of them; on failure
 * output is unchanged. A job in several files is taken once: one with a final status before one without, else that of the first
 * file, output being first. Equal jobs with different counters or final statuses, and experiments of one name that differ in
 * points, traces, shards or model version, are conflicts: WS_STATUS_failed, with the first in the message and the number of the
 * others. Inputs are only read, and sweeps may write to them meanwhile; files are refused as by ws_results_open. Fills counts, one
 * for each input, *kept (jobs that output had and still has) and *jobs (its jobs now). options may be NULL. */
enum ws_status ws_results_merge(const char *output, const char *const *inputs, size_t count, const struct ws_merge_options *options,
                                struct ws_merge_counts *counts, size_t *kept, size_t *jobs, struct ws_error *error);

/* ---- Comparing two files ---- */

/* What to compare; zero is cycles and ipc, exactly. */
struct ws_compare_options {
    size_t struct_size;         /* WS_STRUCT(compare_options) */
    const char *const *metrics; /* numeric columns of the view `kernel`: counters and metrics; "all" alone is every one of them */
    size_t metric_count;        /* 0 is cycles and ipc */
    const char *run_a, *run_b;  /* as of ws_results_choose_run, a number; NULL for the newest */
    const char *point_a, *point_b; /* only this point of A (l1.size=16K is l1.size=16384), compared with that of B; NULL for all */
    const char *trace_a, *trace_b; /* the same for traces */
    double tolerance;              /* a metric counts as changed if it differs by more than this fraction of its value in A */
};

/* Kernels (a trace at a point of an experiment, all its shards) of both files. Kernels that are incomplete in both files are not
 * counted. */
struct ws_compare_summary {
    size_t same;           /* all metrics agree, or both failed alike */
    size_t changed;        /* a metric differs */
    size_t failed;         /* succeeded in one file only, or failed differently */
    size_t only_a, only_b; /* has run in one file only */
};

/* A difference in something that the files should have in common, the usual cause of changes. */
struct ws_compare_note {
    const char *experiment;
    const char *kind;  /* "model version", "shards", "trace", "machine of point", "counters of point", or a parameter ("l1.size") */
    const char *name;  /* of the first trace or point; "" if there is only one */
    const char *a, *b; /* its values, digests of traces and machines; whether "all" counters were measured or "some" */
    size_t count;      /* number of differences of the kind; for a parameter, number of points with these two values */
};

/* A metric at a point, over the kernels that succeeded in both files. Only points with changes are reported. */
struct ws_compare_point {
    const char *experiment, *point, *metric;
    size_t kernels, changed;
    double ratio; /* geometric mean of B / A; NaN without values above 0 */
};

/* A metric that has changed. */
struct ws_compare_change {
    const char *experiment, *point, *trace;
    size_t shards;
    const char *metric;
    bool whole;        /* a counter: a and b are whole numbers */
    double a, b;       /* NaN for NULL */
    double difference; /* (b - a) / a; NaN if a is 0 or a value is NULL */
};

/* A kernel that failed in one file or has run in one only: its statuses; NULL if it has not run. */
struct ws_compare_other {
    const char *experiment, *point, *trace;
    size_t shards;
    const char *a, *b;
};

/* Receives the findings in this order: notes by experiment, then parameters by experiment; points in their order; changes, largest
 * difference first; others in their order. Texts are valid until the function returns. */
struct ws_compare_sink {
    size_t struct_size; /* WS_STRUCT(compare_sink) */
    void (*note)(void *context, const struct ws_compare_note *note);
    void (*point)(void *context, const struct ws_compare_point *point);
    void (*change)(void *context, const struct ws_compare_change *change);
    void (*other)(void *context, const struct ws_compare_other *other);
    void *context;
};

/* Compares the kernels of two results files by experiment, point, trace and number of shards, and fills *summary. options may be
 * NULL for zero ones. Both files are only read, and sweeps may write to them meanwhile. An unknown metric is WS_STATUS_usage; files
 * are refused as by ws_results_open. */
enum ws_status ws_results_compare(const char *a, const char *b, const struct ws_compare_options *options,
                                  const struct ws_compare_sink *sink, struct ws_compare_summary *summary, struct ws_error *error);

#endif
