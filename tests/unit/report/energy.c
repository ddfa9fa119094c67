/* Figures of energy, from made-up runs whose energy is worked by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/saved.h"
#include "test.h"
#include "unit/report/made.h"

enum { TEMP, BASE, BOTH, POINTS, TRACES = 3 };

static char *const names[POINTS] = {(char[]){"temp"}, (char[]){"base"}, (char[]){"both"}};
static char *const traces[TRACES] = {(char[]){"slow"}, (char[]){"fast"}, (char[]){"gone"}};

/* A cycle is 5467 and 6667 pJ, a warp instruction 1268.6 and 1125. */
static const u64 cycles[TRACES][POINTS] = {{800, 1000, 800}, {1100, 1000, 1000}, {10, 1000, 10}};
static const u64 instructions[TRACES][POINTS] = {{1000, 1000, 900}, {2000, 2000, 2000}, {1, 1, 1}};

static void make(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    const u32 point = machine->core_depth - 7;
    (void)shard;
    memset(result->counters, 0, sizeof result->counters);
    for (size_t n = 0; n < TRACES; n++) {
        if (strncmp(traces[n], trace, strlen(traces[n])) != 0)
            continue;
        result->counters[WS_COUNT_cycles] = cycles[n][point];
        result->counters[WS_COUNT_warp_instructions] = instructions[n][point];
        result->counters[WS_COUNT_thread_instructions] = 32 * instructions[n][point];
    }
    if (point == BOTH && trace[0] == 'g')
        result->status = WS_STATUS_deadlock;
}

static void show(void)
{
    const struct ws_figure about = {
        .paper = "nobody", .kind = WS_FIGURE_energy, .point = "", .source = "Nobody, NOWHERE 2015, Figure 0"};
    struct ws_experiment *const experiment = fake_experiment(POINTS, TRACES, 1);
    for (size_t n = 0; n < TRACES; n++)
        experiment->traces[n] = traces[n];
    for (size_t n = 0; n < POINTS; n++) {
        experiment->points[n].machine.core_clock = 700;
        experiment->points[n].label = names[n];
        experiment->points[n].baseline = names[BASE];
    }
    fake_engine.alter = make;
    assert_int_equal(made_show(&about, experiment), WS_STATUS_failed);
}

/* What one point lacks, none has in its mean. */
TEST_WITH(savings_are_against_the_baseline, fake_set_up, made_tear_down)
{
    const double slow = 5642200.0 / 6735600, fast = 8550900.0 / 8004200;
    show();
    assert_near(ws_saved("nobody", &measures, 0, TEMP, WS_ENERGY_PROFILE_gpuwattch322, false), 100 * (1 - slow));
    assert_near(ws_saved("nobody", &measures, 1, TEMP, WS_ENERGY_PROFILE_gpuwattch322, false), 100 * (1 - fast));
    assert_near(ws_saved_mean("nobody", &measures, TEMP, WS_ENERGY_PROFILE_gpuwattch322, false), 100 * (1 - sqrt(slow * fast)));
    assert_near(ws_saved("nobody", &measures, 0, BOTH, WS_ENERGY_PROFILE_balanced, true), 10);
    assert_near(ws_saved("nobody", &measures, 0, BASE, WS_ENERGY_PROFILE_balanced, false), 0);
    assert_true(isnan(ws_saved("nobody", &measures, 2, TEMP, WS_ENERGY_PROFILE_balanced, false)));
    assert_true(isnan(ws_saved("nobody", &measures, 0, measures.points, WS_ENERGY_PROFILE_balanced, false)));
    assert_true(isnan(ws_saved_mean("nobody", &measures, measures.points, WS_ENERGY_PROFILE_balanced, false)));
}

TEST_WITH(energy_is_shown, fake_set_up, made_tear_down)
{
    show();
    assert_markdown("| energy (paper's) | slow | fast | gone | mean |\n|---|---:|---:|---:|---:|\n"
                    "| energy saved, %: temp, gpuwattch322 | 16.2 | -6.8 | - | 5.4 |\n"
                    "| energy saved, %: temp, balanced | 17.1 | -7.5 | - | 5.6 |\n"
                    "| energy saved, %: both, gpuwattch322 | 18.1 | 0.0 | - | 9.5 |\n"
                    "| energy saved, %: both, balanced | 18.6 | 0.0 | - | 9.8 |\n"
                    "| dynamic energy saved, %: temp, gpuwattch322 | 0.0 | 0.0 | - | 0.0 |\n");
    assert_markdown("\n| dynamic energy saved, %: both, balanced | 10.0 | 0.0 | - | 5.1 |\n"
                    "| static share, %: base, gpuwattch322 | 81.2 | 68.3 | - | 74.7 |\n"
                    "| static share, %: base, balanced | 85.6 | 74.8 | - | 80.2 |\n");
    ASSERT_DRAWN("Energy saved against the baseline, %", "slow", "fast", "MEAN", "temp", "both");
}

/* A bar below the axis is in the picture. */
TEST_WITH(losses_are_drawn, fake_set_up, made_tear_down)
{
    struct ws_text script = {0};
    show();
    ws_render_script(&script, &shown, fake_folder);
    if (!strstr(script.data, "set yrange [-7.172:19.02]"))
        fail_msg("%s", script.data);
    ws_text_free(&script);
}

TEST_WITH(targets_are_answered, fake_set_up, made_tear_down)
{
    static const struct {
        enum ws_target_kind kind;
        const char *point, *key;
        double ours;
    } rows[] = {
        {WS_TARGET_saved, "temp", "slow", 16.233149},
        {WS_TARGET_saved, "temp", "", 5.401763},
        {WS_TARGET_saved_balanced, "temp", "slow", 17.112423},
        {WS_TARGET_saved_balanced, "both", "", 9.753788},
        {WS_TARGET_saved, "none", "", (double)NAN},
        {WS_TARGET_saved, "temp", "none", (double)NAN},
    };
    show();
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct ws_target target = {
            .paper = "nobody", .kind = rows[n].kind, .point = rows[n].point, .versus = "", .key = rows[n].key};
        double ours;
        assert_int_equal(ws_measures_target(NULL, "made-up", &measures, &target, &ours, NULL), WS_STATUS_ok);
        assert_true(isnan(rows[n].ours) ? isnan(ours) : fabs(ours - rows[n].ours) < 1e-3);
    }
}
