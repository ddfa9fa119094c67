/* Tables and views of a results file, generated from the shared tables (docs/results.md). */
#pragma once

#include "base/text.h"

enum {
    WS_RESULTS_APPLICATION = 0x77735231, /* PRAGMA application_id, "wsR1" */
    WS_RESULTS_VERSION = 4,              /* PRAGMA user_version: incremented when the meaning of the layout changes */
    WS_RESULTS_OLDEST = 2                /* oldest that upgrade.h reads; 2: other digests, 3: no runs */
};

/* Final statuses: a job with one would end the same again, so it does not run again. An SQL list. */
#define WS_FINAL_STATUSES "('ok', 'deadlock', 'stack_overflow', 'bad_trace')"

/* Of an SQL row with `experiment` and `job`: whether the job may be one of the experiment's; number of shards that it runs. */
#define WS_JOB_OF_EXPERIMENT                                                                                                       \
    "job.shards = experiment.shards AND job.model_version = experiment.model_version AND (experiment.sampled = 0 OR "              \
    "job.shard < experiment.sampled)"
#define WS_SHARDS_RUN "iif(experiment.sampled > 0, experiment.sampled, experiment.shards)"

/* Add the script that creates the tables of an empty database, and the one that creates or replaces the views. */
void ws_schema_tables(struct ws_text *text);
void ws_schema_views(struct ws_text *text);

/* Adds the script of temporary views that hide these for one connection: of that run, or of all for NULL. */
void ws_schema_chosen_views(struct ws_text *text, const char *run);

/* Adds the script that creates the tables of optional records, claims and searches, which older files lack. */
void ws_schema_records(struct ws_text *text);

/* Add the scripts of the tables of searches, which ws_schema_records includes, and of their views; chosen: temporary ones of
 * searches in the chosen runs. */
void ws_schema_search_tables(struct ws_text *text);
void ws_schema_search_views(struct ws_text *text, bool chosen);

/* Adds " FROM RUNS AS experiment JOIN ... JOIN job": jobs by experiment. */
void ws_schema_add_jobs(struct ws_text *text, const char *runs);

/* Adds a SELECT of rows like those of the view `kernel`, over all runs: point_position, trace_position, and those columns of
 * parameters, counters and metrics that occur in sql. condition: SQL over experiment, point, experiment_trace and job. */
void ws_schema_kernel_rows(struct ws_text *text, const char *sql, const char *condition);

/* Adds INSERT OR IGNORE of a machine (digest, then its parameters) and of a job (in the order of enum ws_job_column, then its
 * counters). */
void ws_schema_insert_machine(struct ws_text *text);
void ws_schema_insert_job(struct ws_text *text);

/* Numbers of the parameters of an inserted job, from 1. */
enum ws_job_column {
    WS_JOB_digest = 1,
    WS_JOB_machine,
    WS_JOB_trace,
    WS_JOB_shard,
    WS_JOB_shards,
    WS_JOB_model,
    WS_JOB_status,
    WS_JOB_reason,
    WS_JOB_engine,
    WS_JOB_device,
    WS_JOB_version,
    WS_JOB_seconds,
    WS_JOB_finished,
    WS_JOB_from,
    WS_JOB_counters /* the first counter's */
};
