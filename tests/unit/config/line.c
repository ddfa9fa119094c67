/* Experiments from the command line: the points of the equivalent YAML, and errors. */
#include <string.h>

#include "test.h"
#include "unit/config/allowed.h"
#include "unit/kit/config_files.h"
#include "warpsweep/experiment.h"

enum { MOST_WORDS = 4 };

/* Words of a command line, NULL after the last. */
struct words {
    const char *traces[MOST_WORDS], *settings[MOST_WORDS], *axes[MOST_WORDS];
};

static size_t count(const char *const *words)
{
    size_t n = 0;
    while (n < MOST_WORDS && words[n])
        n++;
    return n;
}

static enum ws_status read_words(const char *name, const char *machine, const struct words *words,
                                 struct ws_experiment **experiment, struct ws_error *error)
{
    const struct ws_experiment_line line = {.name = name,
                                            .machine = machine,
                                            .traces = words->traces,
                                            .trace_count = count(words->traces),
                                            .settings = words->settings,
                                            .setting_count = count(words->settings),
                                            .axes = words->axes,
                                            .axis_count = count(words->axes)};
    return ws_experiment_read_line(&line, experiment, error);
}

static const char *text_of(const char *text)
{
    return text ? text : "none";
}

static void assert_same_points(const struct ws_experiment *a, const struct ws_experiment *b)
{
    assert_int_equal(a->point_count, b->point_count);
    for (size_t n = 0; n < a->point_count; n++) {
        assert_string_equal(a->points[n].label, b->points[n].label);
        assert_string_equal(a->points[n].variation, b->points[n].variation);
        assert_string_equal(a->points[n].overrides, b->points[n].overrides);
        assert_string_equal(a->points[n].frontend, b->points[n].frontend);
        assert_string_equal(text_of(a->points[n].baseline), text_of(b->points[n].baseline));
        assert_memory_equal(&a->points[n].machine, &b->points[n].machine, sizeof a->points[n].machine);
    }
}

static void assert_same(const struct ws_experiment *a, const struct ws_experiment *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->about, b->about);
    assert_string_equal(a->machine, b->machine);
    assert_int_equal(a->skipped, b->skipped);
    assert_int_equal(a->shards, b->shards);
    assert_int_equal(a->times, b->times);
    assert_int_equal(a->trace_count, b->trace_count);
    for (size_t n = 0; n < a->trace_count; n++)
        assert_string_equal(a->traces[n], b->traces[n]);
    assert_same_points(a, b);
}

#define HEAD "name: e\nmachine: narasiman2011\ntraces: [bfs]\n"

/* Command lines, and the equivalent YAML. */
static const struct {
    struct words words;
    const char *yaml;
} alike[] = {
    {{{"bfs"}, {0}, {0}}, HEAD "points: [{label: base}]\n"},
    {{{"bfs,sort:tiny", "./x.wst"}, {"core.depth=5", "dram.queue=64"}, {"schedule.policy=rr,two_level", "l1.size=16384..65536"}},
     "name: e\nmachine: narasiman2011\ntraces: [bfs, sort:tiny, ./x.wst]\nset: {core.depth: 5, dram.queue: 64}\n"
     "axes: {schedule.policy: [rr, two_level], l1.size: {from: 16384, to: 65536}}\n"},
    {{{"bfs"}, {0}, {"core.depth=7", "dram.row_hit=50..200+50"}},
     HEAD "axes: {core.depth: [7], dram.row_hit: {from: 50, to: 200, step: 50}}\n"},
    {{{"bfs"}, {"icache.size=2K"}, {"l1.size=16K..64Ki", "l2.size=0..128K+64K"}},
     HEAD "set: {icache.size: 2048}\naxes: {l1.size: [16384, 32Ki, 65536], l2.size: {from: 0, to: 128K, step: 65536}}\n"},
    {{{"bfs"}, {"memory.ideal=on", "core.depth=9"}, {"l1.size=16384,65536", "pro.flip=wait,sort", "pro.finish=true,false"}},
     HEAD "set: {memory: {ideal: true}, core: {depth: 9}}\n"
          "axes: {l1: {size: {from: 16384, to: 65536, factor: 4}}, pro: {flip: [wait, sort], finish: [on, off]}}\n"},
    {{{"bfs"}, {0}, {"core.depth=1..64x4", "unit.sp=1..3"}},
     HEAD "axes: {core.depth: {from: 1, to: 64, factor: 4}, unit.sp: [1, 2, 3]}\n"},
};

TEST(lines_are_yaml)
{
    for (size_t n = 0; n < sizeof alike / sizeof *alike; n++) {
        struct ws_experiment *line, *yaml;
        struct ws_error error;
        files_write("e.yaml", alike[n].yaml);
        if (ws_experiment_load("e.yaml", &yaml, &error) != WS_STATUS_ok ||
            read_words("e", "narasiman2011", &alike[n].words, &line, &error) != WS_STATUS_ok)
            fail_msg("%s", error.message);
        assert_same(line, yaml);
        ws_experiment_free(line);
        ws_experiment_free(yaml);
    }
}

/* An axis with one value is not in labels, unless nothing else is. */
TEST(labels_name_what_differs)
{
    static const struct {
        struct words words;
        const char *first;
    } labels[] = {
        {{{"bfs"}, {0}, {"core.depth=7", "schedule.policy=rr,gto"}}, "schedule.policy=rr"},
        {{{"bfs"}, {0}, {"core.depth=7", "schedule.policy=gto"}}, "core.depth=7 schedule.policy=gto"},
    };
    for (size_t n = 0; n < sizeof labels / sizeof *labels; n++) {
        struct ws_experiment *experiment;
        struct ws_error error;
        EXPECT_DONE(read_words("e", "narasiman2011", &labels[n].words, &experiment, &error), &error);
        assert_string_equal(experiment->points[0].label, labels[n].first);
        assert_int_equal(experiment->points[0].machine.core_depth, 7);
        ws_experiment_free(experiment);
    }
}

static const struct {
    struct words words;
    const char *message;
} refused[] = {
    {{{"bfs,bfs"}, {0}, {0}}, "--trace: traces[1]: found 'bfs', which the list has already; remove one"},
    {{{"bfs,"}, {0}, {0}}, "--trace: traces[1]: the value is missing"},
    {{{0}, {0}, {0}}, "--trace: traces: an experiment needs at least one trace"},
    {{{"none*"}, {0}, {0}}, "--trace: traces[0]: found 'none*', which no file matches"},
    {{{"bfs"}, {"core.depth"}, {0}}, "--set: found 'core.depth', allowed is KEY=VALUE"},
    {{{"bfs"}, {"core.dept=3"}, {0}}, "--set: no parameter is called 'core.dept' (did you mean 'core.depth'?)"},
    {{{"bfs"}, {"core.depth=65"}, {0}}, "--set: core.depth: found '65', allowed is a whole number from 1 to 64 (stages)"},
    {{{"bfs"}, {"core.depth=3", "core.depth=4"}, {0}}, "--set: set.core.depth: is given twice; remove one"},
    {{{"bfs"}, {0}, {"core.depth=3", "core.depth=4"}}, "--axis: axes.core.depth: is given twice; remove one"},
    {{{"bfs"}, {0}, {"core.depth"}}, "--axis: found 'core.depth', allowed is KEY=VALUE,VALUE... or KEY=FROM..TO"},
    {{{"bfs"}, {0}, {"core.depth=3,3"}}, "--axis: axes.core.depth[1]: found '3', which the axis has already; remove one"},
    {{{"bfs"}, {0}, {"core.depth=3,65"}}, "--axis: core.depth: found '65', allowed is a whole number from 1 to 64 (stages)"},
    {{{"bfs"}, {0}, {"core.depth=3,5..7"}}, "--axis: core.depth: found '5..7', allowed is a whole number from 1 to 64 (stages)"},
    {{{"bfs"}, {0}, {"core.depth="}}, "--axis: axes.core.depth[0]: the value is missing"},
    {{{"bfs"}, {0}, {"core.depth=..5"}}, "--axis: axes.core.depth.from: the value is missing"},
    {{{"bfs"}, {0}, {"core.depth=9..5"}}, "--axis: axes.core.depth: the range ends at 5, before it begins at 9"},
    {{{"bfs"}, {0}, {"core.depth=5..9+0"}},
     "--axis: axes.core.depth.step: found '0', allowed is a whole number from 1 to 4294967295"},
    {{{"bfs"}, {0}, {"core.depth=5..9+1K"}},
     "--axis: axes.core.depth.step: found '1K', allowed is a whole number from 1 to 4294967295"},
    {{{"bfs"}, {0}, {"l1.size=16k"}}, "--axis: l1.size: found '16k', allowed is $l1.size"},
    {{{"bfs"}, {0}, {"schedule.policy=rr..gto"}},
     "--axis: axes.schedule.policy: a range needs a parameter with numbers; list the choices"},
    {{{"bfs"}, {0}, {"l1.size=1024", "l1.line=256", "l1.ways=8"}},
     "--axis: point 'l1.size=1024 l1.line=256 l1.ways=8': l1.size: found 1024, allowed are at least l1.ways x l1.line = 2048 "
     "bytes"},
};

TEST(mistakes_name_their_option)
{
    struct ws_experiment *experiment;
    struct ws_error error = {.message = "no error"};
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        assert_int_not_equal(read_words("e", "narasiman2011", &refused[n].words, &experiment, &error), WS_STATUS_ok);
        assert_allowed(error.message, refused[n].message);
        assert_null(experiment);
    }
    assert_int_equal(read_words("a/b", "narasiman2011", &alike[0].words, &experiment, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "--output: name: found 'a/b', allowed is what can name a file in a folder: no slashes");
    assert_int_equal(read_words("e", "none.yaml", &alike[0].words, &experiment, &error), WS_STATUS_no_file);
    assert_string_equal(error.message, "--machine: none.yaml: cannot be read: No such file or directory");
}

TESTS(files_enter, files_leave)
