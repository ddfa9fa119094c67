/* The OpenCL engine on a CPU device: the counters of the native engine, for any quantum, slots and failures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine_ops.h"
#include "engine/opencl/opencl.h"
#include "engine/opencl/selftest/selftest.h"
#include "engine/opencl/selftest/synthetic.h"
#include "engine/plan.h"
#include "test.h"
#include "unit/kit/variant_cover.h"

enum { IMAGES = 3, MOST_JOBS = IMAGES * WS_VARIANTS };

/* Each image on each variant of variant_cover. */
static u32 variants[WS_VARIANTS], variant_count, job_count;

static struct ws_image *images[IMAGES];
static struct ws_machine machines[MOST_JOBS];
static struct ws_job_spec jobs[MOST_JOBS];
static struct ws_job_result expected[MOST_JOBS];

static void run_on(const struct ws_engine_options *options, const struct ws_job_spec *specs, size_t count,
                   struct ws_job_result *results)
{
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(options, &engine, &error));
    EXPECT_OK(ws_engine_run(engine, specs, count, results, NULL, &error));
    ws_engine_close(engine);
}

static void free_results(struct ws_job_result *results, size_t count)
{
    for (size_t n = 0; n < count; n++)
        ws_job_result_free(&results[n]);
}

static void set_machine(struct ws_machine *machine, u32 n)
{
    ws_machine_defaults(machine);
    machine->core_warps = 8;
    ws_variant_choose(machine, variants[n % variant_count]);
    if (machine->core_warps > 8)
        machine->core_warp_size = 512 / machine->core_warps;
    machine->l1_size = 4096u << n % 3;
    if (machine->divergence_unit == WS_divergence_lwm)
        machine->core_warp_size = 64u << n % 3;
}

static int set_up(void **state)
{
    const struct ws_engine_options native = {WS_STRUCT(engine_options), .engine = "native", .predecoding = WS_PREDECODE_NEVER,
                                             .times = true};
    (void)state;
    for (u32 n = 0; n < IMAGES; n++) {
        const struct ws_synthetic description = {
            .seed = n, .blocks = 3 + n, .block_threads = 100 + 78 * n, .loops = 4, .scattered = 20 * n};
        images[n] = ws_synthetic_new(&description);
        if (!images[n])
            return -1;
    }
    variant_count = variant_cover(variants);
    job_count = IMAGES * variant_count;
    for (u32 n = 0; n < job_count; n++) {
        set_machine(&machines[n], n);
        jobs[n] = (struct ws_job_spec){.machine = &machines[n], .image = images[n / variant_count]};
    }
    run_on(&native, jobs, job_count, expected);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free_results(expected, job_count);
    for (u32 n = 0; n < IMAGES; n++)
        ws_synthetic_free(images[n]);
    return 0;
}

static void assert_counted(const struct ws_job_result *result, const struct ws_job_result *wanted)
{
    assert_int_equal(result->status, WS_STATUS_ok);
    assert_memory_equal(result->counters, wanted->counters, sizeof wanted->counters);
}

static void assert_as_expected(const struct ws_job_result *results, u32 count)
{
    for (u32 n = 0; n < count; n++)
        assert_counted(&results[n], &expected[n]);
}

TEST(jobs_count_as_on_the_native_engine)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .times = true};
    struct ws_job_result results[MOST_JOBS];
    run_on(&options, jobs, job_count, results);
    assert_as_expected(results, job_count);
    for (u32 n = 0; n < job_count; n++) {
        const size_t blocks = jobs[n].image->blocks;
        assert_int_equal(results[n].warps_per_block, expected[n].warps_per_block);
        assert_true(expected[n].counters[WS_COUNT_cycles] > 0);
        assert_memory_equal(results[n].times, expected[n].times, blocks * sizeof *results[n].times);
        assert_memory_equal(results[n].warps, expected[n].warps, blocks * results[n].warps_per_block * sizeof *results[n].warps);
        assert_int_equal(results[n].order_count, expected[n].order_count);
        assert_int_equal(expected[n].order_count > 0, machines[n].schedule_policy == WS_policy_pro);
        if (expected[n].order)
            assert_memory_equal(results[n].order, expected[n].order, expected[n].order_count * sizeof *expected[n].order);
    }
    free_results(results, job_count);
}

TEST(slices_of_any_length_count_alike)
{
    /* short ones, each with its own kernel launch, on the smallest image */
    const struct {
        u32 cycles, jobs;
    } slices[] = {{13, variant_count}, {1009, job_count}, {40961, job_count}};
    for (size_t n = 0; n < sizeof slices / sizeof *slices; n++) {
        const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu",
                                                  .quantum = slices[n].cycles};
        struct ws_job_result results[MOST_JOBS];
        run_on(&options, jobs, slices[n].jobs, results);
        assert_as_expected(results, slices[n].jobs);
        free_results(results, slices[n].jobs);
    }
}

/* ---- The engine from inside ---- */

static struct ws_opencl *open_inside(void)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .quantum = 1000};
    void *opened;
    EXPECT_OK(ws_engine_opencl.open(&options, &opened, &error));
    return opened;
}

static void run_inside(struct ws_opencl *opencl, const struct ws_job_spec *specs, size_t count, struct ws_job_result *results)
{
    const struct ws_engine_watch unwatched = {WS_STRUCT(engine_watch), .context = NULL};
    for (size_t n = 0; n < count; n++)
        results[n] = (struct ws_job_result){.status = WS_STATUS_running};
    EXPECT_OK(ws_opencl_run(opencl, specs, count, NULL, results, &unwatched, &error));
}

static u64 bytes_alone(const struct ws_image *image)
{
    const struct ws_job_spec spec = {.image = image};
    const struct ws_task task = {.spec = spec};
    struct ws_limits limits = {.trace = 0};
    while (ws_batch_take(&task, 1, limits.trace) == 0)
        limits.trace += 128;
    return limits.trace;
}

/* A large job among small ones that have ended when its state outgrows its slot and all slots move: none of them reads its status
 * from another job's state. */
TEST(slots_move_with_their_jobs_ended_or_not)
{
    enum { TASKS = 4, LARGE = 1 };
    const struct ws_synthetic small = {.blocks = 1, .block_threads = 32, .loops = 1};
    const struct ws_synthetic large = {.blocks = 12, .block_threads = 256, .loops = 40, .scattered = 100};
    const struct ws_engine_watch unwatched = {WS_STRUCT(engine_watch), .context = NULL};
    struct ws_image *const shorter = ws_synthetic_new(&small), *const longer = ws_synthetic_new(&large);
    struct ws_opencl *const opencl = open_inside();
    struct ws_run run = {.cl = opencl->cl, .watch = &unwatched, .quantum = 1000, .jobs = TASKS};
    struct ws_job_result results[TASKS];
    struct ws_task tasks[TASKS];
    struct ws_job_spec specs[TASKS];
    struct ws_job moved[TASKS];
    struct ws_machine machine;
    struct ws_batch batch;
    assert_true(shorter && longer);
    ws_machine_defaults(&machine);
    const u32 variant = ws_variant_of(&machine);
    EXPECT_OK(ws_opencl_compile(opencl, variant, &error));
    for (u32 n = 0; n < TASKS; n++) {
        specs[n] = (struct ws_job_spec){.machine = &machine, .image = n == LARGE ? longer : shorter};
        results[n] = (struct ws_job_result){.status = WS_STATUS_running};
        tasks[n] = (struct ws_task){.spec = specs[n], .result = &results[n], .number = n};
        EXPECT_OK(ws_job_plan(&specs[n], &tasks[n].job, &error));
    }
    EXPECT_OK(ws_batch_open(&batch, &run, &opencl->programs[variant], tasks, TASKS, &opencl->limits, &error));
    const u32 words = batch.state_words;
    assert_int_equal(batch.slots, TASKS);
    EXPECT_OK(ws_batch_run(&batch, &error));
    assert_true(batch.state_words > words);
    EXPECT_OK(ws_cl_read(opencl->cl, batch.jobs, 0, sizeof moved, moved, &error));
    for (u32 n = 0; n < TASKS; n++)
        assert_int_equal(moved[n].state, n * batch.state_words);
    ws_batch_close(&batch);
    ws_engine_opencl.close(opencl);
    ws_synthetic_free(shorter);
    ws_synthetic_free(longer);
}

/* Room for one trace and two simulations: many batches, and reused slots. Of two variants, since batches do not depend on the
 * program. */
TEST(little_memory_means_more_batches)
{
    enum { VARIANTS = 2, TIMES = 3, JOBS = VARIANTS * IMAGES * TIMES };
    struct ws_opencl *const opencl = open_inside();
    struct ws_job_spec specs[JOBS];
    struct ws_job_result results[JOBS];
    u32 wanted[JOBS];
    for (u32 n = 0; n < JOBS; n++) {
        wanted[n] = n % IMAGES * variant_count + n / IMAGES % VARIANTS;
        specs[n] = jobs[wanted[n]];
    }
    opencl->limits.trace = bytes_alone(images[IMAGES - 1]);
    opencl->limits.slots = 2;
    run_inside(opencl, specs, JOBS, results);
    for (u32 n = 0; n < JOBS; n++)
        assert_counted(&results[n], &expected[wanted[n]]);
    ws_engine_opencl.close(opencl);
}

TEST(a_trace_that_does_not_fit_fails_alone)
{
    struct ws_opencl *const opencl = open_inside();
    struct ws_job_result results[MOST_JOBS];
    opencl->limits.trace = bytes_alone(images[IMAGES - 1]) - 128;
    run_inside(opencl, jobs, job_count, results);
    for (u32 n = 0; n < job_count; n++) {
        const bool fits = jobs[n].image != images[IMAGES - 1];
        assert_int_equal(results[n].status, fits ? WS_STATUS_ok : WS_STATUS_no_memory);
        if (fits)
            assert_memory_equal(results[n].counters, expected[n].counters, sizeof expected[n].counters);
        else
            assert_non_null(strstr(ws_job_reason(&results[n]), "memory"));
    }
    free_results(results, job_count);
    ws_engine_opencl.close(opencl);
}

TEST(a_device_that_lacks_memory_gets_fewer_jobs)
{
    struct ws_opencl *const opencl = open_inside();
    struct ws_job_result results[MOST_JOBS];
    opencl->limits.memory = bytes_alone(images[IMAGES - 1]) + (256u << 10);
    run_inside(opencl, jobs, job_count, results);
    assert_as_expected(results, job_count);
    ws_engine_opencl.close(opencl);
}

TEST(a_wrong_expectation_refuses_the_device)
{
    struct ws_opencl *const opencl = open_inside();
    struct ws_selftest test;
    for (u32 n = 0; n < variant_count; n += variant_count - 1) {
        const u32 variant = variants[n];
        EXPECT_OK(ws_opencl_compile(opencl, variant, &error));
        EXPECT_OK(ws_selftest_open(&test, variant, NULL, &error));
        EXPECT_OK(ws_selftest_expect(&test, &error));
        const struct ws_device_program *const program = &opencl->programs[variant];
        EXPECT_OK(ws_selftest_run(&test, opencl->cl, program, &opencl->limits, &error));
        char message[200];
        snprintf(message, sizeof message, "self-test of '%s': row_hits[0] is %llu, expected %llu", ws_tuples()[variant].name,
                 (unsigned long long)test.expected[WS_COUNT_row_hits], (unsigned long long)test.expected[WS_COUNT_row_hits] + 1);
        test.expected[WS_COUNT_row_hits]++;
        EXPECT_ERROR(ws_selftest_run(&test, opencl->cl, program, &opencl->limits, &error), WS_STATUS_mismatch, message);
        ws_selftest_close(&test);
    }
    ws_engine_opencl.close(opencl);
}

static struct ws_opencl *open_keeping(bool keeps_programs, const char *driver)
{
    struct ws_opencl *const opencl = open_inside();
    opencl->device.keeps_programs = keeps_programs;
    snprintf(opencl->device.driver, sizeof opencl->device.driver, "%s", driver);
    return opencl;
}

/* The variant that a driver compiles fastest: PoCL takes ten times as long for a binary as for a launch. */
static u32 small_variant(void)
{
    u32 n = 0;
    while (ws_tuples()[n].divergence != WS_divergence_mimd)
        n++;
    return n;
}

/* Contents of the cache: the binary, or only the self-test result if the driver caches programs. */
TEST(a_program_that_passed_is_taken_from_the_cache)
{
    const u32 variant = small_variant();
    for (int keeps = 0; keeps < 2; keeps++)
        for (int round = 0; round < 2; round++) {
            struct ws_opencl *const opencl = open_keeping(keeps, keeps ? "keeps" : "forgets");
            EXPECT_OK(ws_opencl_compile(opencl, variant, &error));
            const struct ws_device_program program = opencl->programs[variant];
            assert_true(program.tested);
            if (round > 0)
                assert_true(program.cached);
            void *binary;
            size_t length;
            enum ws_self_test_result verdict;
            assert_true(ws_binary_fetch(program.key, &binary, &length, &verdict));
            assert_int_equal(verdict, WS_SELF_TEST_passed);
            assert_int_equal(length == 1, keeps);
            free(binary);
            ws_engine_opencl.close(opencl);
        }
}

/* Bytes that no compiler made lie in the cache, with a right digest. */
TEST(a_useless_binary_is_built_again)
{
    const u32 variant = small_variant();
    struct ws_opencl *opencl = open_keeping(false, "forgets");
    EXPECT_OK(ws_opencl_compile(opencl, variant, &error));
    assert_true(ws_binary_keep(opencl->programs[variant].key, "useless", 7, WS_SELF_TEST_passed));
    ws_engine_opencl.close(opencl);
    opencl = open_keeping(false, "forgets");
    EXPECT_OK(ws_opencl_compile(opencl, variant, &error));
    assert_false(opencl->programs[variant].cached);
    assert_true(opencl->programs[variant].tested);
    ws_engine_opencl.close(opencl);
}

/* ---- Failures ---- */

TEST(failing_jobs_leave_the_others_alone)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .quantum = 500};
    struct ws_machine stuck = machines[0], shallow = machines[0], narrow = machines[0], illegal = machines[0];
    struct ws_job_result results[5];
    stuck.core_watchdog = 1000;
    stuck.dram_row_conflict = 10000;
    shallow.divergence_stack_depth = 2;
    shallow.divergence_merge = WS_toggle_off;
    narrow.core_shared_bytes = 64;
    illegal.schedule_policy = 77;
    const struct ws_job_spec specs[] = {{.machine = &stuck, .image = images[0]},
                                        {.machine = &machines[0], .image = images[0]},
                                        {.machine = &shallow, .image = images[0]},
                                        {.machine = &narrow, .image = images[0]},
                                        {.machine = &illegal, .image = images[0]}};
    run_on(&options, specs, 5, results);
    assert_int_equal(results[0].status, WS_STATUS_deadlock);
    assert_non_null(strstr(ws_job_reason(&results[0]), ws_status_text(WS_STATUS_deadlock)));
    assert_true(results[0].counters[WS_COUNT_cycles] >= 1000);
    assert_int_equal(results[1].status, WS_STATUS_ok);
    assert_memory_equal(results[1].counters, expected[0].counters, sizeof expected[0].counters);
    assert_int_equal(results[2].status, WS_STATUS_stack_overflow);
    assert_non_null(strstr(ws_job_reason(&results[2]), "divergence.stack_depth: found 2, the warp in slot "));
    assert_int_equal(results[3].status, WS_STATUS_bad_input);
    assert_int_not_equal(results[4].status, WS_STATUS_ok);
    assert_true(results[3].reason && results[4].reason && !results[1].reason);
    for (int times = 0; times < 2; times++)
        free_results(results, 5);
}

TEST(an_impossible_machine_is_refused_by_every_engine)
{
    static const char *const engines[] = {"native", "opencl"};
    struct ws_machine machine = machines[0];
    const struct ws_job_spec spec = {.machine = &machine, .image = images[0]};
    struct ws_error error = {.message = ""};
    machine.core_warp_size = 0;
    assert_int_equal(ws_job_check(&spec, &error), WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "core.warp_size"));
    for (size_t n = 0; n < sizeof engines / sizeof *engines; n++) {
        const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = engines[n]};
        struct ws_job_result result;
        run_on(&options, &spec, 1, &result);
        assert_int_equal(result.status, WS_STATUS_bad_input);
        assert_string_equal(ws_job_reason(&result), error.message);
        ws_job_result_free(&result);
    }
}

/* Private memory, which the pipeline does not read. */
TEST(an_image_with_other_addresses_is_refused)
{
    struct ws_image image = *images[0];
    struct ws_instruction *const program = calloc(image.instructions, sizeof *program);
    const struct ws_job_spec spec = {.machine = &machines[0], .image = &image};
    u32 pc = 0;
    assert_non_null(program);
    memcpy(program, image.program, image.instructions * sizeof *program);
    image.program = program;
    EXPECT_OK(ws_job_check(&spec, &error));
    while (program[pc].space != WS_SPACE_local)
        pc++;
    program[pc].flags |= WS_ADDRESSED;
    EXPECT_ERROR_HAS(ws_job_check(&spec, &error), WS_STATUS_usage,
                     "the image was loaded for another core.pipeline: instruction 8 has an address");
    free(program);
}

TEST(a_compaction_block_of_many_warps_is_refused)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 1, .block_threads = 132, .loops = 1};
    struct ws_image *const image = ws_synthetic_new(&description);
    struct ws_machine machine = machines[0];
    const struct ws_job_spec spec = {.machine = &machine, .image = image};
    assert_non_null(image);
    machine.divergence_unit = WS_divergence_tbc;
    machine.core_warps = 64;
    machine.core_warp_size = 4;
    machine.divergence_compaction_block = 128;
    EXPECT_OK(ws_job_check(&spec, &error));
    machine.divergence_compaction_block = 256;
    EXPECT_ERROR(ws_job_check(&spec, &error), WS_STATUS_bad_input,
                 "divergence.compaction_block: found 256, which takes 33 warps of core.warp_size 4, allowed "
                 "are at most 32");
    ws_synthetic_free(image);
}

/* A block of 4 warps that fits by warps but not by blocks, or vice versa. */
TEST(a_block_without_places_is_refused)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 1, .block_threads = 100, .loops = 1};
    struct ws_image *const image = ws_synthetic_new(&description);
    struct ws_machine machine;
    const struct ws_job_spec spec = {.machine = &machine, .image = image};
    struct ws_error error;
    assert_non_null(image);
    ws_machine_defaults(&machine);
    machine.core_registers = 128 * image->registers;
    machine.core_dispatch = WS_dispatch_warp;
    machine.dispatch_threshold = 3;
    assert_int_equal(ws_job_check(&spec, &error), WS_STATUS_ok);
    machine.dispatch_stops = WS_stops_all;
    assert_int_equal(ws_job_check(&spec, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message,
                        "dispatch.threshold: found 3, with dispatch.stops all and blocks of 4 warps allowed are 0 and 4 "
                        "to 256");
    machine.dispatch_threshold = 4;
    assert_int_equal(ws_job_check(&spec, &error), WS_STATUS_ok);
    machine.core_registers -= 1;
    assert_int_equal(ws_job_check(&spec, &error), WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "a block needs 4 places for warps, core.registers is "));
    machine.core_dispatch = WS_dispatch_block;
    assert_int_equal(ws_job_check(&spec, &error), WS_STATUS_bad_input);
    ws_synthetic_free(image);
}

TEST(unknown_names_are_refused)
{
    const struct ws_engine_options engine = {WS_STRUCT(engine_options), .engine = "abacus"},
                                   device = {WS_STRUCT(engine_options), .engine = "opencl", .device = "no such device"},
                                   form = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .lane_form = "fibre"};
    struct ws_engine *opened;
    struct ws_error error;
    assert_int_equal(ws_engine_open(&engine, &opened, &error), WS_STATUS_usage);
    assert_non_null(strstr(error.message, "abacus"));
    assert_non_null(strstr(error.message, "native"));
    assert_int_equal(ws_engine_open(&device, &opened, &error), WS_STATUS_no_device);
    assert_non_null(strstr(error.message, "no such device"));
    assert_int_equal(ws_engine_open(&form, &opened, &error), WS_STATUS_usage);
    assert_null(opened);
}

/* A requested device is used; otherwise a GPU if there is one, else native. */
TEST(auto_takes_a_gpu_else_native)
{
    const struct ws_engine_options wish = {WS_STRUCT(engine_options), .engine = "auto", .device = "cpu"},
                                   gpu = {WS_STRUCT(engine_options), .engine = "opencl", .device = "gpu"},
                                   none = {WS_STRUCT(engine_options)};
    struct ws_engine *engine;
    struct ws_error error;
    assert_int_equal(ws_engine_open(&wish, &engine, &error), WS_STATUS_ok);
    assert_string_equal(ws_engine_name(engine), "opencl");
    assert_non_null(strstr(ws_engine_device(engine), "lanes as loop"));
    ws_engine_close(engine);
    const bool has_gpu = ws_engine_open(&gpu, &engine, &error) == WS_STATUS_ok;
    if (has_gpu)
        ws_engine_close(engine);
    assert_int_equal(ws_engine_open(&none, &engine, &error), WS_STATUS_ok);
    assert_string_equal(ws_engine_name(engine), has_gpu ? "opencl" : "native");
    ws_engine_close(engine);
}

/* ---- Watching ---- */

struct watcher {
    size_t calls, stop_after, finished, jobs_done;
    u64 warp_instructions, cycles, issues;
};

static bool on_progress(void *context, size_t done, size_t count, u64 warp_instructions)
{
    struct watcher *const watcher = context;
    assert_int_equal(count, job_count);
    assert_true(warp_instructions >= watcher->warp_instructions && done >= watcher->jobs_done);
    watcher->warp_instructions = warp_instructions;
    watcher->jobs_done = done;
    return ++watcher->calls != watcher->stop_after;
}

static void on_finished(void *context, size_t job, const struct ws_job_result *result)
{
    struct watcher *const watcher = context;
    assert_memory_equal(result->counters, expected[job].counters, sizeof result->counters);
    watcher->finished++;
}

static void on_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct watcher *const watcher = context;
    assert_int_equal(job, 0);
    assert_int_equal(event->cycle, watcher->cycles);
    watcher->cycles += event->cycles;
    watcher->issues += event->kind == 0;
}

static enum ws_status watched(const struct ws_engine_watch *watch, size_t count, struct ws_job_result *results)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .quantum = 700};
    struct ws_engine *engine;
    struct ws_error error;
    assert_int_equal(ws_engine_open(&options, &engine, &error), WS_STATUS_ok);
    const enum ws_status status = ws_engine_run(engine, jobs, count, results, watch, &error);
    ws_engine_close(engine);
    return status;
}

TEST(progress_ends_with_all_jobs)
{
    struct watcher watcher = {.calls = 0};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &watcher, .progress = on_progress,
                                          .finished = on_finished};
    struct ws_job_result results[MOST_JOBS];
    u64 warp_instructions = 0;
    assert_int_equal(watched(&watch, job_count, results), WS_STATUS_ok);
    for (u32 n = 0; n < job_count; n++)
        warp_instructions += results[n].counters[WS_COUNT_warp_instructions];
    assert_int_equal(watcher.finished, job_count);
    assert_int_equal(watcher.jobs_done, job_count);
    assert_int_equal(watcher.warp_instructions, warp_instructions);
}

TEST(a_stopped_run_says_which_jobs_it_left)
{
    struct watcher watcher = {.stop_after = 3};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &watcher, .progress = on_progress,
                                          .finished = on_finished};
    struct ws_job_result results[MOST_JOBS];
    size_t interrupted = 0;
    assert_int_equal(watched(&watch, job_count, results), WS_STATUS_interrupted);
    for (u32 n = 0; n < job_count; n++)
        interrupted += results[n].status == WS_STATUS_interrupted;
    assert_int_equal(interrupted + watcher.finished, job_count);
    assert_true(interrupted > 0);
    free_results(results, job_count);
}

/* Every cycle of the job is in one event; issue events equal issued instructions. */
TEST(the_timeline_covers_every_cycle)
{
    struct watcher watcher = {.calls = 0};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = &watcher, .event = on_event};
    struct ws_job_result result;
    assert_int_equal(watched(&watch, 1, &result), WS_STATUS_ok);
    assert_int_equal(watcher.cycles, expected[0].counters[WS_COUNT_cycles]);
    assert_int_equal(watcher.issues, expected[0].counters[WS_COUNT_warp_instructions]);
}

TESTS(set_up, tear_down)
