/* All native_* functions of one argument x or two, x and y; function f leaves its result for element i in result[f * count + i].
 * Then one function of each kind in every vector width: the sum counts the elements that equal the scalar function. */
#define SAME(type, n, x, y)                                                                                                        \
    same += all(native_exp((type)(x)) == (type)(native_exp(x))) ? n : 0;                                                           \
    same += all(native_divide((type)(x), (type)(y)) == (type)(native_divide(x, y))) ? n : 0;

__kernel void native(__global const float *xs, __global const float *ys, __global float *result, __global uint *same_elements)
{
    const size_t i = get_global_id(0);
    const size_t count = get_global_size(0);
    const float x = xs[i];
    const float y = ys[i];
    __global float *next = result + i;
    *next = native_cos(x), next += count;
    *next = native_exp(x), next += count;
    *next = native_exp2(x), next += count;
    *next = native_exp10(x), next += count;
    *next = native_log(x), next += count;
    *next = native_log2(x), next += count;
    *next = native_log10(x), next += count;
    *next = native_recip(x), next += count;
    *next = native_rsqrt(x), next += count;
    *next = native_sin(x), next += count;
    *next = native_sqrt(x), next += count;
    *next = native_tan(x), next += count;
    *next = native_divide(x, y), next += count;
    *next = native_powr(x, y);

    uint same = 0;
    SAME(float2, 2, x, y)
    SAME(float3, 3, x, y)
    SAME(float4, 4, x, y)
    SAME(float8, 8, x, y)
    SAME(float16, 16, x, y)
    same_elements[i] = same;
}
