/* One level of a breadth-first search, a node a work-item. Of nodes[n], x is its first edge, y how many it has; edges are the nodes
 * that they lead to. Every node of the frontier reaches its unvisited neighbours: they are in next afterwards, their cost is its
 * own plus 1, and again is set. Several work-items may write one cost, all the same value; visited is updated between the levels.
 */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void bfs_step(__global const uint2 *nodes, __global const uint *edges,
                                                                        __global uchar *frontier, __global uchar *next,
                                                                        __global const uchar *visited, __global uint *cost,
                                                                        __global uchar *again, uint count)
{
    const uint node = get_global_id(0);
    if (node < count && frontier[node]) {
        frontier[node] = 0;
        const uint end = nodes[node].x + nodes[node].y;
#pragma nounroll
        for (uint edge = nodes[node].x; edge < end; edge++) {
            const uint neighbour = edges[edge];
            if (!visited[neighbour]) {
                cost[neighbour] = cost[node] + 1;
                next[neighbour] = 1;
                *again = 1;
            }
        }
    }
}
