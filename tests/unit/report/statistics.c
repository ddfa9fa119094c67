/* Means of ratios, by hand-worked values. */
#include <math.h>

#include "test.h"

#include "report/statistics.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.17g instead of %.17g", value, expected);
}

TEST(geometric)
{
    assert_near(ws_geometric_mean((double[]){2, 8}, 2), 4);
    assert_near(ws_geometric_mean((double[]){1, 3, 9}, 3), 3);
    assert_near(ws_geometric_mean((double[]){0.5, 2}, 2), 1);
    assert_near(ws_geometric_mean((double[]){1.079}, 1), 1.079);
}

TEST(arithmetic)
{
    assert_near(ws_arithmetic_mean((double[]){2, 8}, 2), 5);
    assert_near(ws_arithmetic_mean((double[]){-1, 1, 6}, 3), 2);
}

TEST(what_is_missing_is_left_out)
{
    assert_near(ws_geometric_mean((double[]){2, (double)NAN, 8}, 3), 4);
    assert_near(ws_geometric_mean((double[]){2, 0, -3, (double)INFINITY, 8}, 5), 4);
    assert_near(ws_arithmetic_mean((double[]){(double)NAN, 7}, 2), 7);
    assert_true(isnan(ws_geometric_mean((double[]){(double)NAN}, 1)));
    assert_true(isnan(ws_geometric_mean(NULL, 0)));
    assert_true(isnan(ws_arithmetic_mean(NULL, 0)));
}

TEST(percent)
{
    assert_near(ws_gain_percent(1), 0);
    assert_near(ws_gain_percent(1.25), 25);
    assert_near(ws_gain_percent(0.5), -50);
}
