/* Accelerations of bodies that attract each other, all pairs: a body a work-item; a work-group of 64 brings as many bodies at a
 * time into local memory. Of a body, w is its mass. Bodies are softened, so that a body does not move itself. */
#define ITEMS 64

__kernel void nbody(__global const float4 *bodies, __global float4 *accelerations, float softening, uint count)
{
    __local float4 tile[ITEMS];
    const uint item = get_local_id(0);
    const float4 own = bodies[get_global_id(0)];
    float4 sum = 0.0f;
    for (uint begin = 0; begin < count; begin += ITEMS) {
        tile[item] = bodies[begin + item];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
        for (uint n = 0; n < ITEMS; n++) {
            const float4 way = tile[n] - own;
            const float inverse = native_rsqrt(way.x * way.x + way.y * way.y + way.z * way.z + softening);
            sum += tile[n].w * inverse * inverse * inverse * way;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[get_global_id(0)] = (float4)(sum.xyz, 0.0f);
}
