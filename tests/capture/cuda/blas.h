/* cuBLAS's binary interface, as far as the tests call it. */
#pragma once

#include "host.h"

int cublasCreate_v2(void **blas);
int cublasDestroy_v2(void *blas);
int cublasSetPointerMode_v2(void *blas, int mode);
int cublasSgemm_v2(void *blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,
                   int ldb, const void *beta, void *c, int ldc);
int cublasCgemm_v2(void *blas);
int cublasDgemmBatched(void *blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,
                       int ldb, const void *beta, void *c, int ldc, int count);
int cublasDgemmStridedBatched(void *blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda,
                              long long stride_a, const void *b, int ldb, long long stride_b, const void *beta, void *c, int ldc,
                              long long stride_c, int count);
int cublasGemmEx(void *blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int type_a, int lda,
                 const void *b, int type_b, int ldb, const void *beta, void *c, int type_c, int ldc, int compute, int algorithm);
int cublasSaxpy_v2(void *blas, int n, const void *alpha, const void *x, int step_x, void *y, int step_y);
int cublasSscal_v2(void *blas, int n, const void *alpha, void *x, int step);
int cublasSdot_v2(void *blas, int n, const void *x, int step_x, const void *y, int step_y, void *result);
int cublasSnrm2_v2(void *blas, int n, const void *x, int step, void *result);
int cublasSasum_v2(void *blas, int n, const void *x, int step, void *result);
int cublasIsamax_v2(void *blas, int n, const void *x, int step, int *result);
int cublasIsamin_v2(void *blas, int n, const void *x, int step, int *result);
int cublasScopy_v2(void *blas, int n, const void *x, int step_x, void *y, int step_y);
int cublasSswap_v2(void *blas, int n, void *x, int step_x, void *y, int step_y);
int cublasSgemmBatched(void *blas, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda, const void *b,
                       int ldb, const void *beta, void *c, int ldc, int count);
int cublasSgemv_v2(void *blas, int operation, int m, int n, const void *alpha, const void *a, int lda, const void *x, int step_x,
                   const void *beta, void *y, int step_y);
int cublasSetVector(int n, int bytes, const void *x, int step_x, void *y, int step_y);
int cublasGetVector(int n, int bytes, const void *x, int step_x, void *y, int step_y);
int cublasLtCreate(void **handle);
int cublasLtDestroy(void *handle);
int cublasLtMatrixLayoutCreate(void **layout, int type, unsigned long rows, unsigned long columns, long ld);
int cublasLtMatrixLayoutSetAttribute(void *layout, unsigned attribute, const void *value, size_t bytes);
int cublasLtMatrixLayoutDestroy(void *layout);
int cublasLtMatmulDescCreate(void **desc, int compute, int scale);
int cublasLtMatmulDescSetAttribute(void *desc, unsigned attribute, const void *value, size_t bytes);
int cublasLtMatmulDescDestroy(void *desc);
int cublasLtMatmulAlgoGetHeuristic(void *handle, const void *desc, const void *a, const void *b, const void *c, const void *d,
                                   const void *preference, int wanted, void *results, int *found);
int cublasLtMatmul(void *handle, const void *desc, const void *alpha, const void *a, const void *of_a, const void *b,
                   const void *of_b, const void *beta, const void *c, const void *of_c, void *d, const void *of_d,
                   const void *algorithm, void *space, size_t bytes, void *stream);

/* In lt.c. */
void run_lt(void);
