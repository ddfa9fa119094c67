/* k-means clustering of one-dimensional points of a byte: each round assigns every point to its nearest centroid and moves each
 * centroid to the mean of its points. Sums and counts are private to a work-item; then those of the items are added pairwise, a
 * barrier between the levels of the tree. One work-group. runs, a power of two, is the number of items that have points; sums and
 * counts have runs elements for each cluster. */
#define MOST_CLUSTERS 16

__kernel void kmeans(__global const uchar *points, __global uchar *labels, __global uint *centroids, __global uint *sums,
                     __global uint *counts, uint count, uint runs, uint clusters, uint rounds)
{
    const uint item = get_local_id(0);
    for (uint round = 0; round < rounds; round++) {
        if (item < runs) {
            uint sum[MOST_CLUSTERS], members[MOST_CLUSTERS];
#pragma nounroll
            for (uint cluster = 0; cluster < clusters; cluster++)
                sum[cluster] = members[cluster] = 0;
            for (uint n = item; n < count; n += runs) {
                const uint point = points[n];
                uint nearest = 0, least = UINT_MAX;
#pragma nounroll
                for (uint cluster = 0; cluster < clusters; cluster++) {
                    const uint distance = abs_diff(point, centroids[cluster]);
                    if (distance < least) {
                        least = distance;
                        nearest = cluster;
                    }
                }
                labels[n] = (uchar)nearest;
                sum[nearest] += point;
                members[nearest]++;
            }
#pragma nounroll
            for (uint cluster = 0; cluster < clusters; cluster++) {
                sums[cluster * runs + item] = sum[cluster];
                counts[cluster * runs + item] = members[cluster];
            }
        }

        for (uint half_size = runs / 2; half_size > 0; half_size /= 2) {
            barrier(CLK_GLOBAL_MEM_FENCE);
            if (item < half_size) {
#pragma nounroll
                for (uint cluster = 0; cluster < clusters; cluster++) {
                    sums[cluster * runs + item] += sums[cluster * runs + item + half_size];
                    counts[cluster * runs + item] += counts[cluster * runs + item + half_size];
                }
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (item < clusters && counts[item * runs] > 0)
            centroids[item] = (sums[item * runs] + counts[item * runs] / 2) / counts[item * runs];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
