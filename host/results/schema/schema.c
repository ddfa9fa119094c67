#include "results/schema/schema.h"

#include "results/schema/columns.h"
#include "results/schema/metrics.h"
#include "warpsweep/machine.h"

#define JOB_COLUMNS                                                                                                                \
    "job_digest, machine_id, trace_id, shard, shards, model_version, status, reason, run_engine, run_device, run_version, "        \
    "run_seconds, run_finished, run_from"

#define OF_JOB "job_id INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, "

void ws_schema_tables(struct ws_text *text)
{
    ws_text_add(text, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;\n"
                      "CREATE TABLE machine (machine_id INTEGER PRIMARY KEY, machine_digest TEXT NOT NULL UNIQUE");
    ws_add_parameter_columns(text, true);
    ws_text_add(
        text, ") STRICT;\n"
              "CREATE TABLE trace (trace_id INTEGER PRIMARY KEY, trace_digest TEXT NOT NULL UNIQUE, kernel TEXT NOT NULL, "
              "source TEXT NOT NULL, threads INTEGER NOT NULL, blocks INTEGER NOT NULL, registers INTEGER NOT NULL DEFAULT 0, "
              "shared_bytes INTEGER NOT NULL DEFAULT 0) STRICT;\n"
              "CREATE TABLE experiment (experiment_id INTEGER PRIMARY KEY, experiment TEXT NOT NULL UNIQUE, "
              "about TEXT NOT NULL, machine TEXT NOT NULL, skipped INTEGER NOT NULL, shards INTEGER NOT NULL, "
              "sampled INTEGER NOT NULL DEFAULT 0, model_version INTEGER NOT NULL, run INTEGER NOT NULL DEFAULT 1, earlier_of "
              "TEXT) STRICT;\n"
              "CREATE TABLE point (point_id INTEGER PRIMARY KEY, experiment_id INTEGER NOT NULL REFERENCES experiment, "
              "position INTEGER NOT NULL, point TEXT NOT NULL, variation TEXT NOT NULL, overrides TEXT NOT NULL, baseline TEXT, "
              "frontend TEXT NOT NULL, "
              "machine_id INTEGER NOT NULL REFERENCES machine, UNIQUE (experiment_id, point)) STRICT;\n"
              "CREATE TABLE experiment_trace (experiment_trace_id INTEGER PRIMARY KEY, experiment_id INTEGER NOT NULL "
              "REFERENCES experiment, "
              "position INTEGER NOT NULL, trace TEXT NOT NULL, frontend TEXT NOT NULL, trace_id INTEGER NOT NULL REFERENCES trace, "
              "UNIQUE (experiment_id, trace, frontend)) STRICT;\n"
              "CREATE TABLE job (job_id INTEGER PRIMARY KEY, job_digest TEXT NOT NULL UNIQUE, "
              "machine_id INTEGER NOT NULL REFERENCES machine, trace_id INTEGER NOT NULL REFERENCES trace, "
              "shard INTEGER NOT NULL, shards INTEGER NOT NULL, model_version INTEGER NOT NULL, "
              "status TEXT NOT NULL, reason TEXT, run_engine TEXT NOT NULL, run_device TEXT NOT NULL, "
              "run_version TEXT NOT NULL, run_seconds REAL NOT NULL, run_finished TEXT NOT NULL, run_from TEXT");
    ws_add_counter_columns(text, " INTEGER");
    ws_text_add(text, ") STRICT;\nCREATE INDEX job_by_machine ON job (machine_id, trace_id);\n");
    ws_schema_records(text);
}

void ws_schema_records(struct ws_text *text)
{
    ws_text_add(text,
                "CREATE TABLE IF NOT EXISTS block_time (block_time_id INTEGER PRIMARY KEY, " OF_JOB
                "block INTEGER NOT NULL, entered INTEGER NOT NULL, ended INTEGER NOT NULL, UNIQUE (job_id, block)) STRICT;\n"
                "CREATE TABLE IF NOT EXISTS warp_time (warp_time_id INTEGER PRIMARY KEY, " OF_JOB
                "block INTEGER NOT NULL, warp INTEGER NOT NULL, entered INTEGER NOT NULL, ended INTEGER NOT NULL, "
                "packets INTEGER NOT NULL, l1_misses INTEGER NOT NULL, constant_misses INTEGER NOT NULL, "
                "texture_misses INTEGER NOT NULL, UNIQUE (job_id, block, warp)) STRICT;\n"
                "CREATE TABLE IF NOT EXISTS block_order (block_order_id INTEGER PRIMARY KEY, " OF_JOB
                "cycle INTEGER NOT NULL, place INTEGER NOT NULL, block INTEGER NOT NULL, "
                "UNIQUE (job_id, cycle, place)) STRICT;\n"
                "CREATE TABLE IF NOT EXISTS claim (claim_id INTEGER PRIMARY KEY, process INTEGER NOT NULL, started INTEGER NOT "
                "NULL, place TEXT NOT NULL, seen INTEGER NOT NULL, jobs BLOB NOT NULL) STRICT;\n");
    ws_schema_search_tables(text);
}

/* Variants of views: which runs of experiments they show, and their names. */
struct views {
    const char *prefix, *runs;
};

static void begin_view(struct ws_text *text, const struct views *views, const char *name)
{
    ws_text_add(text, "DROP VIEW IF EXISTS %s%s;\nCREATE VIEW %s%s AS SELECT ", views->prefix, name, views->prefix, name);
}

/* Jobs by experiment: every shard of every trace (of the point's front end) at every point. */
void ws_schema_add_jobs(struct ws_text *text, const char *runs)
{
    ws_text_add(text,
                " FROM %s AS experiment JOIN point USING (experiment_id) JOIN experiment_trace USING (experiment_id, frontend) "
                "JOIN machine USING (machine_id) JOIN job ON job.machine_id = point.machine_id AND job.trace_id = "
                "experiment_trace.trace_id AND " WS_JOB_OF_EXPERIMENT,
                runs);
}

/* One row a job. */
static void add_result_view(struct ws_text *text, const struct views *views)
{
    begin_view(text, views, "result");
    ws_text_add(text, "experiment, point, variation, baseline, trace, "
                      "shard, shards, status, reason, "
                      "point_position, "
                      "trace_position, job_digest, model_version");
    ws_add_parameter_columns(text, false);
    ws_add_counter_columns(text, "");
    ws_add_metrics(text);
    ws_text_add(text, ", run_engine, run_device, run_version, run_seconds, run_finished, run_from FROM (SELECT machine.*, job.*, "
                      "experiment, point, "
                      "variation, baseline, trace, point.position AS point_position, experiment_trace.position AS trace_position, "
                      "cycles AS sm_cycles");
    ws_add_metric_terms(text, "1");
    ws_schema_add_jobs(text, views->runs);
    ws_text_add(text, ");\n");
}

/* One row per kernel whose shards are all done, except shards without a block: its time is that of the slowest shard. */
static void add_kernel_view(struct ws_text *text, const struct views *views)
{
    begin_view(text, views, "kernel");
    ws_text_add(text, "experiment, point, variation, baseline, trace, shards, point_position, trace_position");
    ws_add_parameter_columns(text, false);
    ws_add_counter_columns(text, "");
    ws_add_metrics(text);
    ws_text_add(text, " FROM (SELECT *");
    ws_add_metric_terms(text, "sms");
    ws_text_add(text, " FROM (SELECT experiment, point, variation, baseline, trace, job.shards AS shards, " WS_SHARDS_RUN
                      " AS sms, point.position AS point_position, "
                      "experiment_trace.position AS trace_position, sum(cycles) AS sm_cycles");
    ws_add_parameter_columns(text, false);
    ws_add_accumulated_counters(text);
    ws_schema_add_jobs(text, views->runs);
    ws_text_add(text, " WHERE status = 'ok' GROUP BY point_id, experiment_trace_id HAVING count(*) = "
                      "min(sms, (SELECT blocks FROM trace WHERE trace.trace_id = job.trace_id))));\n");
}

/* Kernels against the same kernel at the baseline of their point. */
static void add_speedup_view(struct ws_text *text, const struct views *views)
{
    begin_view(text, views, "speedup");
    ws_text_add(text,
                "kernel.*, base.ipc AS baseline_ipc, 1.0 * base.cycles / kernel.cycles AS speedup FROM %skernel AS kernel "
                "JOIN %skernel AS base ON base.experiment = kernel.experiment AND base.trace = kernel.trace AND "
                "base.point = kernel.baseline;\n",
                views->prefix, views->prefix);
}

/* Records of jobs: times of blocks and warps, events of warps, ranks of blocks at each sort. */
static void add_record_views(struct ws_text *text, const struct views *views)
{
    static const struct {
        const char *name, *columns, *table;
    } records[] = {{"block", "block, entered, ended, ended - entered AS block_cycles", "block_time"},
                   {"warp",
                    "block, warp, entered, ended, ended - entered AS warp_cycles, packets, warp_time.l1_misses AS l1_misses, "
                    "warp_time.constant_misses AS constant_misses, warp_time.texture_misses AS texture_misses",
                    "warp_time"},
                   {"sort", "cycle, place, block", "block_order"}};
    for (size_t n = 0; n < sizeof records / sizeof *records; n++) {
        begin_view(text, views, records[n].name);
        ws_text_add(text,
                    "experiment, point, variation, baseline, trace, shard, job.shards AS shards, %s, point.position AS "
                    "point_position, experiment_trace.position AS trace_position",
                    records[n].columns);
        ws_schema_add_jobs(text, views->runs);
        ws_text_add(text, " JOIN %s USING (job_id);\n", records[n].table);
    }
}

/* The runs of experiments: the newest under the experiment's name. */
static void add_run_view(struct ws_text *text)
{
    ws_text_add(
        text,
        "DROP VIEW IF EXISTS run;\nCREATE VIEW run AS SELECT coalesce(earlier_of, experiment.experiment) AS experiment, run, "
        "experiment.experiment AS name, (SELECT count(*) FROM point WHERE point.experiment_id = experiment.experiment_id) AS "
        "points, (SELECT count(DISTINCT position) FROM experiment_trace WHERE experiment_trace.experiment_id = "
        "experiment.experiment_id) AS traces, experiment.shards AS shards, experiment.sampled AS sampled, experiment.model_version "
        "AS model_version, "
        "count(DISTINCT job_id) AS jobs, min(run_finished) AS first_finished, max(run_finished) AS last_finished FROM experiment "
        "LEFT JOIN point USING (experiment_id) LEFT JOIN experiment_trace USING (experiment_id, frontend) LEFT JOIN job ON "
        "job.machine_id = point.machine_id AND job.trace_id = experiment_trace.trace_id AND " WS_JOB_OF_EXPERIMENT
        " GROUP BY experiment_id;\n");
}

#define SELECTED_COLUMNS "experiment_id, about, machine, skipped, shards, sampled, model_version, run"

void ws_schema_chosen_views(struct ws_text *text, const char *run)
{
    static const struct views chosen = {.prefix = "temp.", .runs = "selected"};
    ws_text_add(text, "DROP VIEW IF EXISTS temp.selected;\nCREATE VIEW temp.selected AS SELECT ");
    if (run)
        ws_text_add(text, "coalesce(earlier_of, experiment) AS experiment, " SELECTED_COLUMNS " FROM experiment WHERE run = %s;\n",
                    run);
    else
        ws_text_add(text, "experiment, " SELECTED_COLUMNS " FROM experiment;\n");
    add_result_view(text, &chosen);
    add_kernel_view(text, &chosen);
    add_speedup_view(text, &chosen);
    add_record_views(text, &chosen);
    ws_schema_search_views(text, true);
    ws_text_add(text, "DROP VIEW IF EXISTS temp.run;\n");
    if (run)
        ws_text_add(text, "CREATE VIEW temp.run AS SELECT * FROM main.run WHERE run = %s;\n", run);
}

/* Bins of histograms as rows. */
static void add_histogram_view(struct ws_text *text)
{
    const char *joint = "DROP VIEW IF EXISTS histogram;\nCREATE VIEW histogram (job_id, histogram, bin, count) AS";
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        for (u32 bin = 0; bin < counter->bins; bin++) {
            ws_text_add(text, "%s SELECT job_id, '%s', %u, %s_%u FROM job", joint, counter->name, bin, counter->name, bin);
            joint = " UNION ALL";
        }
    }
    ws_text_add(text, ";\n");
}

void ws_schema_views(struct ws_text *text)
{
    static const struct views newest = {.prefix = "", .runs = "selected"};
    static const struct views all = {.prefix = "all_", .runs = "experiment"};
    ws_text_add(text, "DROP VIEW IF EXISTS selected;\nCREATE VIEW selected AS SELECT experiment, " SELECTED_COLUMNS
                      " FROM experiment WHERE earlier_of IS NULL;\n");
    add_result_view(text, &newest);
    add_kernel_view(text, &newest);
    add_speedup_view(text, &newest);
    add_record_views(text, &newest);
    add_result_view(text, &all);
    add_kernel_view(text, &all);
    add_speedup_view(text, &all);
    add_run_view(text);
    add_histogram_view(text);
    ws_schema_search_views(text, false);
}

static void add_values(struct ws_text *text, size_t count)
{
    ws_text_add(text, ") VALUES (?");
    for (size_t n = 1; n < count; n++)
        ws_text_add(text, ", ?");
    ws_text_add(text, ")");
}

void ws_schema_insert_machine(struct ws_text *text)
{
    size_t parameters;
    ws_parameters(&parameters);
    ws_text_add(text, "INSERT OR IGNORE INTO machine (machine_digest");
    ws_add_parameter_columns(text, false);
    add_values(text, 1 + parameters);
}

void ws_schema_insert_job(struct ws_text *text)
{
    ws_text_add(text, "INSERT OR IGNORE INTO job (" JOB_COLUMNS);
    ws_add_counter_columns(text, "");
    add_values(text, WS_JOB_counters - 1 + WS_COUNTERS);
}
