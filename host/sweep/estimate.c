/* Estimates of a dry run: variants, memory, time. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "results/identity.h"
#include "sweep/parts.h"

/* Seconds of one core that a dry run simulates to measure the speed of jobs: for one job, and in total. */
#define PROBE_SECONDS  0.1
#define PROBES_SECONDS 3.0

enum { VARIANTS = sizeof((struct ws_sweep_estimate *)0)->variants / sizeof(size_t) };

/* Data of a trace with the addresses of some spaces; one shard stands for all. */
struct known {
    u64 bytes, thread_instructions; /* of all shards */
    double job_seconds[VARIANTS];   /* by variant: mean of recorded jobs; 0 for none */
    double rates[VARIANTS];         /* by variant: measured seconds per thread instruction; 0 for none */
    struct ws_image *image;         /* of the first shard, or NULL */
};

/* Totals of the simulated probes. */
struct probed {
    double seconds;
    u64 thread_instructions;
};

struct estimator {
    struct ws_sweep_state *sweep;
    struct ws_engine *engine; /* for probes; NULL until needed */
    struct known known;       /* of the current trace */
    struct probed variants[VARIANTS], all;
};

/* A row of a pipeline, path unit, scheduler, way of dispatch and seconds. */
static enum ws_status take_seconds(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    const size_t variant = ws_variant_find(&(struct ws_variant){
        .pipeline = row->values[0], .divergence = row->values[1], .policy = row->values[2], .dispatch = row->values[3]});
    (void)error;
    if (variant < VARIANTS)
        ((double *)context)[variant] = strtod(row->values[4], NULL);
    return WS_STATUS_ok;
}

static enum ws_status look(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job, struct known *known,
                           struct ws_error *error)
{
    const u32 shards = ws_sweep_shards(sweep, job->trace);
    struct ws_trace *const trace = sweep->files[job->trace];
    *known = (struct known){0};
    if (!trace)
        return WS_STATUS_ok;
    WS_TRY(ws_image_load(trace, 0, sweep->experiment->shards, job->spaces, &known->image, error));
    known->bytes = (u64)shards * (known->image->word_count * sizeof *known->image->words +
                                  (u64)known->image->blocks * known->image->groups_per_block * sizeof *known->image->groups);
    known->thread_instructions = shards * known->image->thread_instructions;
    if (!sweep->results)
        return WS_STATUS_ok;
    const struct ws_digest_text digest = ws_digest_text(sweep->traces[job->trace].key.digest);
    const char *const parameters[] = {digest.text, NULL};
    return ws_results_query(sweep->results,
                            "SELECT core_pipeline, divergence_unit, schedule_policy, core_dispatch, avg(run_seconds) "
                            "FROM job JOIN trace USING (trace_id) JOIN machine USING (machine_id) WHERE trace_digest = ?1 "
                            "AND run_engine = 'native' AND status = 'ok' AND run_from IS NULL GROUP BY 1, 2, 3, 4",
                            parameters, take_seconds, known->job_seconds, error);
}

static bool in_time(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    (void)done;
    (void)jobs;
    (void)warp_instructions;
    return ws_seconds_now() < *(const double *)context;
}

/* Simulates the beginning of the trace's first shard. A failure gives no estimate; the sweep will report it. */
static void probe(struct estimator *estimator, const struct ws_machine *machine, size_t variant)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 1,
                                              .predecoding = WS_PREDECODE_NEVER, .specialize = WS_SPECIALIZE_NEVER};
    const struct ws_job_spec job = {.machine = machine, .image = estimator->known.image};
    struct ws_job_result result = {0};
    struct ws_error unused;
    if (!estimator->engine && ws_engine_open(&options, &estimator->engine, &unused) != WS_STATUS_ok)
        return;
    double until = ws_seconds_now() + PROBE_SECONDS;
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &until, .progress = in_time};
    ws_engine_run(estimator->engine, &job, 1, &result, &watch, &unused);
    const u64 executed = result.counters[WS_COUNT_thread_instructions];
    struct probed *const sums[] = {&estimator->variants[variant], &estimator->all};
    for (size_t n = 0; n < sizeof sums / sizeof *sums; n++) {
        sums[n]->seconds += result.seconds;
        sums[n]->thread_instructions += executed;
    }
    if (executed > 0)
        estimator->known.rates[variant] = result.seconds / (double)executed;
    ws_job_result_free(&result);
}

static double mean_rate(const struct probed *probed)
{
    return probed->thread_instructions > 0 ? probed->seconds / (double)probed->thread_instructions : 0;
}

/* Seconds of one core per thread instruction: as measured on this trace, else the mean over other traces, else over other
 * variants. */
static double rate(struct estimator *estimator, const struct ws_machine *machine, size_t variant)
{
    double *const known = &estimator->known.rates[variant];
    if (*known == 0 && estimator->known.image && estimator->all.seconds < PROBES_SECONDS)
        probe(estimator, machine, variant);
    if (*known == 0)
        *known = mean_rate(&estimator->variants[variant]);
    return *known > 0 ? *known : mean_rate(&estimator->all);
}

/* Refuses a point whose machine cannot hold the blocks of the trace. */
static enum ws_status check_job(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job, const struct known *known,
                                struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    const struct ws_point *const point = &experiment->points[job->point];
    if (!known->image)
        return WS_STATUS_ok;
    const enum ws_status status = ws_job_check(&(struct ws_job_spec){.machine = &point->machine, .image = known->image}, error);
    if (status == WS_STATUS_ok)
        return status;
    ws_machine_advise(&point->machine, known->image, error);
    ws_fail_in(error, "point '%s' cannot run %s: ", point->label, sweep->trace_names[job->trace]);
    if (experiment->file && point->line > 0)
        ws_fail_in(error, "%s:%u: ", experiment->file, point->line);
    return status;
}

static void add_job(struct estimator *estimator, const struct ws_sweep_job *job)
{
    const struct ws_sweep_state *const sweep = estimator->sweep;
    const struct ws_machine *const machine = &sweep->experiment->points[job->point].machine;
    const struct known *const known = &estimator->known;
    struct ws_sweep_estimate *const estimate = &sweep->summary->estimate;
    const size_t variant = ws_machine_variant(machine);
    if (variant >= VARIANTS)
        return;
    estimate->variants[variant]++;
    if (!known->image)
        return;
    const double recorded = known->job_seconds[variant];
    estimate->recorded += recorded > 0;
    estimate->core_seconds +=
        recorded > 0 ? recorded
                     : rate(estimator, machine, variant) * (double)known->thread_instructions / ws_sweep_shards(sweep, job->trace);
    const u64 bytes = ws_job_bytes(&(struct ws_job_spec){.machine = machine, .image = known->image});
    if (bytes > estimate->simulation_bytes)
        estimate->simulation_bytes = bytes;
}

enum ws_status ws_sweep_estimate(struct ws_sweep_state *sweep, struct ws_error *error)
{
    struct ws_sweep_estimate *const estimate = &sweep->summary->estimate;
    struct estimator estimator = {.sweep = sweep};
    struct known *const known = &estimator.known;
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; n < sweep->trace_count; n++)
        estimate->unbuilt += !sweep->files[n];
    for (size_t n = 0; n < sweep->job_count && status == WS_STATUS_ok; n++) {
        const struct ws_sweep_job *const job = &sweep->jobs[n];
        if (n == 0 || job->trace != job[-1].trace || job->spaces != job[-1].spaces) {
            ws_image_free(known->image);
            status = look(sweep, job, known, error);
            estimate->trace_bytes += known->bytes;
        }
        WS_THEN(status, check_job(sweep, job, known, error));
        if (status == WS_STATUS_ok)
            add_job(&estimator, job);
    }
    ws_image_free(known->image);
    ws_engine_close(estimator.engine);
    return status;
}
