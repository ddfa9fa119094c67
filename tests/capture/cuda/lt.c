/* Products of cuBLASLt with each epilogue that is covered, compared with plain ones of the host. */
#include "blas.h"

#include <math.h>

enum { M = 33, COLUMNS = 5, K = 7, COUNT = 2, RELU = 2, BIAS = 4, GELU = 32, DGELU = 64, KEEPS = 128, BGRADB = 512 };
enum { A_ELEMENTS = K * M * COUNT, B_ELEMENTS = K * COLUMNS * COUNT, D_ELEMENTS = M * COLUMNS * COUNT };
enum {
    ORDER = 1,
    ROWS,
    LD = 4,
    BATCHES,
    STRIDE,
    SCALE = 1,
    TRANSPOSED_A = 3,
    TRANSPOSED_B,
    EPILOGUE = 7,
    BIAS_POINTER = 8,
    AUX_POINTER = 11,
    AUX_LD = 12,
    AUX_STRIDE,
    A_SCALE = 17,
    CHUNKS = 27
};

static float *numbers(int count, float first)
{
    void *made;
    CHECK(cudaMallocManaged(&made, (size_t)count * sizeof(float), 1));
    for (int n = 0; n < count; n++)
        ((float *)made)[n] = first + (float)(n * 7 % 11) * 0.25f - 1;
    return made;
}

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

/* Matrices follow one another; D is in rows. */
static void *layout(int rows, int columns, int in_rows)
{
    const long stride = (long)rows * columns;
    const int count = COUNT;
    void *made;
    CHECK(cublasLtMatrixLayoutCreate(&made, 0, (unsigned long)rows, (unsigned long)columns, in_rows ? columns : rows));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, ORDER, &in_rows, sizeof in_rows));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, BATCHES, &count, sizeof count));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, STRIDE, &stride, sizeof stride));
    return made;
}

struct call {
    void *handle, *desc, *layouts[4];
    float *a, *b, *c, *d, *bias, *aux, beta;
};

static void expect(const struct call *call, int epilogue, const float *kept)
{
    for (int n = 0; n < D_ELEMENTS; n++) {
        const int z = n / (M * COLUMNS), row = n % (M * COLUMNS) / COLUMNS, column = n % COLUMNS;
        const int in_columns = row + M * column + M * COLUMNS * z;
        double x = call->beta * (double)call->c[in_columns] + (epilogue & BIAS ? (double)call->bias[row] : 0);
        for (int k = 0; k < K; k++)
            x += 2.0 * (double)call->a[k + K * row + K * M * z] * (double)call->b[k + K * column + K * COLUMNS * z];
        if (epilogue & KEEPS && !(epilogue & DGELU))
            EXPECT(fabs((double)call->aux[in_columns] - x) < 1e-5 * (1 + fabs(x)));
        x = epilogue & RELU && x < 0 ? 0 : epilogue & GELU ? gelu(x) : x;
        if (epilogue & DGELU)
            x *= (gelu((double)kept[in_columns] + 1e-4) - gelu((double)kept[in_columns] - 1e-4)) / 2e-4;
        EXPECT(fabs((double)call->d[n] - x) < 1e-5 * (1 + fabs(x)));
    }
}

static int run(const struct call *call, int epilogue)
{
    const float alpha = 2;
    char preference[64], result[96];
    int found = -1;
    CHECK(cublasLtMatmulDescSetAttribute(call->desc, EPILOGUE, &epilogue, sizeof epilogue));
    const int status = cublasLtMatmulAlgoGetHeuristic(call->handle, call->desc, call->layouts[0], call->layouts[1],
                                                      call->layouts[2], call->layouts[3], preference, 1, result, &found);
    EXPECT(found == (status == 0));
    return status ? status
                  : cublasLtMatmul(call->handle, call->desc, &alpha, call->a, call->layouts[0], call->b, call->layouts[1],
                                   &call->beta, call->c, call->layouts[2], call->d, call->layouts[3], result, NULL, 0, NULL);
}

/* In double precision D is C, or beta is 0: others are refused, also where the low half of beta is 0. */
static void run_double(const struct call *call)
{
    const double alpha = 1, one = 1, zero = 0;
    const int none = 1;
    void *desc, *square, *made;
    CHECK(cublasLtMatmulDescCreate(&desc, 70, 1));
    CHECK(cublasLtMatmulDescSetAttribute(desc, EPILOGUE, &none, sizeof none));
    CHECK(cublasLtMatrixLayoutCreate(&square, 1, 1, 1, 1));
    CHECK(cudaMallocManaged(&made, 4 * sizeof(double), 1));
    double *const x = made; /* A, B, C, D */
    x[0] = 2, x[1] = 3, x[2] = 10, x[3] = 100;
    EXPECT(cublasLtMatmul(call->handle, desc, &alpha, x, square, x + 1, square, &one, x + 2, square, x + 3, square, NULL, NULL, 0,
                          NULL) == 15);
    EXPECT(x[3] == 100);
    CHECK(cublasLtMatmul(call->handle, desc, &alpha, x, square, x + 1, square, &zero, x + 2, square, x + 3, square, NULL, NULL, 0,
                         NULL));
    CHECK(cublasLtMatmul(call->handle, desc, &alpha, x, square, x + 1, square, &one, x + 2, square, x + 2, square, NULL, NULL, 0,
                         NULL));
    EXPECT(x[3] == 6 && x[2] == 16);
    CHECK(cublasLtMatrixLayoutDestroy(square));
    CHECK(cublasLtMatmulDescDestroy(desc));
    CHECK(cudaFree(made));
}

/* What differs from what is computed is refused: 7 where cuBLASLt does so, too (invalid value), 15 where it is not covered. */
static void run_refused(const struct call *call)
{
    static const struct {
        int layout, attribute; /* layout -1: of the product */
        long wrong, right;
        int status;
    } cases[] = {{0, LD, K - 1, K, 7},      {2, LD, M - 1, M, 7},     {3, LD, COLUMNS - 1, COLUMNS, 7},
                 {0, BATCHES, 1, COUNT, 7}, {2, ROWS, M + 1, M, 7},   {-1, TRANSPOSED_B, 3, 0, 7},
                 {-1, SCALE, 1, 0, 15},     {-1, A_SCALE, 64, 0, 15}, {-1, CHUNKS, 2, 0, 15}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        void *const at = cases[n].layout < 0 ? call->desc : call->layouts[cases[n].layout];
        int (*const set)(void *, unsigned, const void *, size_t) =
            cases[n].layout < 0 ? cublasLtMatmulDescSetAttribute : cublasLtMatrixLayoutSetAttribute;
        CHECK(set(at, (unsigned)cases[n].attribute, &cases[n].wrong, sizeof cases[n].wrong));
        EXPECT(run(call, RELU) == cases[n].status);
        CHECK(set(at, (unsigned)cases[n].attribute, &cases[n].right, sizeof cases[n].right));
    }
    const long small = M - 1, right = M;
    CHECK(cublasLtMatmulDescSetAttribute(call->desc, AUX_LD, &small, sizeof small));
    EXPECT(run(call, DGELU | KEEPS) == 7);
    CHECK(cublasLtMatmulDescSetAttribute(call->desc, AUX_LD, &right, sizeof right));
}

void run_lt(void)
{
    static const int epilogues[] = {1, BIAS, RELU, RELU | BIAS, GELU | BIAS, GELU | KEEPS | BIAS, DGELU | KEEPS};
    struct call call = {.layouts = {layout(K, M, 0), layout(K, COLUMNS, 0), layout(M, COLUMNS, 0), layout(M, COLUMNS, 1)},
                        .a = numbers(A_ELEMENTS, 0),
                        .b = numbers(B_ELEMENTS, -1),
                        .c = numbers(D_ELEMENTS, 1),
                        .d = numbers(D_ELEMENTS, 0),
                        .bias = numbers(M, -1),
                        .aux = numbers(D_ELEMENTS, 0)};
    const int turned = 1;
    const long aux_ld = M, aux_stride = M * COLUMNS;
    float kept[D_ELEMENTS];
    CHECK(cublasLtCreate(&call.handle));
    CHECK(cublasLtMatmulDescCreate(&call.desc, 68, 0));
    CHECK(cublasLtMatmulDescSetAttribute(call.desc, TRANSPOSED_A, &turned, sizeof turned));
    CHECK(cublasLtMatmulDescSetAttribute(call.desc, BIAS_POINTER, &call.bias, sizeof call.bias));
    CHECK(cublasLtMatmulDescSetAttribute(call.desc, AUX_POINTER, &call.aux, sizeof call.aux));
    CHECK(cublasLtMatmulDescSetAttribute(call.desc, AUX_LD, &aux_ld, sizeof aux_ld));
    CHECK(cublasLtMatmulDescSetAttribute(call.desc, AUX_STRIDE, &aux_stride, sizeof aux_stride));
    for (size_t n = 0; n < sizeof epilogues / sizeof *epilogues; n++) {
        call.beta = n % 2 ? 0.5f : 0;
        memcpy(kept, call.aux, sizeof kept);
        CHECK(run(&call, epilogues[n]));
        expect(&call, epilogues[n], kept);
    }
    EXPECT(run(&call, BGRADB) == 15);
    run_refused(&call);
    run_double(&call);
    for (int n = 0; n < 4; n++)
        CHECK(cublasLtMatrixLayoutDestroy(call.layouts[n]));
    CHECK(cublasLtMatmulDescDestroy(call.desc));
    CHECK(cublasLtDestroy(call.handle));
    float *const all[] = {call.a, call.b, call.c, call.d, call.bias, call.aux};
    for (int n = 0; n < 6; n++)
        CHECK(cudaFree(all[n]));
}
