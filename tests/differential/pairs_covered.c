/* Every pair of choices that a machine may have occurs in a row of pairs.h, and in a machine of the first random cases. */
#include <stdio.h>
#include <stdlib.h>

#include "differential/random/pairs.h"
#include "differential/random/random_case.h"
#include "test.h"
#include "warpsweep/experiment.h"

enum { TRIES = 2000 };

/* With which every path unit runs. */
static void set_numbers(struct ws_machine *machine)
{
    machine_defaults(machine);
    machine->icache_size = 0;
}

/* Whether a machine with the pair and random other choices is ever legal. */
static bool try_pair(const struct pair *pair)
{
    struct random random = {.state = 1};
    struct ws_error error;
    for (u32 times = 0; times < TRIES; times++) {
        struct ws_machine machine;
        set_numbers(&machine);
        for (u32 parameter = 0; times > 0 && parameter < choices_count(); parameter++)
            choice_set(&machine, parameter, random_below(&random, choice_values(parameter)));
        pair_set(pair, &machine);
        if (ws_machine_check(&machine, &error) == WS_STATUS_ok)
            return true;
    }
    return false;
}

/* The same for pair n of all, tried once. */
static bool is_possible(const struct pair *all, u32 pairs, u32 n)
{
    enum answer { UNKNOWN, NO, YES };
    static unsigned char *answers;
    answers = answers ? answers : calloc(pairs, sizeof *answers);
    assert_non_null(answers);
    if (answers[n] == UNKNOWN)
        answers[n] = try_pair(&all[n]) ? YES : NO;
    return answers[n] == YES;
}

/* Number of possible pairs that no machine has; prints them when shown. */
static u32 missing_pairs(const struct ws_machine *machines, u32 count, bool shown)
{
    u32 pairs, missing = 0, refused = 0;
    struct pair *const all = pairs_all(&pairs);
    for (u32 n = 0; n < pairs; n++) {
        bool found = false;
        for (u32 i = 0; i < count && !found; i++)
            found = pair_is_in(&all[n], &machines[i]);
        const bool possible = found || is_possible(all, pairs, n);
        refused += !possible;
        missing += !found && possible;
        if (shown && !found && possible)
            pair_print(&all[n]);
    }
    if (shown)
        fprintf(stderr, "%u pairs of choices: %u in %u machines, %u refused, %u missing\n", pairs, pairs - refused - missing, count,
                refused, missing);
    free(all);
    return missing;
}

TEST(rows_hold_every_pair)
{
    const u32 count = pairs_count();
    struct ws_machine *const machines = calloc(count, sizeof *machines);
    struct ws_error error;
    assert_non_null(machines);
    for (u32 row = 0; row < count; row++) {
        set_numbers(&machines[row]);
        pairs_apply(row, &machines[row]);
        if (ws_machine_check(&machines[row], &error) != WS_STATUS_ok)
            fail_msg("row %u: %s", row, error.message);
    }
    assert_int_equal(missing_pairs(machines, count, true), 0);
    assert_true(missing_pairs(machines, count - 1, false) > 0); /* the last row exists for a pair */
    free(machines);
}

/* Whether a row has the choices of a machine. */
static bool is_a_row(const struct ws_machine *machine)
{
    for (u32 row = 0; row < pairs_count(); row++) {
        struct ws_machine other = *machine;
        pairs_apply(row, &other);
        bool same = true;
        for (u32 i = 0; i < sizeof other / sizeof(u32); i++)
            same = same && ((const u32 *)&other)[i] == ((const u32 *)machine)[i];
        if (same)
            return true;
    }
    return false;
}

TEST(rows_hold_every_point_of_the_experiments)
{
    size_t count, points = 0;
    const struct ws_experiment_row *const experiments = ws_experiments(&count);
    for (size_t n = 0; n < count; n++) {
        struct ws_experiment *experiment;
        struct ws_error error;
        assert_int_equal(ws_experiment_load(experiments[n].name, &experiment, &error), WS_STATUS_ok);
        for (size_t point = 0; point < experiment->point_count; point++, points++)
            if (!is_a_row(&experiment->points[point].machine))
                fail_msg("%s, %s: its choices stand in no row", experiments[n].name, experiment->points[point].label);
        ws_experiment_free(experiment);
    }
    fprintf(stderr, "%zu points of %zu experiments\n", points, count);
    assert_true(points > 0);
}

TEST(first_random_machines_hold_every_pair)
{
    const u32 count = pairs_count();
    struct ws_machine *const machines = calloc(count, sizeof *machines);
    assert_non_null(machines);
    for (u32 i = 0; i < count; i++) {
        struct random random = {.state = mix(1 + i)}; /* as of the case with that seed */
        random_machine(&random, 1 + i, NULL, &machines[i]);
    }
    assert_int_equal(missing_pairs(machines, count, true), 0);
    free(machines);
}
