/* What a program tells the runtime about its code before main, in calls that nvcc adds. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/runtime/api.h"

/* A fat binary of the program; a pointer to it is its handle. */
struct binary {
    void *first; /* as programs expect of a handle */
    struct gpu_module *module;
};

/* A kernel or variable by the address of its host symbol. */
struct symbol {
    const void *host;
    struct gpu_module *module;
    char *name;
    size_t bytes;
    struct gpu_function *function; /* of a kernel */
    void **managed;                /* of a managed variable: where its address is to be */
};

static void *symbols; /* tree */

static int by_host(const void *one, const void *other)
{
    const uintptr_t a = (uintptr_t)((const struct symbol *)one)->host, b = (uintptr_t)((const struct symbol *)other)->host;
    return (a > b) - (a < b);
}

static struct symbol *find(const void *host)
{
    const struct symbol wanted = {.host = host};
    void *const found = tfind(&wanted, &symbols, by_host);
    return found ? *(struct symbol **)found : NULL;
}

/* Ends the program: without memory for its symbols nothing would be right. */
static struct symbol *add(const void *host, void **handle, const char *name)
{
    struct symbol *const symbol = calloc(1, sizeof *symbol);
    char *const copy = strdup(name);
    if (symbol)
        symbol->host = host;
    struct symbol **const place = symbol ? tsearch(symbol, &symbols, by_host) : NULL;
    if (!place || !copy) {
        fprintf(stderr, "warpsweep: out of memory for the program's CUDA symbols\n");
        exit(1);
    }
    if (*place != symbol) { /* registered again */
        free((*place)->name);
        free(symbol);
    }
    **place = (struct symbol){.host = host, .module = ((struct binary *)handle)->module, .name = copy};
    return *place;
}

/* ---- Fat binaries ---- */

EXPORTED void **__cudaRegisterFatBinary(void *wrapper);
EXPORTED void **__cudaRegisterFatBinary(void *wrapper)
{
    struct binary *const binary = calloc(1, sizeof *binary);
    gpu_enter(__func__);
    if (!binary || gpu_module_make(wrapper, "the program's GPU code", &binary->module) != GPU_none) {
        fprintf(stderr, "warpsweep: out of memory for the program's GPU code\n");
        exit(1);
    }
    gpu_leave(GPU_none);
    return &binary->first;
}

EXPORTED void __cudaRegisterFatBinaryEnd(void **handle);
EXPORTED void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* Nothing is freed: destructors of the program may still use it. */
EXPORTED void __cudaUnregisterFatBinary(void **handle);
EXPORTED void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

EXPORTED void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                                     void *bid, void *block, void *grid, int *warp);
EXPORTED void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                                     void *bid, void *block, void *grid, int *warp)
{
    (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    gpu_enter(__func__);
    struct symbol *const symbol = add(host, handle, name);
    symbol->function = gpu_module_function(symbol->module, name);
    gpu_leave(GPU_none);
}

EXPORTED void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant,
                                int global);
EXPORTED void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant,
                                int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    gpu_enter(__func__);
    add(host, handle, name)->bytes = bytes;
    gpu_leave(GPU_none);
}

EXPORTED void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int external, size_t bytes,
                                       int constant, int global);
EXPORTED void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name, int external, size_t bytes,
                                       int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    gpu_enter(__func__);
    struct symbol *const symbol = add(pointer, handle, name);
    symbol->bytes = bytes;
    symbol->managed = pointer;
    gpu_leave(GPU_none);
}

/* Managed variables are there before the program first reads their addresses. */
static struct gpu_module *initialized;

static void set_managed(const void *node, VISIT visit, int depth)
{
    const struct symbol *const symbol = *(struct symbol *const *)node;
    (void)depth;
    if ((visit != postorder && visit != leaf) || !symbol->managed || symbol->module != initialized)
        return;
    struct gpu_range *const range =
        gpu_module_load(symbol->module) == GPU_none ? gpu_module_variable(symbol->module, symbol->name) : NULL;
    if (range)
        *symbol->managed = range->data;
    else
        fprintf(stderr, "warpsweep: the managed variable %s is not in the program's GPU code\n", symbol->name);
}

EXPORTED char __cudaInitModule(void **handle);
EXPORTED char __cudaInitModule(void **handle)
{
    gpu_enter(__func__);
    initialized = ((struct binary *)handle)->module;
    twalk(symbols, set_managed);
    gpu_leave(GPU_none);
    return 1;
}

EXPORTED void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes);
EXPORTED void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes)
{
    (void)handle, (void)name, (void)host, (void)bytes;
}

/* ---- Symbols ---- */

struct gpu_function *runtime_function(const void *host)
{
    const struct symbol *const symbol = find(host);
    if (symbol && symbol->function)
        return symbol->function;
    gpu_fail(GPU_function, "%p is no kernel of the program", host);
    return NULL;
}

int runtime_variable(const void *host, struct gpu_range **range)
{
    const struct symbol *const symbol = find(host);
    if (!symbol || symbol->function)
        return gpu_fail(GPU_symbol, "%p is no __device__ or __constant__ variable of the program", host);
    const int loaded = gpu_module_load(symbol->module);
    if (loaded != GPU_none)
        return gpu_fail(loaded, "variable %s: the program's GPU code cannot be loaded", symbol->name);
    *range = gpu_module_variable(symbol->module, symbol->name);
    if (!*range)
        return gpu_fail(GPU_symbol, "variable %s is not in the program's GPU code", symbol->name);
    if ((*range)->bytes < symbol->bytes)
        return gpu_fail(GPU_symbol, "variable %s has %zu bytes in the program and %llu in its GPU code", symbol->name,
                        symbol->bytes, (unsigned long long)(*range)->bytes);
    return GPU_none;
}
