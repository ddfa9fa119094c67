/* Runs the jobs of a sweep, in batches whose traces fit into memory, and records them in groups as they finish. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/utf8.h"
#include "sweep/parts.h"
#include "sweep/writer.h"

enum { BATCH_JOBS = 16384 };
#define IMAGE_BYTES ((u64)4 << 30)

/* Jobs of the sweep whose images are loaded; or those on which an engine failed. */
struct batch {
    size_t count;
    struct ws_job_spec *specs;
    size_t *numbers; /* of the sweep's jobs */
    struct ws_job_result *results;
    struct ws_image **images; /* one for each change of trace, spaces or shard */
    size_t image_count;
    struct lead {
        const struct ws_sweep_job *job;
        u32 shard;
        struct ws_image *image;
    } * leads; /* images of leaders that are not in the batch */
    size_t lead_count;
    u64 bytes;
};

struct runner {
    struct ws_sweep_state *sweep;
    struct batch *batch;
    struct ws_sweep_writer *writer;
    size_t recorded_before; /* jobs of this sweep in earlier lists */
    size_t failed_before;   /* failed jobs recorded by an earlier sweep */
    double work, done;      /* thread instructions: of all listed jobs, of the recorded ones */
    double began;           /* start, in seconds */
    u64 warp_instructions;  /* of earlier batches */
    bool stopped;           /* interrupted by the caller */
};

/* ---- Recording ---- */

/* A job's share of its trace's work. */
static double work_of(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job)
{
    return (double)sweep->trace_instructions[job->trace] / ws_sweep_shards(sweep, job->trace);
}

/* image is NULL for a job without one, from for a job that has run; the result's pointers must be valid until a flush. */
static void record(struct runner *runner, const struct ws_sweep_job *job, const struct ws_image *image,
                   const struct ws_machine *from, const struct ws_job_result *result)
{
    const struct ws_sweep_state *const sweep = runner->sweep;
    sweep->summary->reused += from != NULL;
    sweep->summary->ran += from == NULL;
    sweep->summary->failed += result->status != WS_STATUS_ok;
    runner->done += work_of(sweep, job);
    ws_sweep_writer_add(runner->writer, &(struct ws_job_record){
                                            .digest = job->digest,
                                            .machine = sweep->points[job->point].id,
                                            .trace = sweep->traces[job->trace].key.id,
                                            .shard = job->shard,
                                            .shards = sweep->experiment->shards,
                                            .blocks = image ? image->blocks : 0,
                                            .engine = ws_engine_name(ws_runner_engine(sweep->runner)),
                                            .device = ws_engine_device(ws_runner_engine(sweep->runner)),
                                            .result = result,
                                            .from = from,
                                            .own = &sweep->experiment->points[job->point].machine,
                                        });
}

static void name_engine(struct ws_sweep_state *sweep)
{
    struct ws_sweep_summary *const summary = sweep->summary;
    snprintf(summary->engine, sizeof summary->engine, "%s", ws_engine_name(ws_runner_engine(sweep->runner)));
    ws_utf8_copy(summary->device, sizeof summary->device, ws_engine_device(ws_runner_engine(sweep->runner)));
}

/* Records the jobs of the family that have not started and follow from a successful one. */
static void record_followers(struct runner *runner, const struct ws_sweep_job *job, const struct ws_job_spec *spec,
                             const struct ws_job_result *result)
{
    const struct ws_sweep_state *const sweep = runner->sweep;
    u32 point;
    for (u32 n = 0; (point = ws_sweep_relative(sweep, job->point, n)) != WS_NO_POINT; n++) {
        struct ws_sweep_job *const other = ws_sweep_job_beside(sweep, job, point);
        struct ws_job_spec followed = *spec;
        followed.machine = &sweep->experiment->points[point].machine;
        if (!other || other->progress != WS_JOB_WAITS || !ws_job_follows(spec, result->counters, &followed))
            continue;
        other->progress = WS_JOB_FOLLOWED;
        record(runner, other, spec->image, spec->machine, result);
    }
}

static bool job_wanted(void *context, size_t job)
{
    struct runner *const runner = context;
    struct ws_sweep_job *const begins = &runner->sweep->jobs[runner->batch->numbers[job]];
    if (begins->progress == WS_JOB_FOLLOWED)
        return false;
    begins->progress = WS_JOB_BEGUN;
    return true;
}

static void job_finished(void *context, size_t number, const struct ws_job_result *result)
{
    struct runner *const runner = context;
    const struct ws_job_spec *const spec = &runner->batch->specs[number];
    struct ws_sweep_job *const job = &runner->sweep->jobs[runner->batch->numbers[number]];
    if (job->progress == WS_JOB_FOLLOWED)
        return;
    job->progress = WS_JOB_BEGUN;
    record(runner, job, spec->image, NULL, result);
    if (result->status == WS_STATUS_ok)
        record_followers(runner, job, spec, result);
}

static bool go_on(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    struct runner *const runner = context;
    struct ws_sweep_summary *const summary = runner->sweep->summary;
    const struct ws_sweep_watch *const watch = &runner->sweep->options->watch;
    (void)done;
    (void)jobs;
    summary->warp_instructions = runner->warp_instructions + warp_instructions;
    summary->seconds = ws_seconds_now() - runner->began;
    ws_sweep_writer_tick(runner->writer);
    const struct ws_sweep_progress progress = {
        .jobs = runner->recorded_before + runner->sweep->job_count + runner->sweep->later_count,
        .done = summary->ran + summary->reused,
        .failed = summary->failed - runner->failed_before,
        .warp_instructions = summary->warp_instructions,
        .seconds = summary->seconds,
        .share = runner->work > 0 ? runner->done / runner->work : 0,
    };
    if (watch->progress && !watch->progress(watch->context, &progress))
        runner->stopped = true;
    return !runner->stopped && ws_sweep_writer_is_well(runner->writer);
}

/* ---- Batches ---- */

static bool same_image(const struct ws_sweep_job *a, const struct ws_sweep_job *b)
{
    return a->trace == b->trace && a->spaces == b->spaces && a->shard == b->shard;
}

static u64 image_bytes(const struct ws_image *image)
{
    return image->word_count * sizeof *image->words + (u64)image->blocks * image->groups_per_block * sizeof *image->groups;
}

/* Number of consecutive jobs from job on that share its image, at most most. */
static size_t sharing(const struct ws_sweep_state *sweep, size_t job, size_t most)
{
    size_t end = job + 1;
    while (end < sweep->job_count && end - job < most && same_image(&sweep->jobs[job], &sweep->jobs[end]))
        end++;
    return end - job;
}

/* Jobs whose image cannot be loaded fail, recorded with the error; the others continue. */
static void fail_jobs(struct runner *runner, size_t first, size_t count, struct ws_error *error)
{
    const struct ws_job_result result = {.status = error->status, .reason = error->message};
    for (size_t n = first; n < first + count; n++)
        if (runner->sweep->jobs[n].progress != WS_JOB_FOLLOWED)
            record(runner, &runner->sweep->jobs[n], NULL, NULL, &result);
    ws_sweep_writer_flush(runner->writer, NULL);
}

/* Adds an image and the jobs that share it to the batch, except jobs that follow from others. */
static void add_image(struct batch *batch, struct ws_sweep_state *sweep, size_t first, size_t count, struct ws_image *image)
{
    batch->images[batch->image_count++] = image;
    batch->bytes += image_bytes(image);
    for (size_t number = first; number < first + count; number++) {
        const struct ws_sweep_job *const job = &sweep->jobs[number];
        if (job->progress == WS_JOB_FOLLOWED)
            continue;
        batch->numbers[batch->count] = number;
        batch->specs[batch->count++] = (struct ws_job_spec){
            .machine = &sweep->experiment->points[job->point].machine,
            .image = image,
            .shard = job->shard,
            .dueling = ws_sweep_dueling(sweep, job),
        };
    }
}

/* Whether the next job must wait for the batch, which may contain leaders of its SM dueling. */
static bool waits(const struct batch *batch, const struct ws_sweep_job *job)
{
    bool leads = false;
    for (size_t n = 0; n < batch->count && !leads; n++)
        leads = batch->specs[n].dueling && batch->specs[n].shard < WS_DUELING_LEADERS;
    return leads && job->shard >= WS_DUELING_LEADERS;
}

/* Fills the batch from job `next` on, until memory for images is used up, an image cannot be loaded or a job must wait; returns the
 * next job. */
static size_t fill(struct runner *runner, struct batch *batch, size_t next)
{
    struct ws_sweep_state *const sweep = runner->sweep;
    const u64 most = sweep->options->image_bytes ? sweep->options->image_bytes : IMAGE_BYTES;
    while (next < sweep->job_count && batch->count < BATCH_JOBS && (batch->image_count == 0 || batch->bytes < most) &&
           !runner->stopped) {
        const struct ws_sweep_job *const job = &sweep->jobs[next];
        const size_t count = sharing(sweep, next, BATCH_JOBS - batch->count);
        struct ws_image *image;
        struct ws_error error;
        if (waits(batch, job))
            break;
        next += count;
        if (ws_sweep_load_image(sweep, job, job->shard, &image, &error) != WS_STATUS_ok) {
            fail_jobs(runner, next - count, count, &error);
            break;
        }
        add_image(batch, sweep, next - count, count, image);
        runner->stopped = !ws_sweep_goes_on(sweep);
    }
    return next;
}

static enum ws_status leader(void *context, size_t number, u32 shard, const struct ws_image **image, struct ws_error *error)
{
    const struct runner *const runner = context;
    struct batch *const batch = runner->batch;
    const struct ws_sweep_job *const job = &runner->sweep->jobs[batch->numbers[number]];
    struct lead *lead = batch->leads;
    while (lead < batch->leads + batch->lead_count &&
           (lead->shard != shard || lead->job->trace != job->trace || lead->job->spaces != job->spaces))
        lead++;
    if (lead == batch->leads + batch->lead_count) {
        *lead = (struct lead){.job = job, .shard = shard};
        WS_TRY(ws_sweep_load_image(runner->sweep, job, shard, &lead->image, error));
        batch->lead_count++;
    }
    *image = lead->image;
    return WS_STATUS_ok;
}

static void retries(void *context, const size_t *numbers, size_t count, const char *failed, const char *reason)
{
    struct runner *const runner = context;
    struct ws_sweep_state *const sweep = runner->sweep;
    for (size_t n = 0; n < count; n++)
        sweep->jobs[runner->batch->numbers[numbers[n]]].progress = WS_JOB_WAITS;
    ws_sweep_note(sweep, "%s failed: %s; %zu jobs continue on %s", failed, reason, count,
                  ws_engine_name(ws_runner_engine(sweep->runner)));
    runner->warp_instructions = sweep->summary->warp_instructions;
}

static enum ws_status run_batch(struct runner *runner, struct ws_error *error)
{
    struct batch *const batch = runner->batch;
    struct ws_sweep_state *const sweep = runner->sweep;
    const struct ws_runner_watch watch = {
        .engine = {WS_STRUCT(engine_watch), .context = runner, .progress = go_on, .wanted = job_wanted, .finished = job_finished},
        .leader = leader,
        .retries = retries};
    enum ws_status status = WS_STATUS_ok;
    if (batch->count > 0) {
        status = ws_runner_run(sweep->runner, batch->specs, batch->count, batch->results, &watch, error);
        runner->warp_instructions = sweep->summary->warp_instructions;
    }
    WS_TRY(ws_sweep_writer_flush(runner->writer, error));
    if (runner->stopped)
        return ws_fail(error, WS_STATUS_interrupted, "interrupted; run the same command again for the remaining %zu jobs",
                       runner->recorded_before + sweep->job_count + sweep->later_count - sweep->summary->ran -
                           sweep->summary->reused);
    return status;
}

static void empty(struct batch *batch)
{
    for (size_t n = 0; n < batch->image_count; n++)
        ws_image_free(batch->images[n]);
    for (size_t n = 0; n < batch->lead_count; n++)
        ws_image_free(batch->leads[n].image);
    for (size_t n = 0; n < batch->count; n++)
        ws_job_result_free(&batch->results[n]);
    batch->image_count = batch->lead_count = batch->count = 0;
    batch->bytes = 0;
}

static enum ws_status run_batches(struct runner *runner, struct ws_error *error)
{
    struct batch *const batch = runner->batch;
    enum ws_status status = WS_STATUS_ok;
    for (size_t next = 0; next < runner->sweep->job_count && status == WS_STATUS_ok;) {
        next = fill(runner, batch, next);
        status = run_batch(runner, error);
        empty(batch);
    }
    return status;
}

static enum ws_status run_with(struct runner *runner, struct ws_error *error)
{
    const size_t jobs = runner->sweep->job_count < BATCH_JOBS ? runner->sweep->job_count : BATCH_JOBS;
    struct batch batch = {
        .specs = calloc(jobs, sizeof *batch.specs),
        .numbers = calloc(jobs, sizeof *batch.numbers),
        .results = calloc(jobs, sizeof *batch.results),
        .images = calloc(jobs, sizeof *batch.images),
        .leads = calloc(WS_DUELING_LEADERS * jobs, sizeof *batch.leads),
    };
    runner->batch = &batch;
    const enum ws_status status = batch.specs && batch.numbers && batch.results && batch.images && batch.leads
                                      ? run_batches(runner, error)
                                      : ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", jobs);
    free(batch.specs);
    free(batch.numbers);
    free(batch.results);
    free(batch.images);
    free(batch.leads);
    return status;
}

enum ws_status ws_sweep_open_engine(struct ws_sweep_state *sweep, struct ws_error *error)
{
    WS_TRY(ws_runner_open(&sweep->options->engine, &sweep->runner, error));
    name_engine(sweep);
    return WS_STATUS_ok;
}

/* A trace with unreadable tables counts as no work; its jobs will fail with the reason. */
static void count_work(struct runner *runner)
{
    struct ws_sweep_state *const sweep = runner->sweep;
    struct ws_error unused;
    for (size_t n = 0; n < sweep->trace_count; n++)
        if (sweep->files[n] &&
            ws_trace_thread_instructions(sweep->files[n], &sweep->trace_instructions[n], &unused) != WS_STATUS_ok)
            sweep->trace_instructions[n] = 0;
    for (size_t n = 0; n < sweep->job_count; n++)
        runner->work += work_of(sweep, &sweep->jobs[n]);
}

enum ws_status ws_sweep_run_jobs(struct ws_sweep_state *sweep, struct ws_error *error)
{
    struct ws_sweep_summary *const summary = sweep->summary;
    ws_sweep_note(sweep, "%zu jobs on %s: %s", sweep->job_count, summary->engine, summary->device);
    struct runner runner = {.sweep = sweep,
                            .recorded_before = summary->ran + summary->reused,
                            .failed_before = summary->failed,
                            .began = ws_seconds_now() - summary->seconds,
                            .warp_instructions = summary->warp_instructions};
    count_work(&runner);
    WS_TRY(ws_sweep_writer_new(sweep->results, sweep->options->force, sweep->claim, &runner.writer, error));
    const enum ws_status status = run_with(&runner, error);
    name_engine(sweep); /* the kernels in use are known at the end */
    summary->seconds = ws_seconds_now() - runner.began;
    ws_sweep_writer_free(runner.writer);
    return status;
}
