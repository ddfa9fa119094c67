/* How fast the front end executes kernels and writes their traces, and how large these are. See --help. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/documents/json.h"
#include "base/file.h"
#include "bench/about.h"
#include "warpsweep/frontend.h"

enum { SEED = 1, MOST_WORKLOADS = 256 };

struct settings {
    const char *json, *commit, *size, *workloads[MOST_WORKLOADS];
    unsigned workload_count, repeats, lockstep;
};

/* Seconds of processor time: the machine may be doing something else besides. */
struct measurement {
    u64 thread_instructions, bytes;
    double load, execute, build;
};

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void keep_least(double *least, double seconds)
{
    if (*least == 0 || seconds < *least)
        *least = seconds;
}

static enum ws_size size_of(const char *name)
{
    enum ws_size size = WS_SIZE_TINY;
    while (size < WS_SIZES && strcmp(ws_size_name(size), name) != 0)
        size++;
    return size;
}

/* Executes, or executes and writes a trace to path, on fresh inputs. */
static enum ws_status run(const struct ws_workload *workload, const struct settings *settings, const struct ws_program *program,
                          const char *path, struct measurement *measurement, struct ws_error *error)
{
    struct ws_frontend_options options;
    struct ws_ndrange launch;
    ws_frontend_defaults(&options);
    if (settings->lockstep)
        options.lockstep = settings->lockstep;
    enum ws_status status = workload->prepare(size_of(settings->size), SEED, &launch, error);
    if (status != WS_STATUS_ok)
        return status;
    u64 *const instructions = &measurement->thread_instructions;
    const double start = processor_seconds();
    if (path)
        status = ws_trace_build(program, &options, &launch, path, instructions, error);
    else
        status = ws_execute(program, &options, &launch, NULL, instructions, error);
    keep_least(path ? &measurement->build : &measurement->execute, processor_seconds() - start);
    workload->release(&launch);
    return status;
}

static enum ws_status load(const struct ws_workload *workload, struct ws_program **program, double *least, struct ws_error *error)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    const double start = processor_seconds();
    const enum ws_status status = ws_program_load(workload->name, workload->ptx, workload->ptx_length, &options, program, error);
    keep_least(least, processor_seconds() - start);
    return status;
}

static enum ws_status measure(const struct ws_workload *workload, const struct settings *settings, struct measurement *measurement,
                              struct ws_error *error)
{
    const char *const folder = getenv("TMPDIR");
    char path[4096];
    struct stat file = {0};
    struct ws_program *program = NULL;
    *measurement = (struct measurement){0};
    snprintf(path, sizeof path, "%s/bench-frontend-%ld.wst", folder ? folder : "/tmp", (long)getpid());
    enum ws_status status = load(workload, &program, &measurement->load, error);
    for (unsigned n = 0; status == WS_STATUS_ok && n < settings->repeats; n++) {
        status = run(workload, settings, program, NULL, measurement, error);
        if (status == WS_STATUS_ok)
            status = run(workload, settings, program, path, measurement, error);
    }
    if (stat(path, &file) == 0)
        measurement->bytes = (u64)file.st_size;
    remove(path);
    ws_program_free(program);
    return status;
}

static void report(struct ws_json *json, const char *workload, const struct measurement *m)
{
    const double count = (double)m->thread_instructions;
    printf("%-14s %12llu %10.0f %10.0f %10.3f %8.1f\n", workload, (unsigned long long)m->thread_instructions,
           count / m->execute * 1e-6, count / m->build * 1e-6, (double)m->bytes / count, m->load * 1e3);
    ws_json_object(json, NULL);
    ws_json_text(json, "workload", workload);
    ws_json_unsigned(json, "thread_instructions", m->thread_instructions);
    ws_json_real(json, "execute_per_second", count / m->execute);
    ws_json_real(json, "build_per_second", count / m->build);
    ws_json_unsigned(json, "trace_bytes", m->bytes);
    ws_json_real(json, "bytes_per_instruction", (double)m->bytes / count);
    ws_json_real(json, "load_seconds", m->load);
    ws_json_end_object(json);
}

static bool is_chosen(const struct settings *settings, const char *name)
{
    for (unsigned n = 0; n < settings->workload_count; n++)
        if (strcmp(settings->workloads[n], name) == 0)
            return true;
    return settings->workload_count == 0;
}

static enum ws_status measure_all(struct ws_json *json, const struct settings *settings, struct ws_error *error)
{
    bench_about(json, settings->commit);
    ws_json_text(json, "size", settings->size);
    ws_json_array(json, "frontend");
    printf("size %s, millions of thread instructions a second of processor time, best of %u\n", settings->size, settings->repeats);
    printf("%-14s %12s %10s %10s %10s %8s\n", "workload", "instructions", "execute", "and trace", "bytes each", "load, ms");
    for (const struct ws_workload *workload = ws_workloads(); workload->name; workload++) {
        struct measurement measurement;
        if (!is_chosen(settings, workload->name))
            continue;
        const enum ws_status status = measure(workload, settings, &measurement, error);
        if (status != WS_STATUS_ok)
            return status;
        report(json, workload->name, &measurement);
    }
    ws_json_end_array(json);
    return WS_STATUS_ok;
}

static const struct argp_option options[] = {
    {"size", 's', "SIZE", 0, "tiny, small (the default) or paper", 0},
    {"repeats", 'r', "N", 0, "the best of N runs counts (3)", 0},
    {"lockstep", 'l', "N", 0, "threads of a warp that execute in lockstep (the front end's default)", 0},
    {"json", 'j', "FILE", 0, "write the results there too", 0},
    {"commit", 'c', "TEXT", 0, "the commit that is measured, for the report", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct settings *const settings = state->input;
    switch (key) {
    case 's':
        if (size_of(value) == WS_SIZES)
            argp_error(state, "size %s: allowed are tiny, small, paper", value);
        settings->size = value;
        return 0;
    case 'r':
        settings->repeats = (unsigned)strtoul(value, NULL, 10);
        if (settings->repeats < 1)
            argp_error(state, "repeats %s: allowed is a number from 1 on", value);
        return 0;
    case 'l':
        settings->lockstep = (unsigned)strtoul(value, NULL, 10);
        if (settings->lockstep < 1 || settings->lockstep > WS_MOST_LOCKSTEP)
            argp_error(state, "lockstep %s: allowed is a number from 1 to %u", value, WS_MOST_LOCKSTEP);
        return 0;
    case 'j':
        settings->json = value;
        return 0;
    case 'c':
        settings->commit = value;
        return 0;
    case ARGP_KEY_ARG:
        if (!ws_workload_find(value) || settings->workload_count == MOST_WORKLOADS)
            argp_error(state, "%s is not a workload", value);
        settings->workloads[settings->workload_count++] = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int count, char **arguments)
{
    static const struct argp argp = {options, parse, "[WORKLOAD...]", "Measures the front end on bundled workloads.", NULL,
                                     NULL,    NULL};
    struct settings settings = {.size = "small", .commit = "unknown", .repeats = 3};
    struct ws_text text = {0};
    struct ws_json json = {.text = &text};
    struct ws_error error = {.message = ""};
    if (argp_parse(&argp, count, arguments, 0, NULL, &settings) != 0)
        return 2;
    ws_json_object(&json, NULL);
    enum ws_status status = measure_all(&json, &settings, &error);
    ws_json_end_object(&json);
    if (status == WS_STATUS_ok && settings.json)
        status = ws_file_write(settings.json, text.data, text.length, &error);
    ws_text_free(&text);
    if (status != WS_STATUS_ok)
        fprintf(stderr, "frontend: %s\n", error.message);
    return ws_status_exit_code(status);
}
