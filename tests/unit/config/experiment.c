/* Experiments: their expansion to points and everything that is refused. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "unit/config/refused.h"
#include "warpsweep/experiment.h"

static struct ws_experiment *loaded(const char *name)
{
    struct ws_experiment *experiment;
    EXPECT_OK(ws_experiment_load(name, &experiment, &error));
    return experiment;
}

TEST(points_and_grids_expand)
{
    files_write("e.yaml", "name: e\nmachine: narasiman2011\nset: {core.depth: 9}\ntraces: [matmul:tiny, x/y.wst, z.wst, "
                          "/a/b]\nshards: 3\nsampled_shards: 2\n"
                          "baseline: base\npoints:\n  - label: base\n  - {label: deep, set: {core.depth: 12}}\n"
                          "axes:\n  schedule.policy: [rr, two_level]\n  schedule.fetch_group: [8, 16]\n");
    struct ws_experiment *const experiment = loaded("e.yaml");
    static const char *const labels[] = {"base",
                                         "deep",
                                         "schedule.policy=rr schedule.fetch_group=8",
                                         "schedule.policy=rr schedule.fetch_group=16",
                                         "schedule.policy=two_level schedule.fetch_group=8",
                                         "schedule.policy=two_level schedule.fetch_group=16"};
    static const char *const overrides[] = {"core.depth=9",
                                            "core.depth=12",
                                            "core.depth=9 schedule.policy=rr schedule.fetch_group=8",
                                            "core.depth=9 schedule.policy=rr schedule.fetch_group=16",
                                            "core.depth=9 schedule.policy=two_level schedule.fetch_group=8",
                                            "core.depth=9 schedule.policy=two_level schedule.fetch_group=16"};
    static const char *const traces[] = {"matmul:tiny", "x/y.wst", "z.wst", "/a/b"};
    assert_string_equal(experiment->name, "e");
    assert_string_equal(experiment->about, "");
    assert_string_equal(experiment->machine, "narasiman2011");
    assert_int_equal(experiment->shards, 3);
    assert_int_equal(experiment->sampled, 2);
    assert_int_equal(experiment->point_count, 6);
    for (size_t n = 0; n < 6; n++) {
        assert_string_equal(experiment->points[n].label, labels[n]);
        assert_string_equal(experiment->points[n].overrides, overrides[n]);
        assert_string_equal(experiment->points[n].baseline, "base");
        assert_string_equal(experiment->points[n].variation, "");
        assert_string_equal(experiment->points[n].frontend, "");
    }
    assert_int_equal(experiment->points[1].machine.core_depth, 12);
    assert_int_equal(experiment->points[5].machine.schedule_fetch_group, 16);
    assert_int_equal(experiment->trace_count, 4);
    for (size_t n = 0; n < 4; n++)
        assert_string_equal(experiment->traces[n], traces[n]);
    ws_experiment_free(experiment);
}

TEST(files_count_from_the_experiments_folder)
{
    files_write("m.yaml", "name: mine\ncore: {warps: 8}\n");
    files_write("e.yaml", "name: e\nmachine: m.yaml\ntraces: [t.wst, /t.wst]\npoints: [{label: a}]\n");
    struct ws_experiment *const experiment = loaded("./e.yaml");
    assert_string_equal(experiment->machine, "mine");
    assert_int_equal(experiment->points[0].machine.core_warps, 8);
    assert_string_equal(experiment->points[0].overrides, "");
    assert_string_equal(experiment->traces[0], "./t.wst");
    assert_string_equal(experiment->traces[1], "/t.wst");
    assert_null(experiment->points[0].baseline);
    assert_int_equal(experiment->shards, 1);
    ws_experiment_free(experiment);
}

/* Threads of a point: 1024 on Narasiman's machine, at most 1536 on a GTX 480 (Xiang's always) and an RTX 3070, 1024 to 2048 on
 * recent GPUs, 256 or 512 on Fung's. */
static void assert_threads(const struct ws_experiment *experiment, const struct ws_machine *machine)
{
    const u32 threads = machine->core_warps * machine->core_warp_size;
    if (strcmp(experiment->name, "study-atomics") == 0 || strncmp(experiment->name, "anantpur2015", 12) == 0 ||
        strncmp(experiment->name, "xiang2014", 9) == 0)
        assert_in_range(threads, 1024, 1536);
    else if (strncmp(experiment->name, "xiang2014", 9) == 0)
        assert_int_equal(threads, 1536);
    else if (strncmp(experiment->name, "hardware", 8) == 0)
        assert_in_range(threads, 1024, 2048);
    else if (strncmp(experiment->name, "fung2007", 8) == 0)
        assert_true(threads == 256 || threads == 512);
    else
        assert_int_equal(threads, 1024);
}

TEST(bundled_experiments_load)
{
    size_t count;
    const struct ws_experiment_row *const rows = ws_experiments(&count);
    assert_true(count >= 2);
    for (size_t n = 0; n < count; n++) {
        struct ws_experiment *const experiment = loaded(rows[n].name);
        assert_string_equal(experiment->name, rows[n].name);
        assert_string_equal(experiment->about, rows[n].about);
        for (size_t p = 0; p < experiment->point_count; p++) {
            assert_threads(experiment, &experiment->points[p].machine);
            assert_non_null(experiment->points[p].baseline);
        }
        ws_experiment_free(experiment);
    }
}

static size_t points_of(const struct ws_experiment *experiment, size_t variant)
{
    size_t points = 0;
    for (size_t n = 0; n < experiment->point_count; n++)
        points += ws_machine_variant(&experiment->points[n].machine) == variant;
    return points;
}

/* The experiment on imported traces covers every combination with block dispatch. */
TEST(the_imported_search_runs_every_variant)
{
    size_t count;
    const struct ws_variant *const variants = ws_variants(&count);
    assert_int_equal(symlink(CONFIGS_FOLDER "/experiments/nvbit-bfs.yaml", "nvbit-bfs.yaml"), 0);
    assert_int_equal(mkdir("nvbit-bfs", 0777), 0);
    files_write("nvbit-bfs/00000-made.wst", "");
    struct ws_experiment *const experiment = loaded("nvbit-bfs.yaml");
    for (size_t n = 0; n < count; n++)
        if (points_of(experiment, n) != (strcmp(variants[n].dispatch, "block") == 0))
            fail_msg("%zu points with %s %s %s %s", points_of(experiment, n), variants[n].pipeline, variants[n].divergence,
                     variants[n].policy, variants[n].dispatch);
    assert_int_equal(experiment->trace_count, 1);
    ws_experiment_free(experiment);
    assert_int_equal(unlink("nvbit-bfs/00000-made.wst") | rmdir("nvbit-bfs") | unlink("nvbit-bfs.yaml"), 0);
}

TEST(large_grids_expand)
{
    files_write("e.yaml", "name: e\nmachine: narasiman2011\ntraces: [t]\naxes:\n"
                          "  core.warps: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n  core.depth: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
                          "  dram.row_hit: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n  dram.seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n");
    struct ws_experiment *const experiment = loaded("e.yaml");
    assert_int_equal(experiment->point_count, 10000);
    assert_string_equal(experiment->points[1234].label, "core.warps=2 core.depth=3 dram.row_hit=4 dram.seed=5");
    assert_int_equal(experiment->points[1234].machine.dram_seed, 5);
    ws_experiment_free(experiment);
}

#define HEAD "name: e\nmachine: narasiman2011\ntraces: [t]\n"
#define TEN  "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"

static const struct refused refused[] = {
    {"machine: narasiman2011\ntraces: [t]\n", "e.yaml:1: the key 'name' is missing"},
    {"name: e\ntraces: [t]\n", "e.yaml:1: the key 'machine' is missing"},
    {"name: e\nmachine: narasiman2011\n", "e.yaml:1: the key 'traces' is missing"},
    {"name: e\nmachine: narasiman\ntraces: [t]\n",
     "e.yaml:2: machine: found 'narasiman', which is no file and no bundled machine; bundled "
     "are listed by 'warpsweep list machines'"},
    {"name: e\nmachine: none.yaml\ntraces: [t]\n", "e.yaml:2: machine: none.yaml: cannot be read: No such file or directory"},
    {"name: e\nmachine: narasiman2011\ntraces: t\n", "e.yaml:3: traces: found 't', allowed is a list"},
    {"name: e\nmachine: narasiman2011\ntraces: []\n", "e.yaml:3: traces: an experiment needs at least one trace"},
    {"name: e\nmachine: narasiman2011\ntraces: [t, u, t]\n",
     "e.yaml:3: traces[2]: found 't', which the list has already; remove one"},
    {"name: e\nmachine: narasiman2011\ntraces: [[t]]\n", "e.yaml:3: traces[0]: found a list, allowed is a value"},
    {HEAD "shards: 0\n", "e.yaml:4: shards: found '0', allowed is a whole number from 1 to 65536"},
    {HEAD "sampled_shards: 1\n", "e.yaml:4: sampled_shards: there is 1 shard, the whole trace; set shards, the number of SMs"},
    {HEAD "shards: 2\nsampled_shards: 3\n", "e.yaml:5: sampled_shards: found '3', allowed is a whole number from 1 to 2"},
    {HEAD, "e.yaml:1: an experiment needs points, axes, a table or a sample"},
    {HEAD "points: []\n", "e.yaml:1: an experiment needs points, axes, a table or a sample"},
    {HEAD "point: []\n", "e.yaml:4: point: unknown key 'point', allowed are name, about, machine, machines, set, frontend, "
                         "variations, traces, shards, sampled_shards, "
                         "baseline, points, table, axes, sample, constraints, label, times (did you mean 'points'?)"},
    {HEAD "points: [a]\n", "e.yaml:4: points[0]: found 'a', allowed is a mapping of keys to values"},
    {HEAD "points:\n  - set: {core.warps: 4}\n", "e.yaml:5: points[0]: the key 'label' is missing"},
    {HEAD "points:\n  - label: a\n    sets: {core.warps: 4}\n",
     "e.yaml:6: points[0].sets: unknown key 'sets', allowed are label, set, frontend, baseline (did you mean 'set'?)"},
    {HEAD "points:\n  - label: a\n    set: {core.wraps: 4}\n",
     "e.yaml:6: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD "points:\n  - label: a\n    set:\n      core.warps: 9999\n",
     "e.yaml:7: core.warps: found '9999', allowed is $core.warps"},
    {HEAD "points:\n  - label: a\n    set: {core.warp_size: 64}\n",
     "e.yaml:5: point 'a': core.warp_size: found 64, allowed are at most 32 threads unless divergence.unit is lwm"},
    {HEAD "points: [{label: a}, {label: b}, {label: a}]\n", "e.yaml:4: two points have the label 'a'; give each its own"},
    {HEAD "points:\n  - label: a\n  - {label: b, baseline: a}\n  - {label: c,\n     baseline: d}\n  - label: a\n",
     "e.yaml:9: two points have the label 'a'; give each its own"},
    {HEAD "points:\n  - label: first\n  - {label: second, baseline: first}\n  - {label: c,\n     baseline: elsewhere}\n",
     "e.yaml:8: baseline: found 'elsewhere', which no point is called"},
    {HEAD "baseline: lw\npoints: [{label: a}, {label: lwm}]\n",
     "e.yaml:4: baseline: found 'lw', which no point is called (did you mean 'lwm'?)"},
    {HEAD "baseline: x\npoints: [{label: aaa}]\n", "e.yaml:4: baseline: found 'x', which no point is called"},
    {HEAD "set: {core.warps: 8}\naxes: {core.warps: [4]}\n",
     "e.yaml:5: axes.core.warps: core.warps is set to 8, too, without effect, as the values here win; leave one of the two out"},
    {HEAD "set: {core.warps: 8}\ntable: {columns: [core.warps], rows: [[4]]}\n",
     "e.yaml:5: table.columns[0]: core.warps is set to 8, too, without effect, as the values here win; leave one of the two out"},
    {HEAD "set: {core.warps: 8}\nsample: {method: random, points: 1, seed: 0, axes: {core.warps: [4]}}\n",
     "e.yaml:5: sample.axes.core.warps: core.warps is set to 8, too, without effect, as the values here win; leave one of the two "
     "out"},
    {HEAD "variations: [{label: v, set: {core.warps: 8}}]\naxes: {core.warps: [4]}\n",
     "e.yaml:5: axes.core.warps: core.warps is set to 8, too, without effect, as the values here win; leave one of the two out"},
    {HEAD "set: {core.warps: 8}\npoints: []\naxes: {core.warps: [9999]}\n",
     "e.yaml:6: core.warps: found '9999', allowed is $core.warps"},
    {HEAD "axes: {}\n", "e.yaml:4: axes: at least one axis is needed"},
    {HEAD "axes: {core.warps: 4}\n", "e.yaml:4: axes.core.warps: found '4', allowed is a list of values or a range {from, to}"},
    {HEAD "axes: {core.warps: []}\n", "e.yaml:4: axes.core.warps: an axis needs at least one value"},
    {HEAD "axes: {core.warps: [4, 8, 4]}\n", "e.yaml:4: axes.core.warps[2]: found '4', which the axis has already; remove one"},
    {HEAD "axes:\n  core.warps: [4, 9999]\n", "e.yaml:5: core.warps: found '9999', allowed is $core.warps"},
    {HEAD "axes:\n  core.wraps: [4]\n", "e.yaml:5: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD "axes:\n  core:\n    wraps: [4]\n", "e.yaml:6: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD "axes:\n  core: {warps: [4]}\n  core.warps: [8]\n", "e.yaml:6: axes.core.warps: is given twice; remove one"},
    {HEAD "axes: {l1: {size: [1K, 1024]}}\n", "e.yaml:4: axes.l1.size[1]: found '1024', which the axis has already; remove one"},
    {HEAD "axes: {warps: [4]}\n", "e.yaml:4: no parameter is called 'warps' (did you mean 'core.warps', 'dispatch.warps'?)"},
    {HEAD "set: {core.warps: 4, core: {depth: 3, warps: 8}}\npoints: [{label: a}]\n",
     "e.yaml:4: set.core.warps: is given twice; remove one"},
    {HEAD "set: {core: {}}\npoints: [{label: a}]\n", "e.yaml:4: set.core: a group needs at least one parameter"},
    {HEAD "set: {core: {warps: {x: 8}}}\npoints: [{label: a}]\n",
     "e.yaml:4: set.core.warps: found a mapping of keys to values, allowed is a value"},
    {HEAD "set: {core: 4}\npoints: [{label: a}]\n",
     "e.yaml:4: no parameter is called 'core'; 'warpsweep list parameters' lists them"},
    {HEAD "axes:\n  core.warp_size: [32, 64]\n",
     "e.yaml:4: point 'core.warp_size=64': core.warp_size: found 64, allowed are at most 32 threads "
     "unless divergence.unit is lwm"},
    {HEAD "axes:\n  core.warps: " TEN "\n  core.depth: " TEN "\n  dram.row_hit: " TEN "\n  dram.row_conflict: " TEN
          "\n  core.clock: " TEN "\n  dram.seed: " TEN "\n  dram.bandwidth: " TEN "\n",
     "e.yaml:4: axes: more than the 1048576 points that are allowed; shorten axes, or use sample"},
};

TEST(broken_experiments_are_refused)
{
    assert_refused(refused, sizeof refused / sizeof *refused);
}

TEST(unknown_names_are_refused)
{
    struct ws_experiment *experiment;
    EXPECT_ERROR(ws_experiment_load("narasiman2011-fig12", &experiment, &error), WS_STATUS_no_file,
                 "found 'narasiman2011-fig12', which is no file and no bundled experiment; bundled are listed by "
                 "'warpsweep list experiments' (did you mean 'narasiman2011-fig10'?)");
}

TESTS(files_enter, files_leave)
