#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(kmeans, "narasiman2011", 4, "k-means clustering of one-dimensional points (Narasiman 2011, Table 2: kmeans)");

#define ITEMS 1024u /* in one work-group */

enum { POINTS, LABELS, CENTROIDS, SUMS, COUNTS, COUNT, RUNS, CLUSTERS, ROUNDS, ARGUMENTS };

enum { MOST_CLUSTERS = 16, VALUES = 256 };

static const struct {
    const char *source;
    u32 points, clusters, rounds;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"kmeans:tiny", 16, 3, 2},
    [WS_SIZE_SMALL] = {"kmeans:small", 16 * 1024, 16, 2},
    [WS_SIZE_PAPER] = {"kmeans:paper", 16 * 1024, 16, 24},
};

/* Half of the points lie near as many centres as there are clusters, the others anywhere. */
static void fill(u8 *points, u32 count, u32 clusters, u64 random)
{
    u32 places[MOST_CLUSTERS];
    for (u32 n = 0; n < clusters; n++)
        places[n] = ws_random_range(&random, 8, VALUES - 9);
    for (u32 n = 0; n < count; n++) {
        const u32 near = places[ws_random_range(&random, 0, clusters - 1)] - 8 + ws_random_range(&random, 0, 16);
        const u32 anywhere = ws_random_range(&random, 0, VALUES - 1);
        points[n] = (u8)(ws_random_range(&random, 0, 1) ? near : anywhere);
    }
}

enum ws_status ws_kmeans_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].points, runs = ws_min(count, ITEMS), clusters = inputs[size].clusters;
    u32 rounds = inputs[size].rounds;
    const u64 partial = (u64)clusters * runs * sizeof(u32);
    const struct ws_argument arguments[ARGUMENTS] = {
        [POINTS] = {WS_ARGUMENT_BUFFER, "points", count, NULL},
        [LABELS] = {WS_ARGUMENT_BUFFER, "labels", count, NULL},
        [CENTROIDS] = {WS_ARGUMENT_BUFFER, "centroids", clusters * sizeof(u32), NULL},
        [SUMS] = {WS_ARGUMENT_BUFFER, "sums", partial, NULL},
        [COUNTS] = {WS_ARGUMENT_BUFFER, "counts", partial, NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
        [RUNS] = {WS_ARGUMENT_SCALAR, "runs", sizeof runs, &runs},
        [CLUSTERS] = {WS_ARGUMENT_SCALAR, "clusters", sizeof clusters, &clusters},
        [ROUNDS] = {WS_ARGUMENT_SCALAR, "rounds", sizeof rounds, &rounds},
    };
    *launch =
        (struct ws_ndrange){.kernel = "kmeans", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    fill(launch->arguments[POINTS].data, count, clusters, seed);
    u32 *centroids = launch->arguments[CENTROIDS].data;
    for (u32 cluster = 0; cluster < clusters; cluster++)
        centroids[cluster] = (2 * cluster + 1) * VALUES / (2 * clusters);
    return WS_STATUS_ok;
}

static u32 nearest(u32 value, const u32 *centroids, u32 clusters)
{
    u32 best = 0;
    for (u32 cluster = 1; cluster < clusters; cluster++) {
        const i32 distance = (i32)value - (i32)centroids[cluster], least = (i32)value - (i32)centroids[best];
        if (distance * distance < least * least)
            best = cluster;
    }
    return best;
}

/* One round, by value instead of by point: points of equal value share a centroid. */
static void move_centroids(const u32 *points_of_value, u32 *centroids, u32 clusters, u8 *label_of_value)
{
    u32 sum[MOST_CLUSTERS] = {0}, count[MOST_CLUSTERS] = {0};
    for (u32 value = 0; value < VALUES; value++) {
        const u32 cluster = nearest(value, centroids, clusters);
        label_of_value[value] = (u8)cluster;
        sum[cluster] += value * points_of_value[value];
        count[cluster] += points_of_value[value];
    }
    for (u32 cluster = 0; cluster < clusters; cluster++)
        if (count[cluster] > 0)
            centroids[cluster] = (sum[cluster] + count[cluster] / 2) / count[cluster];
}

enum ws_status ws_kmeans_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_kmeans_prepare(size, seed, &expected, error));
    const u8 *points = expected.arguments[POINTS].data;
    u8 *labels = expected.arguments[LABELS].data, label_of_value[VALUES];
    u32 points_of_value[VALUES] = {0};
    for (u32 n = 0; n < inputs[size].points; n++)
        points_of_value[points[n]]++;
    for (u32 round = 0; round < inputs[size].rounds; round++)
        move_centroids(points_of_value, expected.arguments[CENTROIDS].data, inputs[size].clusters, label_of_value);
    for (u32 n = 0; n < inputs[size].points; n++)
        labels[n] = label_of_value[points[n]];

    enum ws_status status = ws_launch_equal(launch, &expected, POINTS, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, LABELS, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, CENTROIDS, sizeof(u32), error);
    ws_launch_release(&expected);
    return status;
}
