/* How fast the engines simulate: warp instructions a second for each engine, variant and workload, and simulations a second against
 * the number of jobs. See --help. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/about.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/synthetic.h"
#include "engine/variant.h"
#include "warpsweep/engine.h"
#include "warpsweep/frontend.h"

enum { MOST_WORKLOADS = 16, MOST_JOBS = 4096, BATCHES = 8 };

struct settings {
    const char *json, *commit, *size, *engine, *device;
    double seconds; /* least time of a measurement */
    u32 slice;
    const char *workloads[MOST_WORKLOADS];
    size_t workload_count;
};

struct engine_row {
    const char *label, *engine;
    u32 threads;       /* of the native engine, 0 for all cores */
    u32 jobs_per_core; /* in a batch */
};

static const struct engine_row engine_rows[] = {
    {"native, 1 thread", "native", 1, 0},
    {"native, all cores", "native", 0, 2},
    {"opencl", "opencl", 0, 4},
};

enum { ENGINE_ROWS = sizeof engine_rows / sizeof *engine_rows };

struct measurement {
    size_t jobs;
    u64 warp_instructions, cycles;
    double seconds, cpu_seconds; /* on the clock; of all threads of this process */
};

static void fatal(const char *what, const struct ws_error *error)
{
    fprintf(stderr, "throughput: %s: %s\n", what, error->message);
    exit(1);
}

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- Workloads ---- */

static struct ws_image *load_workload(const char *name, const char *size)
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
    if (ws_image_load(trace, 0, 1, WS_REPLAYED_SPACES, &image, &error) != WS_STATUS_ok)
        fatal(path, &error);
    ws_trace_close(trace);
    free(path);
    return image;
}

/* "synthetic" needs no front end. */
static struct ws_image *load(const char *name, const char *size)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 64, .block_threads = 256, .loops = 40, .scattered = 10};
    if (strcmp(name, "synthetic") != 0)
        return load_workload(name, size);
    struct ws_image *const image = ws_synthetic_new(&description);
    if (!image)
        fatal(name, &(struct ws_error){.message = "out of memory"});
    return image;
}

static void unload(const char *name, struct ws_image *image)
{
    if (strcmp(name, "synthetic") == 0)
        ws_synthetic_free(image);
    else
        ws_image_free(image);
}

/* ---- Measuring ---- */

static struct ws_machine machine_of(u32 variant)
{
    const struct ws_tuple *const tuple = &ws_tuples()[variant];
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.core_pipeline = tuple->pipeline;
    machine.divergence_unit = tuple->divergence;
    machine.schedule_policy = tuple->policy;
    machine.core_dispatch = tuple->dispatch;
    if (tuple->divergence == WS_divergence_lwm) {
        machine.core_warp_size = 256;
        machine.core_warps = 4;
        machine.schedule_fetch_group = 1;
    }
    return machine;
}

static struct ws_engine *open_engine(const struct engine_row *row, const struct settings *settings)
{
    const struct ws_engine_options options = {.engine = row->engine,
                                              .threads = row->threads,
                                              .slice = settings->slice,
                                              .device = strcmp(row->engine, "opencl") == 0 ? settings->device : NULL};
    struct ws_engine *engine;
    struct ws_error error = {.message = ""};
    if (ws_engine_open(&options, &engine, &error) != WS_STATUS_ok)
        fatal(row->label, &error);
    return engine;
}

/* Runs that many equal jobs once. */
static void run_once(struct ws_engine *engine, const struct ws_machine *machine, const struct ws_image *image, size_t count,
                     struct measurement *measurement)
{
    static struct ws_job_spec jobs[MOST_JOBS];
    static struct ws_job_result results[MOST_JOBS];
    struct ws_error error = {.message = ""};
    for (size_t n = 0; n < count; n++)
        jobs[n] = (struct ws_job_spec){machine, image};
    const double start = read_clock(CLOCK_MONOTONIC), cpu_start = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    if (ws_engine_run(engine, jobs, count, results, NULL, &error) != WS_STATUS_ok)
        fatal(ws_engine_name(engine), &error);
    measurement->seconds += read_clock(CLOCK_MONOTONIC) - start;
    measurement->cpu_seconds += read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    measurement->jobs += count;
    for (size_t n = 0; n < count; n++) {
        if (results[n].status != WS_STATUS_ok)
            fatal(results[n].reason, &error);
        measurement->warp_instructions += results[n].counters[WS_COUNT_warp_instructions];
        measurement->cycles += results[n].counters[WS_COUNT_cycles];
    }
}

/* The first run builds and proves the variant's program; it is not counted. */
static struct measurement measure(struct ws_engine *engine, const struct ws_machine *machine, const struct ws_image *image,
                                  size_t count, double seconds)
{
    struct measurement warm_up = {0}, measurement = {0};
    run_once(engine, machine, image, 1, &warm_up);
    do {
        run_once(engine, machine, image, count, &measurement);
    } while (measurement.seconds < seconds);
    return measurement;
}

static void report(struct ws_json *json, const struct measurement *m)
{
    ws_json_unsigned(json, "jobs", m->jobs);
    ws_json_unsigned(json, "warp_instructions", m->warp_instructions);
    ws_json_unsigned(json, "cycles", m->cycles);
    ws_json_real(json, "seconds", m->seconds);
    ws_json_real(json, "cpu_seconds", m->cpu_seconds);
    ws_json_real(json, "warp_instructions_per_second", (double)m->warp_instructions / m->seconds);
    ws_json_real(json, "simulations_per_second", (double)m->jobs / m->seconds);
    printf(" %6zu %11.2f %11.2f %11.1f\n", m->jobs, (double)m->warp_instructions / m->seconds / 1e6,
           (double)m->warp_instructions / m->cpu_seconds / 1e6, (double)m->jobs / m->seconds);
    fflush(stdout);
}

static void describe(struct ws_json *json, const char *label, const char *device, u32 variant, const char *workload)
{
    ws_json_object(json, NULL);
    ws_json_text(json, "engine", label);
    ws_json_text(json, "device", device);
    ws_json_text(json, "variant", ws_tuples()[variant].name);
    ws_json_text(json, "workload", workload);
    printf("%-18s %-30s %-14s", label, ws_tuples()[variant].name, workload);
}

static void measure_workload(struct ws_json *json, const struct settings *settings, const struct engine_row *row,
                             const char *workload)
{
    struct ws_engine *const engine = open_engine(row, settings);
    struct ws_image *const image = load(workload, settings->size);
    const size_t count = ws_min(ws_max(1, row->jobs_per_core * bench_cores()), MOST_JOBS);
    for (u32 variant = 0; variant < WS_VARIANTS; variant++) {
        const struct ws_machine machine = machine_of(variant);
        describe(json, row->label, ws_engine_device(engine), variant, workload);
        const struct measurement m = measure(engine, &machine, image, count, settings->seconds);
        report(json, &m);
        ws_json_end_object(json);
    }
    unload(workload, image);
    ws_engine_close(engine);
}

/* Simulations a second of 1, 2, 4 ... jobs. */
static void measure_batches(struct ws_json *json, const struct settings *settings, const struct engine_row *row,
                            const char *workload)
{
    struct ws_engine *const engine = open_engine(row, settings);
    struct ws_image *const image = load(workload, settings->size);
    const struct ws_machine machine = machine_of(0);
    for (size_t n = 0; n < BATCHES; n++) {
        describe(json, row->label, ws_engine_device(engine), 0, workload);
        const struct measurement m = measure(engine, &machine, image, (size_t)1 << n, 0);
        report(json, &m);
        ws_json_end_object(json);
    }
    unload(workload, image);
    ws_engine_close(engine);
}

static bool wanted(const struct settings *settings, const struct engine_row *row)
{
    return !settings->engine || strstr(row->label, settings->engine);
}

static void measure_all(struct ws_json *json, const struct settings *settings)
{
    ws_json_text(json, "benchmark", "throughput");
    bench_about(json, settings->commit);
    ws_json_text(json, "size", settings->size);
    printf("\nM warp instructions a second, and a second of one core's time; simulations a second\n");
    printf("%-18s %-30s %-14s %6s %11s %11s %11s\n", "engine", "variant", "workload", "jobs", "M/s", "M/core s", "sim/s");
    ws_json_array(json, "rates");
    for (size_t row = 0; row < ENGINE_ROWS; row++)
        for (size_t n = 0; n < settings->workload_count && wanted(settings, &engine_rows[row]); n++)
            measure_workload(json, settings, &engine_rows[row], settings->workloads[n]);
    ws_json_end_array(json);
    printf("\nagainst the number of jobs\n");
    ws_json_array(json, "batches");
    for (size_t row = 0; row < ENGINE_ROWS; row++)
        if (wanted(settings, &engine_rows[row]))
            measure_batches(json, settings, &engine_rows[row], settings->workloads[0]);
    ws_json_end_array(json);
}

/* ---- Command line ---- */

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "write the results as JSON too", 0},
    {"commit", 'c', "TEXT", 0, "what was built, for the record", 0},
    {"size", 's', "SIZE", 0, "size of the workloads: tiny (default), small, paper", 0},
    {"engine", 'e', "TEXT", 0, "only engines whose label contains it: \"native, 1\", \"native\", \"opencl\"", 0},
    {"slice", 'n', "CYCLES", 0, "cycles of a slice (default: the engine's choice)", 0},
    {"device", 'd', "NAME", 0, "OpenCL device: gpu, cpu or part of its name", 0},
    {"seconds", 't', "N", 0, "least time of a measurement (default 1)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct settings *const settings = state->input;
    const char **const text = key == 'j'   ? &settings->json
                              : key == 'c' ? &settings->commit
                              : key == 's' ? &settings->size
                              : key == 'e' ? &settings->engine
                              : key == 'd' ? &settings->device
                                           : NULL;
    if (text)
        *text = value;
    else if (key == 't')
        settings->seconds = strtod(value, NULL);
    else if (key == 'n')
        settings->slice = (u32)strtoul(value, NULL, 10);
    else if (key == ARGP_KEY_ARG && settings->workload_count < MOST_WORKLOADS)
        settings->workloads[settings->workload_count++] = value;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/* All bundled workloads where none is named. */
static void choose_workloads(struct settings *settings)
{
    if (settings->workload_count > 0)
        return;
    for (const struct ws_workload *w = ws_workloads(); w->name && settings->workload_count < MOST_WORKLOADS; w++)
        settings->workloads[settings->workload_count++] = w->name;
}

int main(int count, char **arguments)
{
    const struct argp argp = {
        options, parse, "[WORKLOAD]...", "Speed of the engines; a WORKLOAD is a bundled one or \"synthetic\".", NULL, NULL, NULL};
    struct settings settings = {.commit = "unknown", .size = "tiny", .seconds = 1};
    struct ws_text text = {0};
    struct ws_json json = {.text = &text};
    struct ws_error error = {.message = ""};
    if (argp_parse(&argp, count, arguments, 0, NULL, &settings) != 0)
        return 2;
    choose_workloads(&settings);
    ws_json_object(&json, NULL);
    measure_all(&json, &settings);
    ws_json_end_object(&json);
    if (settings.json && ws_file_write(settings.json, text.data, text.length, &error) != WS_STATUS_ok)
        fatal(settings.json, &error);
    ws_text_free(&text);
    return 0;
}
