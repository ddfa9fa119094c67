/* Images that a sweep loads: one for each trace, shard and set of spaces that its machines read. */
#include "test.h"
#include "unit/results/fakes.h"

enum { POINTS = 5, TRACES = 2, SHARDS = 2, IMAGE_BYTES = 4000 };

static void sweep(bool dry_run, struct ws_sweep_summary *summary)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results, .size = WS_SIZE_SMALL,
                                             .force = true, .dry_run = dry_run};
    struct ws_experiment *const experiment = fake_experiment(POINTS, TRACES, SHARDS);
    /* Points 1 and 3 have a pipeline that reads more. */
    experiment->points[1].machine.core_pipeline = experiment->points[3].machine.core_pipeline = WS_pipeline_scoreboard;
    EXPECT_OK(ws_sweep(experiment, &options, summary, &error));
}

TEST_WITH(each_pipeline_gets_its_images, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    sweep(false, &summary);
    assert_int_equal(summary.ran, POINTS * TRACES * SHARDS);
    assert_int_equal(fake_engine.images, 2 * TRACES * SHARDS);
}

/* One shard stands for all. */
TEST_WITH(a_dry_run_counts_both, fake_set_up, fake_tear_down)
{
    struct ws_sweep_summary summary;
    sweep(true, &summary);
    assert_int_equal(fake_engine.images, 2 * TRACES);
    assert_int_equal(summary.estimate.trace_bytes, 2 * TRACES * SHARDS * IMAGE_BYTES);
}

TEST_WITH(pipelines_read_spaces, fake_set_up, fake_tear_down)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.core_pipeline = WS_pipeline_barrel;
    assert_int_equal(ws_machine_spaces(&machine), 1u << WS_SPACE_global | 1u << WS_SPACE_shared);
    machine.core_pipeline = WS_pipeline_scoreboard;
    assert_int_equal(ws_machine_spaces(&machine),
                     1u << WS_SPACE_global | 1u << WS_SPACE_shared | 1u << WS_SPACE_constant | 1u << WS_SPACE_texture);
}
