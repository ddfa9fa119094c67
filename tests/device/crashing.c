/* To be preloaded: OpenCL devices appear as GPUs whose driver dies as WS_DIES says (by a signal's number or, negative, an exit
 * code) in the call WS_DIES_IN; in clBuildProgram only if the options contain WS_DIES_OF. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_TYPE = 0x1000, GPU = 4 };

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length);
void *clCreateContext(const void *properties, uint32_t devices, const void *list, void *notify, void *data, int32_t *code);
int32_t clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);

/* The function that this library hides. */
static void find(const char *name, void *function)
{
    void *const symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void die_in(const char *call)
{
    const char *const chosen = getenv("WS_DIES_IN"), *const how = getenv("WS_DIES");
    if (!chosen || !how || strcmp(chosen, call) != 0)
        return;
    if (how[0] == '-')
        _Exit(atoi(how + 1));
    if (atoi(how) == SIGSEGV)
        *(volatile char *)0 = 0;
    signal(atoi(how), SIG_DFL);
    raise(atoi(how));
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length)
{
    int32_t (*real)(void *, uint32_t, size_t, void *, size_t *);
    const uint64_t type = GPU;
    find("clGetDeviceInfo", &real);
    if (what != DEVICE_TYPE || !value || room < sizeof type)
        return real(device, what, room, value, length);
    memcpy(value, &type, sizeof type);
    return 0;
}

void *clCreateContext(const void *properties, uint32_t devices, const void *list, void *notify, void *data, int32_t *code)
{
    void *(*real)(const void *, uint32_t, const void *, void *, void *, int32_t *);
    find("clCreateContext", &real);
    die_in("clCreateContext");
    return real(properties, devices, list, notify, data, code);
}

int32_t clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data)
{
    int32_t (*real)(void *, uint32_t, const void *, const char *, void *, void *);
    const char *const text = getenv("WS_DIES_OF");
    find("clBuildProgram", &real);
    if (!text || strstr(options, text))
        die_in("clBuildProgram");
    return real(program, devices, list, options, notify, data);
}
