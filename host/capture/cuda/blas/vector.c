/* Vectors, and matrices with vectors. */
#include "capture/cuda/blas/blas.h"

enum { GROUP = 256, MOST_Y = 65535 };

static struct blas_launch launch_of(const char *kernel, int64_t n, int64_t columns)
{
    return (struct blas_launch){
        kernel, {(u32)((n + GROUP - 1) / GROUP), (u32)(columns < MOST_Y ? columns : MOST_Y), 1}, {GROUP, 1}};
}

static int check_step(int step)
{
    return step ? GPU_none : gpu_fail(GPU_value, "found an increment of 0");
}

/* ---- Vector to vector ---- */

/* An increment of 0 for x, which is only read, takes its first element for all. */
static int combine(const struct blas *blas, const char *kernel, enum blas_type type, int n, const void *alpha, const void *x,
                   int step_x, void *y, int step_y)
{
    struct blas_number number = {.at = NULL};
    int64_t x_step = step_x, y_step = step_y;
    const struct blas_launch launch = launch_of(kernel, n, 1);
    int error = y ? check_step(step_y) : GPU_none;
    if (error == GPU_none && alpha)
        error = blas_number(blas, type, alpha, &number);
    if (error != GPU_none || n <= 0)
        return error;
    void *const with[] = {&n, &number.value, &number.at, &x, &x_step, &y, &y_step};
    void *const without[] = {&n, &x, &x_step, &y, &y_step};
    return blas_run(blas, &launch, alpha ? with : without);
}

static int scale(const struct blas *blas, const char *kernel, enum blas_type type, int n, const void *alpha, void *x, int step)
{
    if (!alpha)
        return gpu_fail(GPU_value, "found a null pointer as alpha");
    const int error = check_step(step);
    return error == GPU_none ? combine(blas, kernel, type, n, alpha, x, step, NULL, 1) : error;
}

static int swap(const struct blas *blas, const char *kernel, enum blas_type type, int n, void *x, int step_x, void *y, int step_y)
{
    const int error = check_step(step_x);
    return error == GPU_none ? combine(blas, kernel, type, n, NULL, x, step_x, y, step_y) : error;
}

/* ---- Vectors to a number ---- */

/* The kernel writes to the program's memory of the device, or to the handle's and then to the host. */
static int reduce(const struct blas *blas, const char *kernel, u32 bytes, int n, void **arguments, u32 last, void *result)
{
    const struct blas_launch launch = launch_of(kernel, 1, 1);
    const struct gpu_stream *const stream = gpu_stream_find(blas->stream);
    void *to = blas->device_pointers ? result : (void *)(uintptr_t)blas->scratch->address;
    if (!result)
        return gpu_fail(GPU_value, "found a null pointer as result");
    if (!blas->device_pointers && stream && stream->graph)
        return gpu_uncovered("a captured call with a result for the host");
    u32 count = n > 0 ? (u32)n : 0;
    arguments[0] = &count;
    arguments[last] = &to;
    const int error = blas_run(blas, &launch, arguments);
    if (error == GPU_none && !blas->device_pointers)
        __builtin_memcpy(result, to, bytes);
    return error;
}

static int dot(const struct blas *blas, const char *kernel, u32 bytes, int n, const void *x, int step_x, const void *y, int step_y,
               void *result)
{
    int64_t x_step = step_x, y_step = step_y;
    void *arguments[] = {NULL, &x, &x_step, &y, &y_step, NULL};
    return reduce(blas, kernel, bytes, n, arguments, 5, result);
}

/* Norms of a vector, which is empty if its increment is not positive. */
static int norm(const struct blas *blas, const char *kernel, u32 bytes, int n, const void *x, int step, void *result)
{
    int64_t x_step = step;
    void *arguments[] = {NULL, &x, &x_step, NULL};
    return reduce(blas, kernel, bytes, step > 0 ? n : 0, arguments, 3, result);
}

static int extreme(const struct blas *blas, const char *kernel, int n, int sign, const void *x, int step, int *result)
{
    int64_t x_step = step;
    void *arguments[] = {NULL, &sign, &x, &x_step, NULL};
    return reduce(blas, kernel, sizeof *result, step > 0 ? n : 0, arguments, 4, result);
}

/* ---- Matrices ---- */

static int check_matrix(int transposed, int m, int n, int lda)
{
    if (transposed < 0 || transposed > 2)
        return gpu_fail(GPU_value, "found operation %d, allowed are 0 (N), 1 (T) and 2 (C)", transposed);
    const int error = blas_at_least("m", m, 0) | blas_at_least("n", n, 0);
    return error ? error : blas_at_least("lda", lda, m > 1 ? m : 1);
}

static int gemv(const struct blas *blas, const char *kernel, enum blas_type type, int transposed, int m, int n, const void *alpha,
                const void *a, int lda, const void *x, int step_x, const void *beta, void *y, int step_y)
{
    struct blas_number one, other;
    int64_t x_step = step_x, y_step = step_y, a_lda = lda;
    u32 turned = transposed != 0;
    const struct blas_launch launch = launch_of(kernel, transposed ? n : m, 1);
    int error = check_matrix(transposed, m, n, lda);
    error = error ? error : check_step(step_x);
    error = error ? error : check_step(step_y);
    error = error ? error : blas_number(blas, type, alpha, &one);
    error = error ? error : blas_number(blas, type, beta, &other);
    if (error || m == 0 || n == 0)
        return error;
    void *const arguments[] = {&m, &n, &turned, &one.value, &one.at, &a, &a_lda, &x, &x_step, &other.value, &other.at, &y, &y_step};
    return blas_run(blas, &launch, arguments);
}

static int ger(const struct blas *blas, const char *kernel, enum blas_type type, int m, int n, const void *alpha, const void *x,
               int step_x, const void *y, int step_y, void *a, int lda)
{
    struct blas_number number;
    int64_t x_step = step_x, y_step = step_y, a_lda = lda;
    const struct blas_launch launch = launch_of(kernel, m, n);
    int error = check_matrix(0, m, n, lda);
    error = error ? error : check_step(step_x);
    error = error ? error : check_step(step_y);
    error = error ? error : blas_number(blas, type, alpha, &number);
    if (error || m == 0 || n == 0)
        return error;
    void *const arguments[] = {&m, &n, &number.value, &number.at, &x, &x_step, &y, &y_step, &a, &a_lda};
    return blas_run(blas, &launch, arguments);
}

static int geam(const struct blas *blas, const char *kernel, enum blas_type type, int ta, int tb, int m, int n, const void *alpha,
                const void *a, int lda, const void *beta, const void *b, int ldb, void *c, int ldc)
{
    struct blas_number one, other;
    int64_t a_lda = lda, b_lda = ldb, c_lda = ldc;
    u32 turned = (ta != 0) | (u32)(tb != 0) << 1;
    const struct blas_launch launch = launch_of(kernel, m, n);
    int error = check_matrix(ta, ta ? n : m, n, lda);
    error = error ? error : check_matrix(tb, tb ? n : m, n, ldb);
    error = error ? error : check_matrix(0, m, n, ldc);
    error = error ? error : blas_number(blas, type, alpha, &one);
    error = error ? error : blas_number(blas, type, beta, &other);
    if (error || m == 0 || n == 0)
        return error;
    void *const arguments[] = {&m, &n, &turned, &one.value, &one.at, &a, &a_lda, &other.value, &other.at, &b, &b_lda, &c, &c_lda};
    return blas_run(blas, &launch, arguments);
}

/* ---- Functions ---- */

#define VECTORS(letter, lower, T)                                                                                                  \
    BLAS(cublas##letter##axpy_v2, (struct blas * blas, int n, const void *alpha, const void *x, int step_x, void *y, int step_y),  \
         alpha ? combine(blas, "warpsweep_axpy_" #T, BLAS_##T, n, alpha, x, step_x, y, step_y) : GPU_value)                        \
    BLAS(cublas##letter##copy_v2, (struct blas * blas, int n, const void *x, int step_x, void *y, int step_y),                     \
         combine(blas, "warpsweep_copy_" #T, BLAS_##T, n, NULL, x, step_x, y, step_y))                                             \
    BLAS(cublas##letter##swap_v2, (struct blas * blas, int n, void *x, int step_x, void *y, int step_y),                           \
         swap(blas, "warpsweep_swap_" #T, BLAS_##T, n, x, step_x, y, step_y))                                                      \
    BLAS(cublas##letter##scal_v2, (struct blas * blas, int n, const void *alpha, void *x, int step),                               \
         scale(blas, "warpsweep_scal_" #T, BLAS_##T, n, alpha, x, step))                                                           \
    BLAS(cublas##letter##dot_v2, (struct blas * blas, int n, const void *x, int step_x, const void *y, int step_y, void *result),  \
         dot(blas, "warpsweep_dot_" #T, BYTES_##T, n, x, step_x, y, step_y, result))                                               \
    BLAS(cublas##letter##nrm2_v2, (struct blas * blas, int n, const void *x, int step, void *result),                              \
         norm(blas, "warpsweep_nrm2_" #T, BYTES_##T, n, x, step, result))                                                          \
    BLAS(cublas##letter##asum_v2, (struct blas * blas, int n, const void *x, int step, void *result),                              \
         norm(blas, "warpsweep_asum_" #T, BYTES_##T, n, x, step, result))                                                          \
    BLAS(cublasI##lower##amax_v2, (struct blas * blas, int n, const void *x, int step, int *result),                               \
         extreme(blas, "warpsweep_iamax_" #T, n, 1, x, step, result))                                                              \
    BLAS(cublasI##lower##amin_v2, (struct blas * blas, int n, const void *x, int step, int *result),                               \
         extreme(blas, "warpsweep_iamax_" #T, n, -1, x, step, result))                                                             \
    BLAS(cublas##letter##gemv_v2,                                                                                                  \
         (struct blas * blas, int operation, int m, int n, const void *alpha, const void *a, int lda, const void *x, int step_x,   \
          const void *beta, void *y, int step_y),                                                                                  \
         gemv(blas, "warpsweep_gemv_" #T, BLAS_##T, operation, m, n, alpha, a, lda, x, step_x, beta, y, step_y))                   \
    BLAS(cublas##letter##ger_v2,                                                                                                   \
         (struct blas * blas, int m, int n, const void *alpha, const void *x, int step_x, const void *y, int step_y, void *a,      \
          int lda),                                                                                                                \
         ger(blas, "warpsweep_ger_" #T, BLAS_##T, m, n, alpha, x, step_x, y, step_y, a, lda))                                      \
    BLAS(cublas##letter##geam,                                                                                                     \
         (struct blas * blas, int ta, int tb, int m, int n, const void *alpha, const void *a, int lda, const void *beta,           \
          const void *b, int ldb, void *c, int ldc),                                                                               \
         geam(blas, "warpsweep_geam_" #T, BLAS_##T, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc))
#define BYTES_f32 4
#define BYTES_f64 8
VECTORS(S, s, f32)
VECTORS(D, d, f64)

/* ---- Between host and device ---- */

/* columns of rows elements, with so many elements from column to column; a vector has a column for each element. */
static int copy(int64_t rows, int64_t columns, int64_t bytes, const void *from, int64_t from_lead, void *to, int64_t to_lead)
{
    const struct gpu_task task = {.kind = GPU_TASK_copy,
                                  .copy = {.from = from,
                                           .to = to,
                                           .from_pitch = (u64)(from_lead * bytes),
                                           .to_pitch = (u64)(to_lead * bytes),
                                           .width = (u64)(rows * bytes),
                                           .height = (u64)columns,
                                           .depth = 1}};
    if (rows < 0 || columns < 0 || bytes <= 0 || from_lead < rows || to_lead < rows)
        return gpu_fail(GPU_value, "found %lld x %lld elements of %lld bytes with leading dimensions %lld and %lld",
                        (long long)rows, (long long)columns, (long long)bytes, (long long)from_lead, (long long)to_lead);
    const int error = gpu_copy_check(&task.copy);
    return error == GPU_none ? gpu_task_run(&task) : error;
}

#define COPY(name, parameters, ...)                                                                                                \
    EXPORTED int name parameters;                                                                                                  \
    EXPORTED int name parameters                                                                                                   \
    {                                                                                                                              \
        gpu_enter(#name);                                                                                                          \
        return blas_leave(gpu_broken() ? gpu_broken() : copy(__VA_ARGS__));                                                        \
    }
#define COPIES(way)                                                                                                                \
    COPY(cublas##way##Vector, (int n, int bytes, const void *x, int step_x, void *y, int step_y), 1, n, bytes, x, step_x, y,       \
         step_y)                                                                                                                   \
    COPY(cublas##way##Matrix, (int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb), rows, columns, bytes,  \
         a, lda, b, ldb)                                                                                                           \
    SAME(cublas##way##Vector, cublas##way##VectorAsync)                                                                            \
    SAME(cublas##way##Matrix, cublas##way##MatrixAsync)
COPIES(Set)
COPIES(Get)
