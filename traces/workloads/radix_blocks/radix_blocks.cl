/* One digit of a radix sort, first step: each work-group of 512 sorts its own 1024 keys by a digit, a bit at a time, and says where
 * each digit begins. Keys whose bit is 0 go to the front in their order, the others behind; a scan over the work-items counts those
 * before. The scan and the keys share 4 KB of local memory. first has digits numbers for each work-group. */
#define ITEMS 512
#define KEYS  (2 * ITEMS)

/* The sum of value over the work-items before this one, and over all: sums over distances that double. */
static uint scan(__local uint *memory, uint item, uint value, uint *total)
{
    __local uint *from = memory, *to = memory + ITEMS;
    uint sum = value;
    from[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma nounroll
    for (uint distance = 1; distance < ITEMS; distance *= 2) {
        if (item >= distance)
            sum += from[item - distance];
        to[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local uint *const swap = from;
        from = to;
        to = swap;
    }
    *total = from[ITEMS - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - value;
}

__kernel void radix_blocks(__global const uint2 *keys, __global uint2 *sorted, __global uint *first, uint shift, uint bits)
{
    __local uint memory[KEYS];
    const uint item = get_local_id(0), digits = 1 << bits;
    uint2 key = keys[get_global_id(0)];
#pragma nounroll
    for (uint bit = shift; bit < shift + bits; bit++) {
        const uint2 zero = ~key >> bit & 1;
        uint zeros;
        const uint before = scan(memory, item, zero.x + zero.y, &zeros);
        memory[zero.x ? before : zeros + 2 * item - before] = key.x;
        memory[zero.y ? before + zero.x : zeros + 2 * item + 1 - before - zero.x] = key.y;
        barrier(CLK_LOCAL_MEM_FENCE);
        key = (uint2)(memory[2 * item], memory[2 * item + 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sorted[get_global_id(0)] = key;

    /* A digit begins where the one before is less; digits that are not there begin where the next one does. */
    const uint2 digit = key >> shift & (digits - 1);
    memory[item] = digit.y;
    barrier(CLK_LOCAL_MEM_FENCE);
    first += get_group_id(0) * digits;
    for (uint d = item > 0 ? memory[item - 1] + 1 : 0; d <= digit.x; d++)
        first[d] = 2 * item;
    for (uint d = digit.x + 1; d <= digit.y; d++)
        first[d] = 2 * item + 1;
    if (item == ITEMS - 1)
        for (uint d = digit.y + 1; d < digits; d++)
            first[d] = KEYS;
}
