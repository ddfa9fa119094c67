/* Functions by name, and those that are not covered. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "capture/cuda/runtime/api.h"

/* ---- By name ---- */

static const char own_place;

/* A function of this library. */
static void *own(const char *name)
{
    static void *library;
    Dl_info info;
    if (!library && dladdr((const void *)&own_place, &info))
        library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

/* The version of a function that a program of some version of CUDA means: the second where there is one, and for contexts that of
 * the version. */
static void *find(const char *symbol, int version)
{
    static const char *const suffixes[] = {"_v2", ""};
    char name[200];
    void *found = NULL;
    if (strcmp(symbol, "cuCtxCreate") == 0)
        return own(version >= 13000 ? "cuCtxCreate_v4" : "cuCtxCreate_v2");
    for (size_t n = 0; !found && n < sizeof suffixes / sizeof *suffixes; n++) {
        snprintf(name, sizeof name, "%s%s", symbol, suffixes[n]);
        found = own(name);
    }
    return found;
}

enum { FOUND, NOT_FOUND };

static int get(const char *symbol, void **function, int version, int *status)
{
    *function = find(symbol, version);
    if (status)
        *status = *function ? FOUND : NOT_FOUND;
    return *function ? GPU_none : GPU_not_found;
}

RUNTIME(cuGetProcAddress_v2, (const char *symbol, void **function, int version, u64 flags, int *status),
        flags < 4 ? get(symbol, function, version, status) : GPU_value)
RUNTIME(cuGetProcAddress, (const char *symbol, void **function, int version, u64 flags),
        flags < 4 ? get(symbol, function, version, NULL) : GPU_value)
RUNTIME(cudaGetDriverEntryPoint, (const char *symbol, void **function, u64 flags, int *status),
        flags < 4 ? get(symbol, function, 12000, status) : GPU_value)
RUNTIME(cudaGetDriverEntryPointByVersion, (const char *symbol, void **function, unsigned version, u64 flags, int *status),
        flags < 4 ? get(symbol, function, (int)version, status) : GPU_value)

/* ---- Private tables ---- */

RUNTIME(cuGetExportTable, (const void **table, const void *id),
        (*table = NULL,
         gpu_uncovered(id ? "private tables of the driver, which a statically linked CUDA runtime and NVIDIA's closed libraries "
                            "ask for: link the shared runtime (nvcc -cudart shared)"
                          : "a private table without an id")))
SAME(cuGetExportTable, cudaGetExportTable)

/* ---- The rest ---- */

#define UNCOVERED(name) NOT_COVERED(name, gpu_leave, "this function")
#include "capture/cuda/driver/uncovered.def"
#undef UNCOVERED
