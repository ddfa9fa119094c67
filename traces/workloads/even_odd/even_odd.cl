/* The loop of Fung et al. (MICRO 2007), Figure 7: odd and even work-items take its branch in turns, and all would run together if
 * the odd ones were one iteration ahead. data is volatile, so that the branch stays one: else compilers sum up and predicate. */
__kernel void even_odd(volatile __global int *data, int end)
{
    const int item = get_global_id(0);
#pragma nounroll
    for (int i = item % 2; i < end; i++)
        if (i % 2)
            data[item]++;
}
