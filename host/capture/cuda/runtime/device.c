/* The device: number, synchronization, limits. */
#include "capture/cuda/runtime/api.h"

RUNTIME(cudaDeviceSynchronize, (void), GPU_none)
SAME(cudaDeviceSynchronize, cudaThreadSynchronize)

static int set_number(int *to, int value)
{
    if (!to)
        return gpu_fail(GPU_value, "found a null pointer for the result");
    *to = value;
    return GPU_none;
}

static int check_device(int device)
{
    return device == 0 ? GPU_none : gpu_fail(GPU_device, "found device %d, there is device 0 only", device);
}

RUNTIME(cudaGetDeviceCount, (int *count), set_number(count, 1))
RUNTIME(cudaGetDevice, (int *device), set_number(device, 0))
RUNTIME(cudaSetDevice, (int device), check_device(device))
