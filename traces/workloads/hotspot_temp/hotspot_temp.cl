/* Temperature of a chip by explicit steps of the heat equation, several in one launch, on a grid of side x side cells. A work-group
 * of 16 x 16 keeps a tile in local memory and takes as many cells as remain right when each step spoils one at every edge:
 * neighbours overlap by 2 * steps cells. Beyond the border a cell sees its own temperature. along, across and outwards are
 * resistances. */
#define SIDE 16

__kernel void hotspot_temp(__global const float *before, __global float *after, __global const float *power, int side, int steps,
                           float time, float capacity, float along, float across, float outwards, float ambient)
{
    __local float tile[SIDE][SIDE];
    __local float heat[SIDE][SIDE];
    __local float next[SIDE][SIDE];
    const float share = time / capacity, by_x = 1.0f / along, by_y = 1.0f / across, by_z = 1.0f / outwards;
    const int x = get_local_id(0), y = get_local_id(1);
    const int first_x = (int)get_group_id(0) * (SIDE - 2 * steps) - steps,
              first_y = (int)get_group_id(1) * (SIDE - 2 * steps) - steps;
    const int column = first_x + x, row = first_y + y;
    const int cell = row * side + column;
    const int least_x = max(0, -first_x), most_x = min(SIDE - 1, side - 1 - first_x);
    const int least_y = max(0, -first_y), most_y = min(SIDE - 1, side - 1 - first_y);
    const int west = max(x - 1, least_x), east = min(x + 1, most_x), north = max(y - 1, least_y), south = min(y + 1, most_y);
    const bool inside = x >= least_x && x <= most_x && y >= least_y && y <= most_y;

    if (inside) {
        tile[y][x] = before[cell];
        heat[y][x] = power[cell];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    bool right = false;
#pragma nounroll
    for (int step = 0; step < steps; step++) {
        right = inside && x > step && x < SIDE - 1 - step && y > step && y < SIDE - 1 - step;
        if (right) {
            const float own = tile[y][x];
            next[y][x] = own + share * (heat[y][x] + (tile[south][x] + tile[north][x] - 2.0f * own) * by_y +
                                        (tile[y][east] + tile[y][west] - 2.0f * own) * by_x + (ambient - own) * by_z);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == steps - 1)
            break;
        if (right)
            tile[y][x] = next[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (right)
        after[cell] = next[y][x];
}
