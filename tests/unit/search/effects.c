/* Effects of functions whose effects are known. */
#include "search/effects.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "test.h"

enum { AXES = 4, VALUES = 5, MOST = 625, REPEATS = 3000 };

static const struct ws_search_axis axis[AXES] = {
    {"a", VALUES, true}, {"b", VALUES, false}, {"c", VALUES, true}, {"d", VALUES, true}};
static u32 choice[REPEATS * AXES];
static double response[REPEATS];

/* Every combination, or as many drawn ones. */
static struct ws_effects_points points(double (*function)(const u32 *), u32 drawn)
{
    u64 random = 5;
    const u32 count = drawn ? drawn : MOST;
    for (u32 p = 0; p < count; p++) {
        u32 rest = drawn ? ws_random_range(&random, 0, MOST - 1) : p;
        for (u32 a = 0; a < AXES; a++, rest /= VALUES)
            choice[p * AXES + a] = rest % VALUES;
        response[p] = function(choice + p * AXES);
    }
    return (struct ws_effects_points){axis, choice, response, AXES, count};
}

static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within))
        fail_msg("%g is not within %g of %g", value, within, expected);
}

/* Variances: 4 * 2 of a, 2 of c; b and d do nothing. */
static double additive(const u32 *x)
{
    return 100 + 2.0 * x[0] + x[2];
}

TEST(effects_of_a_sum)
{
    const struct ws_effects_points all = points(additive, 0);
    struct ws_effects effects;
    EXPECT_OK(ws_effects(&all, &(struct ws_effects_options){.seed = 1}, &effects, &error));
    assert_near(effects.main[0].value, 0.8, 0.03);
    assert_near(effects.main[2].value, 0.2, 0.03);
    assert_near(effects.main[1].value, 0, 0.005);
    assert_near(effects.main[3].value, 0, 0.005);
    for (u32 p = 0; p < 6; p++)
        assert_near(effects.pair[p].value, 0, 0.01);
    assert_near(effects.mean, 106, 0.2);
    assert_near(effects.deviation, sqrt(10), 0.2);
    assert_near(effects.level[0][4].value - effects.level[0][0].value, 8, 0.3);
    assert_true(effects.main[0].low <= effects.main[0].value && effects.main[0].value <= effects.main[0].high);
    assert_true(effects.main[0].low > effects.main[2].high);
    assert_int_equal(effects.check.points, MOST);
    assert_true(effects.check.r2 > 0.98);
    assert_true(effects.check.rank > 0.98);
    ws_effects_free(&effects);
}

/* Categories that lie in no order, and a product without main effects of its factors. */
static double interacting(const u32 *x)
{
    static const double of_category[VALUES] = {3, -2, 0, 2, -3};
    return 50 + of_category[x[1]] + 1.5 * ((double)x[2] - 2) * ((double)x[3] - 2);
}

TEST(effects_of_categories_and_a_product)
{
    /* 26 / 5 = 5.2 of b; 2.25 * 2 * 2 = 9 of c with d. */
    const struct ws_effects_points all = points(interacting, 0);
    struct ws_effects effects;
    EXPECT_OK(ws_effects(&all, &(struct ws_effects_options){.seed = 1}, &effects, &error));
    assert_near(effects.main[1].value, 5.2 / 14.2, 0.06);
    assert_near(effects.pair[ws_effects_pair(AXES, 2, 3)].value, 9 / 14.2, 0.1);
    assert_near(effects.main[0].value, 0, 0.01);
    assert_near(effects.pair[ws_effects_pair(AXES, 0, 1)].value, 0, 0.02);
    assert_near(effects.level[1][0].value - effects.level[1][4].value, 6, 0.6);
    ws_effects_free(&effects);
}

/* Points of which nine tenths have a = 4, and c = 0 there: means would give c an effect of a's. */
static double first(const u32 *x)
{
    return 10.0 * (x[0] == 4);
}

TEST(effects_do_not_follow_the_points_that_a_search_prefers)
{
    struct ws_effects_points biased = points(first, REPEATS);
    u32 kept = 0;
    u64 random = 3;
    for (u32 p = 0; p < REPEATS; p++) {
        const u32 *x = choice + p * AXES;
        if ((x[0] == 4 && x[2] == 0) || ws_random_range(&random, 0, 9) == 0) {
            memmove(choice + kept * AXES, x, AXES * sizeof *x);
            response[kept] = response[p];
            kept++;
        }
    }
    biased.count = kept;
    struct ws_effects effects;
    EXPECT_OK(ws_effects(&biased, &(struct ws_effects_options){.seed = 2}, &effects, &error));
    assert_near(effects.main[0].value, 1, 0.02);
    assert_true(effects.main[0].high <= 1 && effects.main[2].low >= 0); /* shares of a whole, also their intervals */
    assert_near(effects.main[2].value, 0, 0.02);
    assert_near(effects.mean, 2, 0.3);
    ws_effects_free(&effects);
}

static double hashed(const u32 *x)
{
    u64 state = x[0] + 5 * x[1] + 25 * x[2] + 125 * x[3];
    return (double)(ws_random(&state) >> 40);
}

TEST(a_model_of_noise_is_found_to_be_none)
{
    const struct ws_effects_points all = points(hashed, 0);
    struct ws_effects effects;
    EXPECT_OK(ws_effects(&all, &(struct ws_effects_options){.seed = 1, .resamples = 5}, &effects, &error));
    assert_true(effects.check.r2 < 0.1);
    assert_true(effects.check.rank < 0.2);
    ws_effects_free(&effects);
}

static double constant(const u32 *x)
{
    (void)x;
    return 1.1;
}

TEST(a_constant_has_no_effects)
{
    const struct ws_effects_points all = points(constant, 0);
    struct ws_effects effects;
    EXPECT_OK(ws_effects(&all, &(struct ws_effects_options){.seed = 1}, &effects, &error));
    for (u32 a = 0; a < AXES; a++)
        assert_true(effects.main[a].value == 0 && effects.main[a].high == 0);
    assert_near(effects.mean, 1.1, 1e-9);
    assert_true(effects.check.r2 == 0);
    ws_effects_free(&effects);
}

TEST(the_same_seed_gives_the_same_effects)
{
    const struct ws_effects_points some = points(interacting, 200);
    struct ws_effects one, two;
    EXPECT_OK(ws_effects(&some, &(struct ws_effects_options){.seed = 7}, &one, &error));
    EXPECT_OK(ws_effects(&some, &(struct ws_effects_options){.seed = 7}, &two, &error));
    assert_memory_equal(one.main, two.main, AXES * sizeof *one.main);
    assert_memory_equal(one.pair, two.pair, 6 * sizeof *one.pair);
    assert_memory_equal(&one.check, &two.check, sizeof one.check);
    ws_effects_free(&one);
    ws_effects_free(&two);
}

TEST(few_points_are_refused)
{
    const struct ws_effects_points few = points(additive, 9);
    struct ws_effects effects;
    EXPECT_ERROR(ws_effects(&few, &(struct ws_effects_options){0}, &effects, &error), WS_STATUS_usage,
                 "effects: 9 points are too few; at least 10 are needed");
}

TEST(rank_correlations_by_hand)
{
    double r;
    EXPECT_OK(ws_rank_correlation((const double[]){1, 2, 3, 4}, (const double[]){1, 8, 27, 64}, 4, &r, &error));
    assert_near(r, 1, 1e-12);
    EXPECT_OK(ws_rank_correlation((const double[]){1, 2, 3, 4}, (const double[]){9, 7, 5, 3}, 4, &r, &error));
    assert_near(r, -1, 1e-12);
    EXPECT_OK(ws_rank_correlation((const double[]){1, 2, 2, 3}, (const double[]){1, 3, 2, 4}, 4, &r, &error));
    assert_near(r, 4.5 / sqrt(4.5 * 5), 1e-12);
    EXPECT_OK(ws_rank_correlation((const double[]){1, 1, 1}, (const double[]){1, 2, 3}, 3, &r, &error));
    assert_near(r, 0, 0);
}

TEST(rank_correlations_have_intervals)
{
    static const double cheap[6] = {5, 4, 3, 2, 1, 0}, real[6] = {50, 40, 30, 20, 10, 60};
    struct ws_estimate estimate;
    EXPECT_OK(ws_rank_estimate(cheap, real, 5, &estimate, &error));
    assert_near(estimate.value, 1, 1e-12);
    assert_near(estimate.low, estimate.high, 1e-12);
    EXPECT_OK(ws_rank_estimate(cheap, real, 6, &estimate, &error));
    assert_near(estimate.value, 1 - 6.0 * (25 + 5) / (6 * 35), 1e-12); /* differences of ranks: 5 and five times 1 */
    assert_true(estimate.low < estimate.value && estimate.high > estimate.value);
    EXPECT_OK(ws_rank_estimate(cheap, real, 2, &estimate, &error));
    assert_near(estimate.value, 0, 0);
}
