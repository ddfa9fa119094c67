/* Breadth-first search, level by level, with a mask for each set of nodes. One work-group: its work-items loop over all nodes twice
 * a level, with a barrier after each pass. edges[first_edge[n]] to edges[first_edge[n + 1] - 1] are the neighbours of node n.
 * Before: the source alone is in frontier and visited, its cost is 0; updating and again are zero. After: cost[n] is the distance
 * of each visited node. Several work-items may write one cost or one mask in a pass, all the same value. */
__kernel void bfs(__global const uint *first_edge, __global const uint *edges, __global uchar *frontier, __global uchar *updating,
                  __global uchar *visited, __global uint *cost, __global uint *again, uint nodes)
{
    const size_t item = get_local_id(0);
    const size_t items = get_local_size(0);
    uint level = 0;
    do {
        /* The frontier reaches its unvisited neighbours. The flag of this level is lowered; that of the last may still be read. */
        level++;
        if (item == 0)
            again[level % 2] = 0;
        for (size_t node = item; node < nodes; node += items) {
            if (frontier[node]) {
                frontier[node] = 0;
                const uint end = first_edge[node + 1];
#pragma nounroll /* few edges, and never as many as the neighbour's work-item has */
                for (uint edge = first_edge[node]; edge < end; edge++) {
                    const uint neighbour = edges[edge];
                    if (!visited[neighbour]) {
                        cost[neighbour] = level;
                        updating[neighbour] = 1;
                    }
                }
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);

        /* What was reached is the next frontier. */
        for (size_t node = item; node < nodes; node += items) {
            if (updating[node]) {
                updating[node] = 0;
                frontier[node] = 1;
                visited[node] = 1;
                again[level % 2] = 1;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    } while (again[level % 2]);
}
