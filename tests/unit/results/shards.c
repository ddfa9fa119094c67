/* Sweeps: shards of a kernel, inputs of a point, times of blocks. */
#include <stdlib.h>

#include "base/text.h"
#include "test.h"
#include "unit/results/ask.h"
#include "unit/results/fakes.h"
#include "unit/results/run_sql.h"
#include "warpsweep/results.h"

static struct ws_sweep_options options(void)
{
    return (struct ws_sweep_options){WS_STRUCT(sweep_options), .results = fake_results, .size = WS_SIZE_SMALL};
}

/* cycles of the slowest shard, sums of other counters, and derived metrics */
TEST_WITH(shards_make_a_kernel, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    assert_int_equal(ws_sweep(fake_experiment(2, 1, 2), &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL,
                   "SELECT point, cycles, thread_instructions, active_lanes_16, stack_deepest, lane_use, l1_hit_rate FROM kernel "
                   "ORDER BY point",
                   "p0|1807|40194|800|4|0.75|NULL|\np1|1907|40194|800|4|0.75|NULL|\n");
    assert_answers(fake_results, NULL, "SELECT point, round(ipc, 6), round(speedup, 6) FROM speedup ORDER BY point",
                   "p0|22.243498|1.0|\np1|21.077084|0.947562|\n");
    assert_answers(fake_results, NULL, "SELECT histogram, bin, sum(count) FROM histogram WHERE count > 0 GROUP BY histogram, bin",
                   "active_lanes|16|1600|\nactive_lanes|32|1600|\n");
}

static void lose_slots(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    (void)machine;
    (void)trace;
    (void)shard;
    result->counters[WS_COUNT_stall_idle] = 500;
}

/* Two blocks each, so the third shard is empty: it has no job, and the kernel is complete without it. */
TEST_WITH(empty_shards_are_left_out, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.dry_run = true;
    fake_engine.alter = lose_slots;
    assert_int_equal(ws_sweep(fake_experiment(2, 2, 3), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.jobs, 2 * 2 * 2);
    how.dry_run = false;
    assert_int_equal(ws_sweep(fake_experiment(2, 2, 3), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 2 * 2 * 2);
    assert_answers(fake_results, NULL,
                   "SELECT point, trace, shards, cycles, thread_instructions, stall_idle, round(idle_share, 6) FROM kernel "
                   "WHERE point = 'p1'",
                   "p1|a|3|1907|40194|1000|0.384615|\np1|b|3|1908|40196|1000|0.384615|\n");
    assert_answers(fake_results, NULL, "SELECT count(*), max(shard) FROM result", "8|1|\n");
    assert_int_equal(ws_sweep(fake_experiment(2, 2, 3), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.before, 2 * 2 * 2);
}

/* A sample has the first shard's jobs alone, though the file has those of the second one, too; and is a run of its own. */
TEST_WITH(a_sample_of_shards_is_a_run_of_its_own, fake_set_up, fake_tear_down)
{
    const struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_experiment *const sample = fake_experiment(2, 2, 3);
    fake_engine.alter = lose_slots;
    assert_int_equal(ws_sweep(sample, &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL, "SELECT sum(stall_idle), count(*) FROM kernel", "4000|4|\n");
    sample->sampled = 1;
    assert_int_equal(ws_sweep(sample, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 0);
    assert_int_equal(summary.before, 2 * 2);
    assert_answers(fake_results, NULL, "SELECT run, shards, sampled, jobs FROM run ORDER BY run", "1|3|0|8|\n2|3|1|4|\n");
    assert_answers(fake_results, NULL, "SELECT count(*), max(shard) FROM result", "4|0|\n");
    assert_answers(fake_results, NULL, "SELECT shards, sum(stall_idle), count(*) FROM kernel", "3|2000|4|\n");
    sample->sampled = 0;
}

/* A kernel with a missing shard is not shown. */
TEST_WITH(a_missing_shard_is_missed, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.parts = 2;
    assert_int_equal(ws_sweep(fake_experiment(1, 1, 3), &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL, "SELECT count(*) FROM kernel", "0|\n");
    how.part = 1;
    assert_int_equal(ws_sweep(fake_experiment(1, 1, 3), &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL, "SELECT count(*) FROM kernel", "1|\n");
}

#define BLOCKS "SELECT point, trace, shard, block, entered, ended FROM block ORDER BY point, trace, shard, block"

/* Blocks are numbered as in the grid. */
TEST_WITH(times_are_recorded_when_asked_for, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.engine.times = true; /* requested by the experiment */
    assert_int_equal(ws_sweep(fake_experiment(1, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL, BLOCKS, "");
    struct ws_experiment *const timed = fake_experiment(2, 1, 1);
    timed->times = true;
    assert_int_equal(ws_sweep(timed, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 2); /* p0 again, for its times */
    assert_answers(fake_results, NULL, BLOCKS, "p0|a|0|0|0|1796|\np0|a|0|1|100|1797|\np1|a|0|0|0|1896|\np1|a|0|1|100|1897|\n");
    assert_answers(fake_results, NULL,
                   "SELECT point, block, warp, entered, ended, warp_cycles, packets, l1_misses, constant_misses, texture_misses "
                   "FROM warp WHERE point = 'p1' ORDER BY block",
                   "p1|0|0|0|1896|1896|500|30|20|10|\np1|1|0|100|1897|1797|1000|30|20|11|\n");
    assert_answers(fake_results, NULL,
                   "SELECT cycle, place, block FROM block_order JOIN job USING (job_id) JOIN machine USING (machine_id) "
                   "WHERE core_depth = 8 ORDER BY cycle, place",
                   "1000|0|0|\n1000|1|1|\n2000|0|1|\n2000|1|0|\n");
    assert_int_equal(ws_sweep(timed, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 0);
    run_sql(fake_results, "DELETE FROM warp_time"); /* as from a build without any */
    assert_int_equal(ws_sweep(timed, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 2);
    how.force = true;
    assert_int_equal(ws_sweep(timed, &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL, "SELECT count(*), count(DISTINCT job_id) FROM block_time",
                   "4|2|\n"); /* none for removed jobs */
    assert_answers(fake_results, NULL, "SELECT count(*), count(DISTINCT job_id) FROM warp_time", "4|2|\n");
    timed->shards = 2;
    assert_int_equal(ws_sweep(timed, &how, &summary, NULL), WS_STATUS_ok);
    assert_answers(fake_results, NULL,
                   "SELECT shard, block, entered, ended FROM block WHERE shards = 2 AND point = 'p1' ORDER BY shard",
                   "0|0|0|1897|\n1|1|0|1907|\n");
}

/* Bundled workloads with other inputs are other traces; a name with a size, or a file, keeps its size. */
TEST_WITH(points_have_inputs_of_their_own, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_experiment *const experiment = fake_experiment(3, 2, 1);
    experiment->traces[0] = (char[]){"bundled"};
    experiment->points[1].frontend = (char[]){"size=tiny"};
    experiment->points[1].frontend_overrides = (struct ws_frontend_overrides){.sets_size = true, .size = WS_SIZE_TINY};
    experiment->points[2].frontend = (char[]){"seed=7"};
    experiment->points[2].frontend_overrides = (struct ws_frontend_overrides){.sets_seed = true, .seed = 7};
    assert_int_equal(ws_sweep(experiment, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 6);
    assert_answers(fake_results, NULL,
                   "SELECT point, frontend, trace FROM experiment_trace JOIN point USING (experiment_id, frontend) "
                   "ORDER BY point.position, experiment_trace.position",
                   "p0||bundled:small|\np0||b|\np1|size=tiny|bundled:tiny|\np1|size=tiny|b|\n"
                   "p2|seed=7|bundled:small|\np2|seed=7|b|\n");
    assert_answers(fake_results, NULL, "SELECT count(*) FROM trace", "5|\n"); /* b is the trace of p0 at the size of p1 */
    assert_int_equal(ws_sweep(experiment, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 0);
}
