/* A program that calls cuBLAS by hand, and compares each product with a plain one of the host: blas CASE... */
#include "blas.h"

#include <math.h>

enum { N, T, C };
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_8I = 3, R_32I = 10, R_16BF = 14 };
enum { COMPUTE_16F = 64, COMPUTE_32F = 68, COMPUTE_32I = 72 };

static void *blas;

/* ---- Elements ---- */

static size_t bytes_of(int type)
{
    return type == R_64F ? 8 : type == R_8I ? 1 : type == R_16F || type == R_16BF ? 2 : 4;
}

static double get(int type, const void *data, size_t n)
{
    const unsigned short *const halves = data;
    unsigned word;
    float single;
    switch (type) {
    case R_64F:
        return ((const double *)data)[n];
    case R_8I:
        return ((const signed char *)data)[n];
    case R_32I:
        return ((const int *)data)[n];
    case R_16F: /* normal numbers and zero */
        word = halves[n] & 0x7FFF;
        return word ? (halves[n] & 0x8000 ? -1 : 1) * ldexp(1024 + (word & 1023), (int)(word >> 10) - 25) : 0;
    case R_16BF:
        word = (unsigned)halves[n] << 16;
        memcpy(&single, &word, 4);
        return single;
    default:
        return ((const float *)data)[n];
    }
}

/* Small multiples of 1/4, which all types but integers hold exactly. */
static void put(int type, void *data, size_t n, double value)
{
    const float single = (float)value;
    unsigned bits;
    int exponent;
    memcpy(&bits, &single, 4);
    switch (type) {
    case R_64F:
        ((double *)data)[n] = value;
        return;
    case R_8I:
        ((signed char *)data)[n] = (signed char)value;
        return;
    case R_32I:
        ((int *)data)[n] = (int)value;
        return;
    case R_16F:
        frexp(value, &exponent);
        ((unsigned short *)data)[n] =
            (unsigned short)(value == 0 ? 0 : (value < 0 ? 0x8000u : 0) | (unsigned)(exponent + 14) << 10 | (bits >> 13 & 1023));
        return;
    case R_16BF:
        ((unsigned short *)data)[n] = (unsigned short)(bits >> 16);
        return;
    default:
        ((float *)data)[n] = single;
    }
}

/* ---- Matrices on the device ---- */

struct matrix {
    int type;
    size_t count;
    void *host, *device;
};

static struct matrix make(int type, size_t count, unsigned seed)
{
    struct matrix matrix = {type, count, malloc(count * bytes_of(type)), NULL};
    for (size_t n = 0; n < count; n++) {
        seed = seed * 1664525 + 1013904223;
        const int number = (int)(seed >> 24) % 9 - 4;
        put(type, matrix.host, n, type == R_8I || type == R_32I ? number : number * 0.25);
    }
    CHECK(cudaMalloc(&matrix.device, count * bytes_of(type)));
    CHECK(cudaMemcpy(matrix.device, matrix.host, count * bytes_of(type), 1));
    return matrix;
}

static void drop(struct matrix *matrix)
{
    free(matrix->host);
    CHECK(cudaFree(matrix->device));
}

/* ---- A product, and what it must be ---- */

struct product {
    int ta, tb, m, n, k, lda, ldb, ldc;
    double alpha, beta;
};

static double element(const struct matrix *a, int turned, int lda, int row, int column)
{
    return get(a->type, a->host, (size_t)(turned ? column + row * lda : row + column * lda));
}

/* Whether the device's matrix is the product, with as many bits as its type has; elements beyond it are as they were. */
static void compare(const char *what, const struct product *p, const struct matrix *a, const struct matrix *b,
                    const struct matrix *c)
{
    const double step = c->type == R_16F ? 0x1p-10 : c->type == R_16BF ? 0x1p-7 : c->type == R_64F ? 1e-13 : 1e-6;
    void *const found = malloc(c->count * bytes_of(c->type));
    CHECK(cudaMemcpy(found, c->device, c->count * bytes_of(c->type), 2));
    for (size_t n = 0; n < c->count; n++) {
        const int row = (int)n % p->ldc, column = (int)n / p->ldc;
        double want = get(c->type, c->host, n), sum = 0;
        for (int q = 0; row < p->m && q < p->k; q++)
            sum += element(a, p->ta, p->lda, row, q) * element(b, p->tb, p->ldb, q, column);
        want = row < p->m ? p->alpha * sum + p->beta * want : want;
        const double have = get(c->type, found, n);
        if (fabs(have - want) > step * (fabs(want) + 1)) {
            printf("%s: operations %d %d, %d x %d x %d: element %d, %d is %g, not %g\n", what, p->ta, p->tb, p->m, p->n, p->k, row,
                   column, have, want);
            exit(1);
        }
    }
    free(found);
}

/* ---- Cases ---- */

/* Leading dimensions beyond what is needed; edges of tiles; each operation. */
static const struct product products[] = {
    {N, N, 5, 3, 7, 8, 9, 6, 1, 0},       {T, N, 33, 30, 17, 20, 18, 40, 1, 0}, {N, T, 40, 70, 20, 41, 75, 44, 0.5, 2},
    {T, T, 65, 66, 16, 16, 67, 65, 1, 1}, {C, N, 16, 1, 40, 40, 40, 16, 2, 0},  {N, N, 70, 30, 0, 70, 1, 70, 1, 0.5},
};
enum { PRODUCTS = sizeof products / sizeof *products };

static void run_types(int type, int result, int compute)
{
    for (int n = 0; n < PRODUCTS; n++) {
        const struct product *const p = &products[n];
        if (compute == COMPUTE_32I && p->alpha != (int)p->alpha)
            continue;
        struct matrix a = make(type, (size_t)p->lda * (size_t)(p->ta ? p->m : p->k + 1), 1);
        struct matrix b = make(type, (size_t)p->ldb * (size_t)(p->tb ? p->k : p->n), 2);
        struct matrix c = make(result, (size_t)p->ldc * (size_t)p->n, 3);
        double scales[2];
        const int scale = compute == COMPUTE_32I ? R_32I : compute == COMPUTE_16F ? R_16F : type == R_64F ? R_64F : R_32F;
        struct product rounded = *p;
        put(scale, &scales[0], 0, p->alpha);
        put(scale, &scales[1], 0, p->beta);
        rounded.beta = get(scale, &scales[1], 0);
        CHECK(cublasGemmEx(blas, p->ta, p->tb, p->m, p->n, p->k, &scales[0], a.device, type, p->lda, b.device, type, p->ldb,
                           &scales[1], c.device, result, p->ldc, compute, -1));
        compare("GemmEx", &rounded, &a, &b, &c);
        drop(&a), drop(&b), drop(&c);
    }
}

static void run_products(void)
{
    static const int ways[][3] = {{R_32F, R_32F, 68}, {R_32F, R_32F, 77}, {R_64F, R_64F, 70},   {R_16F, R_16F, 68},
                                  {R_16F, R_16F, 64}, {R_16F, R_32F, 68}, {R_16BF, R_16BF, 68}, {R_16BF, R_32F, 68},
                                  {R_8I, R_32I, 72},  {R_8I, R_32F, 68}};
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++)
        run_types(ways[n][0], ways[n][1], ways[n][2]);
    for (int n = 0; n < PRODUCTS; n++) {
        const struct product *const p = &products[n];
        struct matrix a = make(R_32F, (size_t)p->lda * (size_t)(p->ta ? p->m : p->k + 1), 1);
        struct matrix b = make(R_32F, (size_t)p->ldb * (size_t)(p->tb ? p->k : p->n), 2);
        struct matrix c = make(R_32F, (size_t)p->ldc * (size_t)p->n, 3);
        const float alpha = (float)p->alpha, beta = (float)p->beta;
        CHECK(cublasSgemm_v2(blas, p->ta, p->tb, p->m, p->n, p->k, &alpha, a.device, p->lda, b.device, p->ldb, &beta, c.device,
                             p->ldc));
        compare("Sgemm", p, &a, &b, &c);
        drop(&a), drop(&b), drop(&c);
    }
}

/* Three matrices at strides, then the same by lists of addresses, with alpha and beta on the device. */
static void run_batches(void)
{
    enum { COUNT = 3 };
    const struct product p = {N, T, 10, 11, 12, 10, 11, 10, 1, 1};
    const size_t sizes[] = {120, 132, 110};
    struct matrix all[3][COUNT], whole[3];
    const double one = 1;
    void *lists[3], *on_device;
    for (int n = 0; n < 3; n++) {
        void *addresses[COUNT];
        whole[n] = make(R_64F, sizes[n] * COUNT, (unsigned)n);
        for (int i = 0; i < COUNT; i++) {
            all[n][i] = (struct matrix){R_64F, sizes[n], (double *)whole[n].host + sizes[n] * (size_t)i,
                                        (double *)whole[n].device + sizes[n] * (size_t)i};
            addresses[i] = all[n][i].device;
        }
        CHECK(cudaMalloc(&lists[n], sizeof addresses));
        CHECK(cudaMemcpy(lists[n], addresses, sizeof addresses, 1));
    }
    CHECK(cublasDgemmStridedBatched(blas, p.ta, p.tb, p.m, p.n, p.k, &one, whole[0].device, p.lda, 120, whole[1].device, p.ldb, 132,
                                    &one, whole[2].device, p.ldc, 110, COUNT));
    for (int i = 0; i < COUNT; i++)
        compare("DgemmStridedBatched", &p, &all[0][i], &all[1][i], &all[2][i]);
    CHECK(cudaMemcpy(whole[2].device, whole[2].host, 110 * COUNT * sizeof(double), 1));
    CHECK(cudaMalloc(&on_device, sizeof one));
    CHECK(cudaMemcpy(on_device, &one, sizeof one, 1));
    CHECK(cublasSetPointerMode_v2(blas, 1));
    CHECK(cublasDgemmBatched(blas, p.ta, p.tb, p.m, p.n, p.k, on_device, lists[0], p.lda, lists[1], p.ldb, on_device, lists[2],
                             p.ldc, COUNT));
    for (int i = 0; i < COUNT; i++)
        compare("DgemmBatched", &p, &all[0][i], &all[1][i], &all[2][i]);
    CHECK(cublasSetPointerMode_v2(blas, 0));
}

static void run_vectors(void)
{
    enum { COUNT = 1000 };
    struct matrix x = make(R_32F, 2 * COUNT, 5), y = make(R_32F, COUNT, 6);
    const float *const xs = x.host, *const ys = y.host, alpha = 0.5f, beta = 2;
    float got, found[COUNT];
    double dot = 0, squares = 0, sum = 0;
    int place, most = 0;
    for (int n = 0; n < COUNT; n++) {
        dot += xs[2 * (COUNT - 1 - n)] * ys[n];
        squares += xs[2 * n] * xs[2 * n];
        sum += fabsf(xs[2 * n]);
        most = fabsf(xs[2 * n]) > fabsf(xs[2 * most]) ? n : most;
    }
    CHECK(cublasSdot_v2(blas, COUNT, x.device, -2, y.device, 1, &got));
    EXPECT(fabs(got - dot) < 1e-3);
    CHECK(cublasSnrm2_v2(blas, COUNT, x.device, 2, &got));
    EXPECT(fabs(got - sqrt(squares)) < 1e-3);
    CHECK(cublasSasum_v2(blas, COUNT, x.device, 2, &got));
    EXPECT(fabs(got - sum) < 1e-3);
    CHECK(cublasIsamax_v2(blas, COUNT, x.device, 2, &place));
    EXPECT(place == most + 1);
    CHECK(cublasSaxpy_v2(blas, COUNT, &alpha, x.device, 2, y.device, 1));
    CHECK(cublasSscal_v2(blas, COUNT, &beta, y.device, 1));
    CHECK(cudaMemcpy(found, y.device, sizeof found, 2));
    for (int n = 0; n < COUNT; n++)
        EXPECT(found[n] == 2 * (0.5f * xs[2 * n] + ys[n]));
    /* y = 2 A' x with A of 20 x 30, lda 25. */
    CHECK(cublasSetVector(30, 4, ys, 1, y.device, 1));
    CHECK(cublasSgemv_v2(blas, T, 20, 30, &beta, x.device, 25, (char *)y.device + 400, 1, &alpha, y.device, 1));
    CHECK(cublasGetVector(30, 4, y.device, 1, found, 1));
    CHECK(cublasGetVector(20, 4, (char *)y.device + 400, 1, found + 100, 1));
    for (int n = 0; n < 30; n++) {
        double want = 0.5 * ys[n];
        for (int i = 0; i < 20; i++)
            want += 2 * xs[i + 25 * n] * found[100 + i];
        EXPECT(fabs(found[n] - want) < 1e-4);
    }
    drop(&x), drop(&y);
}

/* A NaN is never the extreme, and hides no other. */
static void run_nans(void)
{
    static const float rows[][4] = {
        {1, NAN, 2, 5}, {NAN, 3, NAN, -1}, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, 0}, {-INFINITY, NAN, INFINITY, 1}};
    static const int most[] = {4, 2, 1, 4, 1}, least[] = {1, 4, 1, 4, 4};
    float *x, wide[600]; /* more than a work-group: each work-item has several */
    int place;
    CHECK(cudaMalloc((void **)&x, sizeof wide));
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        CHECK(cudaMemcpy(x, rows[n], sizeof rows[n], 1));
        CHECK(cublasIsamax_v2(blas, 4, x, 1, &place));
        EXPECT(place == most[n]);
        CHECK(cublasIsamin_v2(blas, 4, x, 1, &place));
        EXPECT(place == least[n]);
    }
    for (int n = 0; n < 600; n++)
        wide[n] = n < 256 ? NAN : (float)n;
    CHECK(cudaMemcpy(x, wide, sizeof wide, 1));
    CHECK(cublasIsamax_v2(blas, 600, x, 1, &place));
    EXPECT(place == 600);
    CHECK(cublasIsamin_v2(blas, 600, x, 1, &place));
    EXPECT(place == 257);
    CHECK(cudaFree(x));
}

/* An increment of 0 takes the first element of x for all. What is written needs another. */
static void run_zeros(void)
{
    const float xs[] = {3, 8, 9}, ys[] = {1, 2, 4}, alpha = 0.5f;
    float *x, *y, found[3];
    CHECK(cudaMalloc((void **)&x, sizeof xs));
    CHECK(cudaMalloc((void **)&y, sizeof ys));
    CHECK(cudaMemcpy(x, xs, sizeof xs, 1));
    CHECK(cudaMemcpy(y, ys, sizeof ys, 1));
    CHECK(cublasSaxpy_v2(blas, 3, &alpha, x, 0, y, 1));
    CHECK(cudaMemcpy(found, y, sizeof found, 2));
    EXPECT(found[0] == 2.5f && found[1] == 3.5f && found[2] == 5.5f);
    CHECK(cublasScopy_v2(blas, 3, x, 0, y, -1));
    CHECK(cudaMemcpy(found, y, sizeof found, 2));
    EXPECT(found[0] == 3 && found[1] == 3 && found[2] == 3);
    EXPECT(cublasScopy_v2(blas, 3, x, 1, y, 0) == 7);
    EXPECT(cublasSswap_v2(blas, 3, x, 0, y, 1) == 7);
    EXPECT(cublasSscal_v2(blas, 3, &alpha, x, 0) == 7);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}

/* More columns than the work-groups of one launch have, plain and by lists of addresses. B is a row, then a column. */
static void run_wide(void)
{
    enum { COLUMNS = 65535 * 16 + 5 };
    const float two = 2, one = 1, three = 3;
    float *const host = malloc(COLUMNS * sizeof *host), *device[3];
    void **lists[3];
    const size_t sizes[] = {sizeof three, COLUMNS * sizeof *host, COLUMNS * sizeof *host};
    for (int n = 0; n < COLUMNS; n++)
        host[n] = (float)n;
    for (int n = 0; n < 3; n++) {
        CHECK(cudaMalloc((void **)&device[n], sizes[n]));
        CHECK(cudaMemcpy(device[n], n ? host : &three, sizes[n], 1));
        CHECK(cudaMalloc((void **)&lists[n], sizeof(void *)));
        CHECK(cudaMemcpy(lists[n], &device[n], sizeof(void *), 1));
    }
    CHECK(cublasSgemm_v2(blas, N, N, 1, COLUMNS, 1, &two, device[0], 1, device[1], 1, &one, device[2], 1));
    CHECK(cublasSgemmBatched(blas, N, T, 1, COLUMNS, 1, &one, lists[0], 1, lists[1], COLUMNS, &one, lists[2], 1, 1));
    CHECK(cudaMemcpy(host, device[2], sizes[2], 2));
    for (int n = 0; n < COLUMNS; n++)
        EXPECT(host[n] == (float)n * 2 * 3 + (float)n + 3 * (float)n);
    for (int n = 0; n < 3; n++) {
        CHECK(cudaFree(device[n]));
        CHECK(cudaFree(lists[n]));
    }
    free(host);
}

/* Each with a status and a message. */
static void run_errors(void)
{
    const float one = 1;
    struct matrix a = make(R_32F, 16, 1);
    EXPECT(cublasSgemm_v2(blas, N, N, 4, 4, 4, &one, a.device, 3, a.device, 4, &one, a.device, 4) == 7);
    EXPECT(cublasSgemm_v2(NULL, N, N, 4, 4, 4, &one, a.device, 4, a.device, 4, &one, a.device, 4) == 1);
    EXPECT(cublasGemmEx(blas, N, N, 4, 4, 4, &one, a.device, 4, 4, a.device, 4, 4, &one, a.device, 4, 4, 68, -1) == 15);
    EXPECT(cublasCgemm_v2(blas) == 15);
    CHECK(cublasSgemm_v2(blas, N, N, 4, 4, 4, &one, a.device, 4, a.device, 4, &one, a.device, 4));
    drop(&a);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"products", run_products}, {"batches", run_batches}, {"vectors", run_vectors}, {"nans", run_nans},
                 {"zeros", run_zeros},       {"wide", run_wide},       {"errors", run_errors},   {"lt", run_lt}};
    CHECK(cublasCreate_v2(&blas));
    for (int a = 1; a < argc; a++)
        for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
            if (strcmp(argv[a], cases[n].name) == 0) {
                cases[n].run();
                printf("%s right\n", argv[a]);
            }
    CHECK(cublasDestroy_v2(blas));
    return 0;
}
