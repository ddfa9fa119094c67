/* A program as nvcc makes it, written by hand: it registers a fat binary with the PTX of a file and calls the runtime's binary
 * interface. hand PTX VERSION CASE...; its cases print what they find. */
#include "host.h"

/* What stands for kernels and variables on the host. */
static char scale, walk, factor, counter;
static unsigned *shared_count;

/* ---- The fat binary ---- */

static struct {
    uint32_t magic, version;
    const void *data, *more;
} wrapper = {0x466243B1, 1, NULL, NULL};

static void put(unsigned char *to, uint64_t value, unsigned bytes)
{
    memcpy(to, &value, bytes);
}

/* A header of 16 bytes, then PTX for compute_70 behind a header of 64 bytes. */
static void make_fatbin(const char *path)
{
    static unsigned char data[20000];
    FILE *const file = fopen(path, "r");
    const size_t length = file ? fread(data + 80, 1, sizeof data - 88, file) : 0, padded = (length + 8) / 8 * 8;
    EXPECT(length > 0);
    fclose(file);
    put(data, 0xBA55ED50, 4);
    put(data + 4, 1, 2);
    put(data + 6, 16, 2);
    put(data + 8, 64 + padded, 8);
    put(data + 16, 1, 2); /* PTX */
    put(data + 20, 64, 4);
    put(data + 24, padded, 8);
    put(data + 44, 70, 4);
    wrapper.data = data;
}

static void register_all(const char *path)
{
    make_fatbin(path);
    void **const handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale, &scale, "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &walk, &walk, "walk", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &factor, &factor, "factor", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &counter, &counter, "counter", 0, 4, 0, 0);
    __cudaRegisterManagedVar(handle, (void **)&shared_count, (char *)&shared_count, "shared_count", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    __cudaInitModule(handle);
}

/* <<<grid, block>>> as nvcc writes it. */
static int launch(const void *kernel, unsigned blocks, unsigned threads, void **arguments)
{
    struct dim3 grid, block;
    size_t shared;
    void *stream;
    EXPECT(__cudaPushCallConfiguration((struct dim3){blocks, 1, 1}, (struct dim3){threads, 1, 1}, 0, NULL) == 0);
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

/* ---- Cases ---- */

enum { TO_DEVICE = 1, TO_HOST = 2, MANAGED = 1 };

/* The same launch with two values of the constant. */
static void symbols(void)
{
    float values[32], three = 3, *data;
    unsigned count = 32, found;
    void *arguments[] = {&data, &count};
    for (int n = 0; n < 32; n++)
        values[n] = (float)n;
    CHECK(cudaMalloc((void **)&data, sizeof values));
    CHECK(cudaMemcpy(data, values, sizeof values, TO_DEVICE));
    CHECK(launch(&scale, 1, 32, arguments));
    CHECK(cudaMemcpyToSymbol(&factor, &three, 4, 0, TO_DEVICE));
    CHECK(launch(&scale, 1, 32, arguments));
    CHECK(cudaMemcpy(values, data, sizeof values, TO_HOST));
    EXPECT(values[31] == 31 * 6);
    CHECK(cudaMemcpyFromSymbol(&found, &counter, 4, 0, TO_HOST));
    EXPECT(found == 5 + 64 && *shared_count == 7 + 64);
    CHECK(cudaFree(data));
    printf("symbols right\n");
}

/* Pointers in memory of the device. */
static void lists(void)
{
    struct node {
        uint64_t value;
        struct node *next;
    } * nodes;
    uint64_t *sum;
    CHECK(cudaMallocManaged((void **)&nodes, 3 * sizeof *nodes, MANAGED));
    CHECK(cudaMallocManaged((void **)&sum, sizeof *sum, MANAGED));
    for (int n = 0; n < 3; n++)
        nodes[n] = (struct node){(uint64_t)n + 20, n < 2 ? &nodes[n + 1] : NULL};
    void *arguments[] = {&nodes, &sum};
    CHECK(launch(&walk, 1, 1, arguments));
    CHECK(cudaDeviceSynchronize());
    EXPECT(*sum == 63);
    printf("lists right\n");
}

/* Field positions of struct cudaDeviceProp: the number of SMs moved in version 13. */
static void properties(int version)
{
    char bytes[2048];
    int sms, warp;
    memset(bytes, 0x5A, sizeof bytes);
    CHECK(cudaGetDeviceProperties(bytes, 0));
    memcpy(&warp, bytes + 308, sizeof warp);
    memcpy(&sms, bytes + (version < 13 ? 388 : 384), sizeof sms);
    EXPECT(warp == 32);
    EXPECT(bytes[version == 11 ? 760 : 1100] == 0x5A);
    printf("%s, %d SMs\n", bytes, sms);
}

/* An instance takes another graph's fill. Version 11 has two pointers for what later ones have in a struct. */
static void updates(int version)
{
    struct {
        void *to;
        size_t pitch;
        unsigned value, element;
        size_t width, height;
    } fill = {NULL, 0, 1, 1, 16, 1};
    void *graphs[2], *instance, *node;
    char byte;
    CHECK(cudaMalloc(&fill.to, 16));
    for (int n = 0; n < 2; n++) {
        fill.value = (unsigned)n + 1;
        CHECK(cudaGraphCreate(&graphs[n], 0));
        CHECK(cudaGraphAddMemsetNode(&node, graphs[n], NULL, 0, &fill));
    }
    CHECK(cudaGraphInstantiate(&instance, graphs[0], NULL, NULL, 0));
    int result = -1, first;
    unsigned char found[32]; /* up to version 11 a node */
    memset(found, 0x5A, sizeof found);
    CHECK(cudaGraphExecUpdate(instance, graphs[1], found, &result));
    memcpy(&first, found, sizeof first);
    EXPECT(first == 0 && result == (version == 11 ? 0 : -1));
    EXPECT(found[8] == (version == 11 ? 0x5A : 0) && found[24] == 0x5A);
    CHECK(cudaGraphLaunch(instance, NULL));
    CHECK(cudaMemcpy(&byte, fill.to, 1, TO_HOST));
    EXPECT(byte == 2);
    CHECK(cudaFree(fill.to));
    printf("updates right\n");
}

static void wrong(void)
{
    float *data, value;
    unsigned count = 32;
    void *arguments[] = {&data, &count};
    CHECK(cudaMalloc((void **)&data, 100));
    EXPECT(cudaMemcpy(&value, (char *)data + 100, 4, TO_HOST) != 0);
    EXPECT(cudaGetLastError() == 1 && cudaGetLastError() == 0);
    EXPECT(launch(&scale, 1, 2000, arguments) == 9);
    EXPECT(cudaGraphDebugDotPrint(NULL, "", 0) == 801);
    EXPECT(launch(&scale, 1, 32, arguments) == 700);
    EXPECT(cudaDeviceSynchronize() == 700);
    printf("wrong right: %s\n", cudaGetErrorString(700));
}

int main(int argc, char **argv)
{
    EXPECT(argc > 2);
    const int version = atoi(argv[2]);
    register_all(argv[1]);
    for (int n = 3; n < argc; n++)
        if (strcmp(argv[n], "symbols") == 0)
            symbols();
        else if (strcmp(argv[n], "lists") == 0)
            lists();
        else if (strcmp(argv[n], "properties") == 0)
            properties(version);
        else if (strcmp(argv[n], "updates") == 0)
            updates(version);
        else if (strcmp(argv[n], "wrong") == 0)
            wrong();
    return 0;
}
