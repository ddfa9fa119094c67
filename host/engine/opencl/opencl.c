#include "engine/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/align_proof.h"
#include "engine/engine_ops.h"
#include "engine/opencl/align.h"
#include "engine/opencl/selftest/process.h"
#include "engine/opencl/selftest/cached.h"
#include "shared/state.h"

enum {
    QUANTUM = 1 << 15, /* cycles: long compared with a launch, short compared with a job, to keep slots full */
    CPU_JOBS = 8,      /* jobs in flight for each core: in each of two halves enough to balance their lengths */
    GPU_JOBS =
        4 /* jobs in flight for each group that runs: in each of two halves enough to keep the device busy when some end early */
};

/* ---- Opening ---- */

static void set_limits(struct ws_opencl *opencl)
{
    const struct ws_cl_device *const device = &opencl->device;
    opencl->limits.memory = device->memory / 4 * 3;
    opencl->limits.allocation = device->most_allocation;
    opencl->limits.trace = device->most_allocation < device->memory / 2 ? device->most_allocation : device->memory / 2;
    opencl->limits.at_once = ws_max(device->cores, 1);
    opencl->limits.slots = opencl->limits.at_once * CPU_JOBS;
}

struct ws_limits ws_opencl_limits(const struct ws_opencl *opencl, const struct ws_device_program *program)
{
    struct ws_limits limits = opencl->limits;
    if (program->groups) {
        limits.at_once = ws_max(opencl->device.cores, 1) * program->groups;
        limits.slots = limits.at_once * GPU_JOBS;
    }
    return limits;
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
    opencl->device.registers = options->registers;
    opencl->form_count = ws_lane_forms_pick(&opencl->device, options->lane_form, opencl->forms, error);
    return opencl->form_count > 0 ? WS_STATUS_ok : WS_STATUS_usage;
}

void ws_opencl_release(struct ws_opencl *opencl)
{
    if (atomic_fetch_sub(&opencl->users, 1) > 1)
        return;
    for (u32 variant = 0; variant < WS_VARIANTS; variant++)
        ws_device_program_free(&opencl->programs[variant]);
    for (u32 variant = 0; variant < WS_VARIANTS; variant++)
        ws_device_program_free(&opencl->specialized[variant].program);
    ws_cl_program_free(opencl->align);
    ws_cl_close(opencl->cl);
    free(opencl);
}

static void opencl_close(void *state)
{
    struct ws_opencl *const opencl = state;
    ws_compile_close(opencl->running);
    ws_opencl_release(opencl);
}

/* A GPU is verified at once, so that engine "auto" can still select another. */
static enum ws_status prove(struct ws_opencl *opencl, struct ws_error *error)
{
    if (opencl->device.cpu)
        return WS_STATUS_ok;
    WS_TRY(ws_opencl_compile(opencl, 0, error));
    opencl->form = opencl->programs[0].form;
    opencl->limits = ws_opencl_limits(opencl, &opencl->programs[0]);
    return WS_STATUS_ok;
}

static void describe(struct ws_opencl *opencl)
{
    const struct ws_cl_device *const device = &opencl->device;
    const size_t room = sizeof opencl->about;
    const int length = snprintf(opencl->about, room, "%s (%s, driver %s), lanes as %s", device->name, device->platform_name,
                                device->driver, opencl->form->name);
    if (device->registers && opencl->programs[0].registers)
        snprintf(opencl->about + length, room - (size_t)length, ", at most %u registers", device->registers);
}

static enum ws_status open_device(struct ws_opencl *opencl, struct ws_error *error)
{
    const struct ws_lane_form *const any = ws_lane_forms();
    const enum ws_status status =
        ws_self_test_process(opencl, any, WS_SELF_TEST_open, ws_self_test_key(&opencl->device, any, WS_SELF_TEST_open), error);
    if (status == WS_STATUS_interrupted)
        return status;
    if (status != WS_STATUS_ok)
        return ws_fail_in(error, "%s (%s): ", opencl->device.name, opencl->device.platform_name);
    return ws_cl_open(&opencl->device, &opencl->cl, error);
}

static enum ws_status prepare(struct ws_opencl *opencl, const struct ws_engine_options *options, struct ws_error *error)
{
    const struct ws_cl_device *const device = &opencl->device;
    WS_TRY(choose(opencl, options, error));
    set_limits(opencl);
    opencl->quantum = options->quantum ? ws_min(options->quantum, WS_QUANTUM_MOST) : QUANTUM;
    opencl->quantum_adapts = !options->quantum && !device->cpu;
    opencl->times = options->times;
    opencl->trust = options->trust_device;
    opencl->specialize = options->specialize;
    opencl->self_test_program = options->self_test_program;
    WS_TRY(open_device(opencl, error));
    WS_TRY(prove(opencl, error));
    if (!opencl->form)
        opencl->form = opencl->forms[0];
    describe(opencl);
    return WS_STATUS_ok;
}

static enum ws_status opencl_open(const struct ws_engine_options *options, void **state, struct ws_error *error)
{
    struct ws_opencl *const opencl = calloc(1, sizeof *opencl);
    *state = NULL;
    if (!opencl)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory opening an OpenCL device");
    opencl->users = 1;
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

static u32 opencl_at_once(const void *state)
{
    return ((const struct ws_opencl *)state)->limits.at_once;
}

static enum ws_status do_align(void *state, const struct ws_align_batch *batch, struct ws_error *error)
{
    struct ws_opencl *const opencl = state;
    return ws_align_device(opencl->cl, opencl->align, opencl->form, batch, error);
}

/* The alignment program is used after its self-test, unless the device is trusted. */
static enum ws_status open_align(struct ws_opencl *opencl, struct ws_error *error)
{
    const struct ws_binary_key key = ws_self_test_key(&opencl->device, opencl->form, WS_SELF_TEST_align);
    WS_TRY(ws_self_test_process(opencl, opencl->form, WS_SELF_TEST_align, key, error));
    WS_TRY(ws_align_program(opencl->cl, &opencl->device, opencl->form, &opencl->align, error));
    if (opencl->trust || ws_align_prove(do_align, opencl, error) == WS_STATUS_ok)
        return WS_STATUS_ok;
    ws_cl_program_free(opencl->align);
    opencl->align = NULL;
    return ws_fail_in(error, "%s (%s): ", opencl->device.name, opencl->device.platform_name);
}

static enum ws_status opencl_align(void *state, const struct ws_align_batch *batch, struct ws_error *error)
{
    struct ws_opencl *const opencl = state;
    if (!opencl->align)
        WS_TRY(open_align(opencl, error));
    return do_align(state, batch, error);
}

/* ---- Self-tests ---- */

static enum ws_status try(struct ws_opencl *opencl, u32 place, u32 what, u32 registers)
{
    struct ws_cl_device *devices;
    size_t count;
    WS_TRY(ws_cl_devices(&devices, &count, NULL));
    const bool found = place < count;
    if (found)
        opencl->device = devices[place];
    free(devices);
    if (!found)
        return WS_STATUS_no_device;
    opencl->device.registers = registers;
    set_limits(opencl);
    WS_TRY(ws_cl_open(&opencl->device, &opencl->cl, NULL));
    if (what == WS_SELF_TEST_open)
        return ws_cl_probe(opencl->cl, NULL);
    return what == WS_SELF_TEST_align ? open_align(opencl, NULL) : ws_opencl_compile(opencl, what, NULL);
}

void ws_opencl_try(u32 device, const struct ws_lane_form *form, u32 what, u32 registers)
{
    struct ws_opencl *const opencl = calloc(1, sizeof *opencl);
    if (!opencl || what > WS_SELF_TEST_align) {
        free(opencl);
        return;
    }
    opencl->form = opencl->forms[0] = form;
    opencl->form_count = 1;
    opencl->users = 1;
    try(opencl, device, what, registers);
    opencl_close(opencl);
}

/* ---- The list ---- */

static void list_device(const struct ws_cl_device *device, void (*line)(void *context, const char *name, const char *about),
                        void *context)
{
    struct ws_text about = {0};
    ws_text_add(&about, "opencl %s, %u compute units, %llu MB, %s, driver %s; ",
                device->gpu   ? "gpu"
                : device->cpu ? "cpu"
                              : "device",
                device->cores, (unsigned long long)(device->memory >> 20), device->platform_name, device->driver);
    ws_cached_results_add(device, &about);
    line(context, device->name, about.failed ? "out of memory" : about.data);
    ws_text_free(&about);
}

static void opencl_list(void (*line)(void *context, const char *name, const char *about), void *context)
{
    struct ws_cl_device *devices;
    size_t count;
    if (ws_cl_devices(&devices, &count, NULL) != WS_STATUS_ok)
        return;
    for (size_t n = 0; n < count; n++)
        list_device(&devices[n], line, context);
    struct ws_error none;
    if (!ws_device_pick(devices, count, NULL, &none))
        line(context, "opencl", none.message);
    free(devices);
}

const struct ws_engine_ops ws_engine_opencl = {
    .name = "opencl",
    .open = opencl_open,
    .close = opencl_close,
    .describe = opencl_describe,
    .at_once = opencl_at_once,
    .run = ws_opencl_run,
    .align = opencl_align,
    .list = opencl_list,
};
