/* One level of a breadth-first search, as host programs launch it until a level finds nothing. */
kernel void level(global const int *first, global const int *edges, global int *levels, global int *changed, int vertices, int now)
{
    const int vertex = get_global_id(0);
    if (vertex >= vertices || levels[vertex] != now)
        return;
    for (int edge = first[vertex]; edge < first[vertex + 1]; edge++) {
        const int next = edges[edge];
        if (levels[next] < 0) {
            levels[next] = now + 1;
            *changed = 1;
        }
    }
}
