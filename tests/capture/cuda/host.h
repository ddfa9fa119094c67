/* The CUDA runtime's binary interface, as far as the tests call it. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dim3 {
    unsigned x, y, z;
};

#define CHECK(call)                                                                                                                \
    do {                                                                                                                           \
        const int error_ = (call);                                                                                                 \
        if (error_ != 0) {                                                                                                         \
            printf("%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, error_);                                                    \
            exit(1);                                                                                                               \
        }                                                                                                                          \
    } while (0)

#define EXPECT(what)                                                                                                               \
    do {                                                                                                                           \
        if (!(what)) {                                                                                                             \
            printf("%s:%d: %s is not so\n", __FILE__, __LINE__, #what);                                                            \
            exit(1);                                                                                                               \
        }                                                                                                                          \
    } while (0)

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid, void *bid,
                            void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant,
                       int global);
void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int external, size_t bytes,
                              int constant, int global);
char __cudaInitModule(void **handle);
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream);
int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void **stream);
int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared, void *stream);
int cudaMalloc(void **to, size_t bytes);
int cudaFree(void *address);
int cudaMallocManaged(void **to, size_t bytes, unsigned flags);
int cudaMemcpy(void *to, const void *from, size_t bytes, int direction);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int direction);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int direction);
int cudaMemset(void *to, int value, size_t bytes);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
const char *cudaGetErrorString(int error);
int cudaGetDeviceProperties(void *properties, int device);
int cudaGraphCreate(void **graph, unsigned flags);
int cudaGraphAddMemsetNode(void **node, void *graph, void *const *before, size_t count, const void *parameters);
int cudaGraphInstantiate(void **instance, void *graph, void *flags, void *log, size_t bytes);
int cudaGraphExecUpdate(void *instance, void *graph, void *node, int *result); /* from version 12 on: a struct at node */
int cudaGraphLaunch(void *instance, void *stream);
int cudaGraphDebugDotPrint(void *graph, const char *path, unsigned flags);
