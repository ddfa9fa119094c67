/* Definitions of searches: what is read, and what is refused with its place. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/space.h"

#define HEAD "name: s\nmachine: narasiman2011\ntraces: [bfs, sort]\n"
#define AXES "axes:\n  l1.size: {from: 64K, to: 256K}\n  schedule.policy: [rr, two_level]\n"
#define GOAL "objectives:\n  - maximize: geometric_mean(ipc)\n"

static enum ws_status load(const char *text, struct ws_space **space, struct ws_error *error)
{
    files_write("s.yaml", text);
    return ws_space_load("s.yaml", space, error);
}

TEST(a_space_has_axes_weights_and_the_machine_as_baseline)
{
    struct ws_space *space;
    EXPECT_OK(load(HEAD AXES GOAL "weights: {sort: 2.5}\nlimits: [max(cycles) <= 9]\nfidelities: [tiny, paper]\nseed: 7\n"
                                  "budget: {simulations: 12, minutes: 0.5}\nmethod: {name: nsga2, population: 20}\n",
                   &space, &error));
    assert_int_equal(space->axis_count, 2);
    assert_string_equal(space->axes[0].key, "l1.size");
    assert_int_equal(space->axes[0].count, 3);
    assert_int_equal(space->axes[0].values[2], 262144);
    assert_true(space->axes[0].ordered);
    assert_false(space->axes[1].ordered);
    assert_true(ws_space_size(space) > 5.5 && ws_space_size(space) < 6.5);
    assert_non_null(space->baseline);
    assert_int_equal(space->baseline[0], 1); /* 128 KB */
    assert_int_equal(space->baseline[1], 0);
    assert_true(space->weights[0] < 1.01 && space->weights[1] > 2.49);
    assert_int_equal(space->fidelity_count, 2);
    assert_int_equal(space->fidelity[1].size, WS_SIZE_PAPER);
    assert_int_equal(space->simulations, 12);
    assert_int_equal(space->seed, 7);
    assert_string_equal(space->method.name, "nsga2");
    assert_int_equal(space->method.population, 20);
    assert_string_equal(space->limits[0].place, "s.yaml:10: limits[0]: ");
    ws_space_free(space);
}

TEST(numbers_of_an_axis_ascend)
{
    struct ws_space *space;
    EXPECT_OK(load(HEAD GOAL "axes:\n  dram.row_hit: [300, 50, 200]\n", &space, &error));
    assert_int_equal(space->axes[0].values[0], 50);
    assert_int_equal(space->axes[0].values[2], 300);
    assert_null(space->baseline); /* the machine has 100 */
    ws_space_free(space);
}

/* 256 KB / (4 ways x 128) is a power of two, 3 ways are no legal machine, and the constraint takes the rest. */
TEST(constraints_and_machines_exclude_points)
{
    struct ws_space *space;
    EXPECT_OK(load(HEAD GOAL "axes:\n  l1.size: [64K, 128K]\n  core.warps: [8, 12, 32]\n"
                             "constraints: [power_of_two(core.warps), l1.size / core.warps >= 4096]\n",
                   &space, &error));
    assert_true(ws_space_allows(space, (const u32[]){0, 0}));
    assert_false(ws_space_allows(space, (const u32[]){0, 1})); /* 12 warps */
    assert_false(ws_space_allows(space, (const u32[]){0, 2})); /* 2048 bytes a warp */
    assert_true(ws_space_allows(space, (const u32[]){1, 2}));
    EXPECT_ERROR_HAS(ws_space_check(space, (const u32[]){0, 1}, &error), WS_STATUS_bad_input,
                     "s.yaml:9: constraints[0]: 'power_of_two(core.warps)' does not hold");
    EXPECT_OK(ws_space_failure(space, &error));
    ws_space_free(space);
}

TEST(a_point_has_the_label_of_its_axes_and_the_baseline)
{
    struct ws_space *space;
    EXPECT_OK(load(HEAD AXES GOAL "set: {core.depth: 5}\n", &space, &error));
    EXPECT_OK(ws_space_add_point(space, (const u32[]){2, 1}, &error));
    assert_int_equal(space->experiment->point_count, 1);
    const struct ws_point *const point = &space->experiment->points[0];
    assert_string_equal(point->label, "l1.size=262144 schedule.policy=two_level");
    assert_string_equal(point->baseline, "l1.size=131072 schedule.policy=rr");
    assert_int_equal(point->machine.core_depth, 5);
    assert_int_equal(point->machine.l1_size, 262144);
    ws_space_clear(space);
    assert_int_equal(space->experiment->point_count, 0);
    ws_space_free(space);
}

TEST(values_are_chosen_by_text)
{
    struct ws_space *space;
    u32 choice;
    EXPECT_OK(load(HEAD AXES GOAL, &space, &error));
    EXPECT_OK(ws_space_choose(space, 0, "256K", &choice, &error));
    assert_int_equal(choice, 2);
    EXPECT_OK(ws_space_choose(space, 1, "two_level", &choice, &error));
    assert_int_equal(choice, 1);
    EXPECT_ERROR(ws_space_choose(space, 0, "1M", &choice, &error), WS_STATUS_usage,
                 "l1.size: found '1M', which is no value of the axis (3 values: 65536, 131072, 262144)");
    ws_space_free(space);
}

TEST(a_wrong_definition_is_refused_with_its_place)
{
    static const struct {
        const char *text, *part;
    } refused[] = {
        {HEAD GOAL, "s.yaml:1: the key 'axes' is missing"},
        {HEAD AXES, "s.yaml:1: the key 'objectives' is missing"},
        {HEAD AXES GOAL "axis: {}\n", "s.yaml:9: "},
        {HEAD AXES "objectives: []\n", "s.yaml:7: objectives: at least one objective is needed"},
        {HEAD AXES "objectives:\n  - {maximize: min(ipc), minimize: min(ipc)}\n",
         "s.yaml:8: objectives[0]: an objective has maximize or minimize, one of them"},
        {HEAD AXES "objectives:\n  - {maximize: min(ipc)}\n  - {maximize: min(ipc)}\n",
         "s.yaml:9: objectives[1]: 'min(ipc)' is the name"},
        {HEAD AXES GOAL "weights: {dfs: 2}\n", "s.yaml:9: weights.dfs: found 'dfs', which is none of traces: bfs, sort"},
        {HEAD AXES GOAL "weights: {bfs: 0}\n", "s.yaml:9: weights.bfs: found '0', allowed is a number above 0"},
        {HEAD AXES GOAL "fidelities: [paper, tiny]\n", "s.yaml:9: fidelities[1]: found 'tiny' after 'paper'"},
        {HEAD AXES GOAL "shards: 4\nfidelities: [{size: tiny, shards: 2}, {size: tiny, shards: 1}]\n",
         "fidelities[1]: found 'tiny with 1 shard' after 'tiny with 2 shards'"},
        {HEAD AXES GOAL "shards: 4\nfidelities: [{size: tiny, shards: 4}]\n", "fidelities[0].shards"},
        {HEAD AXES GOAL "shards: 4\nfidelities: [{size: tiny, shards: 2}]\n", "the last fidelity has all shards"},
        {HEAD AXES GOAL "fidelities: [{size: tiny, shards: 1}, tiny]\n", "the search has 1 shard, of which none can be left out"},
        {HEAD AXES GOAL "set: {l1.size: 64K}\n", "l1.size is set to 65536, too, without effect"},
        {HEAD AXES GOAL "baseline: {core.depth: 9}\n", "s.yaml:9: baseline.core.depth: core.depth is no axis"},
        {HEAD AXES GOAL "baseline: {l1.size: 16K}\n", "the baseline has l1.size 16384, which its axis lacks"},
        {HEAD AXES GOAL "baseline: {l1.size: 64K}\nconstraints: [l1.size > 65536]\n", "the baseline is no point of the space"},
        {HEAD AXES GOAL "constraints: [l1.size > ]\n", "s.yaml:9: constraints[0]: "},
        {HEAD AXES GOAL "constraints: [power_of_two l1.size]\n", "allowed is power_of_two(NUMBER)"},
        {HEAD AXES GOAL "budget: {simulations: 0}\n", "s.yaml:9: budget.simulations: "},
        {HEAD AXES GOAL "budget: {minutes: -1}\n", "s.yaml:9: budget.minutes: allowed is a number above 0"},
        {HEAD AXES GOAL "method: {population: 8}\n", "s.yaml:9: method: the key 'name' is missing"},
        {HEAD AXES GOAL "generation: 0\n", "s.yaml:9: generation: "},
    };
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        struct ws_space *space;
        EXPECT_ERROR_HAS(load(refused[n].text, &space, &error), WS_STATUS_bad_input, refused[n].part);
        assert_null(space);
    }
}

TEST(a_line_is_the_space_of_the_same_yaml)
{
    const char *const traces[] = {"bfs,sort"}, *const axes[] = {"l1.size=64K..256K", "schedule.policy=rr,two_level"},
                      *const objectives[] = {"maximize geometric_mean(ipc)", "minimize storage_bits"},
                      *const limits[] = {"max(cycles) <= 100"}, *const constraints[] = {"l1.size > 65536"};
    const struct ws_space_line line = {
        .experiment = {.name = "s", .machine = "narasiman2011", .traces = traces, .trace_count = 1, .axes = axes, .axis_count = 2},
        .objectives = objectives,
        .objective_count = 2,
        .limits = limits,
        .limit_count = 1,
        .constraints = constraints,
        .constraint_count = 1};
    struct ws_space *space;
    EXPECT_OK(ws_space_read_line(&line, &space, &error));
    assert_int_equal(space->axis_count, 2);
    assert_int_equal(space->axes[0].count, 3);
    assert_false(space->objectives[1].maximize);
    assert_string_equal(space->objectives[1].name, "storage_bits");
    assert_string_equal(space->limits[0].place, "--limit: limits[0]: ");
    assert_string_equal(ws_space_constraint(space, 0), "l1.size > 65536");
    assert_false(ws_space_allows(space, (const u32[]){0, 0}));
    ws_space_free(space);
}

TESTS(files_enter, files_leave)
