/* Errors, versions, and what the stand-in does not cover. */
#include "capture/cuda/runtime/api.h"

EXPORTED int cudaGetLastError(void);
EXPORTED int cudaGetLastError(void)
{
    return gpu_last_error(true);
}

EXPORTED int cudaPeekAtLastError(void);
EXPORTED int cudaPeekAtLastError(void)
{
    return gpu_last_error(false);
}

EXPORTED const char *cudaGetErrorString(int error);
EXPORTED const char *cudaGetErrorString(int error)
{
    const struct gpu_error_row *const row = gpu_error_row(error);
    return row ? row->text : "unrecognized error code";
}

EXPORTED const char *cudaGetErrorName(int error);
EXPORTED const char *cudaGetErrorName(int error)
{
    const struct gpu_error_row *const row = gpu_error_row(error);
    return row ? row->runtime : "unrecognized error code";
}
