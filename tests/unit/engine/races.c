/* Lane form `group` under oclgrind, which runs work-items one by one and detects data races; started by race_free. */
#include "engine/jobs/predecode.h"
#include "engine/opencl/selftest/synthetic.h"
#include "test.h"
#include "unit/kit/variant_cover.h"
#include "warpsweep/engine.h"

/* Small, because each instruction is slow; yet covers all steps of the model. */
static struct ws_machine small_machine(u32 variant)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.core_warps = 4;
    ws_variant_choose(&machine, variant);
    if (machine.core_warps > 4)
        machine.core_warp_size = 512 / machine.core_warps;
    machine.schedule_fetch_group = 2;
    machine.l1_size = 1024;
    machine.dram_queue = 64;
    if (machine.divergence_unit == WS_divergence_lwm)
        machine.core_warp_size = 64;
    return machine;
}

static void run_on(const char *name, const struct ws_job_spec *jobs, u32 count, struct ws_job_result *results)
{
    const bool native = name == NULL;
    const struct ws_engine_options options = {WS_STRUCT(engine_options),
                                              .engine = native ? "native" : "opencl",
                                              .device = name,
                                              .lane_form = native ? NULL : "group",
                                              .quantum = 1000,
                                              .predecoding = WS_PREDECODE_NEVER,
                                              .trust_device = true};
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    EXPECT_OK(ws_engine_run(engine, jobs, count, results, NULL, &error));
    ws_engine_close(engine);
}

/* Input of a variant: the image, or its pre-decoded trace. *made is to be freed by ws_predecoded_free. */
static const struct ws_image *image_for(u32 variant, const struct ws_machine *machine, const struct ws_image *image,
                                        struct ws_image **made)
{
    struct ws_predecoding lowering;
    *made = NULL;
    if (ws_tuples()[variant].divergence != WS_divergence_predecoded)
        return image;
    assert_true(ws_predecoding_of(machine, &lowering));
    assert_int_equal(ws_predecode(image, &lowering, UINT64_MAX, made), WS_STATUS_ok);
    return *made;
}

TEST(variants_count_as_on_the_native_engine)
{
    const struct ws_synthetic description = {.seed = 3, .blocks = 2, .block_threads = 40, .loops = 1, .scattered = 20};
    struct ws_image *const image = ws_synthetic_new(&description);
    struct ws_machine machines[WS_VARIANTS];
    struct ws_job_spec jobs[WS_VARIANTS];
    struct ws_job_result expected[WS_VARIANTS], found[WS_VARIANTS];
    struct ws_image *packets[WS_VARIANTS];
    u32 variants[WS_VARIANTS];
    const u32 count = variant_cover(variants);
    assert_non_null(image);
    for (u32 n = 0; n < count; n++) {
        machines[n] = small_machine(variants[n]);
        jobs[n] = (struct ws_job_spec){.machine = &machines[n], .image = image_for(variants[n], &machines[n], image, &packets[n])};
    }
    run_on(NULL, jobs, count, expected);
    run_on("oclgrind", jobs, count, found);
    for (u32 n = 0; n < count; n++) {
        assert_int_equal(expected[n].status, WS_STATUS_ok);
        assert_int_equal(found[n].status, WS_STATUS_ok);
        assert_true(expected[n].counters[WS_COUNT_divergent_branches] > 0);
        assert_memory_equal(found[n].counters, expected[n].counters, sizeof found[n].counters);
        ws_predecoded_free(packets[n]);
    }
    ws_synthetic_free(image);
}
