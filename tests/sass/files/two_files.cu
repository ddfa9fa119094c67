// Lines of two files: inlined.cuh has one of them.
#include "inlined.cuh"

extern "C" __global__ void two_files(float *a)
{
    a[threadIdx.x] = inlined(a[threadIdx.x]);
}
