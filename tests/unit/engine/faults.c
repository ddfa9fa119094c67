/* An OpenCL device that fails: out of memory, with a failing compiler, lost. The calls of OpenCL are wrapped, to inject a fault at
 * any of them. Handles are plain pointers here: only the library includes OpenCL's header. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/engine_ops.h"
#include "engine/opencl/opencl.h"
#include "engine/opencl/trace_buffer.h"
#include "engine/opencl/selftest/synthetic.h"
#include "test.h"

enum {
    SUCCESS = 0,
    NOT_AVAILABLE = -2,
    ALLOCATION_FAILURE = -4,
    OUT_OF_RESOURCES = -5,
    OUT_OF_HOST_MEMORY = -6,
    BUILD_FAILURE = -11,
    ILLEGAL_ACCESS = -9999, /* of NVIDIA's driver, in no header */
    IMAGES = 2,
    JOBS = 24
};

/* ---- Faults ---- */

static struct {
    int launch; /* error code for launches of more than most_groups groups, after the first ones succeeded */
    size_t most_groups, allowed;
    int buffer; /* error code for buffers of more than most_bytes */
    size_t most_bytes;
    int everything;       /* error code of every call, after the first launches */
    const char *compiler; /* part of the options that the compiler refuses */
    const char *log;      /* what it says then */
    bool text;            /* no memory for a copy of one */
    size_t launches, most_seen;
    const void *begun[2]; /* events of launches not yet waited for */
    size_t most_begun;
    size_t loads[IMAGES]; /* number of writes of each image to the device */
} fault;

static struct ws_image *images[IMAGES];

/* Notes the start of a launch; no more than two may be in flight. */
static void note_launch(const void *event)
{
    const size_t n = fault.begun[0] ? 1 : 0;
    assert_null(fault.begun[n]);
    fault.begun[n] = event;
    fault.most_begun = n + 1 > fault.most_begun ? n + 1 : fault.most_begun;
}

int32_t __wrap_clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global,
                                      const size_t *local, uint32_t waits, const void *wait_list, void *event);
int32_t __real_clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global,
                                      const size_t *local, uint32_t waits, const void *wait_list, void *event);
int32_t __wrap_clWaitForEvents(uint32_t count, void *const *events);
int32_t __real_clWaitForEvents(uint32_t count, void *const *events);
int32_t __wrap_clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset, size_t bytes, const void *data,
                                    uint32_t waits, const void *wait_list, void *event);
int32_t __real_clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset, size_t bytes, const void *data,
                                    uint32_t waits, const void *wait_list, void *event);
void *__wrap_clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *code);
void *__real_clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *code);
int32_t __wrap_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);
int32_t __real_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);
int32_t __wrap_clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *length);
int32_t __real_clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *length);
char *__wrap_strdup(const char *text);
char *__real_strdup(const char *text);

int32_t __wrap_clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global,
                                      const size_t *local, uint32_t waits, const void *wait_list, void *event)
{
    const size_t groups = *global / *local;
    if (fault.launches >= fault.allowed && fault.everything)
        return fault.everything;
    if (fault.launches >= fault.allowed && fault.launch && groups > fault.most_groups)
        return fault.launch;
    fault.launches++;
    fault.most_seen = groups > fault.most_seen ? groups : fault.most_seen;
    const int32_t code = __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
    if (code == SUCCESS)
        note_launch(*(void **)event);
    return code;
}

int32_t __wrap_clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset, size_t bytes, const void *data,
                                    uint32_t waits, const void *wait_list, void *event)
{
    for (size_t n = 0; n < IMAGES; n++)
        fault.loads[n] += images[n] && data == images[n]->words;
    return __real_clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, data, waits, wait_list, event);
}

int32_t __wrap_clWaitForEvents(uint32_t count, void *const *events)
{
    for (size_t n = 0; n < 2; n++)
        if (fault.begun[n] == events[0])
            fault.begun[n] = NULL;
    return __real_clWaitForEvents(count, events);
}

void *__wrap_clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *code)
{
    *code = fault.everything && fault.launches >= fault.allowed ? fault.everything
            : fault.buffer && bytes > fault.most_bytes          ? fault.buffer
                                                                : SUCCESS;
    return *code == SUCCESS ? __real_clCreateBuffer(context, flags, bytes, host, code) : NULL;
}

int32_t __wrap_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data)
{
    if (fault.compiler && strstr(options, fault.compiler))
        return BUILD_FAILURE;
    return __real_clBuildProgram(program, devices, list, options, notify, data);
}

int32_t __wrap_clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *length)
{
    if (!fault.log)
        return __real_clGetProgramBuildInfo(program, device, what, room, value, length);
    if (length)
        *length = strlen(fault.log) + 1;
    if (value)
        memcpy(value, fault.log, room);
    return SUCCESS;
}

char *__wrap_strdup(const char *text)
{
    return fault.text ? NULL : __real_strdup(text);
}

/* ---- Jobs ---- */

static struct ws_machine machines[2]; /* of two variants */
static struct ws_job_spec jobs[JOBS];
static struct ws_job_result expected[JOBS];

static void run_native(void)
{
    const struct ws_engine_options native = {WS_STRUCT(engine_options), .engine = "native"};
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(&native, &engine, &error));
    EXPECT_OK(ws_engine_run(engine, jobs, JOBS, expected, NULL, &error));
    ws_engine_close(engine);
}

/* Half of the jobs of each variant, half of these on each image. */
static int set_up(void **state)
{
    (void)state;
    for (u32 n = 0; n < IMAGES; n++) {
        const struct ws_synthetic description = {.seed = n, .blocks = 4 + 2 * n, .block_threads = 64, .loops = 5, .scattered = 20};
        images[n] = ws_synthetic_new(&description);
        if (!images[n])
            return -1;
        ws_machine_defaults(&machines[n]);
        machines[n].core_warps = 8;
    }
    machines[1].divergence_unit = WS_divergence_lwm;
    machines[1].core_warp_size = 64;
    for (u32 n = 0; n < JOBS; n++)
        jobs[n] = (struct ws_job_spec){.machine = &machines[n % 2], .image = images[n / 2 % IMAGES]};
    run_native();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (u32 n = 0; n < IMAGES; n++)
        ws_synthetic_free(images[n]);
    return 0;
}

static int heal(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    return 0;
}

/* A run, and what was reported of it. */
struct run {
    struct ws_opencl *opencl;
    struct ws_job_result results[JOBS];
    u32 reported[JOBS];
    enum ws_status status;
    struct ws_error error;
};

static void on_finished(void *context, size_t job, const struct ws_job_result *result)
{
    struct run *const run = context;
    run->reported[job]++;
    assert_ptr_equal(result, &run->results[job]);
}

/* The engine, with both variants' programs built before any fault. */
static struct run *open_run(void)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .quantum = 500};
    struct run *const run = calloc(1, sizeof *run);
    void *opened;
    assert_non_null(run);
    if (ws_engine_opencl.open(&options, &opened, &run->error) != WS_STATUS_ok)
        fail_msg("%s", run->error.message);
    run->opencl = opened;
    for (u32 n = 0; n < 2; n++)
        if (ws_opencl_compile(run->opencl, ws_variant_of(&machines[n]), &run->error) != WS_STATUS_ok)
            fail_msg("%s", run->error.message);
    run->opencl->limits.slots = 8;
    run->opencl->limits.at_once = 2;
    heal(NULL);
    return run;
}

static void start(struct run *run)
{
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = run, .finished = on_finished};
    for (size_t n = 0; n < JOBS; n++)
        run->results[n] = (struct ws_job_result){.status = WS_STATUS_running};
    run->error.message[0] = '\0';
    run->status = ws_opencl_run(run->opencl, jobs, JOBS, NULL, run->results, &watch, &run->error);
}

static void close_run(struct run *run)
{
    ws_engine_opencl.close(run->opencl);
    for (size_t n = 0; n < JOBS; n++)
        ws_job_result_free(&run->results[n]);
    free(run);
}

static bool counted_right(const struct run *run, u32 n)
{
    return run->results[n].status == WS_STATUS_ok &&
           memcmp(run->results[n].counters, expected[n].counters, sizeof expected[n].counters) == 0;
}

static void assert_all_done(const struct run *run)
{
    assert_int_equal(run->status, WS_STATUS_ok);
    for (u32 n = 0; n < JOBS; n++) {
        assert_true(counted_right(run, n));
        assert_int_equal(run->reported[n], 1);
    }
}

/* ---- Without a fault ---- */

/* While one half of the slots runs, the host takes results of the other: two launches are in flight, if there are enough jobs. The
 * last jobs run in one launch of all slots. */
TEST_WITH(the_device_works_while_results_are_taken, heal, NULL)
{
    for (u32 at_once = 4; at_once <= 5; at_once++) {
        struct run *const run = open_run();
        run->opencl->limits.at_once = at_once;
        start(run);
        assert_all_done(run);
        assert_int_equal(fault.most_begun, at_once == 4 ? 2 : 1);
        assert_int_equal(fault.most_seen, 8);
        close_run(run);
    }
}

TEST_WITH(a_trace_is_loaded_once_for_all_variants, heal, NULL)
{
    struct run *const run = open_run();
    start(run);
    assert_all_done(run);
    for (u32 n = 0; n < IMAGES; n++)
        assert_int_equal(fault.loads[n], 1);
    close_run(run);
}

/* ---- Memory ---- */

/* Only one trace fits at a time: each variant loads them in turn. */
TEST_WITH(traces_that_do_not_fit_together_are_loaded_one_by_one, heal, NULL)
{
    const struct ws_task tasks[IMAGES] = {{.spec = jobs[0]}, {.spec = jobs[2]}};
    struct run *const run = open_run();
    run->opencl->limits.trace = ws_trace_bytes(tasks, IMAGES) - 1;
    start(run);
    assert_all_done(run);
    for (u32 n = 0; n < IMAGES; n++)
        assert_int_equal(fault.loads[n], 2);
    close_run(run);
}

/* Buffers for more than three simulations fail. */
TEST_WITH(a_batch_without_memory_is_halved, heal, NULL)
{
    struct run *const run = open_run();
    fault.buffer = ALLOCATION_FAILURE;
    fault.most_bytes = 200000;
    start(run);
    assert_all_done(run);
    assert_true(fault.most_seen > 1 && fault.most_seen < 8);
    close_run(run);
}

/* Some launches succeed and leave unfinished jobs; then launches of more than two groups lack resources. */
TEST_WITH(a_launch_without_resources_is_halved_and_jobs_begin_anew, heal, NULL)
{
    static const int codes[] = {OUT_OF_RESOURCES, ALLOCATION_FAILURE, OUT_OF_HOST_MEMORY};
    for (size_t n = 0; n < sizeof codes / sizeof *codes; n++) {
        struct run *const run = open_run();
        fault.launch = codes[n];
        fault.most_groups = 2;
        fault.allowed = 3;
        start(run);
        assert_all_done(run);
        assert_int_equal(fault.most_seen, 4); /* half of the slots */
        close_run(run);
    }
}

/* Not even one simulation fits: every job fails with the reason, though the device works otherwise. */
TEST_WITH(a_job_that_does_not_fit_alone_fails_with_its_reason, heal, NULL)
{
    struct run *const run = open_run();
    fault.launch = OUT_OF_RESOURCES;
    fault.most_groups = 0;
    start(run);
    assert_int_equal(run->status, WS_STATUS_ok);
    for (u32 n = 0; n < JOBS; n++) {
        assert_int_equal(run->results[n].status, WS_STATUS_no_memory);
        assert_non_null(strstr(ws_job_reason(&run->results[n]), "CL_OUT_OF_RESOURCES"));
        assert_int_equal(run->reported[n], 1);
    }
    close_run(run);
}

TEST_WITH(without_memory_for_its_reason_a_job_has_that_of_its_status, heal, NULL)
{
    struct run *const run = open_run();
    fault.launch = OUT_OF_RESOURCES;
    fault.text = true;
    start(run);
    for (u32 n = 0; n < JOBS; n++) {
        assert_int_equal(run->results[n].status, WS_STATUS_no_memory);
        assert_string_equal(ws_job_reason(&run->results[n]), ws_status_text(WS_STATUS_no_memory));
    }
    close_run(run);
}

/* ---- Timeline ---- */

struct timeline {
    u64 cycles[2];
};

static void on_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct timeline *const timeline = context;
    assert_int_equal(event->cycle, timeline->cycles[job]);
    timeline->cycles[job] += event->cycles;
}

/* Two jobs run together until room is too small, then one by one from their start; each event is delivered once. */
TEST_WITH(events_of_a_job_that_begins_anew_are_not_repeated, heal, NULL)
{
    struct run *const run = open_run();
    struct timeline timeline = {{0}};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &timeline, .event = on_event};
    const struct ws_job_spec specs[2] = {jobs[0], jobs[0]};
    struct ws_job_result results[2] = {{.status = WS_STATUS_running}, {.status = WS_STATUS_running}};
    fault.launch = OUT_OF_RESOURCES;
    fault.most_groups = 1;
    fault.allowed = 3;
    assert_int_equal(ws_opencl_run(run->opencl, specs, 2, NULL, results, &watch, &run->error), WS_STATUS_ok);
    assert_int_equal(fault.most_seen, 2);
    for (u32 n = 0; n < 2; n++) {
        assert_int_equal(results[n].status, WS_STATUS_ok);
        assert_memory_equal(results[n].counters, expected[0].counters, sizeof results[n].counters);
        assert_int_equal(timeline.cycles[n], expected[0].counters[WS_COUNT_cycles]);
    }
    close_run(run);
}

/* ---- The compiler ---- */

TEST_WITH(a_variant_that_is_not_built_fails_its_jobs_alone, heal, NULL)
{
    struct run *const run = open_run();
    char options[40];
    for (u32 n = 0; n < WS_VARIANTS; n++)
        ws_device_program_free(&run->opencl->programs[n]);
    snprintf(options, sizeof options, "-D WS_PATH_lwm=1");
    fault.compiler = options;
    start(run);
    assert_int_equal(run->status, WS_STATUS_ok);
    for (u32 n = 0; n < JOBS; n++) {
        assert_int_equal(run->reported[n], 1);
        if (n % 2 == 0) {
            assert_true(counted_right(run, n));
            continue;
        }
        assert_int_equal(run->results[n].status, WS_STATUS_compiler);
        assert_non_null(strstr(ws_job_reason(&run->results[n]), "barrel lwm"));
        assert_non_null(strstr(ws_job_reason(&run->results[n]), "CL_BUILD_PROGRAM_FAILURE"));
    }
    close_run(run);
}

/* A compiler log is kept up to a message's length, in whole characters, with the number of omitted bytes. */
TEST_WITH(a_long_log_is_kept_in_its_first_lines, heal, NULL)
{
    struct run *const run = open_run();
    char log[1501], known[501];
    for (size_t at = 0; at < 1500; at += 3)
        memcpy(log + at, at < 500 ? "an " : "\u20ac", 4);
    memcpy(known, log, 500);
    known[500] = '\0';
    for (u32 n = 0; n < WS_VARIANTS; n++)
        ws_device_program_free(&run->opencl->programs[n]);
    fault.compiler = "-D";
    fault.log = log;
    start(run);
    for (u32 n = 0; n < JOBS; n++) {
        const char *const reason = ws_job_reason(&run->results[n]), *const kept = strstr(reason, known);
        assert_non_null(kept);
        assert_int_equal(ws_utf8_span(reason, strlen(reason)), strlen(reason));
        assert_string_equal(strstr(kept, "..."), "... (942 bytes more)");
    }
    close_run(run);
}

/* This device miscompiles the form of the second variant. */
TEST_WITH(a_variant_that_miscounts_fails_its_jobs_alone, heal, NULL)
{
    struct run *const run = open_run();
    ws_device_program_free(&run->opencl->programs[ws_variant_of(&machines[1])]);
    run->opencl->forms[0] = &ws_lane_forms()[WS_LANE_FORM_ptx];
    run->opencl->form_count = 1;
    start(run);
    assert_int_equal(run->status, WS_STATUS_ok);
    for (u32 n = 0; n < JOBS; n++) {
        assert_int_equal(run->reported[n], 1);
        if (n % 2 == 0) {
            assert_true(counted_right(run, n));
            continue;
        }
        assert_int_equal(run->results[n].status, WS_STATUS_mismatch);
        assert_non_null(strstr(ws_job_reason(&run->results[n]), "self-test of 'barrel lwm"));
    }
    close_run(run);
}

/* ---- A lost device ---- */

/* After some launches nothing works: completed jobs were reported, the others have no result, and the run returns the error. */
TEST_WITH(a_lost_device_ends_the_run_and_keeps_what_was_done, heal, NULL)
{
    static const int codes[] = {NOT_AVAILABLE, OUT_OF_RESOURCES, OUT_OF_HOST_MEMORY, ILLEGAL_ACCESS};
    for (size_t n = 0; n < sizeof codes / sizeof *codes; n++) {
        struct run *const run = open_run();
        u32 done = 0;
        fault.everything = codes[n];
        fault.allowed = 40;
        run->opencl->limits.slots = 2;
        start(run);
        assert_int_equal(run->status, WS_STATUS_lost_device);
        assert_true(run->error.message[0]);
        for (u32 job = 0; job < JOBS; job++) {
            assert_int_equal(run->reported[job], counted_right(run, job));
            assert_true(run->reported[job] || run->results[job].status == WS_STATUS_running);
            done += run->reported[job];
        }
        assert_true(done > 0 && done < JOBS);
        close_run(run);
    }
}

/* Through the API, remaining jobs have the status of the run. */
TEST_WITH(jobs_of_a_lost_device_say_so, heal, NULL)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .quantum = 500};
    struct ws_job_result results[JOBS];
    struct ws_engine *engine;
    struct ws_error error = {.message = ""};
    u32 left = 0;
    assert_int_equal(ws_engine_open(&options, &engine, &error), WS_STATUS_ok);
    assert_int_equal(ws_engine_run(engine, jobs, 2, results, NULL, &error), WS_STATUS_ok);
    heal(NULL);
    fault.everything = NOT_AVAILABLE;
    fault.allowed = 3;
    assert_int_equal(ws_engine_run(engine, jobs, JOBS, results, NULL, &error), WS_STATUS_lost_device);
    assert_non_null(strstr(error.message, "CL_DEVICE_NOT_AVAILABLE"));
    for (u32 n = 0; n < JOBS; n++) {
        left += results[n].status == WS_STATUS_lost_device && strcmp(ws_job_reason(&results[n]), error.message) == 0;
        ws_job_result_free(&results[n]);
    }
    assert_true(left > 0);
    ws_engine_close(engine);
}

TESTS(set_up, tear_down)
