/* Kernels of the stand-in for cuBLAS. Matrices are in columns. Numbers that the program keeps on the device are read through the
 * pointer NAME_at; it is null if the number is the argument before it. Sums are taken in one fixed order. */

/* ---- Types ---- */

#define SAME(x)              (x)
#define BF16(x)              as_float((uint)(x) << 16)
#define LOAD(at, i)          (at)[i]
#define LOAD_F16(at, i)      vload_half(i, (__global const half *)(at))
#define LOAD_BF16(at, i)     BF16((at)[i])
#define STORE(x, at, i)      (at)[i] = (x)
#define STORE_F16(x, at, i)  vstore_half(x, i, (__global half *)(at))
#define STORE_BF16(x, at, i) (at)[i] = to_bf16(x)

static ushort to_bf16(float x)
{
    const uint bits = as_uint(x);
    return isnan(x) ? 0x7FFF : (ushort)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

#define MULTIPLY_F(a, b, sum) fma(a, b, sum)
#define MULTIPLY_I(a, b, sum) ((a) * (b) + (sum))

/* ---- C = alpha op(A) op(B) + beta C ---- */

/* A work-group of 16 x 16 makes a tile of C with R x R elements for each work-item: A and B go through local memory in steps of
 * 16. Groups in z are matrices of a batch, at strides, or by lists of addresses, to which strides are added. */
#define SIDE 16
#define GEMM(NAME, R, TYPE, IN, LOAD_IN, OUT, LOAD_OUT, STORE_OUT, MULTIPLY)                                                       \
    __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) __kernel void NAME(                                                       \
        uint m, uint n, uint k, uint transposed, TYPE alpha, __global const TYPE *alpha_at, __global const IN *a, ulong lda,       \
        long stride_a, __global const IN *b, ulong ldb, long stride_b, TYPE beta, __global const TYPE *beta_at, __global OUT *c,   \
        ulong ldc, long stride_c, __global const ulong *list_a, __global const ulong *list_b, __global const ulong *list_c)        \
    {                                                                                                                              \
        __local TYPE tile_a[SIDE][SIDE * R + 1], tile_b[SIDE][SIDE * R + 1];                                                       \
        const uint x = get_local_id(0), y = get_local_id(1), me = y * SIDE + x, side = SIDE * R;                                   \
        const uint row = get_group_id(0) * side, column = get_group_id(1) * side;                                                  \
        const ulong z = get_group_id(2);                                                                                           \
        const bool turn_a = transposed & 1, turn_b = transposed >> 1 & 1;                                                          \
        TYPE sum[R][R];                                                                                                            \
        a = list_a ? (__global const IN *)list_a[z] + stride_a : a + (long)z * stride_a;                                           \
        b = list_b ? (__global const IN *)list_b[z] + stride_b : b + (long)z * stride_b;                                           \
        c = list_c ? (__global OUT *)list_c[z] + stride_c : c + (long)z * stride_c;                                                \
        alpha = alpha_at ? *alpha_at : alpha;                                                                                      \
        beta = beta_at ? *beta_at : beta;                                                                                          \
        k = alpha == 0 ? 0 : k;                                                                                                    \
        _Pragma("unroll") for (uint i = 0; i < R; i++) _Pragma("unroll") for (uint j = 0; j < R; j++) sum[i][j] = 0;               \
        for (uint step = 0; step < k; step += SIDE) {                                                                              \
            _Pragma("unroll") for (uint e = 0; e < R; e++)                                                                         \
            {                                                                                                                      \
                const uint at = me + e * SIDE * SIDE;                                                                              \
                const uint ai = turn_a ? at / SIDE : at % side, ap = turn_a ? at % SIDE : at / side;                               \
                const uint bj = turn_b ? at % side : at / SIDE, bp = turn_b ? at / side : at % SIDE;                               \
                const ulong from_a = turn_a ? step + ap + (ulong)(row + ai) * lda : row + ai + (step + ap) * lda;                  \
                const ulong from_b = turn_b ? column + bj + (step + bp) * ldb : step + bp + (column + bj) * ldb;                   \
                TYPE one = 0, other = 0;                                                                                           \
                if (row + ai < m && step + ap < k)                                                                                 \
                    one = LOAD_IN(a, from_a);                                                                                      \
                if (column + bj < n && step + bp < k)                                                                              \
                    other = LOAD_IN(b, from_b);                                                                                    \
                tile_a[ap][ai] = one;                                                                                              \
                tile_b[bp][bj] = other;                                                                                            \
            }                                                                                                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                                          \
            _Pragma("unroll 2") for (uint p = 0; p < SIDE; p++)                                                                    \
            {                                                                                                                      \
                _Pragma("unroll") for (uint i = 0; i < R; i++) _Pragma("unroll") for (uint j = 0; j < R; j++) sum[i][j] =          \
                    MULTIPLY(tile_a[p][x + i * SIDE], tile_b[p][y + j * SIDE], sum[i][j]);                                         \
            }                                                                                                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                                          \
        }                                                                                                                          \
        _Pragma("unroll") for (uint i = 0; i < R; i++) _Pragma("unroll") for (uint j = 0; j < R; j++)                              \
        {                                                                                                                          \
            const uint ci = row + x + i * SIDE, cj = column + y + j * SIDE;                                                        \
            const ulong to = ci + cj * ldc;                                                                                        \
            if (ci < m && cj < n) {                                                                                                \
                TYPE old = 0;                                                                                                      \
                if (beta != 0)                                                                                                     \
                    old = beta * LOAD_OUT(c, to);                                                                                  \
                STORE_OUT(MULTIPLY(alpha, sum[i][j], old), c, to);                                                                 \
            }                                                                                                                      \
        }                                                                                                                          \
    }
#define GEMMS(NAME, ...) GEMM(NAME, 4, __VA_ARGS__) GEMM(NAME##_small, 1, __VA_ARGS__)

GEMMS(warpsweep_gemm_f32, float, float, LOAD, float, LOAD, STORE, MULTIPLY_F)
GEMMS(warpsweep_gemm_f64, double, double, LOAD, double, LOAD, STORE, MULTIPLY_F)
GEMMS(warpsweep_gemm_f16, float, ushort, LOAD_F16, ushort, LOAD_F16, STORE_F16, MULTIPLY_F)
GEMMS(warpsweep_gemm_f16_f32, float, ushort, LOAD_F16, float, LOAD, STORE, MULTIPLY_F)
GEMMS(warpsweep_gemm_bf16, float, ushort, LOAD_BF16, ushort, LOAD_BF16, STORE_BF16, MULTIPLY_F)
GEMMS(warpsweep_gemm_bf16_f32, float, ushort, LOAD_BF16, float, LOAD, STORE, MULTIPLY_F)
GEMMS(warpsweep_gemm_s8_s32, int, char, LOAD, int, LOAD, STORE, MULTIPLY_I)
GEMMS(warpsweep_gemm_s8_f32, float, char, LOAD, float, LOAD, STORE, MULTIPLY_F)

/* ---- D = f(sum + beta C + bias), after a product of cuBLASLt ---- */

/* Bits of what follows a product: cublasLtEpilogue_t. */
#define RELU  2
#define BIAS  4
#define GELU  32
#define DGELU 64
#define KEEPS 128

/* The approximation by a hyperbolic tangent. */
static float gelu_tanh(float x)
{
    const float two = 2 * 0.79788456f * fma(0.044715f * x * x, x, x);
    return 1 - 2 / (exp(two) + 1);
}

static float gelu(float x)
{
    return 0.5f * x * (1 + gelu_tanh(x));
}

static float gelu_slope(float x)
{
    const float t = gelu_tanh(x);
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.79788456f * (1 + 3 * 0.044715f * x * x);
}

/* A work-item for each row; sum in columns of m. Strides are those of rows, columns and matrices. */
#define EPILOGUE(T, OUT, LOAD_OUT, STORE_OUT)                                                                                      \
    __kernel void warpsweep_epilogue_##T(                                                                                          \
        uint m, uint n, uint how, __global const float *sum, float beta, __global const float *beta_at, __global const OUT *c,     \
        long c_row, long c_column, long c_matrix, __global OUT *d, long d_row, long d_column, long d_matrix,                       \
        __global const OUT *bias, long bias_matrix, __global OUT *aux, long aux_column, long aux_matrix)                           \
    {                                                                                                                              \
        const uint i = get_group_id(0) * 256 + get_local_id(0);                                                                    \
        const long z = get_group_id(2);                                                                                            \
        beta = beta_at ? *beta_at : beta;                                                                                          \
        for (uint j = get_group_id(1); i < m && j < n; j += get_num_groups(1)) {                                                   \
            float x = sum[i + ((ulong)z * n + j) * m];                                                                             \
            const long kept = i + j * aux_column + z * aux_matrix;                                                                 \
            if (beta != 0)                                                                                                         \
                x = fma(beta, LOAD_OUT(c, i * c_row + j * c_column + z * c_matrix), x);                                            \
            if (how & BIAS)                                                                                                        \
                x += LOAD_OUT(bias, i + z * bias_matrix);                                                                          \
            if (how & DGELU)                                                                                                       \
                x *= gelu_slope(LOAD_OUT(aux, kept));                                                                              \
            else if (how & KEEPS)                                                                                                  \
                STORE_OUT(x, aux, kept);                                                                                           \
            if (how & RELU)                                                                                                        \
                x = x < 0 ? 0 : x;                                                                                                 \
            if (how & GELU)                                                                                                        \
                x = gelu(x);                                                                                                       \
            STORE_OUT(x, d, i *d_row + j * d_column + z * d_matrix);                                                               \
        }                                                                                                                          \
    }
EPILOGUE(f32, float, LOAD, STORE)
EPILOGUE(f16, ushort, LOAD_F16, STORE_F16)
EPILOGUE(bf16, ushort, LOAD_BF16, STORE_BF16)

/* ---- Vectors ---- */

#define GROUP 256

/* Element i of n; with a negative step the vector is read from its end. */
static ulong element(uint i, uint n, long step)
{
    return (ulong)(step < 0 ? ((long)i - (long)n + 1) * step : (long)i * step);
}

/* Sums of a work-group as a tree; the result is in part[0]. */
#define REDUCE(JOIN)                                                                                                               \
    for (uint reach = GROUP / 2; reach > 0; reach /= 2) {                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
        if (me < reach)                                                                                                            \
            part[me] = JOIN(part[me], part[me + reach]);                                                                           \
    }                                                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);
#define ADD(a, b) ((a) + (b))

/* A kernel's statements: NEXT is the sum with element i. */
#define SUM(TYPE, NEXT)                                                                                                            \
    __local TYPE part[GROUP];                                                                                                      \
    const uint me = get_local_id(0);                                                                                               \
    TYPE sum = 0;                                                                                                                  \
    for (uint i = me; i < n; i += GROUP)                                                                                           \
        sum = NEXT;                                                                                                                \
    part[me] = sum;                                                                                                                \
    REDUCE(ADD)                                                                                                                    \
    if (me == 0)                                                                                                                   \
    *result = part[0]

#define VECTORS(T, TYPE)                                                                                                           \
    __kernel void warpsweep_axpy_##T(uint n, TYPE alpha, __global const TYPE *alpha_at, __global const TYPE *x, long step_x,       \
                                     __global TYPE *y, long step_y)                                                                \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0);                                                                  \
        alpha = alpha_at ? *alpha_at : alpha;                                                                                      \
        if (i < n)                                                                                                                 \
            y[element(i, n, step_y)] = fma(alpha, x[element(i, n, step_x)], y[element(i, n, step_y)]);                             \
    }                                                                                                                              \
    __kernel void warpsweep_scal_##T(uint n, TYPE alpha, __global const TYPE *alpha_at, __global TYPE *x, long step_x)             \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0);                                                                  \
        alpha = alpha_at ? *alpha_at : alpha;                                                                                      \
        if (i < n)                                                                                                                 \
            x[element(i, n, step_x)] *= alpha;                                                                                     \
    }                                                                                                                              \
    __kernel void warpsweep_copy_##T(uint n, __global const TYPE *x, long step_x, __global TYPE *y, long step_y)                   \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0);                                                                  \
        if (i < n)                                                                                                                 \
            y[element(i, n, step_y)] = x[element(i, n, step_x)];                                                                   \
    }                                                                                                                              \
    __kernel void warpsweep_swap_##T(uint n, __global TYPE *x, long step_x, __global TYPE *y, long step_y)                         \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0);                                                                  \
        if (i < n) {                                                                                                               \
            const TYPE kept = y[element(i, n, step_y)];                                                                            \
            y[element(i, n, step_y)] = x[element(i, n, step_x)];                                                                   \
            x[element(i, n, step_x)] = kept;                                                                                       \
        }                                                                                                                          \
    }                                                                                                                              \
    __kernel void warpsweep_dot_##T(uint n, __global const TYPE *x, long step_x, __global const TYPE *y, long step_y,              \
                                    __global TYPE *result)                                                                         \
    {                                                                                                                              \
        SUM(TYPE, fma(x[element(i, n, step_x)], y[element(i, n, step_y)], sum));                                                   \
    }                                                                                                                              \
    /* Scaled by the largest magnitude, so that squares neither overflow nor vanish. */                                            \
    __kernel void warpsweep_nrm2_##T(uint n, __global const TYPE *x, long step_x, __global TYPE *result)                           \
    {                                                                                                                              \
        __local TYPE part[GROUP];                                                                                                  \
        const uint me = get_local_id(0);                                                                                           \
        TYPE most = 0, sum = 0;                                                                                                    \
        for (uint i = me; i < n; i += GROUP)                                                                                       \
            most = fmax(most, fabs(x[(long)i * step_x]));                                                                          \
        part[me] = most;                                                                                                           \
        REDUCE(fmax)                                                                                                               \
        most = part[0];                                                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
        for (uint i = me; i < n; i += GROUP) {                                                                                     \
            const TYPE one = most > 0 && !isinf(most) ? x[(long)i * step_x] / most : x[(long)i * step_x];                          \
            sum = fma(one, one, sum);                                                                                              \
        }                                                                                                                          \
        part[me] = sum;                                                                                                            \
        REDUCE(ADD)                                                                                                                \
        if (me == 0)                                                                                                               \
            *result = most > 0 && !isinf(most) ? most * sqrt(part[0]) : part[0];                                                   \
    }                                                                                                                              \
    __kernel void warpsweep_asum_##T(uint n, __global const TYPE *x, long step_x, __global TYPE *result)                           \
    {                                                                                                                              \
        SUM(TYPE, sum + fabs(x[(long)i * step_x]));                                                                                \
    }                                                                                                                              \
    /* Number, from 1, of the first element of largest (sign 1) or smallest (-1) magnitude. NaNs are left out; 1 if all            \
     * are NaN. */                                                                                                                 \
    __kernel void warpsweep_iamax_##T(uint n, int sign, __global const TYPE *x, long step_x, __global int *result)                 \
    {                                                                                                                              \
        __local TYPE part[GROUP];                                                                                                  \
        __local uint place[GROUP];                                                                                                 \
        const uint me = get_local_id(0);                                                                                           \
        TYPE most = -INFINITY;                                                                                                     \
        uint at = n;                                                                                                               \
        for (uint i = me; i < n; i += GROUP) {                                                                                     \
            const TYPE one = sign * fabs(x[(long)i * step_x]);                                                                     \
            if (one > most || (at == n && !isnan(one))) {                                                                          \
                most = one;                                                                                                        \
                at = i;                                                                                                            \
            }                                                                                                                      \
        }                                                                                                                          \
        part[me] = most;                                                                                                           \
        place[me] = at;                                                                                                            \
        for (uint reach = GROUP / 2; reach > 0; reach /= 2) {                                                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                                          \
            const uint other = me + reach;                                                                                         \
            if (me < reach && place[other] < n &&                                                                                  \
                (place[me] == n || part[other] > part[me] || (part[other] == part[me] && place[other] < place[me]))) {             \
                part[me] = part[other];                                                                                            \
                place[me] = place[other];                                                                                          \
            }                                                                                                                      \
        }                                                                                                                          \
        if (me == 0)                                                                                                               \
            *result = n == 0 ? 0 : place[0] < n ? (int)place[0] + 1 : 1;                                                           \
    }                                                                                                                              \
    /* y = alpha op(A) x + beta y: a work-item for each element of y. */                                                           \
    __kernel void warpsweep_gemv_##T(uint m, uint n, uint transposed, TYPE alpha, __global const TYPE *alpha_at,                   \
                                     __global const TYPE *a, ulong lda, __global const TYPE *x, long step_x, TYPE beta,            \
                                     __global const TYPE *beta_at, __global TYPE *y, long step_y)                                  \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0), rows = transposed ? n : m, columns = transposed ? m : n;         \
        const ulong down = transposed ? lda : 1, right = transposed ? 1 : lda;                                                     \
        TYPE sum = 0, old = 0;                                                                                                     \
        alpha = alpha_at ? *alpha_at : alpha;                                                                                      \
        beta = beta_at ? *beta_at : beta;                                                                                          \
        if (i >= rows)                                                                                                             \
            return;                                                                                                                \
        for (uint j = 0; alpha != 0 && j < columns; j++)                                                                           \
            sum = fma(a[i * down + j * right], x[element(j, columns, step_x)], sum);                                               \
        if (beta != 0)                                                                                                             \
            old = beta * y[element(i, rows, step_y)];                                                                              \
        y[element(i, rows, step_y)] = fma(alpha, sum, old);                                                                        \
    }                                                                                                                              \
    /* A += alpha x y' */                                                                                                          \
    __kernel void warpsweep_ger_##T(uint m, uint n, TYPE alpha, __global const TYPE *alpha_at, __global const TYPE *x,             \
                                    long step_x, __global const TYPE *y, long step_y, __global TYPE *a, ulong lda)                 \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0);                                                                  \
        alpha = alpha_at ? *alpha_at : alpha;                                                                                      \
        for (uint j = get_group_id(1); i < m && j < n; j += get_num_groups(1))                                                     \
            a[i + j * lda] = fma(alpha * x[element(i, m, step_x)], y[element(j, n, step_y)], a[i + j * lda]);                      \
    }                                                                                                                              \
    /* C = alpha op(A) + beta op(B) */                                                                                             \
    __kernel void warpsweep_geam_##T(uint m, uint n, uint transposed, TYPE alpha, __global const TYPE *alpha_at,                   \
                                     __global const TYPE *a, ulong lda, TYPE beta, __global const TYPE *beta_at,                   \
                                     __global const TYPE *b, ulong ldb, __global TYPE *c, ulong ldc)                               \
    {                                                                                                                              \
        const uint i = get_group_id(0) * GROUP + get_local_id(0);                                                                  \
        alpha = alpha_at ? *alpha_at : alpha;                                                                                      \
        beta = beta_at ? *beta_at : beta;                                                                                          \
        for (uint j = get_group_id(1); i < m && j < n; j += get_num_groups(1)) {                                                   \
            TYPE one = 0, other = 0;                                                                                               \
            if (alpha != 0)                                                                                                        \
                one = alpha * a[transposed & 1 ? j + i * lda : i + j * lda];                                                       \
            if (beta != 0)                                                                                                         \
                other = beta * b[transposed & 2 ? j + i * ldb : i + j * ldb];                                                      \
            c[i + j * ldc] = one + other;                                                                                          \
        }                                                                                                                          \
    }

VECTORS(f32, float)
VECTORS(f64, double)
