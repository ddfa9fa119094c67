/* Functions of OpenCL C 2.0 that libclc has not, but for atomics: those of a whole work-group, and numbers of work-items. Included
 * by cl2ptx.h where the source is of that version. */
WS_CALLED size_t ws_local_linear_id(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
WS_CALLED size_t ws_global_linear_id(void)
{
    return ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) *
               get_global_size(0) +
           get_global_id(0) - get_global_offset(0);
}

/* A word for each warp. Each call has its own. */
WS_CALLED __local ulong *ws_group_words(void)
{
    ulong words;
    __asm__("{\n\t.shared .align 8 .b8 ws_group[256];\n\tmov.u64 %0, ws_group;\n\t}" : "=l"(words));
    return (__local ulong *)words;
}

#define WS_GROUP_BITS(T, bits, of)                                                                                                 \
    WS_CALLED ulong ws_bits(T x)                                                                                                   \
    {                                                                                                                              \
        return bits;                                                                                                               \
    }                                                                                                                              \
    WS_CALLED T ws_of_bits(T like, ulong x)                                                                                        \
    {                                                                                                                              \
        return of;                                                                                                                 \
    }                                                                                                                              \
    WS_CALLED T ws_group_broadcast(T x, size_t from)                                                                               \
    {                                                                                                                              \
        __local ulong *const words = ws_group_words();                                                                             \
        if (ws_local_linear_id() == from)                                                                                          \
            words[0] = ws_bits(x);                                                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
        const T found = ws_of_bits(x, words[0]);                                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
        return found;                                                                                                              \
    }                                                                                                                              \
    WS_CALLED T ws_group_broadcast(T x, size_t at_x, size_t at_y)                                                                  \
    {                                                                                                                              \
        return ws_group_broadcast(x, at_y * get_local_size(0) + at_x);                                                             \
    }                                                                                                                              \
    WS_CALLED T ws_group_broadcast(T x, size_t at_x, size_t at_y, size_t at_z)                                                     \
    {                                                                                                                              \
        return ws_group_broadcast(x, (at_z * get_local_size(1) + at_y) * get_local_size(0) + at_x);                                \
    }

/* Warps leave what they have in words; each then takes those it needs, in their order. */
#define WS_GROUP(name, T, identity, combined)                                                                                      \
    WS_CALLED T ws_group_before_##name(T mine, uint warps)                                                                         \
    {                                                                                                                              \
        __local ulong *const words = ws_group_words();                                                                             \
        T x = identity;                                                                                                            \
        if (ws_sub_group_lane() == 0)                                                                                              \
            words[ws_sub_group_id()] = ws_bits(mine);                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
        for (uint n = 0; n < warps; n++) {                                                                                         \
            const T y = ws_of_bits(x, words[n]);                                                                                   \
            x = combined;                                                                                                          \
        }                                                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
        return x;                                                                                                                  \
    }                                                                                                                              \
    WS_CALLED T ws_group_reduce_##name(T x)                                                                                        \
    {                                                                                                                              \
        return ws_group_before_##name(ws_reduce_##name(x), ws_sub_group_count());                                                  \
    }                                                                                                                              \
    WS_CALLED T ws_group_scan_inclusive_##name(T x)                                                                                \
    {                                                                                                                              \
        const T y = ws_scan_inclusive_##name(x);                                                                                   \
        x = ws_group_before_##name(ws_reduce_##name(x), ws_sub_group_id());                                                        \
        return combined;                                                                                                           \
    }                                                                                                                              \
    WS_CALLED T ws_group_scan_exclusive_##name(T x)                                                                                \
    {                                                                                                                              \
        const T y = ws_scan_exclusive_##name(x);                                                                                   \
        x = ws_group_before_##name(ws_reduce_##name(x), ws_sub_group_id());                                                        \
        return combined;                                                                                                           \
    }
#define WS_GROUPS(T, least, most, bits, of)                                                                                        \
    WS_GROUP_BITS(T, bits, of)                                                                                                     \
    WS_GROUP(add, T, 0, x + y)                                                                                                     \
    WS_GROUP(min, T, most, min(x, y))                                                                                              \
    WS_GROUP(max, T, least, max(x, y))
WS_GROUPS(int, INT_MIN, INT_MAX, as_uint(x), as_int((uint)x))
WS_GROUPS(uint, 0, UINT_MAX, x, (uint)x)
WS_GROUPS(long, LONG_MIN, LONG_MAX, as_ulong(x), as_long(x))
WS_GROUPS(ulong, 0, ULONG_MAX, x, x)
WS_GROUPS(float, -INFINITY, INFINITY, as_uint(x), as_float((uint)x))
WS_GROUPS(double, -INFINITY, INFINITY, as_ulong(x), as_double(x))

WS_CALLED int ws_group_any(int x)
{
    return ws_group_reduce_max(x != 0);
}
WS_CALLED int ws_group_all(int x)
{
    return ws_group_reduce_min(x != 0);
}

#define WS_CTZ(T)                                                                                                                  \
    WS_CALLED T ws_ctz(T x)                                                                                                        \
    {                                                                                                                              \
        return popcount((T)((x & (T)((T)0 - x)) - (T)1));                                                                          \
    }
#define WS_CTZS(T) WS_CTZ(T) WS_CTZ(T##2) WS_CTZ(T##3) WS_CTZ(T##4) WS_CTZ(T##8) WS_CTZ(T##16)
WS_CTZS(char) WS_CTZS(uchar) WS_CTZS(short) WS_CTZS(ushort) WS_CTZS(int) WS_CTZS(uint) WS_CTZS(long) WS_CTZS(ulong)

#define ctz                            ws_ctz
#define get_local_linear_id            ws_local_linear_id
#define get_global_linear_id           ws_global_linear_id
#define get_enqueued_local_size        get_local_size
#define work_group_barrier(flags, ...) barrier(flags)
#define work_group_broadcast           ws_group_broadcast
#define work_group_any                 ws_group_any
#define work_group_all                 ws_group_all
#define work_group_reduce_add          ws_group_reduce_add
#define work_group_reduce_min          ws_group_reduce_min
#define work_group_reduce_max          ws_group_reduce_max
#define work_group_scan_inclusive_add  ws_group_scan_inclusive_add
#define work_group_scan_inclusive_min  ws_group_scan_inclusive_min
#define work_group_scan_inclusive_max  ws_group_scan_inclusive_max
#define work_group_scan_exclusive_add  ws_group_scan_exclusive_add
#define work_group_scan_exclusive_min  ws_group_scan_exclusive_min
#define work_group_scan_exclusive_max  ws_group_scan_exclusive_max
