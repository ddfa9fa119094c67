/* The records nearest to a place: each work-item looks through every so many records and keeps the four nearest of them, sorted;
 * the lists are left to be merged. Coordinates are whole numbers; equally near records keep their order. */
#define KEPT 4

__kernel void nearest_records(__global const int2 *records, __global uint2 *nearest, int2 place, uint count)
{
    uint distance[KEPT], record[KEPT];
    for (uint k = 0; k < KEPT; k++) {
        distance[k] = UINT_MAX;
        record[k] = UINT_MAX;
    }
#pragma nounroll
    for (uint n = get_global_id(0); n < count; n += get_global_size(0)) {
        const int2 way = records[n] - place;
        const uint found = way.x * way.x + way.y * way.y;
        if (found < distance[KEPT - 1]) {
            distance[KEPT - 1] = found;
            record[KEPT - 1] = n;
            for (uint k = KEPT - 1; k > 0; k--)
                if (distance[k] < distance[k - 1]) {
                    const uint near = distance[k], of = record[k];
                    distance[k] = distance[k - 1];
                    record[k] = record[k - 1];
                    distance[k - 1] = near;
                    record[k - 1] = of;
                }
        }
    }
    for (uint k = 0; k < KEPT; k++)
        nearest[k * get_global_size(0) + get_global_id(0)] = (uint2)(distance[k], record[k]);
}
