/* cuBLASLt: products with what follows them. Sources: cuBLASLt section of the cuBLAS reference; binary interface of libcublasLt. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/blas/blas.h"

/* ---- Descriptors: values by the number of their attribute, in the space that programs have for them ---- */

enum {
    LAYOUT_TYPE,
    LAYOUT_ORDER,
    LAYOUT_ROWS,
    LAYOUT_COLUMNS,
    LAYOUT_LD,
    LAYOUT_COUNT,
    LAYOUT_STRIDE,
    LAYOUT_PLANE,
    LAYOUT_VALUES
};
enum {
    DESC_COMPUTE,
    DESC_SCALE,
    DESC_POINTERS,
    DESC_TRANSPOSED_A,
    DESC_TRANSPOSED_B,
    DESC_TRANSPOSED_C,
    DESC_FILL,
    DESC_EPILOGUE,
    DESC_BIAS,
    DESC_BIAS_STRIDE = 10,
    DESC_AUX,
    DESC_AUX_LD,
    DESC_AUX_STRIDE,
    DESC_ALPHA_STRIDE = 14,
    DESC_SM_COUNT,
    DESC_AUX_TYPE = 22,
    DESC_FAST = 25,
    DESC_BIAS_TYPE,
    DESC_VALUES = 32
};
enum { FULL = 2, NO_TYPE = -1, PREFERENCE_BYTES = 64 };

struct layout {
    u64 values[LAYOUT_VALUES];
};

struct desc {
    u64 values[DESC_VALUES];
};

static int init_layout(struct layout *layout, int type, u64 rows, u64 columns, int64_t ld)
{
    *layout = (struct layout){
        {[LAYOUT_TYPE] = (u32)type, [LAYOUT_ROWS] = rows, [LAYOUT_COLUMNS] = columns, [LAYOUT_LD] = (u64)ld, [LAYOUT_COUNT] = 1}};
    return GPU_none;
}

static int init_desc(struct desc *desc, int compute, int scale)
{
    *desc = (struct desc){{[DESC_COMPUTE] = (u32)compute,
                           [DESC_SCALE] = (u32)scale,
                           [DESC_FILL] = FULL,
                           [DESC_EPILOGUE] = 1,
                           [DESC_AUX_TYPE] = (u32)NO_TYPE,
                           [DESC_BIAS_TYPE] = (u32)NO_TYPE}};
    return GPU_none;
}

static int set_value(u64 *values, u32 count, u32 attribute, const void *from, size_t bytes)
{
    u64 value = 0;
    if (!from || bytes > sizeof value)
        return gpu_fail(GPU_value, "found %zu bytes of attribute %u, allowed are at most 8", bytes, attribute);
    memcpy(&value, from, bytes);
    if (attribute < count) {
        values[attribute] = value;
        return GPU_none;
    }
    return value == 0 ? GPU_none : gpu_uncovered("attribute %u of a descriptor", attribute);
}

static int get_value(const u64 *values, u32 count, u32 attribute, void *to, size_t bytes, size_t *written)
{
    if (attribute >= count)
        return gpu_uncovered("attribute %u of a descriptor", attribute);
    if (to)
        memcpy(to, &values[attribute], bytes < sizeof *values ? bytes : sizeof *values);
    if (written)
        *written = bytes < sizeof *values ? bytes : sizeof *values;
    return GPU_none;
}

static int make(void **to, size_t bytes)
{
    *to = calloc(1, bytes);
    return *to ? GPU_none : GPU_memory;
}

static int release(void *descriptor)
{
    free(descriptor);
    return GPU_none;
}

#define TOO_SMALL(bytes, type)                                                                                                     \
    ((bytes) < sizeof(type)                                                                                                        \
         ? gpu_fail(GPU_value, "found %zu bytes for a descriptor, allowed are at least %zu", bytes, sizeof(type))                  \
         : GPU_none)

BLAS_ALONE(cublasLtMatrixLayoutCreate, (struct layout * *layout, int type, u64 rows, u64 columns, int64_t ld),
           make((void **)layout, sizeof **layout) == GPU_none ? init_layout(*layout, type, rows, columns, ld) : GPU_memory)
BLAS_ALONE(cublasLtMatrixLayoutInit_internal, (struct layout * layout, size_t bytes, int type, u64 rows, u64 columns, int64_t ld),
           TOO_SMALL(bytes, *layout) == GPU_none ? init_layout(layout, type, rows, columns, ld) : GPU_value)
BLAS_ALONE(cublasLtMatrixLayoutDestroy, (struct layout * layout), release(layout))
BLAS_ALONE(cublasLtMatrixLayoutSetAttribute, (struct layout * layout, u32 attribute, const void *from, size_t bytes),
           set_value(layout->values, LAYOUT_VALUES, attribute, from, bytes))
BLAS_ALONE(cublasLtMatrixLayoutGetAttribute, (const struct layout *layout, u32 attribute, void *to, size_t bytes, size_t *written),
           get_value(layout->values, LAYOUT_VALUES, attribute, to, bytes, written))
BLAS_ALONE(cublasLtMatmulDescCreate, (struct desc * *desc, int compute, int scale),
           make((void **)desc, sizeof **desc) == GPU_none ? init_desc(*desc, compute, scale) : GPU_memory)
BLAS_ALONE(cublasLtMatmulDescInit_internal, (struct desc * desc, size_t bytes, int compute, int scale),
           TOO_SMALL(bytes, *desc) == GPU_none ? init_desc(desc, compute, scale) : GPU_value)
BLAS_ALONE(cublasLtMatmulDescDestroy, (struct desc * desc), release(desc))
BLAS_ALONE(cublasLtMatmulDescSetAttribute, (struct desc * desc, u32 attribute, const void *from, size_t bytes),
           set_value(desc->values, DESC_VALUES, attribute, from, bytes))
BLAS_ALONE(cublasLtMatmulDescGetAttribute, (const struct desc *desc, u32 attribute, void *to, size_t bytes, size_t *written),
           get_value(desc->values, DESC_VALUES, attribute, to, bytes, written))

/* Preferences choose among algorithms: there is one. */
BLAS_ALONE(cublasLtMatmulPreferenceCreate, (void **preference), make(preference, PREFERENCE_BYTES))
BLAS_ALONE(cublasLtMatmulPreferenceInit_internal, (void *preference, size_t bytes), (memset(preference, 0, bytes), GPU_none))
BLAS_ALONE(cublasLtMatmulPreferenceDestroy, (void *preference), release(preference))
BLAS_ALONE(cublasLtMatmulPreferenceSetAttribute, (const void *preference, u32 attribute, const void *from, size_t bytes),
           preference &&from &&bytes + attribute > 0 ? GPU_none : GPU_value)

/* ---- Handles and versions ---- */

BLAS_ALONE(cublasLtCreate, (struct blas * *to), blas_create(to))
BLAS(cublasLtDestroy, (struct blas * blas), blas_destroy(blas))

EXPORTED size_t cublasLtGetVersion(void);
EXPORTED size_t cublasLtGetVersion(void)
{
    return 130000;
}

/* ---- Products ---- */

enum {
    EPILOGUE_NONE = 1,
    RELU = 2,
    BIAS = 4,
    GELU = 32,
    DGELU = 64,
    KEEPS = 128,
    GROUP = 256,
    MOST_SIDE = 65535,
    MOST_SIZE = INT32_MAX
};

struct matmul {
    const struct desc *desc;
    const void *alpha, *a, *b, *beta, *c;
    void *d;
    const struct layout *of_a, *of_b, *of_c, *of_d;
};

/* A matrix in rows is one in columns, transposed. */
static bool is_in_rows(const struct layout *layout)
{
    return layout->values[LAYOUT_ORDER] == 1;
}

static int check_layout(const char *name, const struct layout *layout, const struct layout *of_d)
{
    const u64 *const values = layout->values;
    const int64_t least = (int64_t)values[is_in_rows(layout) ? LAYOUT_COLUMNS : LAYOUT_ROWS];
    if (layout->values[LAYOUT_ORDER] > 1 || layout->values[LAYOUT_PLANE])
        return gpu_uncovered("the order of matrix %s: covered are columns and rows (CUBLASLT_ORDER_COL, _ROW)", name);
    if (values[LAYOUT_ROWS] > MOST_SIZE || values[LAYOUT_COLUMNS] > MOST_SIZE)
        return gpu_uncovered("matrix %s of %" PRIu64 " x %" PRIu64 ": covered are up to %d rows and columns", name,
                             values[LAYOUT_ROWS], values[LAYOUT_COLUMNS], MOST_SIZE);
    if ((i32)values[LAYOUT_COUNT] != (i32)of_d->values[LAYOUT_COUNT])
        return gpu_fail(GPU_value, "found %d matrices %s and %d matrices D, allowed are equal numbers", (i32)values[LAYOUT_COUNT],
                        name, (i32)of_d->values[LAYOUT_COUNT]);
    if ((int64_t)values[LAYOUT_LD] < least)
        return gpu_fail(GPU_value, "found leading dimension %" PRId64 " of matrix %s, allowed is at least %" PRId64,
                        (int64_t)values[LAYOUT_LD], name, least);
    return GPU_none;
}

/* What is set in a descriptor and has no effect here: hints, and what belongs to something that is not set. */
static bool is_ignored(u32 attribute)
{
    return attribute <= DESC_AUX_STRIDE || attribute == DESC_ALPHA_STRIDE || attribute == DESC_SM_COUNT ||
           attribute == DESC_AUX_TYPE || attribute == DESC_FAST || attribute == DESC_BIAS_TYPE;
}

static int check_desc(const struct matmul *call)
{
    const u64 *const values = call->desc->values;
    if (values[DESC_POINTERS] > 1 || values[DESC_TRANSPOSED_C] || values[DESC_FILL] != FULL)
        return gpu_uncovered("vectors of alpha, a transposed C or parts of matrices in cuBLASLt");
    if (values[DESC_TRANSPOSED_A] > 2 || values[DESC_TRANSPOSED_B] > 2)
        return gpu_fail(GPU_value, "found operations %" PRIu64 " and %" PRIu64 ", allowed are 0 (N), 1 (T) and 2 (C)",
                        values[DESC_TRANSPOSED_A], values[DESC_TRANSPOSED_B]);
    for (u32 n = 0; n < DESC_VALUES; n++)
        if (!is_ignored(n) && values[n])
            return gpu_uncovered("attribute %u of a product of cuBLASLt: scales, maxima and chunks of matrices", n);
    if (values[DESC_EPILOGUE] & KEEPS && values[DESC_AUX_LD] < call->of_d->values[LAYOUT_ROWS])
        return gpu_fail(GPU_value, "found leading dimension %" PRIu64 " of the input that is kept, allowed is at least %" PRIu64,
                        values[DESC_AUX_LD], call->of_d->values[LAYOUT_ROWS]);
    return GPU_none;
}

static int check(const struct matmul *call)
{
    static const int covered[] = {EPILOGUE_NONE,       RELU,         BIAS, RELU | BIAS, GELU, GELU | BIAS, GELU | KEEPS,
                                  GELU | KEEPS | BIAS, DGELU | KEEPS};
    const u64 *const values = call->desc->values;
    const int type = (int)call->of_d->values[LAYOUT_TYPE], bias = (int)values[DESC_BIAS_TYPE], aux = (int)values[DESC_AUX_TYPE];
    bool good = false;
    for (size_t n = 0; n < sizeof covered / sizeof *covered; n++)
        good |= values[DESC_EPILOGUE] == (u64)covered[n];
    if (!good)
        return gpu_uncovered("epilogue %" PRIu64 " of cuBLASLt: covered are bias, ReLU, GELU (also with its input kept) and DGELU",
                             values[DESC_EPILOGUE]);
    if ((values[DESC_EPILOGUE] & BIAS && bias != NO_TYPE && bias != type) ||
        (values[DESC_EPILOGUE] & KEEPS && aux != NO_TYPE && aux != type))
        return gpu_uncovered("a bias, or an input kept, of another type than D in cuBLASLt");
    int error = check_desc(call);
    error = error == GPU_none ? check_layout("A", call->of_a, call->of_d) : error;
    error = error == GPU_none ? check_layout("B", call->of_b, call->of_d) : error;
    error = error == GPU_none ? check_layout("C", call->of_c, call->of_d) : error;
    return error == GPU_none ? check_layout("D", call->of_d, call->of_d) : error;
}

/* The product with C and D in columns of m. */
static int describe(const struct matmul *call, struct blas_product *product)
{
    const u64 *const desc = call->desc->values, *const a = call->of_a->values, *const b = call->of_b->values,
                     *const c = call->of_c->values, *const d = call->of_d->values;
    const bool turn_a = desc[DESC_TRANSPOSED_A] != 0, turn_b = desc[DESC_TRANSPOSED_B] != 0;
    const u64 k = turn_a ? a[LAYOUT_ROWS] : a[LAYOUT_COLUMNS];
    if ((turn_a ? a[LAYOUT_COLUMNS] : a[LAYOUT_ROWS]) != d[LAYOUT_ROWS] ||
        (turn_b ? b[LAYOUT_ROWS] : b[LAYOUT_COLUMNS]) != d[LAYOUT_COLUMNS] || (turn_b ? b[LAYOUT_COLUMNS] : b[LAYOUT_ROWS]) != k)
        return gpu_fail(GPU_value,
                        "found matrices A, B and D that do not fit: %" PRIu64 " x %" PRIu64 ", %" PRIu64 " x %" PRIu64 ", %" PRIu64
                        " x %" PRIu64,
                        a[LAYOUT_ROWS], a[LAYOUT_COLUMNS], b[LAYOUT_ROWS], b[LAYOUT_COLUMNS], d[LAYOUT_ROWS], d[LAYOUT_COLUMNS]);
    if (c[LAYOUT_ROWS] != d[LAYOUT_ROWS] || c[LAYOUT_COLUMNS] != d[LAYOUT_COLUMNS])
        return gpu_fail(GPU_value,
                        "found C of %" PRIu64 " x %" PRIu64 " and D of %" PRIu64 " x %" PRIu64 ", allowed are equal sizes",
                        c[LAYOUT_ROWS], c[LAYOUT_COLUMNS], d[LAYOUT_ROWS], d[LAYOUT_COLUMNS]);
    *product = (struct blas_product){.transposed_a = turn_a != is_in_rows(call->of_a),
                                     .transposed_b = turn_b != is_in_rows(call->of_b),
                                     .m = (int64_t)d[LAYOUT_ROWS],
                                     .n = (int64_t)d[LAYOUT_COLUMNS],
                                     .k = (int64_t)k,
                                     .lda = (int64_t)a[LAYOUT_LD],
                                     .ldb = (int64_t)b[LAYOUT_LD],
                                     .ldc = (int64_t)d[LAYOUT_ROWS],
                                     .stride_a = (int64_t)a[LAYOUT_STRIDE],
                                     .stride_b = (int64_t)b[LAYOUT_STRIDE],
                                     .stride_c = (int64_t)(d[LAYOUT_ROWS] * d[LAYOUT_COLUMNS]),
                                     .count = (int64_t)(i32)d[LAYOUT_COUNT],
                                     .type_a = (int)a[LAYOUT_TYPE],
                                     .type_b = (int)b[LAYOUT_TYPE],
                                     .type_c = (int)d[LAYOUT_TYPE],
                                     .compute = (int)desc[DESC_COMPUTE],
                                     .alpha = call->alpha,
                                     .a = call->a,
                                     .b = call->b,
                                     .beta = call->beta,
                                     .c = call->d};
    const int scale = blas_scale_type(product);
    if (scale < 0)
        return gpu_uncovered("a product of types %d and %d to type %d, computed as %d (cudaDataType, cublasComputeType)",
                             product->type_a, product->type_b, product->type_c, product->compute);
    if (desc[DESC_SCALE] != (u64)scale)
        return gpu_uncovered(
            "alpha and beta of type %d for a product of cuBLASLt computed as %d: covered is type %d (cudaDataType)",
            (int)desc[DESC_SCALE], product->compute, scale);
    return GPU_none;
}

/* Whether beta may be other than 0. */
static bool reads_c(const struct matmul *call)
{
    const int type = (int)call->desc->values[DESC_SCALE];
    u64 bits = 0;
    if (!call->beta || call->desc->values[DESC_POINTERS])
        return true;
    const size_t bytes = type == R_64F ? sizeof(double) : type == R_16F ? sizeof(u16) : sizeof(u32);
    memcpy(&bits, call->beta, bytes);
    return bits << (8 * (sizeof bits - bytes)) << 1 != 0; /* without its sign */
}

/* Whether cublasGemmStridedBatchedEx does the same. */
static bool is_plain(const struct matmul *call)
{
    return call->desc->values[DESC_EPILOGUE] == EPILOGUE_NONE && !is_in_rows(call->of_d) &&
           (!reads_c(call) || (call->c == call->d && memcmp(call->of_c, call->of_d, sizeof *call->of_c) == 0));
}

static int follow(const struct blas *blas, const struct matmul *call, const struct blas_product *product, const char *type)
{
    const u64 *const desc = call->desc->values, *const c = call->of_c->values, *const d = call->of_d->values;
    int64_t c_row = is_in_rows(call->of_c) ? (int64_t)c[LAYOUT_LD] : 1,
            c_column = is_in_rows(call->of_c) ? 1 : (int64_t)c[LAYOUT_LD];
    int64_t d_row = is_in_rows(call->of_d) ? (int64_t)d[LAYOUT_LD] : 1,
            d_column = is_in_rows(call->of_d) ? 1 : (int64_t)d[LAYOUT_LD];
    int64_t c_matrix = (int64_t)c[LAYOUT_STRIDE], d_matrix = (int64_t)d[LAYOUT_STRIDE],
            bias_matrix = (int64_t)desc[DESC_BIAS_STRIDE];
    int64_t aux_column = (int64_t)desc[DESC_AUX_LD], aux_matrix = (int64_t)desc[DESC_AUX_STRIDE];
    u32 m = (u32)product->m, n = (u32)product->n, how = (u32)desc[DESC_EPILOGUE];
    const void *sum = product->c, *from = call->c, *bias = (const void *)(uintptr_t)desc[DESC_BIAS];
    void *to = call->d, *aux = (void *)(uintptr_t)desc[DESC_AUX];
    struct blas_number beta;
    char kernel[40];
    if ((how & BIAS && !bias) || (how & KEEPS && !aux))
        return gpu_fail(GPU_value, "found no address of the bias or of the input that is kept");
    if (blas_number(blas, BLAS_f32, call->beta, &beta) != GPU_none)
        return GPU_value;
    void *const arguments[] = {&m,     &n,           &how,      &sum,        &beta.value, &beta.at,  &from,
                               &c_row, &c_column,    &c_matrix, &to,         &d_row,      &d_column, &d_matrix,
                               &bias,  &bias_matrix, &aux,      &aux_column, &aux_matrix};
    snprintf(kernel, sizeof kernel, "warpsweep_epilogue_%s", type);
    return blas_run(
        blas,
        &(struct blas_launch){kernel, {(m + GROUP - 1) / GROUP, n < MOST_SIDE ? n : MOST_SIDE, (u32)product->count}, {GROUP, 1}},
        arguments);
}

/* The product in single precision in memory of its own, then what follows it. */
static int multiply_and_follow(const struct blas *blas, const struct matmul *call, struct blas_product *product)
{
    static const float zero = 0;
    static const char *const types[] = {[R_32F] = "f32", [R_16F] = "f16", [R_16BF] = "bf16"};
    const int type = product->type_c;
    const struct gpu_stream *const stream = gpu_stream_find(blas->stream);
    if (type < 0 || type > R_16BF || !types[type] || call->of_c->values[LAYOUT_TYPE] != (u64)type)
        return gpu_uncovered("a product of cuBLASLt with an epilogue, or with a C that is not D, of types %d and %d (cudaDataType)",
                             (int)call->of_c->values[LAYOUT_TYPE], type);
    if ((stream && stream->graph) || blas->device_pointers || product->count > MOST_SIDE)
        return gpu_uncovered(
            "an epilogue of cuBLASLt in a captured stream, with numbers on the device, or of more than %d matrices", MOST_SIDE);
    if (product->m <= 0 || product->n <= 0 || product->count <= 0)
        return GPU_none;
    struct gpu_range *const sum = gpu_memory_add(GPU_DEVICE, (u64)(product->m * product->n * product->count) * sizeof(float));
    if (!sum)
        return GPU_memory;
    product->c = (void *)(uintptr_t)sum->address;
    product->type_c = R_32F;
    product->beta = &zero;
    int error = blas_multiply(blas, *product);
    if (error == GPU_none)
        error = follow(blas, call, product, types[type]);
    gpu_memory_remove(sum);
    return error;
}

static int matmul(struct blas *handle, const struct matmul *call, void *stream)
{
    struct blas blas = *handle;
    struct blas_product product;
    int error = check(call);
    if (error == GPU_none)
        error = describe(call, &product);
    if (error == GPU_none && !gpu_stream_find(stream))
        error = gpu_fail(GPU_value, "%p is no stream", stream);
    if (error != GPU_none)
        return error;
    blas.stream = stream;
    blas.device_pointers = call->desc->values[DESC_POINTERS] == 1;
    if (!is_plain(call))
        return multiply_and_follow(&blas, call, &product);
    product.ldc = (int64_t)call->of_d->values[LAYOUT_LD];
    product.stride_c = (int64_t)call->of_d->values[LAYOUT_STRIDE];
    return blas_multiply(&blas, product);
}

BLAS(cublasLtMatmul,
     (struct blas * blas, const struct desc *desc, const void *alpha, const void *a, const struct layout *of_a, const void *b,
      const struct layout *of_b, const void *beta, const void *c, const struct layout *of_c, void *d, const struct layout *of_d,
      const void *algorithm, void *space, size_t bytes, void *stream),
     ((void)algorithm, (void)space, (void)bytes,
      matmul(blas, &(struct matmul){desc, alpha, a, b, beta, c, d, of_a, of_b, of_c ? of_c : of_d, of_d}, stream)))

/* ---- Algorithms: one, if the product is covered ---- */

struct heuristic {
    u64 algorithm[8];
    size_t space;
    int state;
    float waves;
    int reserved[4];
};

static int find(const struct matmul *call, int wanted, struct heuristic *results, int *found)
{
    struct blas_product product;
    *found = 0;
    int error = wanted < 1 ? gpu_fail(GPU_value, "found %d algorithms wanted, allowed is at least 1", wanted) : check(call);
    if (error == GPU_none)
        error = describe(call, &product);
    if (error != GPU_none)
        return error;
    *results = (struct heuristic){.waves = 1};
    *found = 1;
    return GPU_none;
}

BLAS(cublasLtMatmulAlgoGetHeuristic,
     (struct blas * blas, const struct desc *desc, const struct layout *of_a, const struct layout *of_b, const struct layout *of_c,
      const struct layout *of_d, const void *preference, int wanted, struct heuristic *results, int *found),
     ((void)preference, find(&(struct matmul){.desc = desc, .of_a = of_a, .of_b = of_b, .of_c = of_c ? of_c : of_d, .of_d = of_d},
                             wanted, results, found)))
