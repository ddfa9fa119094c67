#include "bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/opencl/selftest/synthetic.h"
#include "engine/variant.h"
#include "warpsweep/frontend.h"

static void fatal(const char *what, const struct ws_error *error)
{
    fprintf(stderr, "throughput: %s: %s\n", what, error->message);
    exit(1);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- Workloads ---- */

static struct ws_image *load_bundled(const char *name, const char *size, u32 spaces)
{
    struct ws_error error = {.message = ""};
    struct ws_trace *trace;
    struct ws_image *image;
    char *path, text[200];
    snprintf(text, sizeof text, "%s:%s", name, size);
    if (ws_trace_locate(text, WS_SIZE_TINY, 1, NULL, &path, &error) != WS_STATUS_ok)
        fatal(text, &error);
    if (ws_trace_open(path, &trace, &error) != WS_STATUS_ok)
        fatal(path, &error);
    if (ws_image_load(trace, 0, 1, spaces, &image, &error) != WS_STATUS_ok)
        fatal(path, &error);
    ws_trace_close(trace);
    free(path);
    return image;
}

struct ws_image *workload_load(const char *name, const char *size, u32 spaces)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 64, .block_threads = 256, .loops = 40, .scattered = 10};
    if (strcmp(name, "synthetic") != 0)
        return load_bundled(name, size, spaces);
    struct ws_image *const image = ws_synthetic_new(&description);
    if (!image)
        fatal(name, &(struct ws_error){.message = "out of memory"});
    return image;
}

void workload_unload(const char *name, struct ws_image *image)
{
    if (strcmp(name, "synthetic") == 0)
        ws_synthetic_free(image);
    else
        ws_image_free(image);
}

struct ws_machine machine_of(u32 variant)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    ws_variant_choose(&machine, variant);
    if (machine.divergence_unit == WS_divergence_lwm) {
        machine.core_warp_size = 256;
        machine.core_warps = 4;
        machine.schedule_fetch_group = 1;
    }
    return machine;
}

bool variant_is_wanted(u32 variant, const char *text)
{
    return !text || strstr(ws_tuples()[variant].name, text);
}

/* ---- Measuring ---- */

/* A run that is stopped at the end, or when it has had its time and has something to show for it; now is when it last said how far
 * it was. */
struct watched {
    double enough, end, now;
    bool quantum; /* one is enough */
};

static bool goes_on(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    struct watched *const watched = context;
    (void)done, (void)jobs;
    watched->now = ws_seconds_now();
    return watched->now < watched->end && !(warp_instructions > 0 && (watched->quantum || watched->now >= watched->enough));
}

/* Counts what a batch did; a job that failed is the failure of the batch. */
static enum ws_status count(const struct ws_job_result *results, size_t batch, struct measurement *measurement,
                            struct ws_error *error)
{
    for (size_t n = 0; n < batch; n++) {
        const enum ws_status status = results[n].status;
        if (status != WS_STATUS_ok && status != WS_STATUS_interrupted)
            return ws_fail(error, status, "%s", ws_job_reason(&results[n]));
        measurement->warp_instructions += results[n].counters[WS_COUNT_warp_instructions];
        measurement->cycles += results[n].counters[WS_COUNT_cycles];
        measurement->jobs += status == WS_STATUS_ok;
    }
    return WS_STATUS_ok;
}

/* Adds a batch to the measurement, also one that was stopped. */
static enum ws_status run_batch(struct ws_engine *engine, const struct ws_job_spec *jobs, struct ws_job_result *results,
                                size_t batch, struct watched *watched, struct measurement *measurement, struct ws_error *error)
{
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = watched, .progress = goes_on};
    const double start = ws_seconds_now(), cpu_start = cpu_seconds();
    enum ws_status status = ws_engine_run(engine, jobs, batch, results, &watch, error);
    measurement->seconds += (status == WS_STATUS_ok ? ws_seconds_now() : watched->now) - start;
    measurement->cpu_seconds += cpu_seconds() - cpu_start;
    if (status == WS_STATUS_ok || status == WS_STATUS_interrupted) {
        const enum ws_status counted = count(results, batch, measurement, error);
        status = counted == WS_STATUS_ok ? status : counted;
    }
    for (size_t n = 0; n < batch; n++)
        ws_job_result_free(&results[n]);
    return status;
}

/* The first quantum of a batch, for which the device's programs, and the packets that its jobs share, are made. */
static enum ws_status warm_up(struct ws_engine *engine, const struct ws_job_spec *jobs, struct ws_job_result *results, size_t batch,
                              const struct patience *patience, struct ws_error *error)
{
    struct measurement quantum = {0};
    struct watched watched = {.end = patience->end, .quantum = true};
    const enum ws_status status = run_batch(engine, jobs, results, batch, &watched, &quantum, error);
    return status == WS_STATUS_interrupted && quantum.warp_instructions > 0 ? WS_STATUS_ok : status;
}

static enum ws_status run_batches(struct ws_engine *engine, const struct ws_job_spec *jobs, struct ws_job_result *results,
                                  size_t batch, const struct patience *patience, struct measurement *measurement,
                                  struct ws_error *error)
{
    WS_TRY(warm_up(engine, jobs, results, batch, patience, error));
    const double enough = ws_seconds_now() + patience->most;
    do {
        struct measurement next = *measurement;
        struct watched watched = {.enough = enough, .end = patience->end};
        const enum ws_status status = run_batch(engine, jobs, results, batch, &watched, &next, error);
        next.cut = status == WS_STATUS_interrupted;
        if (next.cut && measurement->jobs > 0)
            return WS_STATUS_ok;
        if (status != WS_STATUS_ok && !(next.cut && next.warp_instructions > 0 && next.seconds >= patience->least))
            return status;
        *measurement = next;
    } while (measurement->seconds < patience->least);
    return WS_STATUS_ok;
}

enum ws_status measure(struct ws_engine *engine, const struct ws_machine *machine, const struct ws_image *image, size_t batch,
                       const struct patience *patience, struct measurement *measurement, struct ws_error *error)
{
    struct ws_job_spec *const jobs = calloc(batch, sizeof *jobs);
    struct ws_job_result *const results = calloc(batch, sizeof *results);
    enum ws_status status = WS_STATUS_no_memory;
    *measurement = (struct measurement){0};
    if (jobs && results) {
        for (size_t n = 0; n < batch; n++)
            jobs[n] = (struct ws_job_spec){.machine = machine, .image = image};
        status = run_batches(engine, jobs, results, batch, patience, measurement, error);
    } else {
        ws_fail(error, status, "out of memory for %zu jobs", batch);
    }
    free(jobs);
    free(results);
    return status;
}

void measurement_report(struct ws_json *json, const struct measurement *m)
{
    const double simulations = (double)m->jobs / m->seconds;
    char said[40] = "cut";
    if (!m->cut)
        snprintf(said, sizeof said, "%.1f", simulations);
    ws_json_unsigned(json, "jobs", m->jobs);
    ws_json_bool(json, "cut", m->cut);
    ws_json_unsigned(json, "warp_instructions", m->warp_instructions);
    ws_json_unsigned(json, "cycles", m->cycles);
    ws_json_real(json, "seconds", m->seconds);
    ws_json_real(json, "cpu_seconds", m->cpu_seconds);
    ws_json_real(json, "warp_instructions_per_second", (double)m->warp_instructions / m->seconds);
    ws_json_real(json, "simulations_per_second", m->cut ? (double)NAN : simulations);
    printf(" %11.2f %11.2f %11s\n", (double)m->warp_instructions / m->seconds / 1e6,
           (double)m->warp_instructions / m->cpu_seconds / 1e6, said);
    fflush(stdout);
}
