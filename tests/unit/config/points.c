/* Where the points of an experiment come from: ranges, tables, samples, variations, constraints, programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/experiment/draft.h"
#include "test.h"
#include "unit/config/refused.h"
#include "warpsweep/experiment.h"

#define HEAD "name: e\nmachine: narasiman2011\ntraces: [t]\n"

static struct ws_experiment *loaded(const char *text)
{
    struct ws_experiment *experiment;
    files_write("e.yaml", text);
    EXPECT_OK(ws_experiment_load("e.yaml", &experiment, &error));
    return experiment;
}

/* Expects exactly these labels. */
static void assert_labels(const struct ws_experiment *experiment, const char *const *labels, size_t count)
{
    assert_int_equal(experiment->point_count, count);
    for (size_t n = 0; n < count; n++)
        assert_string_equal(experiment->points[n].label, labels[n]);
}

#define ASSERT_LABELS(experiment, ...)                                                                                             \
    assert_labels(experiment, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

TEST(ranges_have_steps_and_factors)
{
    struct ws_experiment *experiment = loaded(HEAD "axes:\n  core.depth: {from: 3, to: 8, step: 2}\n");
    ASSERT_LABELS(experiment, "core.depth=3", "core.depth=5", "core.depth=7");
    ws_experiment_free(experiment);
    experiment = loaded(HEAD "axes:\n  schedule.fetch_group: {from: 3, to: 32, factor: 3}\n");
    ASSERT_LABELS(experiment, "schedule.fetch_group=3", "schedule.fetch_group=9", "schedule.fetch_group=27");
    ws_experiment_free(experiment);
    experiment = loaded(HEAD "axes:\n  l1.ways: {from: 2, to: 16}\n");
    ASSERT_LABELS(experiment, "l1.ways=2", "l1.ways=4", "l1.ways=8", "l1.ways=16");
    ws_experiment_free(experiment);
    experiment = loaded(HEAD "axes:\n  core.warps: {from: 31, to: 32}\n");
    ASSERT_LABELS(experiment, "core.warps=31", "core.warps=32");
    ws_experiment_free(experiment);
    experiment = loaded(HEAD "axes:\n  dram.seed: {from: 4294967295, to: 4294967295}\n");
    ASSERT_LABELS(experiment, "dram.seed=4294967295");
    ws_experiment_free(experiment);
}

TEST(tables_are_points)
{
    struct ws_experiment *experiment = loaded(HEAD "table:\n  columns: [core.warps, label, core.depth]\n"
                                                   "  rows:\n    - [8, few, 5]\n    - [16, more, 9]\n");
    ASSERT_LABELS(experiment, "few", "more");
    assert_string_equal(experiment->points[1].overrides, "core.depth=9 core.warps=16");
    assert_int_equal(experiment->points[1].machine.core_depth, 9);
    ws_experiment_free(experiment);
    experiment = loaded(HEAD "label: \"{core.warps} warps, {schedule.policy}!\"\n"
                             "table: {columns: [core.warps], rows: [[8], [16]]}\n");
    ASSERT_LABELS(experiment, "8 warps, rr!", "16 warps, rr!");
    ws_experiment_free(experiment);
}

/* Each point of an axis has the baseline named by its own values, within its variation. */
TEST(baselines_are_templates)
{
    struct ws_experiment *const experiment =
        loaded(HEAD "label: \"{schedule.policy} {core.depth}\"\nbaseline: \"rr {core.depth}\"\n"
                    "axes: {schedule.policy: [rr, two_level], core.depth: [5, 7]}\n"
                    "variations: [{label: v, set: {core.blocks: 8}}, {label: w}]\n");
    static const char *const baselines[] = {"v: rr 5", "v: rr 7", "v: rr 5", "v: rr 7", "w: rr 5", "w: rr 7", "w: rr 5", "w: rr 7"};
    assert_int_equal(experiment->point_count, sizeof baselines / sizeof *baselines);
    for (size_t n = 0; n < experiment->point_count; n++)
        assert_string_equal(experiment->points[n].baseline, baselines[n]);
    ws_experiment_free(experiment);
}

TEST(constraints_skip_and_count)
{
    static const struct {
        const char *condition;
        size_t left;
    } cases[] = {
        {"core.warps * core.depth == 24", 2},
        {"core.depth >= 6 and core.warps != 8 or core.warps == 8", 5},
        {"core.depth >= 6 and (core.warps != 8 or core.warps == 8)", 3},
        {"schedule.policy == rr", 9},
        {"rr != schedule.policy", 0},
        {"divergence.unit==pdom and core.warps<8", 3},
        {"core.warps + core.depth * 2 - 4 > 20", 1},
        {"core.warps % 3 == 0 or core.depth / 2 == 2", 3},
        {"not (core.warps > 4)", 3},
        {"1 <= 2", 9},
        {"memory.ideal == false and true == divergence.merge", 9},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[400];
        struct ws_experiment *experiment = NULL;
        struct ws_error error;
        snprintf(text, sizeof text, HEAD "axes: {core.warps: [4, 8, 16], core.depth: [3, 4, 6]}\nconstraints:\n  - %s\n",
                 cases[n].condition);
        files_write("e.yaml", text);
        const enum ws_status status = ws_experiment_load("e.yaml", &experiment, &error);
        if (cases[n].left == 0) {
            assert_int_equal(status, WS_STATUS_bad_input);
            assert_string_equal(error.message, "e.yaml:5: constraints: the constraints exclude all 9 points; relax one");
            continue;
        }
        EXPECT_DONE(status, &error);
        if (experiment->point_count != cases[n].left)
            fail_msg("%s leaves %zu", cases[n].condition, experiment->point_count);
        assert_int_equal(experiment->skipped, 9 - cases[n].left);
        ws_experiment_free(experiment);
    }
}

/* A combination that is not allowed is no error if a constraint excludes it. */
TEST(constraints_come_before_checks)
{
    struct ws_experiment *const experiment = loaded(HEAD "axes: {divergence.unit: [pdom, lwm], core.warp_size: [32, 64]}\n"
                                                         "constraints: [core.warp_size <= 32 or divergence.unit == lwm]\n");
    ASSERT_LABELS(experiment, "divergence.unit=pdom core.warp_size=32", "divergence.unit=lwm core.warp_size=32",
                  "divergence.unit=lwm core.warp_size=64");
    ws_experiment_free(experiment);
}

TEST(variations_repeat_every_point)
{
    struct ws_experiment *experiment = loaded(
        HEAD "set: {core.depth: 5}\nbaseline: base\nvariations:\n  - label: plain\n"
             "  - {label: deep, set: {core.depth: 9}, frontend: {if_convert: 0, guarded_moves: false, lockstep: 16}}\n"
             "points:\n  - label: base\n  - {label: few, set: {core.warps: 8}}\n"
             "  - {label: odd, set: {core.depth: 3}, baseline: \"plain: few\", frontend: {if_convert: 7, size: paper, seed: 5}}\n");
    ASSERT_LABELS(experiment, "plain: base", "plain: few", "plain: odd", "deep: base", "deep: few", "deep: odd");
    static const char *const baselines[] = {"plain: base", "plain: base", "plain: few", "deep: base", "deep: base", "plain: few"};
    static const char *const frontends[] = {"",
                                            "",
                                            "if_convert=7 size=paper seed=5",
                                            "if_convert=0 guarded_moves=false lockstep=16",
                                            "if_convert=0 guarded_moves=false lockstep=16",
                                            "if_convert=7 guarded_moves=false lockstep=16 size=paper seed=5"};
    static const u32 depths[] = {5, 5, 3, 9, 9, 3};
    assert_int_equal(experiment->points[2].frontend_overrides.size, WS_SIZE_PAPER);
    assert_int_equal(experiment->points[2].frontend_overrides.seed, 5);
    assert_int_equal(experiment->points[5].frontend_overrides.lockstep, 16);
    for (size_t n = 0; n < 6; n++) {
        const struct ws_point *const point = &experiment->points[n];
        assert_string_equal(point->variation, n < 3 ? "plain" : "deep");
        assert_string_equal(point->baseline, baselines[n]);
        assert_string_equal(point->frontend, frontends[n]);
        assert_int_equal(point->machine.core_depth, depths[n]);
    }
    ws_experiment_free(experiment);
}

TEST(machines_are_variations)
{
    files_write("m.yaml", "name: mine\ncore: {warps: 8}\n");
    struct ws_experiment *experiment =
        loaded("name: e\nmachines: [narasiman2011, m.yaml]\ntraces: [t]\nbaseline: a\npoints: [{label: a}, {label: b}]\n");
    ASSERT_LABELS(experiment, "narasiman2011: a", "narasiman2011: b", "mine: a", "mine: b");
    assert_string_equal(experiment->machine, "narasiman2011, mine");
    assert_string_equal(experiment->points[3].baseline, "mine: a");
    assert_int_equal(experiment->points[3].machine.core_warps, 8);
    ws_experiment_free(experiment);
    experiment = loaded("name: e\nmachines: [narasiman2011, m.yaml]\ntraces: [t]\n"
                        "variations: [{label: v, set: {core.depth: 9}}]\npoints: [{label: a}]\n");
    ASSERT_LABELS(experiment, "narasiman2011, v: a", "mine, v: a");
    ws_experiment_free(experiment);
    experiment = loaded("name: e\nmachine: narasiman2011\nset: {core.depth: 9}\ntraces: [t]\n"
                        "variations: [{label: v}, {label: w, machine: m.yaml}]\npoints: [{label: a}]\n");
    ASSERT_LABELS(experiment, "v: a", "w: a");
    assert_int_equal(experiment->points[1].machine.core_warps, 8);
    assert_int_equal(experiment->points[1].machine.core_depth, 9);
    assert_string_equal(experiment->machine, "narasiman2011, mine");
    ws_experiment_free(experiment);
}

/* ---- Samples ---- */

#define SAMPLE(method, points, seed)                                                                                               \
    HEAD "sample:\n  method: " method "\n  points: " #points "\n  seed: " #seed "\n  axes:\n"                                      \
         "    core.depth: {from: 1, to: 64}\n    l1.ways: {from: 1, to: 16}\n    schedule.policy: [rr, two_level]\n"

/* A Latin hypercube with as many points as values uses each value once; shorter axes are covered evenly. */
TEST(latin_hypercubes_cover_every_axis)
{
    struct ws_experiment *const experiment = loaded(SAMPLE("latin_hypercube", 64, 1));
    unsigned depth[65] = {0}, ways[17] = {0}, policy[8] = {0};
    assert_int_equal(experiment->point_count, 64);
    for (size_t n = 0; n < 64; n++) {
        const struct ws_machine *const machine = &experiment->points[n].machine;
        depth[machine->core_depth]++;
        ways[machine->l1_ways]++;
        policy[machine->schedule_policy]++;
    }
    for (size_t n = 1; n <= 64; n++)
        assert_int_equal(depth[n], 1);
    for (size_t n = 1; n <= 16; n *= 2)
        assert_in_range(ways[n], 12, 13); /* 64 points on 5 values */
    assert_int_equal(policy[WS_policy_rr], 32);
    assert_int_equal(policy[WS_policy_two_level], 32);
    ws_experiment_free(experiment);
}

TEST(samples_follow_their_seed)
{
    struct ws_experiment *const one = loaded(SAMPLE("random", 100, 1)), *const same = loaded(SAMPLE("random", 100, 1)),
                                *const other = loaded(SAMPLE("random", 100, 2));
    size_t alike = 0, depths = 0;
    bool seen[65] = {false};
    for (size_t n = 0; n < 100; n++) {
        assert_string_equal(one->points[n].label, same->points[n].label);
        alike += strcmp(one->points[n].overrides, other->points[n].overrides) == 0;
        depths += !seen[one->points[n].machine.core_depth];
        seen[one->points[n].machine.core_depth] = true;
    }
    assert_true(alike < 10);
    assert_in_range(depths, 40, 63); /* 100 draws of 64 values: 51 expected */
    assert_int_equal(strncmp(one->points[7].label, "sample 7: core.depth=", 21), 0);
    ws_experiment_free(one);
    ws_experiment_free(same);
    ws_experiment_free(other);
}

/* ---- Traces ---- */

TEST(patterns_name_files)
{
    files_write("b1.wst", "x");
    files_write("a2.wst", "x");
    struct ws_experiment *const experiment =
        loaded("name: e\nmachine: narasiman2011\ntraces: [\"[ab]?.wst\", bfs]\npoints: [{label: a}]\n");
    assert_int_equal(experiment->trace_count, 3);
    assert_string_equal(experiment->traces[0], "a2.wst");
    assert_string_equal(experiment->traces[1], "b1.wst");
    assert_string_equal(experiment->traces[2], "bfs");
    ws_experiment_free(experiment);
}

/* A folder has a slash; without one it is a workload's name. */
TEST(folders_name_their_files)
{
    assert_int_equal(mkdir("set", 0777), 0);
    files_write("set/10-b.wst", "x");
    files_write("set/9-a.wst", "x");
    struct ws_experiment *const experiment = loaded("name: e\nmachine: narasiman2011\ntraces: [set/, set]\npoints: [{label: a}]\n");
    assert_int_equal(experiment->trace_count, 3);
    assert_string_equal(experiment->traces[0], "set/9-a.wst");
    assert_string_equal(experiment->traces[1], "set/10-b.wst");
    assert_string_equal(experiment->traces[2], "set");
    ws_experiment_free(experiment);
    assert_int_equal(unlink("set/9-a.wst"), 0);
    assert_int_equal(unlink("set/10-b.wst"), 0);
    assert_int_equal(rmdir("set"), 0);
}

/* ---- Programs ---- */

TEST(programs_put_experiments_together)
{
    struct ws_experiment *experiment;
    struct ws_machine machine;
    struct ws_error error;
    ws_machine_defaults(&machine);
    assert_int_equal(ws_experiment_new("mine", "defaults", &experiment, &error), WS_STATUS_ok);
    assert_int_equal(ws_experiment_check(experiment, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "mine: an experiment needs a point, a trace and a shard");
    assert_int_equal(ws_experiment_add_point(experiment, "a", &machine, "a", &error), WS_STATUS_ok);
    machine.core_depth = 9;
    assert_int_equal(ws_experiment_add_point(experiment, "b", &machine, "c", &error), WS_STATUS_ok);
    assert_int_equal(ws_experiment_add_trace(experiment, "bfs:tiny", &error), WS_STATUS_ok);
    assert_int_equal(ws_experiment_check(experiment, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "mine: baseline: found 'c', which no point is called");
    assert_int_equal(ws_experiment_add_point(experiment, "c", &machine, NULL, &error), WS_STATUS_ok);
    assert_int_equal(ws_experiment_check(experiment, &error), WS_STATUS_ok);
    assert_string_equal(experiment->points[0].overrides, "");
    assert_string_equal(experiment->points[1].overrides, "core.depth=9");
    assert_string_equal(experiment->points[1].baseline, "c");
    assert_null(experiment->points[2].baseline);
    assert_int_equal(ws_experiment_add_point(experiment, "c", &machine, NULL, &error), WS_STATUS_ok);
    assert_int_equal(ws_experiment_check(experiment, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "mine: two points have the label 'c'; give each its own");
    machine.core_warps = 0;
    assert_int_equal(ws_experiment_add_point(experiment, "d", &machine, NULL, &error), WS_STATUS_bad_input);
    assert_allowed(error.message, "mine: point 'd': core.warps: found '0', allowed is $core.warps");
    ws_experiment_free(experiment);
    assert_int_equal(ws_experiment_new("a/b", "defaults", &experiment, &error), WS_STATUS_bad_input);
    assert_null(experiment);
}

/* ---- What is refused ---- */

#define GRID "axes: {core.warps: [4, 8]}\n"

static const struct refused refused[] = {
    {HEAD "axes: {core.warps: {from: 4}}\n", "e.yaml:4: axes.core.warps: the key 'to' is missing"},
    {HEAD "axes: {core.warps: {from: 4, to: 2}}\n", "e.yaml:4: axes.core.warps: the range ends at 2, before it begins at 4"},
    {HEAD "axes: {core.warps: {from: 4, to: 999}}\n", "e.yaml:4: to: core.warps: found '999', allowed is $core.warps"},
    {HEAD "axes: {core.warps: {from: 4, to: 8, step: 0}}\n",
     "e.yaml:4: axes.core.warps.step: found '0', allowed is a whole number from 1 to 4294967295"},
    {HEAD "axes: {core.warps: {from: 4, to: 8, step: 1, factor: 2}}\n",
     "e.yaml:4: axes.core.warps.factor: a range has a step or a factor, not both"},
    {HEAD "axes: {dram.seed: {from: 0, to: 8, factor: 2}}\n", "e.yaml:4: axes.dram.seed: a range with a factor begins above 0"},
    {HEAD "axes: {l1.ways: {from: 2, to: 8, step: 2}}\n",
     "e.yaml:4: axes.l1.ways: found 6, which is none of the parameter's values"},
    {HEAD "axes: {dram.seed: {from: 0, to: 1000000}}\n",
     "e.yaml:4: axes.dram.seed: more than the 65536 values that an axis may have; use a larger step, or two sweeps"},
    {HEAD "axes: {schedule.policy: {from: rr, to: srr}}\n",
     "e.yaml:4: axes.schedule.policy: a range needs a parameter with numbers; list the choices"},
    {HEAD "table: {columns: [core.warps], rows: [[4, 5]]}\n", "e.yaml:4: table.rows[0]: found 2 values, the table has 1 columns"},
    {HEAD "table: {columns: [core.wraps], rows: []}\n",
     "e.yaml:4: table.columns[0]: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD "table: {columns: [core.warps, core.warps], rows: []}\n",
     "e.yaml:4: table.columns[1]: found 'core.warps', which the table has already; remove one"},
    {HEAD "table: {columns: [core.warps], rows: [[many]]}\n", "e.yaml:4: core.warps: found 'many', allowed is $core.warps"},
    {HEAD "table: {columns: [core.warps]}\n", "e.yaml:4: table: the key 'rows' is missing"},
    {HEAD "sample: {method: sobol, points: 4, seed: 1, axes: {core.warps: [4]}}\n",
     "e.yaml:4: sample.method: found 'sobol', allowed are random, latin_hypercube"},
    {HEAD "sample: {method: random, points: 0, seed: 1, axes: {core.warps: [4]}}\n",
     "e.yaml:4: sample.points: found '0', allowed is a whole number from 1 to 1048576"},
    {HEAD "sample: {method: random, points: 4, axes: {core.warps: [4]}}\n", "e.yaml:4: sample: the key 'seed' is missing"},
    {HEAD GRID "constraints: core.warps == 4\n", "e.yaml:5: constraints: found 'core.warps == 4', allowed is a list"},
    {HEAD GRID "constraints: [core.wraps == 4]\n", "e.yaml:5: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD GRID "constraints: [core.warps]\n", "e.yaml:5: constraints[0]: 'core.warps' at character 11: a condition is a "
                                              "comparison, or several joined by and, or, not"},
    {HEAD GRID "constraints: [core.warps == ]\n",
     "e.yaml:5: constraints[0]: 'core.warps ==' at character 14: ends early; a number, a parameter or a choice is missing"},
    {HEAD GRID "constraints: [core.warps = 4]\n",
     "e.yaml:5: constraints[0]: 'core.warps = 4' at character 12: allowed is an operator or the end"},
    {HEAD GRID "constraints: [core.warps == pdom]\n",
     "e.yaml:5: constraints[0]: 'core.warps == pdom' at character 19: a name "
     "stands alone; allowed are parameters (KEY.NAME), and choices compared with one"},
    {HEAD GRID "constraints: [divergence.unit == lwn]\n", "e.yaml:5: constraints[0]: 'divergence.unit == lwn' at character 23: "
                                                          "found 'lwn', allowed are $divergence.unit (did you mean 'lwm'?)"},
    {HEAD GRID "constraints: [divergence.unit < lwm]\n",
     "e.yaml:5: constraints[0]: 'divergence.unit < lwm' at character 22: allowed are numbers with any comparison, and two choices "
     "of one parameter with == or !="},
    {HEAD GRID "constraints: [(core.warps == 4]\n",
     "e.yaml:5: constraints[0]: '(core.warps == 4' at character 17: a bracket is not closed"},
    {HEAD GRID "constraints: [core.warps / (core.depth - core.depth) == 4]\n",
     "e.yaml:5: constraints[0]: 'core.warps / (core.depth - core.depth) == 4' at character 39: a division by zero; leave such "
     "values out"},
    {HEAD GRID "constraints: [\"(0 - 2147483648) * 2147483648 * 2 / (0 - 1) > 0\"]\n",
     "e.yaml:5: constraints[0]: '(0 - 2147483648) * 2147483648 * 2 / (0 - 1) > 0' at character 44: the number becomes too large"},
    {HEAD GRID "constraints: [\"(0 - 2147483648) * 2147483648 * 2 % (0 - 1) > 0\"]\n",
     "e.yaml:5: constraints: the constraints exclude all 2 points; relax one"},
    {HEAD GRID "constraints: [core.warps and core.depth]\n",
     "e.yaml:5: constraints[0]: 'core.warps and core.depth' at character 26: 'and' and 'or' need a condition on each side"},
    {HEAD GRID "constraints: [not core.warps]\n",
     "e.yaml:5: constraints[0]: 'not core.warps' at character 15: 'not' needs a condition behind it"},
    {HEAD GRID "constraints: [core.warps == 99999999999]\n", "e.yaml:5: constraints[0]: 'core.warps == 99999999999' at character "
                                                             "15: found more than 4294967295, the largest value of a parameter"},
    {HEAD GRID "label: \"{core.wraps} w\"\n", "e.yaml:5: label: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD GRID "label: \"{core.warps w\"\n", "e.yaml:5: label: found '{core.warps w', whose brace is not closed; write {KEY}"},
    {HEAD GRID "label: same\n", "e.yaml:4: two points have the label 'same'; give each its own"},
    {HEAD GRID "baseline: \"{core.wraps} w\"\n",
     "e.yaml:5: baseline: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {HEAD GRID "baseline: \"{core.warps\"\n", "e.yaml:5: baseline: found '{core.warps', whose brace is not closed; write {KEY}"},
    {HEAD GRID "variations: [{set: {core.depth: 3}}]\n", "e.yaml:5: variations[0]: the key 'label' is missing"},
    {HEAD GRID "variations: [{label: v, sets: {}}]\n",
     "e.yaml:5: variations[0].sets: unknown key 'sets', allowed are label, machine, set, frontend (did you mean 'set'?)"},
    {HEAD GRID "frontend: {if_convert: -1}\n",
     "e.yaml:5: frontend.if_convert: found '-1', allowed is a whole number from 0 to 4294967295"},
    {HEAD GRID "frontend: {size: big}\n", "e.yaml:5: frontend.size: found 'big', allowed are tiny, small, paper"},
    {HEAD GRID "frontend: {seed: x}\n",
     "e.yaml:5: frontend.seed: found 'x', allowed is a whole number from 0 to 18446744073709551615"},
    {HEAD GRID "frontend: {guarded: true}\n",
     "e.yaml:5: frontend.guarded: unknown key 'guarded', allowed are if_convert, guarded_moves, lockstep, size, seed"},
    {HEAD GRID "frontend: {lockstep: 0}\n", "e.yaml:5: frontend.lockstep: found '0', allowed is a whole number from 1 to 64"},
    {HEAD "machines: [narasiman2011]\n" GRID, "e.yaml:4: machines: an experiment has a machine or machines, not both"},
    {"name: e\nmachines: [narasiman2011]\ntraces: [t]\nvariations: [{label: v, machine: narasiman2011}]\n" GRID,
     "e.yaml:4: variations[0]: a variation has no machine where the experiment lists machines"},
    {"name: e\nmachine: narasiman2011\ntraces: [none*.wst]\n" GRID,
     "e.yaml:3: traces[0]: found 'none*.wst', which no file matches"},
    {HEAD "baseline: b\nconstraints: [core.warps > 4]\npoints: [{label: b, set: {core.warps: 4}}, {label: other}]\n",
     "e.yaml:4: baseline: found 'b', which no point is called; the constraints may exclude it"},
};

TEST(broken_points_are_refused)
{
    assert_refused(refused, sizeof refused / sizeof *refused);
}

/* Brackets nest up to the limit only. */
TEST(brackets_end_somewhere)
{
    for (unsigned depth = 30; depth < 40; depth++) {
        char text[400] = HEAD GRID "constraints: [\"";
        struct ws_experiment *experiment;
        struct ws_error error;
        for (unsigned n = 0; n < depth; n++)
            strcat(text, "(");
        strcat(text, "core.warps");
        for (unsigned n = 0; n < depth; n++)
            strcat(text, ")");
        strcat(text, " > 2\"]\n");
        files_write("e.yaml", text);
        assert_int_equal(ws_experiment_load("e.yaml", &experiment, &error), depth <= 32 ? WS_STATUS_ok : WS_STATUS_bad_input);
        ws_experiment_free(experiment);
    }
}

/* Counts points of all variations and machines, not only of one grid. */
TEST(too_many_points_are_refused)
{
    char file[] = "e.yaml", text[] = "x";
    struct ws_yaml place = {.kind = WS_YAML_SCALAR, .file = file, .line = 7, .text = text};
    struct ws_experiment experiment = {.point_count = MOST_POINTS};
    const struct expansion expansion = {.experiment = &experiment};
    const struct draft draft = {.set = {false}};
    struct ws_error error = {.message = ""};
    assert_int_equal(draft_append(&draft, "x", NULL, &place, &expansion, &error), WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "e.yaml:7: "));
    assert_non_null(strstr(error.message, "more than the 1048576 points that are allowed; shorten axes, or use sample"));
}

TESTS(files_enter, files_leave)
