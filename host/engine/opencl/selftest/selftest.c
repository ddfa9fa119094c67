#include "engine/opencl/selftest/selftest.h"

#include <stdio.h>
#include <xxhash.h>

#include "base/error.h"
#include "engine/engine_ops.h"
#include "engine/jobs/predecode.h"
#include "engine/opencl/layout.h"
#include "engine/opencl/selftest/collectives.h"
#include "engine/opencl/selftest/synthetic.h"
#include "engine/plan.h"
#include "engine/variant.h"

enum { QUANTUM = 997 };

/* A machine that reaches all events within a few thousand cycles. */
static void make_machine(struct ws_machine *machine, u32 variant)
{
    ws_machine_defaults(machine);
    machine->core_warps = 8;
    machine->icache_size = 256;
    ws_variant_choose(machine, variant);
    if (machine->core_warps > 8) /* small warps, to fill the last slots */
        machine->core_warp_size = 512 / machine->core_warps;
    machine->core_blocks = 4;
    if (machine->divergence_unit == WS_divergence_lwm)
        machine->core_warp_size = 128;
    machine->schedule_fetch_group = 3;
    machine->schedule_timeout = 2000;
    machine->l1_size = 2048;
    machine->icache_line = 64;
    machine->icache_ways = 2;
    machine->dram_queue = 64;
}

/* The trace of the variant's self-test, pre-decoded if the variant requires it. */
static enum ws_status make_image(struct ws_selftest *test, u32 variant, struct ws_error *error)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 7, .block_threads = 120, .loops = 6, .scattered = 30};
    struct ws_predecoding predecoding;
    enum ws_status status = WS_STATUS_ok;
    test->threads = ws_synthetic_new(&description);
    if (!test->threads)
        status = WS_STATUS_no_memory;
    else if (ws_tuples()[variant].divergence == WS_divergence_predecoded && ws_predecoding_of(&test->machine, &predecoding))
        status = ws_predecode(test->threads, &predecoding, UINT64_MAX, &test->packets);
    if (status != WS_STATUS_ok)
        return ws_fail(error, status, "out of memory for the self-test");
    test->image = test->packets ? test->packets : test->threads;
    return WS_STATUS_ok;
}

enum ws_status ws_selftest_open(struct ws_selftest *test, u32 variant, const struct ws_machine *machine, struct ws_error *error)
{
    *test = (struct ws_selftest){.variant = ws_tuples()[variant].name};
    if (machine)
        test->machine = *machine;
    else
        make_machine(&test->machine, variant);
    return make_image(test, variant, error);
}

enum ws_status ws_selftest_expect(struct ws_selftest *test, struct ws_error *error)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 1,
                                              .specialize = WS_SPECIALIZE_NEVER};
    const struct ws_job_spec job = {.machine = &test->machine, .image = test->image};
    struct ws_job_result result;
    struct ws_engine *engine;
    WS_TRY(ws_engine_open(&options, &engine, error));
    enum ws_status status = ws_engine_run(engine, &job, 1, &result, NULL, error);
    if (status == WS_STATUS_ok && result.status != WS_STATUS_ok)
        status = ws_fail(error, WS_STATUS_internal, "the self-test fails on the native engine: %s", ws_job_reason(&result));
    for (u32 n = 0; n < WS_COUNTERS; n++)
        test->expected[n] = result.counters[n];
    ws_job_result_free(&result);
    ws_engine_close(engine);
    return status;
}

void ws_selftest_close(struct ws_selftest *test)
{
    ws_predecoded_free(test->packets);
    ws_synthetic_free(test->threads);
    test->threads = test->packets = NULL;
}

void ws_selftest_digest(const struct ws_selftest *test, char digest[17])
{
    const struct ws_job_spec spec = {.machine = &test->machine, .image = test->image};
    struct ws_job job = {0};
    ws_job_plan(&spec, &job, NULL);
    snprintf(digest, 17, "%016llx", (unsigned long long)XXH3_64bits_withSeed(&job, sizeof job, test->image->digest));
}

static enum ws_status compare(const struct ws_selftest *test, const u64 *found, struct ws_error *error)
{
    size_t count;
    const struct ws_counter *const counter = ws_counter_list(&count);
    for (size_t n = 0; n < count; n++)
        for (u32 bin = 0; bin < counter[n].bins; bin++) {
            const u32 index = counter[n].index + bin;
            if (test->expected[index] != found[index])
                return ws_fail(error, WS_STATUS_mismatch, "self-test of '%s': %s[%u] is %llu, expected %llu", test->variant,
                               counter[n].name, bin, (unsigned long long)found[index], (unsigned long long)test->expected[index]);
        }
    return WS_STATUS_ok;
}

static enum ws_status simulate(const struct ws_selftest *test, struct ws_cl *cl, const struct ws_device_program *program,
                               const struct ws_limits *limits, struct ws_job_result *result, struct ws_error *error)
{
    const struct ws_engine_watch unwatched = {WS_STRUCT(engine_watch), .context = NULL};
    const struct ws_job_spec spec = {.machine = &test->machine, .image = test->image};
    struct ws_run run = {.cl = cl, .watch = &unwatched, .quantum = QUANTUM, .jobs = 1};
    struct ws_task task = {.spec = spec, .result = result};
    struct ws_batch batch;
    WS_TRY(ws_job_plan(&spec, &task.job, error));
    enum ws_status status = ws_batch_open(&batch, &run, program, &task, 1, limits, error);
    if (status == WS_STATUS_ok)
        status = ws_batch_run(&batch, error);
    ws_batch_close(&batch);
    return status;
}

enum ws_status ws_selftest_run(const struct ws_selftest *test, struct ws_cl *cl, const struct ws_device_program *program,
                               const struct ws_limits *limits, struct ws_error *error)
{
    struct ws_job_result result = {.status = WS_STATUS_running};
    enum ws_status status = ws_layout_check(cl, program->program, error);
    if (status == WS_STATUS_ok)
        status = ws_collectives_check(cl, program, error);
    if (status == WS_STATUS_ok)
        status = simulate(test, cl, program, limits, &result, error);
    if (status != WS_STATUS_ok)
        return ws_fail_in(error, "self-test of '%s': ", test->variant), status;
    if (result.status != WS_STATUS_ok)
        status = ws_fail(error, WS_STATUS_mismatch, "self-test of '%s': %s, expected to end well", test->variant,
                         ws_job_reason(&result));
    else
        status = compare(test, result.counters, error);
    ws_job_result_free(&result);
    return status;
}
