/* Fronts, against brute force. */
#include "search/front.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/random.h"
#include "test.h"

enum { MOST = 20000, OBJECTIVES = 5 };

static double objective[MOST * OBJECTIVES], excess[MOST];
static u32 rank[MOST], order[MOST], member[MOST];

/* Points with few different values, so that there are equal ones; every third beyond a limit if limits is set. */
static struct ws_front_points draw(u64 seed, u32 count, u32 objectives, u32 values, bool limits)
{
    for (u32 n = 0; n < count * objectives; n++)
        objective[n] = ws_random_range(&seed, 0, values - 1);
    for (u32 n = 0; n < count; n++) {
        const u32 kind = limits ? ws_random_range(&seed, 0, 8) : 8;
        excess[n] = kind < 2 ? ws_random_range(&seed, 1, 3) : kind == 2 ? (double)INFINITY : 0;
    }
    return (struct ws_front_points){objective, limits ? excess : NULL, count, objectives};
}

static double excess_of(const struct ws_front_points *points, u32 p)
{
    return points->excess ? points->excess[p] : 0;
}

/* Deb 2002, definition 1. */
static bool dominates(const struct ws_front_points *points, u32 a, u32 b)
{
    if (excess_of(points, a) > 0 || excess_of(points, b) > 0)
        return excess_of(points, a) < excess_of(points, b);
    bool better = false;
    for (u32 o = 0; o < points->objectives; o++) {
        const double x = points->objective[a * points->objectives + o], y = points->objective[b * points->objectives + o];
        if (x > y)
            return false;
        better = better || x < y;
    }
    return better;
}

/* By rounds: what no point that is left dominates is the next front. */
static void rank_slowly(const struct ws_front_points *points, u32 *slow)
{
    u32 left = points->count;
    for (u32 p = 0; p < points->count; p++)
        slow[p] = UINT32_MAX;
    for (u32 round = 0; left; round++) {
        for (u32 p = 0; p < points->count; p++) {
            bool first = slow[p] == UINT32_MAX;
            for (u32 q = 0; q < points->count && first; q++)
                first = slow[q] < round || !dominates(points, q, p);
            if (first) {
                slow[p] = round;
                left--;
            }
        }
    }
}

TEST(ranks_are_those_of_the_definition)
{
    static u32 slow[300];
    for (u32 trial = 0; trial < 200; trial++) {
        const u32 objectives = 1 + trial % OBJECTIVES;
        const struct ws_front_points points = draw(trial, 1 + trial, objectives, 3 + trial % 17, trial % 2);
        EXPECT_OK(ws_front_ranks(&points, rank, &error));
        rank_slowly(&points, slow);
        assert_memory_equal(rank, slow, points.count * sizeof *rank);
    }
}

TEST(zeros_of_both_signs_are_equal)
{
    const double values[] = {0.0, 1, -0.0, 1};
    const struct ws_front_points points = {values, NULL, 2, 2};
    EXPECT_OK(ws_front_ranks(&points, rank, &error));
    assert_int_equal(rank[0], 0);
    assert_int_equal(rank[1], 0);
}

/* A front of 20,000 points in three objectives and 10,000 in five are sorted at once; this is no measurement, but a sort by pairs
 * would show. */
TEST(large_fronts_are_sorted)
{
    for (u32 p = 0; p < MOST; p++) {
        objective[3 * p] = p;
        objective[3 * p + 1] = MOST - p;
        objective[3 * p + 2] = p % 100;
    }
    const struct ws_front_points points = {objective, NULL, MOST, 3};
    EXPECT_OK(ws_front_ranks(&points, rank, &error));
    for (u32 p = 0; p < MOST; p++)
        assert_int_equal(rank[p], 0);
    const struct ws_front_points many = draw(1, MOST / 2, 5, 1000, true);
    EXPECT_OK(ws_front_order(&many, order, rank, &error));
}

/* Ends first, then those with the most distant neighbours; the distances of the others are 0.8 + 0.8 and 0.4 + 0.4. */
TEST(an_order_prefers_low_ranks_and_free_places)
{
    const double values[] = {10, 10, 0, 10, 2, 8, 4, 6, 10, 0, 5, 9};
    const struct ws_front_points points = {values, NULL, 6, 2};
    EXPECT_OK(ws_front_order(&points, order, NULL, &error));
    const u32 expected[] = {1, 4, 3, 2, 5, 0};
    assert_memory_equal(order, expected, sizeof expected);
}

TEST(points_beyond_limits_come_last_and_belong_to_no_front)
{
    const double values[] = {0, 0, 5, 5, 1, 1, 7, 3, 9, 9};
    const double beyond[] = {0.5, 0, 0.25, 0, INFINITY};
    const struct ws_front_points points = {values, beyond, 5, 2};
    EXPECT_OK(ws_front_order(&points, order, rank, &error));
    const u32 expected[] = {1, 3, 2, 0, 4}, ranks[] = {2, 0, 1, 0, 3};
    assert_memory_equal(order, expected, sizeof expected);
    assert_memory_equal(rank, ranks, sizeof ranks);
    u32 members;
    EXPECT_OK(ws_front_pareto(&points, member, &members, &error));
    assert_int_equal(members, 2);
    assert_int_equal(member[0], 1);
    assert_int_equal(member[1], 3);
}

TEST(the_knee_lies_furthest_below_the_line_through_the_ends)
{
    const double values[] = {0, 100, 1, 40, 2, 20, 6, 10, 10, 0};
    const struct ws_front_points points = {values, NULL, 5, 2};
    u32 members, knee;
    EXPECT_OK(ws_front_pareto(&points, member, &members, &error));
    assert_int_equal(members, 5);
    EXPECT_OK(ws_front_knee(&points, member, members, &knee, &error));
    assert_int_equal(knee, 2); /* 0.2 + 0.2 */
    EXPECT_OK(ws_front_knee(&points, member, 0, &knee, &error));
    assert_int_equal(knee, UINT32_MAX);
}

TEST(hypervolumes_by_hand)
{
    const double values[] = {1, 3, 2, 2, 3, 1, 3, 3, 9, 0};
    const struct ws_front_points points = {values, NULL, 5, 2};
    double volume;
    EXPECT_OK(ws_front_hypervolume(&points, (const double[]){4, 4}, &volume, &error));
    assert_true(volume == 6); /* 3 + 2 + 1; the last point lies beyond the reference */
    const struct ws_front_points one = {values, NULL, 10, 1};
    EXPECT_OK(ws_front_hypervolume(&one, (const double[]){4}, &volume, &error));
    assert_true(volume == 4);
    const struct ws_front_points none = {values, NULL, 0, 2};
    EXPECT_OK(ws_front_hypervolume(&none, (const double[]){4, 4}, &volume, &error));
    assert_true(volume == 0);
}

/* The union of the boxes by inclusion and exclusion. */
static double volume_slowly(const struct ws_front_points *points, double reference)
{
    double sum = 0;
    for (u32 set = 1; set < 1u << points->count; set++) {
        double product = 1;
        for (u32 o = 0; o < points->objectives; o++) {
            double least = 0;
            for (u32 p = 0; p < points->count; p++) {
                if (set >> p & 1 && (excess_of(points, p) > 0 || points->objective[p * points->objectives + o] > least))
                    least = excess_of(points, p) > 0 ? reference : points->objective[p * points->objectives + o];
            }
            product *= fmax(0, reference - least);
        }
        sum += __builtin_popcount(set) % 2 ? product : -product;
    }
    return sum;
}

TEST(hypervolumes_by_inclusion_and_exclusion)
{
    for (u32 trial = 0; trial < 200; trial++) {
        const struct ws_front_points points = draw(trial, 1 + trial % 11, 1 + trial % OBJECTIVES, 9, trial % 3 == 0);
        const double reference[OBJECTIVES] = {7, 7, 7, 7, 7};
        double volume;
        EXPECT_OK(ws_front_hypervolume(&points, reference, &volume, &error));
        assert_true(volume == volume_slowly(&points, 7)); /* of small whole numbers, exactly */
    }
}
