// A program of two objects with relocatable code (-rdc=true): each is this file, compiled with -DPART=0 and -DPART=1. Code and variables of one
// are used in the other; both have functions and variables of equal names of their own.
#include <cstdio>

#define CHECK(call)                                                                                                                \
    do {                                                                                                                           \
        const cudaError_t error_ = (call);                                                                                         \
        if (error_ != cudaSuccess)                                                                                                 \
            return printf("parts FAILED %s: %s\n", #call, cudaGetErrorString(error_)), 1;                                          \
    } while (0)

template <typename T> __device__ __noinline__ T twice(T x)
{
    return x + x; /* in both */
}

static __device__ int hidden = PART ? 50 : 5;

static __device__ __noinline__ int own(int x)
{
    return x + (PART ? 1000 : 100);
}

/* Functions of the second part by way of a variable: a table of pointers, and a virtual function. */
typedef int (*function)(int);
struct shape {
    int sides;
    __device__ virtual int edges(int x) const;
};

#if PART == 0
__device__ int scale(int x);
extern __device__ function choice[2];
extern __device__ int counter;
__constant__ int table[4] = {1, 2, 3, 4};

__global__ void first(int *x)
{
    const int i = threadIdx.x;
    shape own_shape;
    own_shape.sides = 3;
    const shape *const some = blockDim.x < 100 ? &own_shape : (const shape *)x;
    x[i] = scale(own(twice(x[i]))) + table[i % 4] + hidden + choice[i % 2](i) + some->edges(i);
    atomicAdd(&counter, 1);
    if (i == 0)
        printf("first of %d\n", blockDim.x);
}

int run_other(int *x);

int main()
{
    int *x, found[32], count, wrong = 0;
    const int four = 40;
    CHECK(cudaMalloc(&x, sizeof found));
    for (int i = 0; i < 32; i++)
        found[i] = i;
    CHECK(cudaMemcpy(x, found, sizeof found, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, &four, sizeof four, 3 * sizeof four));
    first<<<1, 32>>>(x);
    if (run_other(x))
        return 1;
    CHECK(cudaMemcpy(found, x, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    for (int i = 0; i < 32; i++) {
        const int after = 3 * (2 * i + 100) + (i % 4 == 3 ? 40 : i % 4 + 1) + 5 + (i % 2 ? 7 * i : i + 9) + 3 * i;
        wrong += found[i] != 3 * (2 * after + 1000) + 40 + 50;
    }
    printf("parts %s\n", wrong || count != 7 + 32 ? "FAILED" : "right");
    return 0;
}
#else
__device__ int counter = 7;
extern __constant__ int table[4];

static __device__ int add(int x)
{
    return x + 9;
}

static __device__ int multiply(int x)
{
    return 7 * x;
}

__device__ function choice[2] = {add, multiply};

__device__ int shape::edges(int x) const
{
    return sides * x;
}

__device__ __noinline__ int scale(int x)
{
    return 3 * x;
}

__global__ void second(int *x)
{
    const int i = threadIdx.x;
    x[i] = scale(own(twice(x[i]))) + table[3] + hidden;
    if (i == 0)
        printf("second of %d\n", blockDim.x);
}

int run_other(int *x)
{
    second<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
#endif
