/* Kernels compiled at run time: when, where they are cached, and rejection of one that miscounts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "engine/accumulate.h"
#include "engine/native/specialized.h"
#include "engine/plan.h"
#include "oracle/image_build.h"
#include "test.h"

enum { QUANTUM = 20, LOADS = 30, WAIT_SECONDS = 300 };

static struct ws_image *image;
static struct ws_machine machine, other;

/* One warp with loads of one line each. */
static int make_image(__attribute__((unused)) void **state)
{
    struct image_build build;
    image_build_start(&build, 1, 32);
    for (u32 n = 0; n < LOADS; n++)
        add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 n = 0; n < LOADS; n++)
        for (u32 thread = 0; thread < 32; thread++)
            add_access(&build, 0, thread, 8 * n);
    image = image_build_finish(&build);
    image_build_free(&build);
    ws_machine_defaults(&machine);
    other = machine;
    other.dram_row_hit += 7;
    assert_int_equal(ws_native_quantum_need(ws_native_row_of(&machine), machine.schedule_policy, NULL),
                     WS_STATUS_ok); /* before files are counted */
    return 0;
}

static int free_image(__attribute__((unused)) void **state)
{
    image_free(image);
    return 0;
}

/* The folder of what is compiled. */
static char *folder(void)
{
    char *path;
    assert_int_equal(ws_cache_folder("kernels", &path, NULL), WS_STATUS_ok);
    return path;
}

/* What is compiled, one file at most; NULL when there is none. */
static char *object(void)
{
    struct ws_paths paths = {0};
    char *const path = folder();
    const bool found = ws_folder_list(path, ".so", &paths, NULL) == WS_STATUS_ok;
    assert_true(!found || paths.count == 1);
    char *const name = found ? strdup(paths.path[0]) : NULL;
    ws_paths_free(&paths);
    free(path);
    return name;
}

static int forget(__attribute__((unused)) void **state)
{
    struct ws_paths paths = {0};
    char *const path = folder();
    if (ws_folder_list(path, "", &paths, NULL) == WS_STATUS_ok)
        for (size_t n = 0; n < paths.count; n++)
            unlink(paths.path[n]);
    ws_paths_free(&paths);
    free(path);
    return 0;
}

static void begin(struct ws_native_specialized *specialized, const struct ws_machine *of)
{
    const struct ws_job_spec spec = {.machine = of, .image = image};
    ws_native_specialized_begin(specialized, &spec, 1, false, &(struct ws_engine_watch){WS_STRUCT(engine_watch), .context = NULL});
}

static const struct ws_native_row *row(void)
{
    return ws_native_row_of(&machine);
}

/* Simulates the image and returns the cycles. */
static u64 simulate(struct ws_native_specialized *specialized, const struct ws_machine *of)
{
    const struct ws_job_spec spec = {.machine = of, .image = image};
    struct ws_job job;
    u64 counters[WS_COUNTERS] = {0};
    assert_int_equal(ws_job_plan(&spec, &job, NULL), WS_STATUS_ok);
    const struct ws_native_parts parts = {image->program, image->groups, image->words, calloc(job.plan.state_words, sizeof(u32)),
                                          NULL};
    struct ws_head *const head = (struct ws_head *)parts.state;
    assert_non_null(head);
    head->status = WS_STATUS_running;
    assert_int_equal(ws_native_quantum_need(ws_native_row_of(&job.machine), job.machine.schedule_policy, NULL), WS_STATUS_ok);
    while (head->status == WS_STATUS_running) {
        ws_native_specialized_advance(specialized, ws_native_row_of(&job.machine), &job, &parts, QUANTUM);
        ws_accumulate_counters(counters, head->counters);
    }
    assert_int_equal(head->status, WS_STATUS_ok);
    ws_native_specialized_ended(specialized, row());
    free(parts.state);
    return counters[WS_COUNT_cycles];
}

TEST_WITH(always_compiles_first, forget, NULL)
{
    const u64 cycles = simulate(NULL, &machine);
    struct ws_native_specialized *specialized = ws_native_specialized_open(WS_SPECIALIZE_ALWAYS, 0);
    begin(specialized, &machine);
    EXPECT_OK(ws_native_specialized_prepare(specialized, row(), &error));
    assert_int_equal(ws_native_specialized_count(specialized), 0); /* before it is proved */
    assert_int_equal(simulate(specialized, &machine), cycles);
    assert_int_equal(ws_native_specialized_count(specialized), 1);
    assert_int_equal(simulate(specialized, &machine), cycles);
    ws_native_specialized_close(specialized);
}

TEST(what_is_kept_is_used_at_once)
{
    char *const kept = object();
    assert_non_null(kept);
    struct ws_native_specialized *specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 1e9);
    begin(specialized, &machine);
    assert_int_equal(ws_native_specialized_prepare(specialized, row(), NULL), WS_STATUS_ok);
    assert_int_equal(simulate(specialized, &machine), simulate(NULL, &machine));
    assert_int_equal(ws_native_specialized_count(specialized), 1);
    ws_native_specialized_close(specialized);
    free(kept);
}

TEST(another_machine_takes_other_kernels)
{
    struct ws_native_specialized *specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 1e9);
    begin(specialized, &machine);
    ws_native_specialized_prepare(specialized, row(), NULL);
    simulate(specialized, &machine);
    assert_int_equal(ws_native_specialized_count(specialized), 1);
    begin(specialized, &other);
    ws_native_specialized_prepare(specialized, row(), NULL);
    assert_int_equal(ws_native_specialized_count(specialized), 0);
    assert_int_equal(simulate(specialized, &other), simulate(NULL, &other));
    assert_int_not_equal(simulate(NULL, &machine), simulate(NULL, &other));
    assert_int_equal(ws_native_specialized_count(specialized), 0);
    ws_native_specialized_close(specialized);
}

TEST_WITH(never_and_short_work_compile_nothing, forget, NULL)
{
    assert_null(ws_native_specialized_open(WS_SPECIALIZE_NEVER, 0));
    struct ws_native_specialized *specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 1e9);
    begin(specialized, &machine);
    ws_native_specialized_prepare(specialized, row(), NULL);
    simulate(specialized, &machine);
    ws_native_specialized_close(specialized);
    assert_null(object());
}

/* Puts a file at the path of the machine's kernel: it is recompiled and replaced. */
static void replace(const char *data, size_t length)
{
    struct ws_native_specialized *const specialized = ws_native_specialized_open(WS_SPECIALIZE_ALWAYS, 0);
    begin(specialized, &machine);
    assert_int_equal(ws_native_specialized_prepare(specialized, row(), NULL), WS_STATUS_ok);
    ws_native_specialized_close(specialized);
    char *const path = object();
    assert_non_null(path);
    assert_int_equal(ws_file_write(path, data, length, NULL), WS_STATUS_ok);
    free(path);
}

TEST_WITH(a_kernel_that_miscounts_is_not_used, forget, NULL)
{
    char *data;
    size_t length;
    const u64 cycles = simulate(NULL, &machine);
    assert_int_equal(ws_file_read(MISCOUNTING, 1 << 26, &data, &length, NULL), WS_STATUS_ok);
    replace(data, length);
    free(data);
    struct ws_native_specialized *const specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 1e9);
    begin(specialized, &machine);
    ws_native_specialized_prepare(specialized, row(), NULL);
    assert_int_equal(simulate(specialized, &machine), cycles);
    assert_int_equal(ws_native_specialized_count(specialized), 0);
    ws_native_specialized_close(specialized);
}

TEST_WITH(a_damaged_file_is_compiled_again, forget, NULL)
{
    static const char damaged[] = "\177ELF and no more";
    replace(damaged, sizeof damaged);
    struct ws_native_specialized *specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 1e9);
    begin(specialized, &machine);
    ws_native_specialized_prepare(specialized, row(), NULL);
    assert_int_equal(simulate(specialized, &machine), simulate(NULL, &machine));
    assert_int_equal(ws_native_specialized_count(specialized), 0);
    ws_native_specialized_close(specialized);
    always_compiles_first(state);
}

TEST_WITH(what_takes_long_is_compiled_for_beside_it, forget, NULL)
{
    struct ws_native_specialized *const specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 0);
    begin(specialized, &machine);
    ws_native_specialized_prepare(specialized, row(), NULL);
    const u64 cycles = simulate(NULL, &machine);
    for (u32 waited = 0; ws_native_specialized_count(specialized) == 0 && waited < WAIT_SECONDS; waited++) {
        assert_int_equal(simulate(specialized, &machine), cycles);
        sleep(1);
    }
    assert_int_equal(ws_native_specialized_count(specialized), 1);
    assert_int_equal(simulate(specialized, &machine), cycles);
    ws_native_specialized_close(specialized);
}

static void on_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    (void)job;
    (void)event;
    *(u32 *)context += 1;
}

/* Simulates the image and returns the number of events received; watched: whether any are requested. */
static u32 events_of(struct ws_engine *engine, bool watched)
{
    u32 seen = 0;
    const struct ws_job_spec spec = {.machine = &machine, .image = image};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &seen, .event = watched ? on_event : NULL};
    struct ws_job_result result;
    EXPECT_OK(ws_engine_run(engine, &spec, 1, &result, &watch, &error));
    assert_int_equal(result.status, WS_STATUS_ok);
    ws_job_result_free(&result);
    return seen;
}

TEST_WITH(kernels_for_jobs_without_a_timeline_do_those_alone, forget, NULL)
{
    struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 1,
                                        .specialize = WS_SPECIALIZE_NEVER};
    struct ws_engine *engine;
    assert_int_equal(ws_engine_open(&options, &engine, NULL), WS_STATUS_ok);
    const u32 events = events_of(engine, true);
    ws_engine_close(engine);
    options.specialize = WS_SPECIALIZE_ALWAYS;
    assert_int_equal(ws_engine_open(&options, &engine, NULL), WS_STATUS_ok);
    assert_int_equal(events_of(engine, false), 0);
    assert_non_null(strstr(ws_engine_device(engine), "specialized kernels"));
    assert_true(events > LOADS);
    assert_int_equal(events_of(engine, true), events);
    ws_engine_close(engine);
}

/* Compile notes that a watch receives. */
struct heard {
    u32 begins, ends;
};

static void on_compiles(void *context, const char *kernels)
{
    struct heard *const heard = context;
    heard->begins += kernels && strcmp(kernels, "barrel serial") == 0;
    heard->ends += !kernels;
}

TEST(a_watch_hears_once_that_kernels_are_compiled_when_they_are_not_compiled_in)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .specialize = WS_SPECIALIZE_NEVER};
    struct heard heard = {0};
    struct ws_machine serial = machine;
    struct ws_engine *engine;
    serial.divergence_unit = WS_divergence_serial;
    const struct ws_job_spec spec = {.machine = &serial, .image = image};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &heard, .compiles = on_compiles};
    const struct ws_native_row *const row = ws_native_row_of(&serial);
    const u32 compiles = !row->base && !row->suited;
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    for (u32 n = 0; n < 2; n++) {
        struct ws_job_result result;
        EXPECT_OK(ws_engine_run(engine, &spec, 1, &result, &watch, &error));
        assert_int_equal(result.status, WS_STATUS_ok);
        assert_int_equal(heard.begins, compiles);
        assert_int_equal(heard.ends, compiles);
        ws_job_result_free(&result);
    }
    ws_engine_close(engine);
}

/* Each job of the row is reported. */
TEST_WITH(no_compiler_is_an_error_where_it_must_be, forget, NULL)
{
    struct ws_error error = {.message = ""};
    setenv("WARPSWEEP_CC", "/nowhere/cc", 1);
    struct ws_native_specialized *specialized = ws_native_specialized_open(WS_SPECIALIZE_ALWAYS, 0);
    begin(specialized, &machine);
    for (u32 n = 0; n < 2; n++) {
        error.message[0] = '\0';
        assert_int_equal(ws_native_specialized_prepare(specialized, row(), &error), WS_STATUS_compiler);
        assert_non_null(strstr(error.message, "compiling kernels for the machine: "));
        assert_non_null(strstr(error.message, "/nowhere/cc"));
    }
    ws_native_specialized_close(specialized);
    specialized = ws_native_specialized_open(WS_SPECIALIZE_AUTO, 1e9);
    begin(specialized, &machine);
    assert_int_equal(ws_native_specialized_prepare(specialized, row(), &error), WS_STATUS_ok);
    ws_native_specialized_close(specialized);
    assert_null(object());
}

TESTS(make_image, free_image)
