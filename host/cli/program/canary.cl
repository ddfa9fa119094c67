/* Test kernels: groups of 64 work-items, expected values in canary.def. Work-items read values of other ones in local memory behind
 * a barrier, in every form that a compiler may get wrong. */

kernel void once(global uint *out, global const uint *in, local uint *words)
{
    local uint d[2];
    if (get_local_id(0) == 0)
        d[0] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = d[0];
}

kernel void found(global uint *out, global const uint *in, local uint *words)
{
    local uint seen;
    if (get_local_id(0) == 0)
        seen = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_group_id(0)] == get_local_id(0))
        seen = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = seen;
}

kernel void rounds(global uint *out, global const uint *in, local uint *words)
{
    local int again[1];
    int left = get_local_id(0), count = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            again[0] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (left > 0) {
            left -= 7;
            again[0] = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        count++;
    } while (again[0]);
    out[get_global_id(0)] = count;
}

kernel void seed(global uint *out, global const uint *in, local uint *words)
{
    local uint s;
    const uint l = get_local_id(0), t = get_global_id(0);
    if (l == 0)
        s = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[t] = s + l;
    if (l == 15)
        s = 9 + out[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] += s;
}

kernel void turns(global uint *out, global const uint *in, local uint *words)
{
    local uint turn;
    uint sum = 0;
    if (get_local_id(0) == 63)
        turn = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 0; n < 4; n++) {
        sum += turn;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == n)
            turn = turn * 3 + n;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

kernel void fields(global uint *out, global const uint *in, local uint *words)
{
    local struct {
        uint first, rest[3];
    } s;
    const uint l = get_local_id(0);
    if (l == 3)
        s.first = 40;
    if (l == 33) {
        s.rest[0] = 1;
        s.rest[2] = l;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint sum = s.first + s.rest[2];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        s.first = sum + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s.first + s.rest[0];
}

void put(local uint *at, uint n, uint x)
{
    at[n] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void called(global uint *restrict out, global const uint *restrict in, local uint *restrict words)
{
    local uint last[64];
    const uint l = get_local_id(0);
    put(words, l, l * 3);
    const uint before = words[0];
    put(last, 63 - l, before + l);
    if (l == 5)
        words[0] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[0] + words[63 - l] + last[l];
}

kernel void tree(global uint *out, global const uint *in, local uint *words)
{
    local uint sums[64];
    const uint l = get_local_id(0);
    sums[l] = l + 1;
    for (uint reach = 32; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < reach)
            sums[l] += sums[l + reach];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sums[0];
}

kernel void copied(global uint *out, global const uint *in, local uint *words)
{
    local uint copy[64];
    const uint l = get_local_id(0);
    event_t event = async_work_group_copy(copy + 1, in + 1, 63, 0);
    if (l == 63)
        copy[0] = 1000;
    wait_group_events(1, &event);
    out[get_global_id(0)] = copy[63 - l] + copy[0];
}

kernel void warps(global uint *out, global const uint *in, local uint *words)
{
    local uint leader[2];
    const uint l = get_local_id(0);
    if (l % 32 == 0)
        leader[l / 32] = l + 7;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = leader[l / 32];
}

/* ---- Functions of libclc: a weighted sum ---- */

kernel void integers(global uint *out, global const uint *in, local uint *words)
{
    const uint a = in[get_local_id(0)], b = in[63 - get_local_id(0)];
    const ulong turned = rotate((ulong)a << 32 | b, (ulong)b);
    out[get_global_id(0)] = add_sat((int)a, (int)b) + 3 * mul_hi(a, b) + 5 * hadd(a, b) + 7 * clz(a) + 11 * popcount(b) +
                            13 * convert_uchar_sat((int)a) + 17 * (uint)(turned >> 32) + 19 * (uint)turned;
}

/* Functions that are wrong or missing in libclc 14 to 16: cl2ptx*.h replaces them. */
kernel void defined(global uint *out, global const uint *in, local uint *words)
{
    const uint a = in[get_local_id(0)], b = in[63 - get_local_id(0)], l = get_local_id(0);
    const ulong product = mad_sat((long)(int)a << 32, (long)(int)b, -5L);
    local ushort halves[64];
    vstore_half_rtn(-1e-20f, l, (local half *)halves);
    out[get_global_id(0)] = sub_sat((int)a, (int)b) + 3 * mad_hi((uchar)a, (uchar)b, (uchar)255) +
                            5 * as_uint(convert_float_rtz(a | 1u << 31)) + 7 * (uint)(product >> 32) + 11 * halves[l] +
                            13 * as_uint(native_exp2((float)(l % 8)));
}
