#include "unit/results/fakes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "warpsweep/limit.h"

struct fake_engine fake_engine;

/* ---- Traces ---- */

struct ws_trace {
    char name[64];
    struct ws_launch launch;
};

struct fake_image {
    struct ws_image image;
    char name[64];
    u32 shard, spaces;
};

const struct ws_workload *ws_workload_find(const char *name)
{
    static const struct ws_workload bundled = {.name = "bundled"};
    return strcmp(name, bundled.name) == 0 ? &bundled : NULL;
}

const char *ws_size_name(enum ws_size size)
{
    static const char *const names[] = {"tiny", "small", "paper"};
    return names[size];
}

void ws_frontend_defaults(struct ws_frontend_options *options)
{
    *options = (struct ws_frontend_options){0};
}

enum ws_status ws_trace_locate(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                               char **path, struct ws_error *error)
{
    char name[64];
    (void)standard;
    if (strcmp(text, "missing") == 0)
        return ws_fail(error, WS_STATUS_no_file, "missing: no such trace");
    const int length = snprintf(name, sizeof name, seed ? "%s#%u" : "%s", text, (unsigned)seed);
    if (options->lockstep)
        snprintf(name + length, sizeof name - (size_t)length, "@%u", options->lockstep);
    *path = strdup(name);
    return WS_STATUS_ok;
}

enum ws_status ws_trace_find(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                             char **path, struct ws_error *error)
{
    if (strcmp(text, "unbuilt") != 0)
        return ws_trace_locate(text, standard, seed, options, path, error);
    *path = NULL;
    return WS_STATUS_ok;
}

u64 ws_job_bytes(const struct ws_job_spec *job)
{
    return 1000 * job->machine->core_depth;
}

enum ws_status ws_job_check(const struct ws_job_spec *job, struct ws_error *error)
{
    (void)job;
    (void)error;
    return WS_STATUS_ok;
}

bool ws_job_follows(const struct ws_job_spec *from, const u64 *counters, const struct ws_job_spec *to)
{
    (void)counters;
    return fake_engine.follows && fake_engine.follows(from->machine, to->machine);
}

enum ws_status ws_trace_open(const char *path, struct ws_trace **trace, struct ws_error *error)
{
    *trace = NULL;
    if (fake_engine.no_header && strcmp(path, fake_engine.no_header) == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: ends early", path);
    *trace = calloc(1, sizeof **trace);
    snprintf((*trace)->name, sizeof(*trace)->name, "%s", path);
    (*trace)->launch = (struct ws_launch){.kernel = "k", .source = "made up", .grid = {FAKE_BLOCKS, 1, 1}, .block = {64, 1, 1}};
    if (fake_engine.launch)
        fake_engine.launch(path, &(*trace)->launch);
    return WS_STATUS_ok;
}

void ws_trace_close(struct ws_trace *trace)
{
    free(trace);
}

const struct ws_launch *ws_trace_launch(const struct ws_trace *trace)
{
    return &trace->launch;
}

u64 ws_trace_digest(const struct ws_trace *trace)
{
    u64 digest = 14695981039346656037u;
    for (const char *c = trace->name; *c; c++)
        digest = (digest ^ (unsigned char)*c) * 1099511628211u;
    return digest;
}

enum ws_status ws_image_load(struct ws_trace *trace, u32 shard, u32 of, u32 spaces, struct ws_image **image, struct ws_error *error)
{
    if (fake_engine.no_image && strcmp(trace->name, fake_engine.no_image) == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: shard %u has no block", trace->name, shard);
    struct fake_image *const fake = calloc(1, sizeof *fake);
    snprintf(fake->name, sizeof fake->name, "%s", trace->name);
    fake->shard = shard;
    fake->spaces = spaces;
    fake->image.blocks = (FAKE_BLOCKS - shard + of - 1) / of;
    fake->image.word_count = 1000;
    fake->image.thread_instructions = fake_instructions(trace->name);
    fake_engine.images++;
    *image = &fake->image;
    return WS_STATUS_ok;
}

void ws_image_free(struct ws_image *image)
{
    free(image);
}

/* ---- The engine ---- */

u64 fake_cycles(const struct ws_machine *machine, const char *trace, u32 shard)
{
    u64 cycles = 1000 + 100 * (u64)machine->core_depth + (u64)trace[0] + 10 * (u64)shard;
    if (machine->divergence_unit == WS_divergence_lwm) /* best at 256 */
        cycles -= ws_min(machine->core_warp_size, 640 - machine->core_warp_size);
    if (machine->schedule_policy == WS_policy_two_level) /* best when small, without effect at 32 */
        cycles -= 5 * (32 - machine->schedule_fetch_group);
    return cycles;
}

u64 fake_instructions(const char *trace)
{
    return 20000 + (u64)trace[0];
}

enum ws_status ws_trace_thread_instructions(const struct ws_trace *trace, u64 *thread_instructions, struct ws_error *error)
{
    (void)error;
    *thread_instructions = fake_instructions(trace->name);
    return WS_STATUS_ok;
}

/* The engine that works; the other one is fake_engine. */
static char native;

static bool is_native(const struct ws_engine *engine)
{
    return (const char *)engine == &native;
}

enum ws_status ws_engine_open(const struct ws_engine_options *options, struct ws_engine **engine, struct ws_error *error)
{
    if (fake_engine.cannot_open)
        return ws_fail(error, WS_STATUS_no_device, "no device for the test");
    fake_engine.opened++;
    fake_engine.times = options->times;
    *engine =
        options->engine && strcmp(options->engine, "native") == 0 ? (struct ws_engine *)&native : (struct ws_engine *)&fake_engine;
    return WS_STATUS_ok;
}

void ws_engine_close(struct ws_engine *engine)
{
    (void)engine;
}

const char *ws_engine_name(const struct ws_engine *engine)
{
    return is_native(engine) ? "native" : "made-up";
}

const char *ws_engine_device(const struct ws_engine *engine)
{
    return is_native(engine) ? "host" : "no device, \"really\"";
}

/* Blocks enter 100 cycles apart and end in the last cycles; two sorts. */
static void record_blocks(const struct fake_image *fake, struct ws_job_result *result)
{
    const u32 blocks = fake->image.blocks;
    const u64 cycles = result->counters[WS_COUNT_cycles];
    result->warps_per_block = 1;
    result->times = calloc(blocks, sizeof *result->times + sizeof *result->warps);
    result->warps = (struct ws_warp_time *)(result->times + blocks);
    result->order = calloc(2 * blocks, sizeof *result->order);
    for (u32 block = 0; block < blocks; block++) {
        result->times[block] = (struct ws_block_time){.entered = 100 * (u64)block, .ended = cycles - blocks + 1 + block};
        result->warps[block] = (struct ws_warp_time){.entered = result->times[block].entered,
                                                     .ended = result->times[block].ended,
                                                     .packets = 500 * (block + 1),
                                                     .l1_misses = 30,
                                                     .constant_misses = 20,
                                                     .texture_misses = 10 + block};
        result->order[block] = (struct ws_block_place){.cycle = 1000, .place = block, .block = block};
        result->order[blocks + block] = (struct ws_block_place){.cycle = 2000, .place = block, .block = blocks - 1 - block};
    }
    result->order_count = 2 * blocks;
}

static void simulate(const struct ws_job_spec *job, struct ws_job_result *result)
{
    const struct fake_image *const fake = (const struct fake_image *)job->image;
    const struct timespec pause = {.tv_nsec = fake_engine.microseconds * 1000L};
    nanosleep(&pause, NULL);
    if (fake->spaces != ws_machine_spaces(job->machine))
        abort(); /* an image for another pipeline */
    *result = (struct ws_job_result){.status = WS_STATUS_ok, .seconds = 0.5};
    result->counters[WS_COUNT_cycles] = fake_cycles(job->machine, fake->name, fake->shard);
    result->counters[WS_COUNT_thread_instructions] = fake_instructions(fake->name);
    result->counters[WS_COUNT_warp_instructions] = 800;
    result->counters[WS_COUNT_active_lanes + 32] = 400;
    result->counters[WS_COUNT_active_lanes + 16] = 400;
    result->counters[WS_COUNT_stack_deepest] = 3 + fake->shard;
    if (fake_engine.times)
        record_blocks(fake, result);
    if (fake_engine.alter)
        fake_engine.alter(job->machine, fake->name, fake->shard, result);
    if (fake_engine.ending_trace && strcmp(fake->name, fake_engine.ending_trace) == 0) {
        result->status = fake_engine.ending;
        result->reason = strdup("made-up reason");
    }
}

static void fail(struct ws_job_result *result, enum ws_status status, const char *reason)
{
    *result = (struct ws_job_result){.status = status, .reason = strdup(reason)};
}

static enum ws_status lose_device(struct ws_job_result *results, size_t count, size_t first, const struct ws_engine_watch *watch,
                                  struct ws_error *error)
{
    for (size_t n = 0; n < count; n++) {
        fail(&results[n], WS_STATUS_lost_device, "made-up loss of the device");
        watch->finished(watch->context, first + n, &results[n]);
    }
    return ws_fail(error, WS_STATUS_lost_device, "made-up loss of the device");
}

enum ws_status ws_engine_run(struct ws_engine *engine, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_engine_watch *watch, struct ws_error *error)
{
    unsigned left = fake_engine.lost_after;
    for (size_t n = 0; n < count; n++)
        results[n] = (struct ws_job_result){.status = WS_STATUS_running};
    for (size_t n = 0; n < count; n++) {
        if (watch->wanted && !watch->wanted(watch->context, n)) {
            results[n].status = WS_STATUS_interrupted;
            continue;
        }
        if (!is_native(engine) && fake_engine.lost_after > 0 && left-- == 0)
            return lose_device(results + n, count - n, n, watch, error);
        if (!is_native(engine) && fake_engine.large_warps && jobs[n].machine->divergence_unit == WS_divergence_lwm)
            fail(&results[n], fake_engine.large_warps, fake_engine.reason ? fake_engine.reason : "made-up failure");
        else
            simulate(&jobs[n], &results[n]);
        fake_engine.ran++;
        if (watch->event && fake_engine.events)
            fake_engine.events(watch, n);
        if (watch->finished)
            watch->finished(watch->context, n, &results[n]);
        if (!watch->progress(watch->context, n + 1, count, 800 * (n + 1)))
            return ws_fail(error, WS_STATUS_interrupted, "interrupted");
    }
    return WS_STATUS_ok;
}

/* ---- Limit studies ---- */

void ws_limit_defaults(struct ws_limit_options *options)
{
    *options = (struct ws_limit_options){.threads = 128};
}

enum ws_status ws_limit_run(struct ws_engine *engine, const struct ws_machine *machine, struct ws_trace *trace,
                            const struct ws_limit_options *options, struct ws_limit *limit, struct ws_error *error)
{
    (void)engine;
    (void)machine;
    fake_engine.studied++;
    if (!options->go_on(options->context))
        return ws_fail(error, WS_STATUS_interrupted, "interrupted");
    if (fake_engine.ending_trace && strcmp(trace->name, fake_engine.ending_trace) == 0)
        return ws_fail(error, fake_engine.ending, "made-up reason");
    *limit = (struct ws_limit){.warp_count = 1, .warps = calloc(1, sizeof *limit->warps)};
    limit->total = (struct ws_limit_warp){
        .block = 1, .threads = options->threads, .thread_instructions = 3000, .pdom = 400, .oracle = 200, .least = 100};
    limit->pdom_cycles = 1000 + 10 * (u64)trace->name[0];
    limit->oracle_cycles = 1000;
    return WS_STATUS_ok;
}

void ws_limit_free(struct ws_limit *limit)
{
    free(limit->warps);
    *limit = (struct ws_limit){0};
}

/* ---- Experiments ---- */

struct ws_experiment *fake_experiment(size_t points, size_t traces, u32 shards)
{
    enum { MOST = 64 };
    static struct ws_point point[MOST];
    static char labels[MOST][8], overrides[MOST][24], names[MOST][4], none[] = "";
    static char *trace[MOST];
    static char name[] = "made-up", about[] = "for tests", machine[] = "defaults";
    static struct ws_experiment experiment;
    for (size_t n = 0; n < points; n++) {
        snprintf(labels[n], sizeof labels[n], "p%zu", n);
        snprintf(overrides[n], sizeof overrides[n], "core.depth=%zu", 7 + n);
        point[n] = (struct ws_point){
            .label = labels[n], .variation = none, .overrides = overrides[n], .baseline = labels[0], .frontend = none};
        ws_machine_defaults(&point[n].machine);
        point[n].machine.core_depth = (u32)(7 + n);
    }
    for (size_t n = 0; n < traces; n++) {
        snprintf(names[n], sizeof names[n], "%c", (char)('a' + n));
        trace[n] = names[n];
    }
    experiment = (struct ws_experiment){.name = name,
                                        .about = about,
                                        .machine = machine,
                                        .points = point,
                                        .point_count = points,
                                        .traces = trace,
                                        .trace_count = traces,
                                        .shards = shards};
    return &experiment;
}

void fake_label(struct ws_experiment *experiment, size_t point, char *label)
{
    char *const old = experiment->points[point].label;
    experiment->points[point].label = label;
    for (size_t n = 0; n < experiment->point_count; n++)
        if (experiment->points[n].baseline == old)
            experiment->points[n].baseline = label;
}

/* ---- Folders ---- */

char fake_folder[64], fake_results[80];

int fake_set_up(void **state)
{
    (void)state;
    fake_engine = (struct fake_engine){0};
    snprintf(fake_folder, sizeof fake_folder, "results-test-XXXXXX");
    if (!mkdtemp(fake_folder))
        return -1;
    snprintf(fake_results, sizeof fake_results, "%s/results.db", fake_folder);
    return 0;
}

int fake_tear_down(void **state)
{
    (void)state;
    DIR *const stream = opendir(fake_folder);
    for (const struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", fake_folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (stream)
        closedir(stream);
    return rmdir(fake_folder);
}
