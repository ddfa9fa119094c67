/* A program of the driver API: driver PTX. */
#include "host.h"

int cuInit(unsigned flags);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int number);
int cuDeviceGetName(char *name, int room, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name);
int cuMemAlloc_v2(uint64_t *to, size_t bytes);
int cuMemFree_v2(uint64_t address);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuMemsetD32_v2(uint64_t to, unsigned value, size_t count);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned x, unsigned y, unsigned z,
                   unsigned shared, void *stream, void **arguments, void **extra);
int cuCtxSynchronize(void);
int cuModuleUnload(void *module);
int cuCtxDestroy_v2(void *context);
int cuGetErrorName(int error, const char **name);
int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status);

enum { NOT_FOUND = 500, BUFFER = 1, BYTES = 2, SMS = 16 };

static char *read_text(const char *path)
{
    static char text[20000];
    FILE *const file = fopen(path, "r");
    EXPECT(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    return text;
}

/* Both forms of arguments. */
static void launch_twice(void *function, uint64_t data)
{
    unsigned count = 16;
    struct {
        uint64_t data;
        unsigned count;
    } packed = {data, count};
    size_t bytes = sizeof packed;
    void *arguments[] = {&data, &count}, *extra[] = {(void *)BUFFER, &packed, (void *)BYTES, &bytes, NULL};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 16, 1, 1, 0, NULL, arguments, NULL));
    CHECK(cuLaunchKernel(function, 1, 1, 1, 16, 1, 1, 0, NULL, NULL, extra));
    CHECK(cuCtxSynchronize());
}

int main(int argc, char **argv)
{
    void *context, *module, *function, *found;
    uint64_t data, address;
    size_t bytes;
    float values[16];
    char name[100];
    const char *error;
    int device, count, sms, status;
    EXPECT(argc == 2);
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CHECK(cuDeviceGetAttribute(&sms, SMS, device));
    printf("%d device, %s, %d SMs\n", count, name, sms);
    CHECK(cuCtxCreate_v2(&context, 0, device));
    CHECK(cuModuleLoadData(&module, read_text(argv[1])));
    CHECK(cuModuleGetFunction(&function, module, "scale"));
    CHECK(cuMemAlloc_v2(&data, sizeof values));
    CHECK(cuMemsetD32_v2(data, 0x40400000 /* 3.0 */, 16));
    launch_twice(function, data);
    CHECK(cuMemcpyDtoH_v2(values, data, sizeof values));
    EXPECT(values[0] == 12 && values[15] == 12);
    CHECK(cuModuleGetGlobal_v2(&address, &bytes, module, "counter"));
    CHECK(cuMemcpyDtoH_v2(&count, address, sizeof count));
    EXPECT(bytes == 4 && count == 5 + 32);
    EXPECT(cuModuleGetFunction(&function, module, "nothing") == NOT_FOUND);
    CHECK(cuGetErrorName(NOT_FOUND, &error));
    EXPECT(strcmp(error, "CUDA_ERROR_NOT_FOUND") == 0);
    CHECK(cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 0, &status));
    EXPECT(found == (void *)(uintptr_t)cuMemAlloc_v2);
    EXPECT(cuGetProcAddress_v2("cuNothing", &found, 12000, 0, &status) == NOT_FOUND && status == 1);
    CHECK(cuMemFree_v2(data));
    CHECK(cuModuleUnload(module));
    CHECK(cuCtxDestroy_v2(context));
    printf("driver right\n");
    return 0;
}
