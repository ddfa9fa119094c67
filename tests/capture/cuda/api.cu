#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x)                                                                                                                   \
    do {                                                                                                                           \
        cudaError_t e_ = (x);                                                                                                      \
        if (e_ != cudaSuccess) {                                                                                                   \
            printf("%s:%d %s: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e_));                                              \
            return 1;                                                                                                              \
        }                                                                                                                          \
    } while (0)
#define EXPECT(x)                                                                                                                  \
    do {                                                                                                                           \
        if (!(x)) {                                                                                                                \
            printf("%s:%d %s is wrong\n", __FILE__, __LINE__, #x);                                                                 \
            return 1;                                                                                                              \
        }                                                                                                                          \
    } while (0)
__constant__ float factor[2] = {2, 3};
__device__ int counter = 5;
__managed__ int shared_count = 7;
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * factor[0] + factor[1];
    if (i == 0) {
        counter++;
        shared_count += 10;
    }
}
struct node {
    int value;
    node *next;
};
__global__ void walk(node *first, int *sum)
{
    int s = 0;
    for (node *n = first; n; n = n->next)
        s += n->value;
    *sum = s;
}
__global__ void hello(int x)
{
    printf("hello %d %d\n", threadIdx.x, x);
}
__global__ void dynamic(int *out)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void sample(cudaTextureObject_t t, float *out, int w)
{
    int x = threadIdx.x, y = blockIdx.x;
    out[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
__global__ void put(cudaSurfaceObject_t s, int w)
{
    int x = threadIdx.x, y = blockIdx.x;
    surf2Dwrite(float(y * w + x), s, x * 4, y);
}
template <typename T> __global__ void add(T *a, T b)
{
    a[threadIdx.x] += b;
}
static int symbols()
{
    int n = 100;
    std::vector<float> h(n, 1);
    float *d;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyDefault));
    float f[2] = {5, 1};
    CHECK(cudaMemcpyToSymbol(factor, f, 8));
    scale<<<1, 128>>>(d, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 6 && h[99] == 6);
    int c;
    CHECK(cudaMemcpyFromSymbol(&c, counter, 4));
    EXPECT(c == 6);
    CHECK(cudaDeviceSynchronize());
    EXPECT(shared_count == 17);
    void *p;
    CHECK(cudaGetSymbolAddress(&p, counter));
    size_t s;
    CHECK(cudaGetSymbolSize(&s, factor));
    EXPECT(s == 8);
    CHECK(cudaFree(d));
    return 0;
}
static int lists()
{
    node *m;
    int *sum;
    CHECK(cudaMallocManaged(&m, 3 * sizeof *m));
    CHECK(cudaMallocManaged(&sum, 4));
    for (int i = 0; i < 3; i++)
        m[i] = {i + 1, i < 2 ? &m[i + 1] : nullptr};
    walk<<<1, 1>>>(m, sum);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*sum == 6);
    CHECK(cudaFree(m));
    CHECK(cudaFree(sum));
    return 0;
}
static int prints()
{
    hello<<<1, 2>>>(42);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
static int shared()
{
    int *d, h[64];
    CHECK(cudaMalloc(&d, 256));
    dynamic<<<1, 64, 256>>>(d);
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 63 && h[63] == 0);
    dynamic<<<1, 64, 60000>>>(d);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    dynamic<<<1, 64, 60000>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d));
    return 0;
}
static int textures()
{
    const int w = 8, h = 4;
    float v[w * h], r[w * h], *d;
    for (int i = 0; i < w * h; i++)
        v[i] = i * 1.5f;
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&a, &f, w, h, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, v, w * 4, w * 4, h, cudaMemcpyHostToDevice));
    cudaResourceDesc rd = {};
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = a;
    cudaTextureDesc td = {};
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModePoint;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &rd, &td, nullptr));
    CHECK(cudaMalloc(&d, sizeof v));
    sample<<<h, w>>>(t, d, w);
    CHECK(cudaMemcpy(r, d, sizeof r, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(v, r, sizeof v));
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &rd));
    put<<<h, w>>>(s, w);
    CHECK(cudaMemcpy2DFromArray(r, w * 4, a, 0, 0, w * 4, h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < w * h; i++)
        EXPECT(r[i] == i);
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
    /* Rows apart in memory: beyond the sixth column the last one is read, not what lies between the rows. */
    size_t pitch;
    float *rows;
    CHECK(cudaMallocPitch(&rows, &pitch, 6 * sizeof(float), h));
    rd = {};
    rd.resType = cudaResourceTypePitch2D;
    rd.res.pitch2D = {rows, f, 6, h, pitch};
    CHECK(cudaCreateTextureObject(&t, &rd, &td, nullptr));
    for (int turn = 1; turn < 3; turn++) {
        CHECK(cudaMemset(rows, 0x7F, pitch * h));
        for (int i = 0; i < w * h; i++)
            v[i] = float(turn * i);
        CHECK(cudaMemcpy2D(rows, pitch, v, w * 4, 24, h, cudaMemcpyHostToDevice));
        sample<<<h, w>>>(t, d, w);
        CHECK(cudaMemcpy(r, d, sizeof r, cudaMemcpyDeviceToHost));
        for (int i = 0; i < w * h; i++)
            EXPECT(r[i] == v[i % w < 6 ? i : i / w * w + 5]);
    }
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(d));
    return 0;
}
static int streams()
{
    cudaStream_t s, u;
    cudaEvent_t e, g;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&e));
    CHECK(cudaEventCreate(&g));
    int *d, h[32] = {0};
    CHECK(cudaMallocAsync(&d, 128, s));
    CHECK(cudaMemsetAsync(d, 0, 128, s));
    CHECK(cudaEventRecord(e, s));
    add<int><<<1, 32, 0, s>>>(d, 3);
    CHECK(cudaEventRecord(g, s));
    CHECK(cudaStreamWaitEvent(u, g));
    add<int><<<1, 32, 0, u>>>(d, 4);
    CHECK(cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, u));
    CHECK(cudaStreamSynchronize(u));
    EXPECT(h[31] == 7);
    float ms;
    CHECK(cudaEventElapsedTime(&ms, e, g));
    EXPECT(ms >= 0);
    CHECK(cudaFreeAsync(d, s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(u));
    CHECK(cudaEventDestroy(e));
    CHECK(cudaEventDestroy(g));
    return 0;
}
static int graphs()
{
    cudaStream_t s, u;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&u));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    long *d, h[32];
    CHECK(cudaMalloc(&d, 256));
    CHECK(cudaMemset(d, 0, 256));
    cudaGraph_t g;
    cudaGraphExec_t x;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<long><<<1, 32, 0, s>>>(d, 1);
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(u, fork));
    add<long><<<1, 32, 0, u>>>(d, 10);
    CHECK(cudaEventRecord(join, u));
    CHECK(cudaStreamWaitEvent(s, join));
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 0);
    size_t n;
    CHECK(cudaGraphGetNodes(g, nullptr, &n));
    EXPECT(n >= 2);
    CHECK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    EXPECT(h[31] == 33);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    /* Memory that the graph allocates and frees. */
    long *own;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&own, 256, s));
    CHECK(cudaMemsetAsync(own, 0, 256, s));
    add<long><<<1, 32, 0, s>>>(own, 5);
    CHECK(cudaMemcpyAsync(d, own, 256, cudaMemcpyDeviceToDevice, s));
    CHECK(cudaFreeAsync(own, s));
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 2; i++)
        CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    EXPECT(h[31] == 5);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    /* Memory of nodes; then the instance takes another graph's kernel, and refuses a graph with other nodes. */
    cudaGraph_t other;
    cudaGraphNode_t nodes[4];
    cudaMemAllocNodeParams room = {};
    room.poolProps.allocType = cudaMemAllocationTypePinned;
    room.poolProps.location.type = cudaMemLocationTypeDevice;
    room.bytesize = 256;
    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphAddMemAllocNode(&nodes[0], g, nullptr, 0, &room));
    cudaMemsetParams zeros = {};
    zeros.dst = room.dptr;
    zeros.elementSize = 4;
    zeros.width = 64;
    zeros.height = 1;
    CHECK(cudaGraphAddMemsetNode(&nodes[1], g, &nodes[0], 1, &zeros));
    CHECK(cudaGraphAddMemcpyNode1D(&nodes[2], g, &nodes[1], 1, d, room.dptr, 256, cudaMemcpyDeviceToDevice));
    CHECK(cudaGraphAddMemFreeNode(&nodes[3], g, &nodes[2], 1, room.dptr));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    EXPECT(h[31] == 0);
    CHECK(cudaGraphExecDestroy(x));
    cudaGraphExecUpdateResultInfo result;
    for (long by = 1; by < 3; by++) {
        CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        add<long><<<1, 32, 0, s>>>(d, by);
        CHECK(cudaStreamEndCapture(s, &other));
        if (by == 1)
            CHECK(cudaGraphInstantiate(&x, other, 0));
        else
            CHECK(cudaGraphExecUpdate(x, other, &result));
        CHECK(cudaGraphDestroy(other));
    }
    EXPECT(result.result == cudaGraphExecUpdateSuccess);
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
    EXPECT(h[31] == 2);
    EXPECT(cudaGraphExecUpdate(x, g, &result) == cudaErrorGraphExecUpdateFailure);
    EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    return 0;
}
static int device()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int v, n;
    printf("%s %d.%d %d SMs\n", p.name, p.major, p.minor, p.multiProcessorCount);
    CHECK(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(v == p.multiProcessorCount);
    EXPECT(p.warpSize == 32 && p.maxThreadsDim[2] == 64 && p.sharedMemPerBlock == 49152 && p.totalConstMem == 65536);
    CHECK(cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT((size_t)v == p.sharedMemPerBlockOptin);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, scale, 256, 0));
    EXPECT(n == 8);
    int grid, block;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
    EXPECT(block > 0 && grid > 0);
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, dynamic));
    size_t f, t;
    CHECK(cudaMemGetInfo(&f, &t));
    EXPECT(t == p.totalGlobalMem);
    cudaPointerAttributes pa;
    float *d;
    CHECK(cudaMalloc(&d, 4));
    CHECK(cudaPointerGetAttributes(&pa, d));
    EXPECT(pa.type == cudaMemoryTypeDevice);
    CHECK(cudaFree(d));
    EXPECT(cudaFree((void *)&v) != cudaSuccess);
    cudaGetLastError();
    return 0;
}
static int pitched()
{
    char *d;
    size_t pitch;
    char h[5][7], r[5][7];
    for (int i = 0; i < 35; i++)
        h[0][i] = i;
    CHECK(cudaMallocPitch(&d, &pitch, 7, 5));
    EXPECT(pitch >= 7);
    CHECK(cudaMemcpy2D(d, pitch, h, 7, 7, 5, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(r, 7, d, pitch, 7, 5, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(h, r, 35));
    CHECK(cudaMemset2D(d, pitch, 9, 3, 5));
    CHECK(cudaMemcpy2D(r, 7, d, pitch, 7, 5, cudaMemcpyDeviceToHost));
    EXPECT(r[4][2] == 9 && r[4][3] == 31);
    cudaPitchedPtr q;
    CHECK(cudaMalloc3D(&q, make_cudaExtent(7, 5, 1)));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(h, 7, 7, 5);
    c.dstPtr = q;
    c.extent = make_cudaExtent(7, 5, 1);
    c.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&c));
    CHECK(cudaMemcpy2D(r, 7, q.ptr, q.pitch, 7, 5, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(h, r, 35));
    CHECK(cudaFree(d));
    CHECK(cudaFree(q.ptr));
    EXPECT(cudaMemcpy2D(r, 7, d, pitch, 7, 5, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    cudaGetLastError();
    return 0;
}
static int faults()
{
    add<int><<<1, 32>>>((int *)0x10, 1);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    float *d;
    EXPECT(cudaMalloc(&d, 4) == cudaErrorIllegalAddress);
    return 0;
}
int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*f)();
    } all[] = {{"symbols", symbols}, {"lists", lists},   {"prints", prints}, {"shared", shared},   {"textures", textures},
               {"streams", streams}, {"graphs", graphs}, {"device", device}, {"pitched", pitched}, {"faults", faults}};
    int bad = 0;
    for (auto &c : all)
        if (argc < 2 || !strcmp(argv[1], c.name) || (!strcmp(argv[1], "right") && c.f != faults)) {
            int r = c.f();
            printf("%s %s\n", c.name, r ? "FAILED" : "right");
            bad |= r;
        }
    return bad;
}
