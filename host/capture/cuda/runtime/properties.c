/* Properties and attributes of the device. Versions of the runtime have different structs. */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/runtime/api.h"

#define FIELD(type, name, count, value) type name[count];
#define NO_FIELD(type, name, count, value)

#define PROPERTY_all    FIELD
#define PROPERTY_old    FIELD
#define PROPERTY_new    NO_FIELD
#define PROPERTY_latest NO_FIELD
struct properties_11 {
#include "capture/cuda/runtime/properties.def"
};
#undef PROPERTY_new
#define PROPERTY_new FIELD
struct properties_12 {
#include "capture/cuda/runtime/properties.def"
};
#undef PROPERTY_old
#undef PROPERTY_latest
#define PROPERTY_old    NO_FIELD
#define PROPERTY_latest FIELD
struct properties_13 {
#include "capture/cuda/runtime/properties.def"
};
#undef PROPERTY_all
#undef PROPERTY_old
#undef PROPERTY_new
#undef PROPERTY_latest

#define SET(type, name, count, value)                                                                                              \
    for (size_t x = 0; x < (count); x++)                                                                                           \
        to->name[x] = (type)(value);
#define SET_NONE(type, name, count, value)

static void set_name(char name[256], const struct gpu_device_row *row)
{
    snprintf(name, 256, "%s", row->name);
}

static const struct gpu_device_row *row_of(const struct ws_machine **machine, u32 *sms)
{
    const struct gpu_device *const device = gpu_device();
    *machine = &device->machine;
    *sms = device->sms;
    return &device->row;
}

#define PROPERTY_all    SET
#define PROPERTY_old    SET
#define PROPERTY_new    SET_NONE
#define PROPERTY_latest SET_NONE
static void fill_11(struct properties_11 *to)
{
    const struct ws_machine *m;
    u32 sms;
    const struct gpu_device_row *const p = row_of(&m, &sms);
#include "capture/cuda/runtime/properties.def"
    set_name(to->name, p);
    memcpy(to->uuid, "warpsweep-device", sizeof to->uuid);
}
#undef PROPERTY_new
#define PROPERTY_new SET
static void fill_12(struct properties_12 *to)
{
    const struct ws_machine *m;
    u32 sms;
    const struct gpu_device_row *const p = row_of(&m, &sms);
#include "capture/cuda/runtime/properties.def"
    set_name(to->name, p);
    memcpy(to->uuid, "warpsweep-device", sizeof to->uuid);
}
#undef PROPERTY_old
#undef PROPERTY_latest
#define PROPERTY_old    SET_NONE
#define PROPERTY_latest SET
static void fill_13(struct properties_13 *to)
{
    const struct ws_machine *m;
    u32 sms;
    const struct gpu_device_row *const p = row_of(&m, &sms);
#include "capture/cuda/runtime/properties.def"
    set_name(to->name, p);
    memcpy(to->uuid, "warpsweep-device", sizeof to->uuid);
}

static int check(int device)
{
    return device == 0 ? GPU_none : gpu_fail(GPU_device, "found device %d, there is device 0 only", device);
}

static int get_11(struct properties_11 *to, int device)
{
    if (device == 0)
        fill_11(to);
    return check(device);
}

static int get_12(struct properties_12 *to, int device)
{
    if (device == 0)
        fill_12(to);
    return check(device);
}

static int get_13(struct properties_13 *to, int device)
{
    if (device == 0)
        fill_13(to);
    return check(device);
}

RUNTIME(cudaGetDeviceProperties_v2, (struct properties_12 * to, int device), get_12(to, device))
RUNTIME_VERSION(cudaGetDeviceProperties, 11, (struct properties_11 * to, int device), get_11(to, device))
RUNTIME_VERSION(cudaGetDeviceProperties, 13, (struct properties_13 * to, int device), get_13(to, device))
__asm__(".symver cudaGetDeviceProperties_11, cudaGetDeviceProperties@libcudart.so.11.0");
SAME(cudaGetDeviceProperties_11, cudaGetDeviceProperties_12)
__asm__(".symver cudaGetDeviceProperties_12, cudaGetDeviceProperties@libcudart.so.12");
__asm__(".symver cudaGetDeviceProperties_13, cudaGetDeviceProperties@@libcudart.so.13");

int runtime_attribute(int *value, int attribute, int device)
{
    static const struct {
        int number;
        size_t offset, bytes;
    } rows[] = {
#define ATTRIBUTE(number, name, x)                                                                                                 \
    {number, offsetof(struct properties_12, name) + (x) * sizeof(((struct properties_12 *)0)->name[0]),                            \
     sizeof(((struct properties_12 *)0)->name[0])},
#include "capture/cuda/runtime/attributes.def"
#undef ATTRIBUTE
    };
    struct properties_12 all;
    int error = get_12(&all, device);
    *value = 0;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (rows[n].number == attribute && error == GPU_none) {
            u64 number = 0;
            memcpy(&number, (const u8 *)&all + rows[n].offset, rows[n].bytes);
            *value = (int)number;
            return GPU_none;
        }
    if (error == GPU_none && (attribute <= 0 || attribute > 200))
        error = gpu_fail(GPU_value, "found attribute %d of the device", attribute);
    return error; /* others are features that the device has not: 0 */
}

RUNTIME(cudaDeviceGetAttribute, (int *value, int attribute, int device), runtime_attribute(value, attribute, device))
RUNTIME(cudaChooseDevice, (int *device, const void *properties), properties ? (*device = 0, GPU_none) : GPU_value)

/* ---- Limits, flags, versions ---- */

enum { LIMITS = 7 };
static size_t limits[LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
static unsigned device_flags;

static int get_limit(size_t *value, int limit)
{
    if (limit < 0 || limit >= LIMITS)
        return gpu_fail(GPU_value, "found limit %d, allowed are 0 to %d", limit, LIMITS - 1);
    *value = limits[limit];
    return GPU_none;
}

static int set_limit(int limit, size_t value)
{
    if (limit < 0 || limit >= LIMITS)
        return gpu_fail(GPU_value, "found limit %d, allowed are 0 to %d", limit, LIMITS - 1);
    limits[limit] = value;
    return GPU_none;
}

static int get_version(int *version)
{
    *version = 13000;
    return GPU_none;
}

static int get_flags(unsigned *flags)
{
    *flags = device_flags;
    return GPU_none;
}

static int set_flags(unsigned flags)
{
    device_flags = flags;
    return GPU_none;
}

static int get_config(int *config)
{
    *config = 0;
    return GPU_none;
}

RUNTIME(cudaDeviceGetLimit, (size_t * value, int limit), get_limit(value, limit))
RUNTIME(cudaDeviceSetLimit, (int limit, size_t value), set_limit(limit, value))
RUNTIME(cudaDriverGetVersion, (int *version), get_version(version))
RUNTIME(cudaRuntimeGetVersion, (int *version), get_version(version))
RUNTIME(cudaGetDeviceFlags, (unsigned *flags), get_flags(flags))
RUNTIME(cudaSetDeviceFlags, (unsigned flags), set_flags(flags))
RUNTIME(cudaDeviceGetCacheConfig, (int *config), get_config(config))
RUNTIME(cudaDeviceSetCacheConfig, (int config), config >= 0 ? GPU_none : GPU_value)
RUNTIME(cudaDeviceGetSharedMemConfig, (int *config), get_config(config))
RUNTIME(cudaDeviceSetSharedMemConfig, (int config), config >= 0 ? GPU_none : GPU_value)
RUNTIME(cudaInitDevice, (int device, unsigned flags, unsigned more), flags + 1 && more + 1 ? check(device) : check(device))
RUNTIME(cudaDeviceReset, (void), GPU_none)
SAME(cudaDeviceReset, cudaThreadExit)
RUNTIME(cudaProfilerStart, (void), GPU_none)
RUNTIME(cudaProfilerStop, (void), GPU_none)

static int get_bus(char *text, int room, int device)
{
    snprintf(text, room > 0 ? (size_t)room : 0, "0000:01:00.0");
    return check(device);
}

RUNTIME(cudaDeviceGetPCIBusId, (char *text, int room, int device), get_bus(text, room, device))

/* ---- One device ---- */

static int can_access(int *can, int device, int peer)
{
    *can = 0;
    return check(device) != GPU_none ? GPU_device : check(peer);
}

RUNTIME(cudaDeviceCanAccessPeer, (int *can, int device, int peer), can_access(can, device, peer))
RUNTIME(cudaDeviceEnablePeerAccess, (int peer, unsigned flags),
        flags ? GPU_value : gpu_fail(GPU_device, "found peer %d, there is one device", peer))
RUNTIME(cudaDeviceDisablePeerAccess, (int peer), gpu_fail(GPU_device, "found peer %d, there is one device", peer))

/* ---- Hints ---- */

static int advise(const void *address, size_t bytes)
{
    const struct gpu_range *const range = gpu_memory_at(address);
    return range && bytes <= range->bytes ? GPU_none : gpu_fail(GPU_value, "%p is no managed memory of %zu bytes", address, bytes);
}

/* A place is a device's number up to version 12, and a struct of the same registers from then on. */
RUNTIME(cudaMemAdvise, (const void *address, size_t bytes, int advice, u64 place),
        advice > 0 && place + 1 ? advise(address, bytes) : advise(address, bytes))
SAME(cudaMemAdvise, cudaMemAdvise_v2)
RUNTIME(cudaMemPrefetchAsync, (const void *address, size_t bytes, u64 place, u64 flags_or_stream, void *stream),
        place + flags_or_stream + (uintptr_t)stream ? advise(address, bytes) : advise(address, bytes))
SAME(cudaMemPrefetchAsync, cudaMemPrefetchAsync_v2)
SAME(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz)
