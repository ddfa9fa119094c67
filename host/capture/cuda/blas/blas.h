/* Stand-in for cuBLAS: the calls that programs use most, with kernels of our own (kernels.cl) whose launches are captured like
 * those of the program. Sources: cuBLAS library reference; binary interface of libcublas. */
#pragma once

#include "capture/cuda/runtime/api.h"

/* Statuses (cublasStatus_t). */
enum {
    BLAS_success = 0,
    BLAS_not_initialized = 1,
    BLAS_no_memory = 3,
    BLAS_invalid_value = 7,
    BLAS_execution_failed = 13,
    BLAS_not_supported = 15
};

/* A handle (cublasHandle_t). */
struct blas {
    void *stream;
    bool device_pointers; /* scalars and results are on the device */
    int math, atomics;
    struct gpu_range *scratch; /* for a result that the host receives */
};

/* A function of the API with a handle called blas: an error of the device becomes a status. */
#define BLAS(name, parameters, ...)                                                                                                \
    EXPORTED int name parameters;                                                                                                  \
    EXPORTED int name parameters                                                                                                   \
    {                                                                                                                              \
        gpu_enter(#name);                                                                                                          \
        return blas_leave(blas ? gpu_broken() ? gpu_broken() : (__VA_ARGS__) : GPU_handle);                                        \
    }
int blas_leave(int error);

/* A function without a handle. */
#define BLAS_ALONE(name, parameters, ...)                                                                                          \
    EXPORTED int name parameters;                                                                                                  \
    EXPORTED int name parameters                                                                                                   \
    {                                                                                                                              \
        gpu_enter(#name);                                                                                                          \
        return blas_leave(gpu_broken() ? gpu_broken() : (__VA_ARGS__));                                                            \
    }

/* A number that the program gives by address. */
struct blas_number {
    union {
        float single;
        double real;
        int integer;
    } value;
    const void *at; /* on the device; NULL: value */
};

enum blas_type { BLAS_f32, BLAS_f64, BLAS_f16, BLAS_s32 };

/* Reads it as the handle says. A half becomes a float. */
int blas_number(const struct blas *blas, enum blas_type type, const void *at, struct blas_number *number);

/* Launches a kernel of kernels.cl with so many groups of groups[3] and their size. */
struct blas_launch {
    const char *kernel;
    u32 groups[3], size[2];
};
int blas_run(const struct blas *blas, const struct blas_launch *launch, void *const *arguments);

/* Numbers of types (cudaDataType_t). */
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_8I = 3, R_32I = 10, R_16BF = 14 };

/* A product as the program asks for it; strides in elements, or lists of count matrices on the device. */
struct blas_product {
    int transposed_a, transposed_b;
    int64_t m, n, k, lda, ldb, ldc, stride_a, stride_b, stride_c, count;
    int type_a, type_b, type_c, compute;
    const void *alpha, *a, *b, *beta;
    void *c;
    bool lists;
};
int blas_multiply(const struct blas *blas, struct blas_product product);

/* The type (R_*) of alpha and beta of a product of these types, computed so; -1: it is not covered. */
int blas_scale_type(const struct blas_product *product);

/* In blas.c: makes a handle, also for cuBLASLt. */
int blas_create(struct blas **to);
int blas_destroy(struct blas *blas);

/* Fails unless a value is in its bounds. */
int blas_at_least(const char *name, int64_t value, int64_t least);
