/* Handles, statuses and launches of the stand-in for cuBLAS. */
#include "capture/cuda/blas/blas.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/core/record.h"
#include "embedded/gpu_blas_kernels.h"

/* ---- Statuses ---- */

static const struct {
    int status;
    const char *name, *text;
} statuses[] = {
    {BLAS_success, "CUBLAS_STATUS_SUCCESS", "success"},
    {BLAS_not_initialized, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {BLAS_no_memory, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {BLAS_invalid_value, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the requested functionality requires a feature absent from the device"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {BLAS_execution_failed, "CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {BLAS_not_supported, "CUBLAS_STATUS_NOT_SUPPORTED", "the requested functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the requested functionality requires a license"},
};

static size_t row_of(int status)
{
    size_t n = 0;
    while (n < sizeof statuses / sizeof *statuses && statuses[n].status != status)
        n++;
    return n;
}

EXPORTED const char *cublasGetStatusName(int status);
EXPORTED const char *cublasGetStatusName(int status)
{
    const size_t n = row_of(status);
    return n < sizeof statuses / sizeof *statuses ? statuses[n].name : "unknown status";
}

EXPORTED const char *cublasGetStatusString(int status);
EXPORTED const char *cublasGetStatusString(int status)
{
    const size_t n = row_of(status);
    return n < sizeof statuses / sizeof *statuses ? statuses[n].text : "unknown status";
}

SAME(cublasGetStatusName, cublasLtGetStatusName)
SAME(cublasGetStatusString, cublasLtGetStatusString)

int blas_leave(int error)
{
    if (error == GPU_unsupported)
        gpu_record_refused(gpu_calling(), error);
    gpu_leave(GPU_none);
    switch (error) {
    case GPU_none:
        return BLAS_success;
    case GPU_handle:
        return BLAS_not_initialized;
    case GPU_memory:
        return BLAS_no_memory;
    case GPU_value:
        return BLAS_invalid_value;
    case GPU_unsupported:
        return BLAS_not_supported;
    default:
        return BLAS_execution_failed;
    }
}

int blas_at_least(const char *name, int64_t value, int64_t least)
{
    return value >= least ? GPU_none
                          : gpu_fail(GPU_value, "found %s %" PRId64 ", allowed is at least %" PRId64, name, value, least);
}

/* ---- Handles ---- */

int blas_create(struct blas **to)
{
    struct blas *const blas = to ? calloc(1, sizeof *blas) : NULL;
    if (!blas)
        return to ? GPU_memory : gpu_fail(GPU_value, "found no place for the handle");
    blas->scratch = gpu_memory_add(GPU_DEVICE, sizeof(double));
    *to = blas;
    return blas->scratch ? GPU_none : GPU_memory;
}

BLAS_ALONE(cublasCreate_v2, (struct blas * *to), blas_create(to))

int blas_destroy(struct blas *blas)
{
    gpu_memory_remove(blas->scratch);
    free(blas);
    return GPU_none;
}

static int set_stream(struct blas *blas, void *stream)
{
    if (!gpu_stream_find(stream))
        return gpu_fail(GPU_value, "%p is no stream", stream);
    blas->stream = stream;
    return GPU_none;
}

static int set(int *to, int value)
{
    *to = value;
    return GPU_none;
}

static int set_pointers(struct blas *blas, int mode)
{
    if (mode != 0 && mode != 1)
        return gpu_fail(GPU_value, "found pointer mode %d, allowed are 0 (host) and 1 (device)", mode);
    blas->device_pointers = mode == 1;
    return GPU_none;
}

BLAS(cublasDestroy_v2, (struct blas * blas), blas_destroy(blas))
BLAS(cublasSetStream_v2, (struct blas * blas, void *stream), set_stream(blas, stream))
BLAS(cublasGetStream_v2, (struct blas * blas, void **stream), (*stream = blas->stream, GPU_none))
BLAS(cublasSetPointerMode_v2, (struct blas * blas, int mode), set_pointers(blas, mode))
BLAS(cublasGetPointerMode_v2, (struct blas * blas, int *mode), set(mode, blas->device_pointers))
BLAS(cublasSetMathMode, (struct blas * blas, int mode), set(&blas->math, mode))
BLAS(cublasGetMathMode, (struct blas * blas, int *mode), set(mode, blas->math))
BLAS(cublasSetAtomicsMode, (struct blas * blas, int mode), set(&blas->atomics, mode))
BLAS(cublasGetAtomicsMode, (struct blas * blas, int *mode), set(mode, blas->atomics))
BLAS(cublasSetWorkspace_v2, (struct blas * blas, void *space, size_t bytes), (space || bytes == 0 ? GPU_none : GPU_value))
BLAS(cublasGetVersion_v2, (struct blas * blas, int *version), set(version, 130000))

EXPORTED int cublasGetProperty(int kind, int *value);
EXPORTED int cublasGetProperty(int kind, int *value)
{
    *value = kind == 0 ? 13 : 0; /* major, minor, patch */
    return BLAS_success;
}

SAME(cublasGetProperty, cublasLtGetProperty)

EXPORTED size_t cublasGetCudartVersion(void);
EXPORTED size_t cublasGetCudartVersion(void)
{
    return 13000;
}
SAME(cublasGetCudartVersion, cublasLtGetCudartVersion)

/* ---- Numbers ---- */

static float half_value(const void *at)
{
    u16 bits;
    memcpy(&bits, at, sizeof bits);
    const u32 sign = (u32)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3FF;
    const u32 whole = sign | (exponent == 31 ? 0x7F800000 : (exponent + 112) << 23) | fraction << 13;
    float value;
    memcpy(&value, &whole, sizeof value);
    return exponent > 0 ? value : (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
}

static bool is_captured(const struct blas *blas)
{
    const struct gpu_stream *const stream = gpu_stream_find(blas->stream);
    return stream && stream->graph;
}

int blas_number(const struct blas *blas, enum blas_type type, const void *at, struct blas_number *number)
{
    *number = (struct blas_number){.at = NULL};
    if (!at)
        return gpu_fail(GPU_value, "found a null pointer as alpha or beta");
    if (blas->device_pointers && !gpu_memory_at(at))
        return gpu_fail(GPU_value, "%p, alpha or beta, is no memory of the device, as the pointer mode wants", at);
    if (blas->device_pointers && type == BLAS_f16 && is_captured(blas))
        return gpu_uncovered("a captured call with a half on the device");
    if (type == BLAS_f16)
        number->value.single = half_value(at);
    else if (blas->device_pointers)
        number->at = at;
    else
        memcpy(&number->value, at, type == BLAS_f64 ? sizeof(double) : sizeof(float));
    return GPU_none;
}

/* ---- Launches ---- */

int blas_run(const struct blas *blas, const struct blas_launch *launch, void *const *arguments)
{
    static struct gpu_module *module;
    struct gpu_task task = {0};
    int error = module ? GPU_none : gpu_module_make(gpu_blas_kernels, "kernels of the stand-in for cuBLAS", &module);
    struct gpu_function *const function = error == GPU_none ? gpu_module_function(module, launch->kernel) : NULL;
    const struct gpu_config config = {.grid = {launch->groups[0], launch->groups[1], launch->groups[2]},
                                      .block = {launch->size[0], launch->size[1], 1}};
    if (!function)
        return error == GPU_none ? GPU_memory : error;
    error = gpu_task_kernel(function, &config, arguments, &task);
    if (error == GPU_none)
        error = gpu_submit(blas->stream, &task);
    gpu_task_free(&task);
    return error;
}

/* ---- What is not covered ---- */

#define UNCOVERED(name) NOT_COVERED(name, blas_leave, "this function of cuBLAS")
#include "capture/cuda/blas/uncovered.def"
#undef UNCOVERED
