/* How fast the engines simulate: warp instructions a second for each engine, variant and workload, and against the number of
 * simulations at once. See --help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/utf8.h"
#include "bench/about.h"
#include "bench/measure.h"
#include "bench/settings.h"
#include "engine/jobs/predecode.h"
#include "engine/variant.h"

/* Jobs for each that a CPU runs at once: a few level out when they end; points of a sweep that share what they can. */
enum { NATIVE_JOBS = 2, CPU_JOBS = 4, SHARING_JOBS = 16 };

enum { MOST_RUNNERS = 3 + WS_LANE_FORMS * MOST_LIMITS };

/* An engine as it is measured. */
struct runner {
    char label[64], device[1024];
    const char *name, *lane_form;
    struct ws_engine *engine; /* NULL when it was lost */
    u32 registers;            /* the most that a work-item may use; 0: the engine's choice, or no limit */
    size_t batch;             /* simulations at once that fill it */
    bool grows;               /* measured against the number of simulations at once */
    bool shares;              /* measured where points share packets */
};

struct bench {
    struct settings settings;
    struct ws_json json;
    struct runner runners[MOST_RUNNERS];
    size_t runner_count;
    double end; /* of the budget, by ws_seconds_now */
    FILE *rows;
    unsigned failures, skipped;
};

/* ---- Rows ---- */

static void complain(struct bench *bench, const char *what, const struct ws_error *error)
{
    bench->failures++;
    fprintf(stderr, "throughput: %s: %s\n", what, error->message);
}

/* Keeps a row, on one line, as soon as there is one: whatever ends the process later. Rows are separated by commas. */
static void keep_row(struct bench *bench, size_t start)
{
    const struct ws_text *const text = bench->json.text;
    if (!bench->rows || text->failed)
        return;
    if (fseek(bench->rows, 0, SEEK_END) == 0 && ftell(bench->rows) > 0)
        fputs(",\n", bench->rows);
    for (const char *at = strchr(text->data + start, '{'); *at; at++) {
        if (*at != '\n')
            fputc(*at, bench->rows);
        else
            at += strspn(at + 1, " ");
    }
    fflush(bench->rows);
}

/* Begins a row; returns where. WS_VARIANTS is no variant. */
static size_t begin_row(struct bench *bench, const struct runner *runner, u32 variant, const char *workload, size_t batch)
{
    struct ws_json *const json = &bench->json;
    const size_t start = json->text->length;
    const char *const name = variant < WS_VARIANTS ? ws_tuples()[variant].name : "";
    char limit[12] = "-";
    if (runner->registers)
        snprintf(limit, sizeof limit, "%u", runner->registers);
    ws_json_object(json, NULL);
    ws_json_text(json, "label", runner->label);
    ws_json_text(json, "engine", runner->name);
    ws_json_text(json, "lane_form", runner->lane_form);
    ws_json_text(json, "device", runner->device);
    if (runner->registers)
        ws_json_unsigned(json, "registers", runner->registers);
    else
        ws_json_null(json, "registers");
    ws_json_text(json, "variant", name);
    ws_json_text(json, "workload", workload);
    ws_json_text(json, "size", strcmp(workload, "synthetic") == 0 ? "" : bench->settings.size);
    ws_json_unsigned(json, "batch", batch);
    printf("%-25s %4s %-30s %-14s %6zu", runner->label, limit, name, workload, batch);
    fflush(stdout);
    return start;
}

static void end_row(struct bench *bench, size_t start)
{
    ws_json_end_object(&bench->json);
    keep_row(bench, start);
}

/* What came instead of a measurement: "failed", which the exit code tells too, or "skipped". */
static void say_instead(struct bench *bench, bool failed, const char *reason)
{
    bench->failures += failed;
    bench->skipped += !failed;
    ws_json_text(&bench->json, failed ? "failed" : "skipped", reason);
    printf(" %s: %s\n", failed ? "failed" : "skipped", reason);
}

/* ---- Engines ---- */

/* The lane form as an engine describes itself: "..., lanes as ptx". Native lanes are a loop. */
static const char *lane_form_of(const char *device)
{
    const char *const said = strstr(device, "lanes as ");
    for (u32 n = 0; said && n < WS_LANE_FORMS; n++) {
        const char *const name = ws_lane_forms()[n].name;
        if (strncmp(said + strlen("lanes as "), name, strlen(name)) == 0)
            return name;
    }
    return "loop";
}

/* The limit of registers that was asked for, as an engine describes itself: "..., at most 64 registers". */
static u32 registers_of(const char *device)
{
    const char *const said = strstr(device, ", at most ");
    return said ? (u32)strtoul(said + strlen(", at most "), NULL, 10) : 0;
}

static void open_runner(struct bench *bench, const struct ws_engine_options *options, const char *label, size_t jobs, bool grows)
{
    struct runner *const runner = &bench->runners[bench->runner_count];
    struct ws_error error = {.message = ""};
    *runner = (struct runner){.name = options->engine, .grows = grows};
    snprintf(runner->label, sizeof runner->label, "%s", label);
    if (bench->settings.engine && !strstr(label, bench->settings.engine))
        return;
    if (ws_engine_open(options, &runner->engine, &error) == WS_STATUS_ok) {
        ws_utf8_copy(runner->device, sizeof runner->device, ws_engine_device(runner->engine));
        runner->lane_form = lane_form_of(ws_engine_device(runner->engine));
        runner->registers = registers_of(ws_engine_device(runner->engine));
        runner->batch = jobs * ws_engine_at_once(runner->engine);
        runner->shares = jobs == SHARING_JOBS;
        bench->runner_count++;
    } else {
        runner->lane_form = options->lane_form ? options->lane_form : "";
        const size_t start = begin_row(bench, runner, WS_VARIANTS, "", 0);
        say_instead(bench, true, error.message);
        end_row(bench, start);
    }
}

/* An engine for each limit of registers, as long as that makes a difference. */
static void open_limited(struct bench *bench, const char *form)
{
    const struct settings *const settings = &bench->settings;
    char label[64];
    snprintf(label, sizeof label, "opencl%s%s%s", form ? " " : "", form ? form : "",
             settings->specialize == WS_SPECIALIZE_ALWAYS ? ", compiled" : "");
    for (size_t n = 0; n < settings->limit_count || n == 0; n++) {
        struct runner *const runner = &bench->runners[bench->runner_count];
        const struct ws_engine_options options = {WS_STRUCT(engine_options),
                                                  .engine = "opencl",
                                                  .quantum = settings->quantum,
                                                  .device = settings->device,
                                                  .lane_form = form,
                                                  .specialize = settings->specialize,
                                                  .registers = settings->limit_count ? settings->registers[n] : 0};
        open_runner(bench, &options, label, 1, true);
        if (runner->engine && strcmp(runner->lane_form, "loop") == 0)
            runner->batch *= CPU_JOBS;
        if (runner->registers == 0)
            return;
    }
}

static void open_runners(struct bench *bench)
{
    const struct settings *const settings = &bench->settings;
    const struct ws_engine_options one = {WS_STRUCT(engine_options), .engine = "native", .threads = 1,
                                          .specialize = settings->specialize};
    const struct ws_engine_options all = {WS_STRUCT(engine_options), .engine = "native", .specialize = settings->specialize};
    open_runner(bench, &one, "native, 1 thread", 1, false);
    open_runner(bench, &one, "native, 1 thread, sharing", SHARING_JOBS, false);
    open_runner(bench, &all, "native, all cores", NATIVE_JOBS, true);
    for (size_t n = 0; n < settings->lane_form_count || n == 0; n++)
        open_limited(bench, settings->lane_form_count ? settings->lane_forms[n] : NULL);
    if (bench->runner_count == 0)
        complain(bench, "nothing is measured", &(struct ws_error){.message = "no engine was opened, or --engine names none"});
}

/* ---- Measuring ---- */

static enum ws_status try_to_measure(struct bench *bench, struct runner *runner, const struct ws_image *image, u32 variant,
                                     size_t batch, struct measurement *m)
{
    const struct ws_machine machine = machine_of(variant);
    const struct patience patience = {bench->settings.seconds, bench->settings.longest, bench->end};
    struct ws_error error = {.message = ""};
    enum ws_status status = WS_STATUS_interrupted;
    if (!runner->engine) {
        say_instead(bench, false, "the device was lost");
        return WS_STATUS_lost_device;
    }
    if (ws_seconds_now() < bench->end)
        status = measure(runner->engine, &machine, image, batch, &patience, m, &error);
    if (status == WS_STATUS_interrupted)
        say_instead(bench, false, "out of time");
    else if (status != WS_STATUS_ok)
        say_instead(bench, true, error.message);
    if (status == WS_STATUS_lost_device) {
        ws_engine_close(runner->engine);
        runner->engine = NULL;
    }
    return status;
}

/* Measures one row; the seconds that a batch took, 0 when there is none. One that was stopped takes longer than the most. */
static double measure_row(struct bench *bench, struct runner *runner, const struct ws_image *image, const char *workload,
                          u32 variant, size_t batch)
{
    struct measurement m;
    const size_t start = begin_row(bench, runner, variant, workload, batch);
    const enum ws_status status = try_to_measure(bench, runner, image, variant, batch, &m);
    if (status == WS_STATUS_ok)
        measurement_report(&bench->json, &m);
    end_row(bench, start);
    if (status != WS_STATUS_ok)
        return 0;
    return m.cut ? bench->settings.longest : m.seconds * (double)batch / (double)m.jobs;
}

/* 1, 4, 16 ... simulations at once, as far as a batch would stay within the time for it. */
static void measure_growth(struct bench *bench, struct runner *runner, const struct ws_image *image, const char *workload)
{
    const double most = bench->settings.longest / 4;
    double seconds = most;
    size_t batch = 1;
    for (; batch <= bench->settings.most_batch && seconds > 0 && seconds <= most; batch *= 4)
        seconds = measure_row(bench, runner, image, workload, 0, batch);
    if (batch > bench->settings.most_batch || seconds <= most)
        return;
    char reason[100];
    const size_t start = begin_row(bench, runner, 0, workload, batch);
    snprintf(reason, sizeof reason, "so many and more may take longer than %g s", bench->settings.longest);
    say_instead(bench, false, reason);
    end_row(bench, start);
}

static void measure_batches(struct bench *bench, const char *workload)
{
    const struct ws_machine machine = machine_of(0);
    struct ws_image *const image = workload_load(workload, bench->settings.size, ws_machine_spaces(&machine));
    for (size_t r = 0; r < bench->runner_count; r++)
        if (bench->runners[r].grows)
            measure_growth(bench, &bench->runners[r], image, workload);
    workload_unload(workload, image);
}

static void measure_variant(struct bench *bench, u32 variant, struct ws_image *images[MOST_WORKLOADS])
{
    const struct settings *const settings = &bench->settings;
    const struct ws_machine machine = machine_of(variant);
    struct ws_predecoding predecoding;
    for (size_t w = 0; w < settings->workload_count; w++) {
        if (!images[w])
            images[w] = workload_load(settings->workloads[w], settings->size, ws_machine_spaces(&machine));
        for (size_t r = 0; r < bench->runner_count; r++)
            if (!bench->runners[r].shares || ws_predecoding_of(&machine, &predecoding))
                measure_row(bench, &bench->runners[r], images[w], settings->workloads[w], variant, bench->runners[r].batch);
    }
}

static bool is_wanted(u32 variant, const struct settings *settings)
{
    bool wanted = settings->variant_count == 0;
    for (size_t n = 0; n < settings->variant_count; n++)
        wanted |= variant_is_wanted(variant, settings->variants[n]);
    return wanted;
}

/* A variant is measured on all workloads before the next, so that what there is time for can be compared. */
static void measure_variants(struct bench *bench)
{
    const struct settings *const settings = &bench->settings;
    struct ws_image *images[WS_PIPELINES][MOST_WORKLOADS] = {{NULL}};
    for (u32 variant = 0; variant < WS_VARIANTS && ws_tuples()[variant].words == 1; variant++)
        if (is_wanted(variant, settings))
            measure_variant(bench, variant, images[ws_tuples()[variant].pipeline]);
    for (size_t pipeline = 0; pipeline < WS_PIPELINES; pipeline++)
        for (size_t w = 0; w < settings->workload_count; w++)
            workload_unload(settings->workloads[w], images[pipeline][w]);
}

static void measure_all(struct bench *bench)
{
    const struct settings *const settings = &bench->settings;
    ws_json_text(&bench->json, "benchmark", "throughput");
    bench_about(&bench->json, settings->commit);
    printf("\nM warp instructions a second, and a second of one core's time; simulations a second; batch: simulations at once;\n"
           "regs: the most registers of a work-item\n");
    printf("%-25s %4s %-30s %-14s %6s %11s %11s %11s\n", "engine", "regs", "variant", "workload", "batch", "M/s", "M/core s",
           "sim/s");
    ws_json_array(&bench->json, "batches");
    open_runners(bench);
    measure_batches(bench, settings->workloads[0]);
    ws_json_end_array(&bench->json);
    ws_json_array(&bench->json, "rates");
    measure_variants(bench);
    ws_json_end_array(&bench->json);
    for (size_t r = 0; r < bench->runner_count; r++)
        ws_engine_close(bench->runners[r].engine);
}

int main(int count, char **arguments)
{
    struct ws_text text = {0};
    struct ws_error error = {.message = ""};
    struct bench bench = {.settings = {.commit = "unknown",
                                       .size = "tiny",
                                       .seconds = 1,
                                       .longest = 20,
                                       .budget = 1e9,
                                       .most_batch = 16384,
                                       .specialize = WS_SPECIALIZE_NEVER},
                          .json = {.text = &text}};
    struct settings *const settings = &bench.settings;
    settings_read(settings, count, arguments);
    bench.end = ws_seconds_now() + settings->budget;
    bench.rows = settings->rows ? fopen(settings->rows, "a") : NULL;
    if (settings->rows && !bench.rows) {
        fprintf(stderr, "throughput: %s cannot be written\n", settings->rows);
        return 1;
    }
    ws_json_object(&bench.json, NULL);
    measure_all(&bench);
    ws_json_end_object(&bench.json);
    if (settings->json && ws_file_write(settings->json, text.data, text.length, &error) != WS_STATUS_ok)
        complain(&bench, settings->json, &error);
    if (bench.rows && fclose(bench.rows) != 0)
        bench.failures++;
    if (bench.skipped || bench.failures)
        printf("%u measurements skipped, %u failed\n", bench.skipped, bench.failures);
    ws_text_free(&text);
    return bench.failures > 0;
}
