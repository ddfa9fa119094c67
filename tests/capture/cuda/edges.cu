#include <cooperative_groups.h>
#include <cassert>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

/* With machine code alone: bytes without a name lie between the variable and the text. */
__device__ int total;
__global__ void count()
{
    atomicAdd(&total, 1);
    if (threadIdx.x == 0)
        printf("counted\n");
}
static int gaps()
{
    int found = 0;
    count<<<1, 32>>>();
    const cudaError_t error = cudaMemcpyFromSymbol(&found, total, sizeof found);
    return error ? error : found != 32;
}

/* The grid's barrier is a variable of the launch file. */
__global__ void turn(int *a, int *b)
{
    auto grid = cg::this_grid();
    b[grid.thread_rank()] = a[grid.thread_rank()] + 1;
    grid.sync();
    a[grid.thread_rank()] = b[grid.size() - 1 - grid.thread_rank()];
}
static int grids()
{
    int *a, *b;
    cudaMallocManaged(&a, 64 * sizeof *a);
    cudaMallocManaged(&b, 64 * sizeof *b);
    for (int n = 0; n < 64; n++)
        a[n] = n;
    void *arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel((const void *)turn, dim3(2), dim3(32), arguments, 0, 0);
    return cudaDeviceSynchronize() != cudaSuccess || a[0] != 64 || a[63] != 1;
}

/* More blocks at a barrier than are executed at once: they have changed memory, so it is no refusal, and the device ends. */
static int crowds()
{
    int *a, *b;
    cudaMallocManaged(&a, 1100 * sizeof *a);
    cudaMallocManaged(&b, 1100 * sizeof *b);
    void *arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel((const void *)turn, dim3(1100), dim3(1), arguments, 0, 0);
    return b[0] != 1 || cudaDeviceSynchronize() != cudaErrorLaunchFailure || cudaFree(a) != cudaErrorLaunchFailure;
}

/* Launches that hardware refuses leave the device as it was. */
__global__ __launch_bounds__(64) void bounded(int *a)
{
    a[threadIdx.x] = 1;
}
static int bounds()
{
    int *a, found = 0;
    cudaMalloc(&a, 1024);
    bounded<<<1, 128>>>(a);
    if (cudaGetLastError() != cudaErrorInvalidValue)
        return 1;
    bounded<<<1, 64>>>(a);
    return cudaMemcpy(&found, a + 63, sizeof found, cudaMemcpyDefault) != cudaSuccess || found != 1;
}

/* An assertion that fails ends the launch, and later calls return its error. */
__global__ void asserts(int most)
{
    assert(int(threadIdx.x) < most);
}
static int assertions()
{
    asserts<<<1, 32>>>(32);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    asserts<<<1, 32>>>(7);
    return cudaDeviceSynchronize() != cudaErrorAssert;
}

/* Clusters of several blocks, of the kernel and of the launch: each block writes to the shared memory of the next one. */
#ifdef CLUSTERS
__global__ __cluster_dims__(2, 1, 1) void own(int *a)
{
    a[blockIdx.x] = 1;
}
__global__ void plain(int *a)
{
    auto cluster = cg::this_cluster();
    __shared__ int from;
    cluster.sync();
    *cluster.map_shared_rank(&from, (cluster.block_rank() + 1) % cluster.num_blocks()) = blockIdx.x;
    cluster.sync();
    a[blockIdx.x] = 100 * cluster.num_blocks() + from;
}
static int clusters()
{
    int *a, found[4] = {0};
    cudaMalloc(&a, sizeof found);
    cudaMemset(a, 0, sizeof found);
    own<<<4, 1>>>(a);
    cudaMemcpy(found, a, sizeof found, cudaMemcpyDefault);
    if (cudaGetLastError() != cudaSuccess || found[0] != 1 || found[3] != 1)
        return 1;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(1);
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, plain, a) != cudaSuccess)
        return 2;
    cudaMemcpy(found, a, sizeof found, cudaMemcpyDefault);
    if (found[0] != 201 || found[1] != 200 || found[2] != 203 || found[3] != 202)
        return 3;
    attribute.val.clusterDim.x = 3;
    if (cudaLaunchKernelEx(&config, plain, a) != cudaErrorInvalidClusterSize)
        return 4;
    cudaGetLastError();
    plain<<<4, 1>>>(a);
    cudaMemcpy(found, a, sizeof found, cudaMemcpyDefault);
    if (found[1] != 101 || found[3] != 103)
        return 5;
    /* A node keeps its clusters when its parameters are set. */
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaGraphNode_t node;
    size_t one = 1;
    void *arguments[] = {&a};
    cudaKernelNodeParams params = {};
    params.func = (void *)plain;
    params.gridDim = 4;
    params.blockDim = 1;
    params.kernelParams = arguments;
    attribute.val.clusterDim.x = 2;
    cudaStreamCreate(&config.stream);
    cudaStreamBeginCapture(config.stream, cudaStreamCaptureModeGlobal);
    cudaLaunchKernelEx(&config, plain, a);
    cudaStreamEndCapture(config.stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphGetNodes(graph, &node, &one);
    if (cudaGraphExecKernelNodeSetParams(instance, node, &params) != cudaSuccess)
        return 6;
    cudaGraphLaunch(instance, 0);
    cudaMemcpy(found, a, sizeof found, cudaMemcpyDefault);
    if (found[0] != 201 || found[3] != 202)
        return 7;
    /* Sizes that a kernel requires count where a launch gives none. */
    cudaFuncAttributes attributes;
    int number, other;
    if (cudaFuncGetAttributes(&attributes, own) != cudaSuccess || attributes.requiredClusterWidth != 2)
        return 8;
    if (cudaOccupancyMaxActiveClusters(&other, own, &config) != cudaSuccess)
        return 9;
    config.numAttrs = 0;
    if (cudaOccupancyMaxActiveClusters(&number, own, &config) != cudaSuccess || number != other)
        return 10;
    if (cudaOccupancyMaxActiveClusters(&number, plain, &config) != cudaErrorInvalidClusterSize)
        return 11;
    if (cudaOccupancyMaxPotentialClusterSize(&number, own, &config) != cudaSuccess || number != 2)
        return 12;
    /* A launch cannot change them (PTX ISA, .reqnctapercluster). */
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, own, a) != cudaSuccess)
        return 13;
    attribute.val.clusterDim.x = 4;
    if (cudaLaunchKernelEx(&config, own, a) != cudaErrorInvalidClusterSize)
        return 14;
    /* Too many blocks of such clusters would be there at once: refused, and the next call works. */
    cudaGetLastError();
    config.gridDim = dim3(600, 2);
    attribute.val.clusterDim.x = 1;
    attribute.val.clusterDim.y = 2;
    if (cudaLaunchKernelEx(&config, plain, a) != cudaErrorNotSupported || cudaGetLastError() != cudaErrorNotSupported)
        return 15;
    plain<<<4, 1>>>(a);
    if (cudaMemcpy(found, a, sizeof found, cudaMemcpyDefault) != cudaSuccess || found[2] != 102)
        return 16;
    cudaGetLastError();
    return 0;
}
#else
static int clusters()
{
    return 5;
}
#endif

/* A kernel that calls a function which calls itself, and one that does not. */
#ifdef RECURSION
__device__ __noinline__ int sum(int n)
{
    return n < 2 ? n : sum(n - 1) + sum(n - 2);
}
__global__ void recursive(int *a)
{
    *a = sum(*a);
}
__global__ void flat(int *a)
{
    *a = 3;
}
static int recursion()
{
    int *a, found = 0;
    cudaMalloc(&a, sizeof found);
    cudaMemset(a, 0, sizeof found);
    recursive<<<1, 1>>>(a);
    if (cudaGetLastError() == cudaSuccess)
        return 1;
    flat<<<1, 1>>>(a);
    cudaMemcpy(&found, a, sizeof found, cudaMemcpyDefault);
    return found == 3 ? 0 : 2;
}
#else
static int recursion()
{
    return 9;
}
#endif

/* Memory of a node that is freed between launches, and a graph that is updated inside of a graph. */
__global__ void increase(int *a, int by)
{
    a[threadIdx.x] += by;
}
static int nodes()
{
    int *d, found[32];
    cudaGraph_t graph, inner, other;
    cudaGraphExec_t instance;
    cudaGraphNode_t node[3];
    cudaMalloc(&d, sizeof found);
    cudaMemset(d, 0, sizeof found);
    cudaMemAllocNodeParams room = {};
    room.poolProps.allocType = cudaMemAllocationTypePinned;
    room.poolProps.location.type = cudaMemLocationTypeDevice;
    room.bytesize = sizeof found;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemAllocNode(&node[0], graph, nullptr, 0, &room);
    cudaMemsetParams sevens = {};
    sevens.dst = room.dptr;
    sevens.value = 7;
    sevens.elementSize = 4;
    sevens.width = 32;
    sevens.height = 1;
    cudaGraphAddMemsetNode(&node[1], graph, &node[0], 1, &sevens);
    cudaGraphAddMemcpyNode1D(&node[2], graph, &node[1], 1, d, room.dptr, sizeof found, cudaMemcpyDeviceToDevice);
    if (cudaGraphInstantiate(&instance, graph, 0) != cudaSuccess)
        return 1;
    for (int n = 0; n < 2; n++) {
        cudaMemset(d, 0, sizeof found);
        if (cudaGraphLaunch(instance, 0) != cudaSuccess || cudaMemcpy(found, room.dptr, sizeof found, cudaMemcpyDefault) != cudaSuccess || found[31] != 7)
            return 2;
        increase<<<1, 32>>>((int *)room.dptr, 1);
        cudaMemcpy(found, room.dptr, sizeof found, cudaMemcpyDefault);
        if (found[31] != 8 || cudaFree(room.dptr) != cudaSuccess)
            return 3;
        cudaMemcpy(found, d, sizeof found, cudaMemcpyDefault);
        if (found[31] != 7)
            return 4;
    }
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);

    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMemset(d, 0, sizeof found);
    for (int by = 1; by < 3; by++) {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        increase<<<1, 32, 0, s>>>(d, by);
        cudaStreamEndCapture(s, &inner);
        cudaGraphCreate(&other, 0);
        cudaGraphAddChildGraphNode(&node[0], other, nullptr, 0, inner);
        cudaGraphDestroy(inner);
        cudaGraphExecUpdateResultInfo result;
        if (by == 1 ? cudaGraphInstantiate(&instance, other, 0) : cudaGraphExecUpdate(instance, other, &result))
            return 5;
        cudaGraphDestroy(other);
        if (cudaGraphLaunch(instance, s) != cudaSuccess)
            return 6;
    }
    cudaMemcpy(found, d, sizeof found, cudaMemcpyDefault);
    return found[31] == 3 ? 0 : 7;
}

int main(int, char **argv)
{
    const int wrong = !strcmp(argv[1], "gaps")     ? gaps()
                      : !strcmp(argv[1], "grids")  ? grids()
                      : !strcmp(argv[1], "crowds") ? crowds()
                      : !strcmp(argv[1], "bounds") ? bounds()
                      : !strcmp(argv[1], "recursion") ? recursion()
                      : !strcmp(argv[1], "asserts") ? assertions()
                      : !strcmp(argv[1], "nodes") ? nodes()
                                                    : clusters();
    if (wrong)
        printf("%s FAILED %d\n", argv[1], wrong);
    else
        printf("%s right\n", argv[1]);
    return wrong != 0;
}
