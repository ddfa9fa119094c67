#include "engine/opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/engine_ops.h"
#include "engine/selftest.h"
#include "shared/state.h"

enum {
    SLICE = 1 << 15, /* cycles: long against a launch, short against a job, so that few slots stand empty */
    CPU_JOBS = 4,    /* in flight for each core: enough to level their lengths out */
    GPU_JOBS = 64    /* for each compute unit: twice what may be resident, so that none idles when some end early */
};

/* ---- Opening ---- */

static void set_limits(struct ws_opencl *opencl)
{
    const struct ws_cl_device *const device = &opencl->device;
    opencl->limits.memory = device->memory / 4 * 3;
    opencl->limits.allocation = device->most_allocation;
    opencl->limits.trace = device->most_allocation < device->memory / 2 ? device->most_allocation : device->memory / 2;
    opencl->limits.slots = ws_max(device->cores, 1) * (device->cpu ? CPU_JOBS : GPU_JOBS);
}

static enum ws_status choose(struct ws_opencl *opencl, const struct ws_engine_options *options, struct ws_error *error)
{
    struct ws_cl_device *devices;
    size_t count;
    WS_TRY(ws_cl_devices(&devices, &count, error));
    const struct ws_cl_device *const device = ws_device_pick(devices, count, options->device, error);
    if (device)
        opencl->device = *device;
    free(devices);
    if (!device)
        return WS_STATUS_no_device;
    opencl->form = ws_lane_form_pick(&opencl->device, options->lane_form, error);
    return opencl->form ? WS_STATUS_ok : WS_STATUS_usage;
}

/* ---- Programs ---- */

/* A device is believed once it has reproduced known counters; the cache remembers that. */
static enum ws_status prove(struct ws_opencl *opencl, const struct ws_selftest *test, struct ws_device_program *program,
                            struct ws_error *error)
{
    if (!program->tested && !opencl->trust) {
        const enum ws_status status = ws_selftest_run(test, opencl->cl, opencl->form, program->program, &opencl->limits, error);
        if (status != WS_STATUS_ok)
            return ws_fail_in(error, "%s (%s), lanes as %s: ", opencl->device.name, opencl->device.platform_name,
                              opencl->form->name);
        program->tested = true;
        program->cached = false;
    }
    if (!program->cached)
        ws_device_program_keep(program);
    return WS_STATUS_ok;
}

static enum ws_status make_program(struct ws_opencl *opencl, u32 variant, const struct ws_selftest *test, struct ws_error *error)
{
    char digest[17];
    struct ws_device_program *const program = &opencl->programs[variant];
    ws_selftest_digest(test, digest);
    WS_TRY(ws_device_program_open(opencl->cl, &opencl->device, opencl->form, variant, digest, program, error));
    const enum ws_status status = prove(opencl, test, program, error);
    if (status != WS_STATUS_ok)
        ws_device_program_free(program);
    return status;
}

enum ws_status ws_opencl_program(struct ws_opencl *opencl, u32 variant, struct ws_error *error)
{
    struct ws_selftest test;
    if (opencl->programs[variant].program)
        return WS_STATUS_ok;
    enum ws_status status = ws_selftest_open(&test, variant, error);
    if (status == WS_STATUS_ok)
        status = make_program(opencl, variant, &test, error);
    ws_selftest_close(&test);
    return status;
}

static void opencl_close(void *state)
{
    struct ws_opencl *const opencl = state;
    for (u32 variant = 0; variant < WS_VARIANTS; variant++)
        ws_device_program_free(&opencl->programs[variant]);
    ws_cl_close(opencl->cl);
    free(opencl);
}

/* A GPU proves itself at once, so that whoever asked for any engine can still take another. */
static enum ws_status prepare(struct ws_opencl *opencl, const struct ws_engine_options *options, struct ws_error *error)
{
    WS_TRY(choose(opencl, options, error));
    set_limits(opencl);
    opencl->slice = options->slice ? ws_min(options->slice, WS_SLICE_MOST) : SLICE;
    opencl->times = options->times;
    opencl->trust = options->trust_device;
    const struct ws_cl_device *const device = &opencl->device;
    snprintf(opencl->about, sizeof opencl->about, "%s (%s, driver %s), lanes as %s", device->name, device->platform_name,
             device->driver, opencl->form->name);
    WS_TRY(ws_cl_open(device, &opencl->cl, error));
    return device->gpu ? ws_opencl_program(opencl, 0, error) : WS_STATUS_ok;
}

static enum ws_status opencl_open(const struct ws_engine_options *options, void **state, struct ws_error *error)
{
    struct ws_opencl *const opencl = calloc(1, sizeof *opencl);
    *state = NULL;
    if (!opencl)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory opening an OpenCL device");
    const enum ws_status status = prepare(opencl, options, error);
    if (status == WS_STATUS_ok)
        *state = opencl;
    else
        opencl_close(opencl);
    return status;
}

static const char *opencl_describe(const void *state)
{
    return ((const struct ws_opencl *)state)->about;
}

static void opencl_list(void (*line)(void *context, const char *name, const char *about), void *context)
{
    struct ws_cl_device *devices;
    size_t count;
    if (ws_cl_devices(&devices, &count, NULL) != WS_STATUS_ok)
        return;
    for (size_t n = 0; n < count; n++) {
        const struct ws_cl_device *const device = &devices[n];
        char about[600];
        snprintf(about, sizeof about, "opencl %s, %u compute units, %llu MB, %s, driver %s",
                 device->gpu   ? "gpu"
                 : device->cpu ? "cpu"
                               : "device",
                 device->cores, (unsigned long long)(device->memory >> 20), device->platform_name, device->driver);
        line(context, device->name, about);
    }
    free(devices);
}

const struct ws_engine_ops ws_engine_opencl = {
    .name = "opencl",
    .open = opencl_open,
    .close = opencl_close,
    .describe = opencl_describe,
    .run = ws_opencl_run,
    .list = opencl_list,
};
