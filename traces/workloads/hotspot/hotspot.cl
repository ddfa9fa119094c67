/* Temperature of a chip by explicit steps of the heat equation on a grid of size x size cells, in rows. One work-group: its
 * work-items take consecutive cells, with a barrier after each step, from one buffer to the other and back. Beyond the border a
 * cell sees its own temperature. Of the conductances along, across, and to the ambient, each is already divided by the cell's
 * capacity and multiplied by the step's time, as is power. size is a power of two up to the number of items. */
__kernel void hotspot(__global float *even, __global float *odd, __global const float *power, uint size, uint steps, float along,
                      float across, float outwards, float ambient)
{
    const uint item = get_local_id(0);
    const uint column = item % size, rows = get_local_size(0) / size;
    __global float *from = even, *to = odd;
    for (uint step = 0; step < steps; step++) {
        for (uint row = item / size; row < size; row += rows) {
            const uint cell = row * size + column;
            const float own = from[cell];
            float north = own, south = own, west = own, east = own;
            if (row > 0)
                north = from[cell - size];
            if (row < size - 1)
                south = from[cell + size];
            if (column > 0)
                west = from[cell - 1];
            if (column < size - 1)
                east = from[cell + 1];
            to[cell] = own + power[cell] + (north + south - 2.0f * own) * across + (west + east - 2.0f * own) * along +
                       (ambient - own) * outwards;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global float *const swap = from;
        from = to;
        to = swap;
    }
}
