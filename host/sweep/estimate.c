/* What a dry run says of a sweep: variants, memory, time. */
#include <stdlib.h>

#include "base/error.h"
#include "results/identity.h"
#include "sweep/parts.h"

/* Until something is measured: warp instructions a second of one core, and threads active in one (docs/performance.md). */
#define NOMINAL_RATE  10e6
#define NOMINAL_LANES 24.0

/* What is known of a trace with the addresses of some spaces: one shard stands for all. */
struct known {
    u64 bytes, thread_instructions; /* of all shards */
    double seconds;                 /* of a job, as measured; 0 for none */
    struct ws_image *image;         /* of the first shard, or NULL */
};

static enum ws_status take_seconds(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    *(double *)context = row->values[0] ? strtod(row->values[0], NULL) : 0;
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
                            "SELECT avg(run_seconds) FROM job JOIN trace USING (trace_id) WHERE trace_digest = ?1 "
                            "AND run_engine = 'native' AND status = 'ok' AND run_from IS NULL",
                            parameters, take_seconds, &known->seconds, error);
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
    ws_fail_in(error, "point '%s' cannot run %s: ", point->label, sweep->trace_names[job->trace]);
    if (experiment->file && point->line > 0)
        ws_fail_in(error, "%s:%u: ", experiment->file, point->line);
    return status;
}

static void add_job(struct ws_sweep_estimate *estimate, const struct ws_machine *machine, const struct known *known, u32 shards)
{
    const size_t variant = ws_machine_variant(machine);
    if (variant < sizeof estimate->variants / sizeof *estimate->variants)
        estimate->variants[variant]++;
    estimate->measured = estimate->measured || known->seconds > 0;
    estimate->core_seconds +=
        known->seconds > 0 ? known->seconds : (double)known->thread_instructions / shards / NOMINAL_LANES / NOMINAL_RATE;
    if (!known->image)
        return;
    const u64 bytes = ws_job_bytes(&(struct ws_job_spec){.machine = machine, .image = known->image});
    if (bytes > estimate->simulation_bytes)
        estimate->simulation_bytes = bytes;
}

enum ws_status ws_sweep_estimate(struct ws_sweep_state *sweep, struct ws_error *error)
{
    struct ws_sweep_estimate *const estimate = &sweep->summary->estimate;
    struct known known = {0};
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; n < sweep->trace_count; n++)
        estimate->unbuilt += !sweep->files[n];
    for (size_t n = 0; n < sweep->job_count && status == WS_STATUS_ok; n++) {
        const struct ws_sweep_job *const job = &sweep->jobs[n];
        if (n == 0 || job->trace != job[-1].trace || job->spaces != job[-1].spaces) {
            ws_image_free(known.image);
            status = look(sweep, job, &known, error);
            estimate->trace_bytes += known.bytes;
        }
        if (status == WS_STATUS_ok)
            status = check_job(sweep, job, &known, error);
        if (status == WS_STATUS_ok)
            add_job(estimate, &sweep->experiment->points[job->point].machine, &known, ws_sweep_shards(sweep, job->trace));
    }
    ws_image_free(known.image);
    return status;
}
