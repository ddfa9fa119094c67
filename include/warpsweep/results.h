/* Results files: SQLite databases of what sweeps found (docs/results.md). A struct ws_results is used by one thread at a time;
 * several threads or processes may each open the same file. */
#ifndef WARPSWEEP_RESULTS_H
#define WARPSWEEP_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "warpsweep/machine.h"
#include "warpsweep/status.h"

struct ws_results;

/* READ needs an existing file and changes nothing; WRITE makes the file when it is not there. */
enum ws_results_access { WS_RESULTS_READ, WS_RESULTS_WRITE };

/* Opens a results file. One of a build with other parameters, defaults or counters is brought up to this build: parameters that it
 * lacks have their default, counters are NULL, what this build does not know stays; READ does so in a temporary copy, which later
 * changes of the file do not reach. What is no database, not ours or of another layout is WS_STATUS_bad_input; what cannot be
 * opened, read or written is WS_STATUS_no_file. Several processes may have one file open. *results is to be closed. */
enum ws_status ws_results_open(const char *path, enum ws_results_access access, struct ws_results **results,
                               struct ws_error *error);

/* Leaves one file behind, without a log, unless another process still uses it. Frees results in every case; NULL is allowed. */
enum ws_status ws_results_close(struct ws_results *results, struct ws_error *error);

/* The same after a failure: a file that was made by this (or was empty) is removed, unless it has an experiment. */
void ws_results_abandon(struct ws_results *results);

/* Makes the views of a file that is only read show a run of each experiment, by number ("2"), or "all" of them; those with a later
 * one are called "NAME (run N)" beside it. Without this the views show the newest of each. A run that no experiment has is
 * WS_STATUS_usage. */
enum ws_status ws_results_choose_run(struct ws_results *results, const char *run, struct ws_error *error);

/* Whether the views have an experiment of this name. */
enum ws_status ws_results_has(struct ws_results *results, const char *experiment, bool *has, struct ws_error *error);

/* Adds the views that follow from others (docs/sql.md: workload, configuration, measure, pair, application), for one connection;
 * once. With an experiment they and those of docs/results.md show it alone, and are asked faster. Changes nothing in the file. */
enum ws_status ws_results_derive(struct ws_results *results, const char *experiment, struct ws_error *error);

/* Adds a temporary table of CSV (RFC 4180, names first), which is changed; runs a script of CREATE TEMP VIEW. file is for messages.
 * What they hold that is wrong is WS_STATUS_bad_input. */
enum ws_status ws_results_table(struct ws_results *results, const char *name, const char *file, char *text, struct ws_error *error);
enum ws_status ws_results_script(struct ws_results *results, const char *script, const char *file, struct ws_error *error);

/* A row of an answer; texts are valid until the callback returns, a value is NULL for SQL's NULL. */
struct ws_results_row {
    size_t count;
    const char **names;
    const char **values;
    const bool *numbers; /* whether a value is a number, as SQLite writes it: 15 digits */
};

/* Asks one question in SQL over the tables and views of docs/results.md; what is no single statement, writes, or attaches a file is
 * WS_STATUS_usage. parameters (NULL, or texts ended by NULL) are bound to ?1,
 * ?2, ... Calls row for each row of the answer; what it returns other than WS_STATUS_ok ends the query and is returned. */
enum ws_status ws_results_query(struct ws_results *results, const char *sql, const char *const *parameters,
                                enum ws_status (*row)(void *context, const struct ws_results_row *row, struct ws_error *error),
                                void *context, struct ws_error *error);

/* A metric: a column of the views `result` and `kernel` that is derived from counters. */
struct ws_metric {
    const char *name, *unit, *doc;
};
const struct ws_metric *ws_metrics(size_t *count);

/* Evaluates every metric, in the order of ws_metrics, for the WS_COUNTERS counters of one job on the machine: the same expressions
 * that make the columns of the view `result`. values has one element a metric; not a number where the denominator is 0. Fails for
 * want of memory only. */
enum ws_status ws_metric_values(const struct ws_machine *machine, const u64 *counters, double *values, struct ws_error *error);

/* The same for many jobs of one machine, for which the expressions are prepared once. Failing to open leaves *query NULL; closing
 * takes NULL. */
struct ws_metric_query;
enum ws_status ws_metric_query_open(const struct ws_machine *machine, struct ws_metric_query **query, struct ws_error *error);
enum ws_status ws_metric_query_values(struct ws_metric_query *query, const u64 *counters, double *values, struct ws_error *error);
void ws_metric_query_close(struct ws_metric_query *query);

/* How a table is written: comma-separated values (RFC 4180, lines ended by LF, names first, an empty field for NULL), or one JSON
 * object a line. */
enum ws_export_format { WS_EXPORT_CSV, WS_EXPORT_JSON_LINES };

/* What of a results file is written; zero is all of the view `result` as CSV. */
struct ws_export_options {
    size_t struct_size;            /* WS_STRUCT(export_options) */
    const char *view;              /* "result", "kernel", "speedup", "block", "warp", "sort" or "run"; NULL is "result" */
    const char *columns;           /* "a,b,c": names of the view's columns, or dotted keys of parameters; NULL is all */
    const char *const *conditions; /* "COLUMN OP VALUE", OP one of = != < <= > >= ~ (docs/results.md); all must hold */
    size_t condition_count;
    enum ws_export_format format;
    const char *run; /* as of ws_results_choose_run; NULL for the newest */
    size_t *rows;    /* receives how many rows were written; NULL for nothing */
};

/* Writes a view in the order of experiments, points, traces, shards. options may be NULL for zero ones. A view, column or condition
 * that makes no sense is WS_STATUS_usage, and nothing is written; a stream that takes no more is WS_STATUS_no_file. */
enum ws_status ws_results_export(struct ws_results *results, const struct ws_export_options *options, FILE *out,
                                 struct ws_error *error);

/* Writes the answer to a question in SQL (ws_results_query) in that format; nothing for an answer without rows. */
enum ws_status ws_results_answer(struct ws_results *results, const char *sql, enum ws_export_format format, FILE *out,
                                 struct ws_error *error);

/* ---- Merging files ---- */

/* What became of the jobs of a file that is merged. */
struct ws_merge_counts {
    size_t taken, dropped; /* dropped: another file has the same job */
};

struct ws_merge_options {
    size_t struct_size;           /* WS_STRUCT(merge_options) */
    bool (*go_on)(void *context); /* asked before every job; may be NULL */
    void *context;
};

/* Adds the experiments and jobs of results files to output, which is made when it is not there and is none of them; all or nothing:
 * where it fails, output is as it was. A job that several files have is taken once: one with a final status before one without,
 * else that of the first file, output being before all. Jobs that are the same and have other counters or another final status, and
 * experiments of one name that differ in points, traces, shards or model version, are conflicts: WS_STATUS_failed, with the first
 * in the message and the number of the others. Inputs are only read, and may be written by sweeps at the same time; files are
 * refused as ws_results_open does. Fills counts, one for each input, *kept (jobs that output had and still has) and *jobs (what it
 * has now). options may be NULL; when go_on says no, WS_STATUS_interrupted. */
enum ws_status ws_results_merge(const char *output, const char *const *inputs, size_t count, const struct ws_merge_options *options,
                                struct ws_merge_counts *counts, size_t *kept, size_t *jobs, struct ws_error *error);

/* ---- Comparing two files ---- */

/* What of two files is compared; zero is cycles and ipc, exactly. */
struct ws_compare_options {
    size_t struct_size;            /* WS_STRUCT(compare_options) */
    const char *const *metrics;    /* numeric columns of the view `kernel`: counters, metrics; "all" alone is every one of them */
    size_t metric_count;           /* 0 is cycles and ipc */
    const char *run_a, *run_b;     /* as of ws_results_choose_run, a number; NULL for the newest */
    const char *point_a, *point_b; /* only this point of A (l1.size=16K is l1.size=16384), with that of B; NULL for all */
    const char *trace_a, *trace_b; /* the same of traces */
    double tolerance;              /* a metric changes when it differs by more than that share of its value in A */
};

/* Kernels (a trace at a point of an experiment, all its shards) of both files. Those that neither file has, or has whole, count
 * nowhere. */
struct ws_compare_summary {
    size_t same;           /* all metrics agree, or both failed alike */
    size_t changed;        /* a metric differs */
    size_t failed;         /* ended well in one file only, or failed differently */
    size_t only_a, only_b; /* has run in one file only */
};

/* Something that the files should have in common and have not, the usual reason of changes. */
struct ws_compare_note {
    const char *experiment;
    const char *kind;  /* "model version", "shards", "trace", "machine of point", "counters of point", or a parameter ("l1.size") */
    const char *name;  /* of the first trace or point; "" where there is but one */
    const char *a, *b; /* its values, digests of traces and machines; whether "all" counters were measured or "some" */
    size_t count;      /* how many there are of the kind; of a parameter, how many points have these two values */
};

/* A metric at a point, over the kernels that ended well in both files. Only points where it has changed are reported. */
struct ws_compare_point {
    const char *experiment, *point, *metric;
    size_t kernels, changed;
    double ratio; /* geometric mean of B / A; not a number when there is none above 0 */
};

/* A metric that has changed. */
struct ws_compare_change {
    const char *experiment, *point, *trace;
    size_t shards;
    const char *metric;
    bool whole;        /* a counter: a and b are whole numbers */
    double a, b;       /* not a number for NULL */
    double difference; /* (b - a) / a; not a number when a is 0 or a value NULL */
};

/* A kernel that has failed in one file or has run in one only: how it ended; NULL where it has not run. */
struct ws_compare_other {
    const char *experiment, *point, *trace;
    size_t shards;
    const char *a, *b;
};

/* Who takes what is found, in this order: notes by experiment, then parameters by experiment; points in their order; changes, the
 * largest difference first; others in their order. Texts are valid until the function returns. */
struct ws_compare_sink {
    size_t struct_size; /* WS_STRUCT(compare_sink) */
    void (*note)(void *context, const struct ws_compare_note *note);
    void (*point)(void *context, const struct ws_compare_point *point);
    void (*change)(void *context, const struct ws_compare_change *change);
    void (*other)(void *context, const struct ws_compare_other *other);
    void *context;
};

/* Compares the kernels of two results files by experiment, point, trace and number of shards, and fills *summary. options may be
 * NULL for zero ones. Both files are only read, and may be written by sweeps at the same time. A metric that there is not is
 * WS_STATUS_usage; files are refused as ws_results_open does. */
enum ws_status ws_results_compare(const char *a, const char *b, const struct ws_compare_options *options,
                                  const struct ws_compare_sink *sink, struct ws_compare_summary *summary, struct ws_error *error);

#endif
