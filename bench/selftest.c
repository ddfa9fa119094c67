/* Has an OpenCL device prove every variant in one lane form, or says what the device is. See --help. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/documents/json.h"
#include "bench/measure.h"
#include "engine/opencl/device.h"
#include "engine/opencl/selftest/synthetic.h"
#include "engine/variant.h"

struct settings {
    const char *device, *variant, *lane_form, *rows;
    bool describe;
};

static int complain(const struct ws_error *error)
{
    fprintf(stderr, "selftest: %s\n", error->message);
    return 1;
}

/* ---- The device ---- */

/* A line of fields between tabs: name, platform, driver, compute units, MB, compute capability of NVIDIA's, lane forms that suit
 * it. */
static int describe(const char *wanted)
{
    struct ws_error error = {.message = ""};
    struct ws_cl_device *devices = NULL;
    size_t count = 0;
    if (ws_cl_devices(&devices, &count, &error) != WS_STATUS_ok)
        return complain(&error);
    const struct ws_cl_device *const device = ws_device_pick(devices, count, wanted, &error);
    if (device) {
        printf("%s\t%s\t%s\t%u\t%llu\t%u\t", device->name, device->platform_name, device->driver, device->cores,
               (unsigned long long)(device->memory >> 20), device->compute);
        const struct ws_lane_form *forms[WS_LANE_FORMS];
        const u32 suiting = ws_lane_forms_pick(device, NULL, forms, NULL);
        for (u32 n = 0; n < suiting; n++)
            printf("%s%s", n ? " " : "", forms[n]->name);
        printf("\n");
    }
    free(devices);
    return device ? 0 : complain(&error);
}

/* ---- Proving ---- */

/* The engine runs no job of a variant before its self-test has passed, here with nothing known from earlier. */
static enum ws_status prove(const struct settings *settings, u32 variant, const struct ws_image *image, struct ws_error *error)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = settings->device,
                                              .lane_form = settings->lane_form};
    const struct ws_machine machine = machine_of(variant);
    const struct ws_job_spec job = {.machine = &machine, .image = image};
    struct ws_job_result result = {.status = WS_STATUS_running};
    struct ws_engine *engine;
    enum ws_status status = ws_engine_open(&options, &engine, error);
    if (status != WS_STATUS_ok)
        return status;
    status = ws_engine_run(engine, &job, 1, &result, NULL, error);
    if (status == WS_STATUS_ok && result.status != WS_STATUS_ok) {
        status = result.status;
        snprintf(error->message, sizeof error->message, "%s", ws_job_reason(&result));
    }
    ws_job_result_free(&result);
    ws_engine_close(engine);
    return status;
}

static void keep_row(FILE *rows, const char *form, u32 variant, enum ws_status status, double seconds, const struct ws_error *error)
{
    struct ws_text row = {0};
    struct ws_json json = {.text = &row, .flat = true};
    char time[32];
    if (!rows || lockf(fileno(rows), F_LOCK, 0) != 0 || fseek(rows, 0, SEEK_END) != 0)
        return;
    snprintf(time, sizeof time, "%.3f", seconds);
    ws_json_object(&json, NULL);
    ws_json_text(&json, "lane_form", form);
    ws_json_text(&json, "variant", ws_tuples()[variant].name);
    ws_json_bool(&json, "passed", status == WS_STATUS_ok);
    ws_json_raw(&json, "seconds", time);
    ws_json_text(&json, "reason", status == WS_STATUS_ok ? "" : error->message);
    ws_json_end_object(&json);
    if (!row.failed)
        fprintf(rows, "%s%s", ftell(rows) > 0 ? ",\n" : "", row.data);
    fflush(rows);
    rewind(rows);
    (void)!lockf(fileno(rows), F_ULOCK, 0);
    ws_text_free(&row);
}

/* Proves variants that no other process has taken; how many failed. */
static unsigned prove_some(const struct settings *settings, _Atomic u32 *next, const struct ws_image *image, FILE *rows)
{
    unsigned failures = 0;
    for (u32 variant = (*next)++; variant < WS_VARIANTS && ws_tuples()[variant].words == 1; variant = (*next)++) {
        if (!variant_is_wanted(variant, settings->variant))
            continue;
        struct ws_error error = {.message = ""};
        const double start = ws_seconds_now();
        const enum ws_status status = prove(settings, variant, image, &error);
        const double seconds = ws_seconds_now() - start;
        failures += status != WS_STATUS_ok;
        printf("%-9s %-30s %7.2f s %s%s\n", settings->lane_form, ws_tuples()[variant].name, seconds,
               status == WS_STATUS_ok ? "passed" : "failed: ", error.message);
        fflush(stdout);
        keep_row(rows, settings->lane_form, variant, status, seconds, &error);
    }
    return failures;
}

/* A process for each core, since drivers compile one program of a process at a time. One that does not end well has failed. */
static int prove_all(const struct settings *settings, FILE *rows)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 1, .block_threads = 64, .loops = 2};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct ws_image *const image = ws_synthetic_new(&description);
    void *const shared = mmap(NULL, sizeof(_Atomic u32), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned failures = 0;
    int ended;
    _Atomic u32 *const next = shared;
    if (!image || shared == MAP_FAILED)
        return complain(&(struct ws_error){.message = "out of memory"});
    for (long n = 1; n < cores; n++)
        if (fork() == 0)
            _exit(prove_some(settings, next, image, rows) > 0);
    failures += prove_some(settings, next, image, rows);
    while (wait(&ended) > 0)
        failures += ended != 0;
    munmap(shared, sizeof *next);
    ws_synthetic_free(image);
    return failures > 0;
}

/* ---- Command line ---- */

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "OpenCL device: gpu, cpu or part of its name (default: a GPU, else the first)", 0},
    {"lane-form", 'l', "FORM", 0, "the lane form to prove", 0},
    {"variant", 'v', "TEXT", 0, "only variants whose names contain it", 0},
    {"rows", 'r', "FILE", 0, "append each result to FILE: JSON objects separated by commas", 0},
    {"describe", 'i', NULL, 0,
     "only say what the device is, between tabs: name, platform, driver, compute units, MB, compute capability, lane forms", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct settings *const settings = state->input;
    if (key == 'd')
        settings->device = value;
    else if (key == 'l')
        settings->lane_form = value;
    else if (key == 'v')
        settings->variant = value;
    else if (key == 'r')
        settings->rows = value;
    else if (key == 'i')
        settings->describe = true;
    else if (key == ARGP_KEY_END && !settings->describe && !settings->lane_form)
        argp_error(state, "--lane-form or --describe is needed");
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int main(int count, char **arguments)
{
    const struct argp argp = {
        options,
        parse,
        NULL,
        "Verify each variant on an OpenCL device in one lane form. An XDG_CACHE_HOME without earlier results repeats all tests.",
        NULL,
        NULL,
        NULL};
    struct settings settings = {0};
    argp_err_exit_status = 2;
    if (argp_parse(&argp, count, arguments, 0, NULL, &settings) != 0)
        return 2;
    if (settings.describe)
        return describe(settings.device);
    FILE *const rows = settings.rows ? fopen(settings.rows, "a") : NULL;
    if (settings.rows && !rows)
        return complain(&(struct ws_error){.message = "the file of rows cannot be written"});
    int status = prove_all(&settings, rows);
    if (rows && fclose(rows) != 0)
        status = complain(&(struct ws_error){.message = "the file of rows was not written"});
    return status;
}
