/* Products of matrices. */
#include <stdio.h>

#include "capture/cuda/blas/blas.h"

/* Numbers of ways to compute (cublasComputeType_t). */
enum { COMPUTE_16F = 64, COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32I = 72, COMPUTE_FAST_16F = 74, COMPUTE_FAST_TF32 = 77 };

/* Types that go together. Pedantic and fast variants compute as their base does: sums of halves in single precision, products of
 * single precision without rounding to TF32. */
static const struct row {
    int input, output, compute;
    enum blas_type scale;
    const char *kernel;
    u32 input_bytes, output_bytes;
} rows[] = {
    {R_32F, R_32F, COMPUTE_32F, BLAS_f32, "f32", 4, 4},       {R_64F, R_64F, COMPUTE_64F, BLAS_f64, "f64", 8, 8},
    {R_16F, R_16F, COMPUTE_32F, BLAS_f32, "f16", 2, 2},       {R_16F, R_16F, COMPUTE_16F, BLAS_f16, "f16", 2, 2},
    {R_16F, R_32F, COMPUTE_32F, BLAS_f32, "f16_f32", 2, 4},   {R_16BF, R_16BF, COMPUTE_32F, BLAS_f32, "bf16", 2, 2},
    {R_16BF, R_32F, COMPUTE_32F, BLAS_f32, "bf16_f32", 2, 4}, {R_8I, R_32I, COMPUTE_32I, BLAS_s32, "s8_s32", 1, 4},
    {R_8I, R_32F, COMPUTE_32F, BLAS_f32, "s8_f32", 1, 4},
};

static int base_of(int compute)
{
    return compute >= COMPUTE_FAST_16F && compute <= COMPUTE_FAST_TF32 ? COMPUTE_32F : compute & ~1;
}

static const struct row *find_row(const struct blas_product *product)
{
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (rows[n].input == product->type_a && rows[n].input == product->type_b && rows[n].output == product->type_c &&
            rows[n].compute == base_of(product->compute))
            return &rows[n];
    return NULL;
}

static int check(const struct blas_product *product)
{
    const struct {
        const char *name;
        int64_t value, least;
    } bounds[] = {
        {"m", product->m, 0},
        {"n", product->n, 0},
        {"k", product->k, 0},
        {"a batch of", product->count, 0},
        {"lda", product->lda, product->transposed_a ? product->k : product->m},
        {"ldb", product->ldb, product->transposed_b ? product->n : product->k},
        {"ldc", product->ldc, product->m},
    };
    for (size_t n = 0; n < sizeof bounds / sizeof *bounds; n++) {
        const int64_t least = n > 3 && bounds[n].least < 1 ? 1 : bounds[n].least;
        if (blas_at_least(bounds[n].name, bounds[n].value, least) != GPU_none)
            return GPU_value;
    }
    if (product->transposed_a < 0 || product->transposed_a > 2 || product->transposed_b < 0 || product->transposed_b > 2)
        return gpu_fail(GPU_value, "found operations %d and %d, allowed are 0 (N), 1 (T) and 2 (C)", product->transposed_a,
                        product->transposed_b);
    return GPU_none;
}

/* A grid has up to MOST_SIDE work-groups in y and z. */
enum { MOST_SIDE = 65535, SIDE = 16, LARGE = 64, SMALL_SIDE = 24 };

static u32 side_of(const struct blas_product *product)
{
    return product->m <= SMALL_SIDE || product->n <= SMALL_SIDE ? SIDE : LARGE;
}

/* The product with columns of C from one on, up to a number. Of lists, the strides are added to each address. */
static struct blas_product columns_of(struct blas_product product, const struct row *row, int64_t first, int64_t most)
{
    const int64_t b = product.transposed_b ? first : first * product.ldb, c = first * product.ldc;
    product.n = product.n - first < most ? product.n - first : most;
    if (product.lists)
        product.stride_b = b, product.stride_c = c;
    else {
        product.b = (const u8 *)product.b + b * row->input_bytes;
        product.c = (u8 *)product.c + c * row->output_bytes;
    }
    return product;
}

/* One launch of up to MOST_SIDE matrices from a place in the batch. */
static int run_part(const struct blas *blas, const struct blas_product *product, const struct row *row, u32 side, int64_t first)
{
    char kernel[40];
    struct blas_number alpha, beta;
    const u64 count = (u64)(product->count - first < MOST_SIDE ? product->count - first : MOST_SIDE);
    const u8 *a = product->a, *b = product->b, *c = product->c, *none = NULL;
    if (product->lists)
        a += 8 * first, b += 8 * first, c += 8 * first;
    else
        a += product->stride_a * first * row->input_bytes, b += product->stride_b * first * row->input_bytes,
            c += product->stride_c * first * row->output_bytes;
    u32 m = (u32)product->m, n = (u32)product->n, k = (u32)product->k;
    u32 transposed = (product->transposed_a != 0) | (u32)(product->transposed_b != 0) << 1;
    int64_t lda = product->lda, ldb = product->ldb, ldc = product->ldc;
    int64_t stride_a = product->stride_a, stride_b = product->stride_b, stride_c = product->stride_c;
    int error = blas_number(blas, row->scale, product->alpha, &alpha);
    if (error == GPU_none)
        error = blas_number(blas, row->scale, product->beta, &beta);
    if (error != GPU_none)
        return error;
    const bool lists = product->lists;
    void *arguments[] = {&m,
                         &n,
                         &k,
                         &transposed,
                         &alpha.value,
                         &alpha.at,
                         lists ? &none : &a,
                         &lda,
                         &stride_a,
                         lists ? &none : &b,
                         &ldb,
                         &stride_b,
                         &beta.value,
                         &beta.at,
                         lists ? &none : &c,
                         &ldc,
                         &stride_c,
                         lists ? &a : &none,
                         lists ? &b : &none,
                         lists ? &c : &none};
    snprintf(kernel, sizeof kernel, "warpsweep_gemm_%s%s", row->kernel, side == SIDE ? "_small" : "");
    return blas_run(blas, &(struct blas_launch){kernel, {(m + side - 1) / side, (n + side - 1) / side, (u32)count}, {SIDE, SIDE}},
                    arguments);
}

int blas_scale_type(const struct blas_product *product)
{
    static const int types[] = {[BLAS_f32] = R_32F, [BLAS_f64] = R_64F, [BLAS_f16] = R_16F, [BLAS_s32] = R_32I};
    const struct row *const row = find_row(product);
    return row ? types[row->scale] : -1;
}

int blas_multiply(const struct blas *blas, struct blas_product product)
{
    const struct row *const row = find_row(&product);
    int error = check(&product);
    if (error != GPU_none)
        return error;
    if (!row)
        return gpu_uncovered("a product of types %d and %d to type %d, computed as %d (cudaDataType, cublasComputeType)",
                             product.type_a, product.type_b, product.type_c, product.compute);
    const u32 side = side_of(&product);
    const int64_t most = (int64_t)MOST_SIDE * side;
    for (int64_t column = 0; product.m > 0 && column < product.n; column += most) {
        const struct blas_product part = columns_of(product, row, column, most);
        for (int64_t first = 0; error == GPU_none && first < part.count; first += MOST_SIDE)
            error = run_part(blas, &part, row, side, first);
    }
    return error;
}

/* ---- One type ---- */

#define PRODUCT(operation_a, operation_b, ...)                                                                                     \
    blas_multiply(blas, (struct blas_product){.transposed_a = (operation_a),                                                       \
                                              .transposed_b = (operation_b),                                                       \
                                              .m = m,                                                                              \
                                              .n = n,                                                                              \
                                              .k = k,                                                                              \
                                              .alpha = alpha,                                                                      \
                                              .a = a,                                                                              \
                                              .lda = lda,                                                                          \
                                              .b = b,                                                                              \
                                              .ldb = ldb,                                                                          \
                                              .beta = beta,                                                                        \
                                              .c = c,                                                                              \
                                              .ldc = ldc,                                                                          \
                                              __VA_ARGS__})
#define TYPES(type, way) .type_a = (type), .type_b = (type), .type_c = (type), .compute = (way)

#define GEMMS(plain, letter, type, way)                                                                                            \
    BLAS(plain,                                                                                                                    \
         (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,       \
          int ldb, const void *beta, void *c, int ldc),                                                                            \
         PRODUCT(ta, tb, .count = 1, TYPES(type, way)))                                                                            \
    BLAS(cublas##letter##gemmBatched,                                                                                              \
         (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,       \
          int ldb, const void *beta, void *c, int ldc, int count),                                                                 \
         PRODUCT(ta, tb, .count = count, .lists = true, TYPES(type, way)))                                                         \
    BLAS(cublas##letter##gemmStridedBatched,                                                                                       \
         (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda, long long stride_a,  \
          const void *b, int ldb, long long stride_b, const void *beta, void *c, int ldc, long long stride_c, int count),          \
         PRODUCT(ta, tb, .stride_a = stride_a, .stride_b = stride_b, .stride_c = stride_c, .count = count, TYPES(type, way)))
GEMMS(cublasSgemm_v2, S, R_32F, COMPUTE_32F)
GEMMS(cublasDgemm_v2, D, R_64F, COMPUTE_64F)
GEMMS(cublasHgemm, H, R_16F, COMPUTE_16F)

/* ---- Types as arguments ---- */

BLAS(cublasSgemmEx,
     (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int type_a, int lda, const void *b,
      int type_b, int ldb, const void *beta, void *c, int type_c, int ldc),
     PRODUCT(ta, tb, .count = 1, .type_a = type_a, .type_b = type_b, .type_c = type_c, .compute = COMPUTE_32F))

/* The last argument of these chooses an algorithm: there is one. */
BLAS(cublasGemmEx,
     (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int type_a, int lda, const void *b,
      int type_b, int ldb, const void *beta, void *c, int type_c, int ldc, int compute),
     PRODUCT(ta, tb, .count = 1, .type_a = type_a, .type_b = type_b, .type_c = type_c, .compute = compute))
BLAS(cublasGemmBatchedEx,
     (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int type_a, int lda, const void *b,
      int type_b, int ldb, const void *beta, void *c, int type_c, int ldc, int count, int compute),
     PRODUCT(ta, tb, .count = count, .lists = true, .type_a = type_a, .type_b = type_b, .type_c = type_c, .compute = compute))
BLAS(cublasGemmStridedBatchedEx,
     (struct blas * blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int type_a, int lda,
      long long stride_a, const void *b, int type_b, int ldb, long long stride_b, const void *beta, void *c, int type_c, int ldc,
      long long stride_c, int count, int compute),
     PRODUCT(ta, tb, .stride_a = stride_a, .stride_b = stride_b, .stride_c = stride_c, .count = count, .type_a = type_a,
             .type_b = type_b, .type_c = type_c, .compute = compute))
