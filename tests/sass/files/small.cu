// What the tests of files with machine code read: variables of all kinds, a function that is called, lines.
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ int counter = 7;
__device__ int *where = &counter;
__device__ int zeros[8];

__device__ __noinline__ int square(int x)
{
    return x * x + counter;
}

extern "C" __global__ __launch_bounds__(256) void mix(float *a, int n, double d, char c)
{
    __shared__ float tile[64];
    extern __shared__ float more[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = a[i];
    more[threadIdx.x] = a[i] + c;
    __syncthreads();
    if (i < n)
        a[i] = tile[63 - threadIdx.x] * weights[i & 3] + (float)d + square(i) + *where + more[63 - threadIdx.x] + zeros[i & 7];
}

extern "C" __global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
