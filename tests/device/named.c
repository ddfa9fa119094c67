/* For preloading: every OpenCL device, and the processor in /proc/cpuinfo, has the name in WS_NAMED. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_NAME = 0x102B, INVALID_VALUE = -30 };

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length);
FILE *fopen(const char *path, const char *mode);

/* The function that this library hides. */
static void find(const char *name, void *function)
{
    void *const symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length)
{
    int32_t (*real)(void *, uint32_t, size_t, void *, size_t *);
    const char *const name = getenv("WS_NAMED");
    find("clGetDeviceInfo", &real);
    if (what != DEVICE_NAME || !name)
        return real(device, what, room, value, length);
    const size_t bytes = strlen(name) + 1;
    if (length)
        *length = bytes;
    if (value && room < bytes)
        return INVALID_VALUE;
    if (value)
        memcpy(value, name, bytes);
    return 0;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *);
    const char *const name = getenv("WS_NAMED");
    find("fopen", &real);
    if (strcmp(path, "/proc/cpuinfo") != 0 || !name)
        return real(path, mode);
    FILE *const file = tmpfile();
    if (file)
        fprintf(file, "processor\t: 0\nmodel name\t: %s\n", name);
    if (file)
        rewind(file);
    return file;
}
