/* Cheapest paths down a grid: several rows of dynamic programming, each cell adds the cheapest of the three above it. A work-group
 * of 256 keeps a row in local memory and takes as many columns as remain right when each row spoils one at either end: neighbours
 * overlap by 2 * rows columns. before and after are the rows above the first and at the last. */
#define ITEMS 256

__kernel void pathfinder_dynproc(__global const int *wall, __global const int *before, __global int *after, int columns, int rows)
{
    __local int above[ITEMS];
    __local int cheapest[ITEMS];
    const int item = get_local_id(0);
    const int first = (int)get_group_id(0) * (ITEMS - 2 * rows) - rows;
    const int column = first + item;
    const int least = max(0, -first), most = min(ITEMS - 1, columns - 1 - first);
    const int west = max(item - 1, least), east = min(item + 1, most);
    const bool inside = item >= least && item <= most;

    if (inside)
        above[item] = before[column];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool right = false;
#pragma nounroll
    for (int row = 0; row < rows; row++) {
        right = inside && item > row && item < ITEMS - 1 - row;
        if (right)
            cheapest[item] = min(min(above[west], above[item]), above[east]) + wall[row * columns + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row == rows - 1)
            break;
        if (right)
            above[item] = cheapest[item];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (right)
        after[column] = cheapest[item];
}
