#include "engine/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "embedded/ws_kernel_source.h"
#include "engine/variant.h"

enum { OPTIONS_ROOM = 200 };

static void write_options(char *options, const struct ws_lane_form *form, u32 variant)
{
    const struct ws_tuple *const tuple = &ws_tuples()[variant];
    snprintf(options, OPTIONS_ROOM, "-cl-std=CL1.2 -D %s=1 -D WS_PIPELINE=%u -D WS_DIVERGENCE=%u -D WS_POLICY=%u -D WS_DISPATCH=%u",
             form->macro, tuple->pipeline, tuple->divergence, tuple->policy, tuple->dispatch);
}

static bool load(struct ws_cl *cl, const char *options, struct ws_device_program *program)
{
    void *binary;
    size_t length;
    if (!ws_binary_fetch(program->key, &binary, &length, &program->tested))
        return false;
    program->cached = ws_cl_load(cl, binary, length, options, &program->program, NULL) == WS_STATUS_ok;
    free(binary);
    return program->cached;
}

enum ws_status ws_device_program_open(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                      u32 variant, const char *model, struct ws_device_program *program, struct ws_error *error)
{
    char options[OPTIONS_ROOM];
    write_options(options, form, variant);
    const char *const texts[] = {ws_kernel_source, options, device->platform_name, device->name, device->driver, model};
    *program = (struct ws_device_program){.key = ws_binary_key(texts, sizeof texts / sizeof *texts)};
    if (load(cl, options, program))
        return WS_STATUS_ok;
    program->tested = false;
    if (ws_cl_build(cl, ws_kernel_source, sizeof ws_kernel_source - 1, options, &program->program, error) != WS_STATUS_ok)
        return ws_fail_in(error, "building '%s' for %s: ", ws_tuples()[variant].name, device->name);
    return WS_STATUS_ok;
}

void ws_device_program_free(struct ws_device_program *program)
{
    ws_cl_program_free(program->program);
    program->program = NULL;
}

void ws_device_program_keep(const struct ws_device_program *program)
{
    void *binary;
    size_t length;
    if (ws_cl_binary(program->program, &binary, &length, NULL) != WS_STATUS_ok)
        return;
    ws_binary_keep(program->key, binary, length, program->tested);
    free(binary);
}
