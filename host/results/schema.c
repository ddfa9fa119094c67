#include "results/schema.h"

#include "results/columns.h"
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
              "model_version INTEGER NOT NULL) STRICT;\n"
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
    ws_text_add(text, "CREATE TABLE IF NOT EXISTS block_time (block_time_id INTEGER PRIMARY KEY, " OF_JOB
                      "block INTEGER NOT NULL, entered INTEGER NOT NULL, ended INTEGER NOT NULL, UNIQUE (job_id, block)) STRICT;\n"
                      "CREATE TABLE IF NOT EXISTS warp_time (warp_time_id INTEGER PRIMARY KEY, " OF_JOB
                      "block INTEGER NOT NULL, warp INTEGER NOT NULL, entered INTEGER NOT NULL, ended INTEGER NOT NULL, "
                      "packets INTEGER NOT NULL, l1_misses INTEGER NOT NULL, constant_misses INTEGER NOT NULL, "
                      "texture_misses INTEGER NOT NULL, UNIQUE (job_id, block, warp)) STRICT;\n"
                      "CREATE TABLE IF NOT EXISTS block_order (block_order_id INTEGER PRIMARY KEY, " OF_JOB
                      "cycle INTEGER NOT NULL, place INTEGER NOT NULL, block INTEGER NOT NULL, "
                      "UNIQUE (job_id, cycle, place)) STRICT;\n");
}

/* Jobs as their experiments see them: every shard of every trace at every point, the trace as the point's front end makes it. */
#define JOBS_OF_EXPERIMENTS                                                                                                        \
    " FROM experiment JOIN point USING (experiment_id) JOIN experiment_trace USING (experiment_id, frontend) JOIN machine USING "  \
    "(machine_id) "                                                                                                                \
    "JOIN job ON job.machine_id = point.machine_id AND job.trace_id = experiment_trace.trace_id AND job.shards = "                 \
    "experiment.shards "                                                                                                           \
    "AND job.model_version = experiment.model_version"

/* One row a job. */
static void add_result_view(struct ws_text *text)
{
    ws_text_add(text, "DROP VIEW IF EXISTS result;\nCREATE VIEW result AS SELECT experiment, point, variation, baseline, trace, "
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
    ws_text_add(text, JOBS_OF_EXPERIMENTS ");\n");
}

/* One row a kernel whose shards are all done, those without a block excepted: its time is the slowest shard's. */
static void add_kernel_view(struct ws_text *text)
{
    ws_text_add(text, "DROP VIEW IF EXISTS kernel;\nCREATE VIEW kernel AS SELECT experiment, point, variation, baseline, trace, "
                      "shards, point_position, trace_position");
    ws_add_parameter_columns(text, false);
    ws_add_counter_columns(text, "");
    ws_add_metrics(text);
    ws_text_add(text, " FROM (SELECT *");
    ws_add_metric_terms(text, "shards");
    ws_text_add(
        text,
        " FROM (SELECT experiment, point, variation, baseline, trace, job.shards AS shards, point.position AS point_position, "
        "experiment_trace.position AS trace_position, sum(cycles) AS sm_cycles");
    ws_add_parameter_columns(text, false);
    ws_add_folded_counters(text);
    ws_text_add(text, JOBS_OF_EXPERIMENTS " WHERE status = 'ok' GROUP BY point_id, experiment_trace_id HAVING count(*) = "
                                          "min(job.shards, (SELECT blocks FROM trace WHERE trace.trace_id = job.trace_id))));\n");
}

/* Kernels against the same kernel at the baseline of their point. */
static void add_speedup_view(struct ws_text *text)
{
    ws_text_add(text, "DROP VIEW IF EXISTS speedup;\nCREATE VIEW speedup AS SELECT kernel.*, base.ipc AS baseline_ipc, 1.0 * "
                      "base.cycles / kernel.cycles AS speedup "
                      "FROM kernel JOIN kernel AS base ON base.experiment = kernel.experiment AND base.trace = kernel.trace AND "
                      "base.point = kernel.baseline;\n");
}

/* Blocks of jobs with their times. */
static void add_block_view(struct ws_text *text)
{
    ws_text_add(text,
                "DROP VIEW IF EXISTS block;\nCREATE VIEW block AS SELECT experiment, point, variation, baseline, trace, shard, "
                "job.shards AS shards, block, entered, ended, ended - entered AS block_cycles, point.position AS "
                "point_position, experiment_trace.position AS trace_position" JOBS_OF_EXPERIMENTS
                " JOIN block_time USING (job_id);\n");
}

/* Warps of jobs with their times, and what they did. */
static void add_warp_view(struct ws_text *text)
{
    ws_text_add(text, "DROP VIEW IF EXISTS warp;\nCREATE VIEW warp AS SELECT experiment, point, variation, baseline, trace, shard, "
                      "job.shards AS shards, block, warp, entered, ended, ended - entered AS warp_cycles, packets, "
                      "warp_time.l1_misses AS l1_misses, warp_time.constant_misses AS constant_misses, warp_time.texture_misses AS "
                      "texture_misses, point.position AS point_position, experiment_trace.position AS "
                      "trace_position" JOBS_OF_EXPERIMENTS " JOIN warp_time USING (job_id);\n");
}

/* Places of blocks at each sort. */
static void add_sort_view(struct ws_text *text)
{
    ws_text_add(text, "DROP VIEW IF EXISTS sort;\nCREATE VIEW sort AS SELECT experiment, point, variation, baseline, trace, shard, "
                      "job.shards AS shards, cycle, place, block, point.position AS point_position, experiment_trace.position AS "
                      "trace_position" JOBS_OF_EXPERIMENTS " JOIN block_order USING (job_id);\n");
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
    add_result_view(text);
    add_kernel_view(text);
    add_speedup_view(text);
    add_block_view(text);
    add_warp_view(text);
    add_sort_view(text);
    add_histogram_view(text);
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
