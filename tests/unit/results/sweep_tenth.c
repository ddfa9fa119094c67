/* Derived results of a sweep equal simulated ones: a random tenth of its jobs is simulated, and merging compares the two. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "differential/random/random.h"
#include "test.h"
#include "unit/results/ask.h"
#include "unit/results/run_sql.h"
#include "warpsweep/results.h"
#include "warpsweep/sweep.h"

enum { SEED = 18, PARTS = 10 };

static char folder[] = "sweep-tenth-XXXXXX";
static char all[64], tenth[64], merged[64];

static void name_files(void)
{
    assert_non_null(mkdtemp(folder));
    snprintf(all, sizeof all, "%s/all.db", folder);
    snprintf(tenth, sizeof tenth, "%s/tenth.db", folder);
    snprintf(merged, sizeof merged, "%s/merged.db", folder);
}

static struct ws_experiment *experiment(const char *machine, const char *traces, const char *const *axes, size_t axis_count)
{
    const struct ws_experiment_line line = {
        .name = "tenth", .machine = machine, .traces = &traces, .trace_count = 1, .axes = axes, .axis_count = axis_count};
    struct ws_experiment *made;
    EXPECT_OK(ws_experiment_read_line(&line, &made, &error));
    return made;
}

static void sweep(const struct ws_experiment *swept, const struct ws_sweep_options *options, struct ws_sweep_summary *summary)
{
    EXPECT_OK(ws_sweep(swept, options, summary, &error));
}

static enum ws_status merge(struct ws_error *error)
{
    const char *const inputs[] = {all, tenth};
    struct ws_merge_counts counts[2];
    size_t kept, jobs;
    return ws_results_merge(merged, inputs, 2, NULL, counts, &kept, &jobs, error);
}

/* Merging fails if a job has other counters in the other file. */
static void judge(const char *machine, const char *traces, const char *const *axes, size_t axis_count)
{
    struct ws_experiment *const swept = experiment(machine, traces, axes, axis_count);
    struct random random = {SEED};
    struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = all, .engine = {.engine = "native"}};
    struct ws_sweep_summary summary;
    struct ws_error failure;
    sweep(swept, &options, &summary);
    print_message("%zu jobs, %zu not simulated\n", summary.jobs, summary.reused);
    assert_int_equal(summary.ran + summary.reused, summary.jobs);
    assert_int_equal(ask_number(all, "SELECT count(*) FROM job WHERE run_from IS NOT NULL"), summary.reused);
    assert_true(summary.reused > summary.jobs / 4);
    options.results = tenth;
    options.no_reuse = true;
    options.parts = PARTS;
    options.part = random_below(&random, PARTS);
    sweep(swept, &options, &summary);
    assert_int_equal(summary.reused, 0);
    EXPECT_OK(merge(&error));
    assert_int_equal(unlink(merged), 0);
    run_sql(tenth, "UPDATE job SET cycles = cycles + 1 WHERE job_id = (SELECT max(job_id) FROM job)");
    assert_int_equal(merge(&failure), WS_STATUS_failed);
    assert_int_equal(unlink(all), 0);
    assert_int_equal(unlink(tenth), 0);
    ws_experiment_free(swept);
}

TEST(a_tenth_of_the_barrel)
{
    static const char *const axes[] = {"schedule.policy=rr,two_level", "l1.mshrs=0,32,64,128", "dram.queue=64,128,1024",
                                       "divergence.stack_depth=8,16,32", "core.registers=0,65536"};
    judge("narasiman2011", "reduction:tiny,bfs:tiny,sort:tiny,histogram:tiny", axes, sizeof axes / sizeof *axes);
}

TEST(a_tenth_of_the_scoreboard)
{
    static const char *const axes[] = {"schedule.policy=lrr,gto", "l1.mshrs=0,32,64,128", "l1.targets=4,8,16,32",
                                       "core.blocks=8,16,32"};
    judge("gtx480", "scalar_product:tiny,histogram64:tiny,bfs_step:tiny,nn_layer1:tiny", axes, sizeof axes / sizeof *axes);
}

int main(void)
{
    name_files();
    const int failed = test_run(NULL, NULL);
    rmdir(folder);
    return failed;
}
