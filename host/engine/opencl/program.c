#include "engine/opencl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "embedded/ws_kernel_source.h"
#include "engine/compile/quick.h"
#include "engine/variant.h"

enum { OPTIONS_ROOM = 300 };

/* Specialized programs have constant conditions, of which compilers warn; they are worth optimizing. */
static void write_options(char *options, const struct ws_cl_device *device, const struct ws_lane_form *form, u32 variant,
                          u32 registers, const char *fixed)
{
    const struct ws_tuple *const tuple = &ws_tuples()[variant];
    const bool quick = device->cpu && ws_compiles_quickly();
    const char *const last = *fixed ? " -w" : quick ? " -cl-opt-disable" : "";
    const int length = snprintf(
        options, OPTIONS_ROOM,
        "-cl-std=%s -D %s=1 -D WS_COMPUTE=%u -D WS_PIPELINE_%s=1 -D WS_PATH_%s=1 -D WS_POLICY=WS_policy_%s -D WS_DISPATCH_%s=1 "
        "-D WS_SLOT_WORDS=%u%s",
        form->language(device), form->macro, device->compute, tuple->pipeline_name, tuple->path_name, tuple->policy_name,
        tuple->dispatch_name, tuple->words, last);
    if (registers)
        snprintf(options + length, OPTIONS_ROOM - (size_t)length, " -cl-nv-maxrregcount=%u -cl-nv-verbose", registers);
}

static struct ws_binary_key key_of(const struct ws_cl_device *device, const char *options, const char *fixed, const char *model)
{
    const char *const texts[] = {ws_kernel_source, options, device->platform_name, device->name, device->driver, model, fixed};
    return ws_binary_key(texts, sizeof texts / sizeof *texts);
}

struct ws_binary_key ws_device_program_key(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 variant,
                                           const char *fixed, const char *model)
{
    char options[OPTIONS_ROOM];
    write_options(options, device, form, variant, ws_device_registers(device, ws_tuples()[variant].pipeline), fixed);
    return key_of(device, options, fixed, model);
}

static bool load(struct ws_cl *cl, const char *options, struct ws_device_program *program)
{
    void *binary;
    size_t length;
    enum ws_self_test_result result;
    if (!ws_binary_fetch(program->key, &binary, &length, &result))
        return false;
    const bool loaded = !program->driver_keeps && result != WS_SELF_TEST_failed &&
                        ws_cl_load(cl, binary, length, options, &program->program, NULL) == WS_STATUS_ok;
    program->cached = loaded || program->driver_keeps;
    program->tested = program->cached && result == WS_SELF_TEST_passed;
    free(binary);
    return loaded;
}

/* Builds the kernels with a text before their source. */
static enum ws_status build_source(struct ws_cl *cl, const char *fixed, const char *options, struct ws_cl_program **program,
                                   struct ws_error *error)
{
    struct ws_text source = {0};
    ws_text_add(&source, "%s", fixed);
    ws_text_bytes(&source, ws_kernel_source, sizeof ws_kernel_source - 1);
    const enum ws_status status = source.failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory for the kernels' source")
                                                : ws_cl_build(cl, source.data, source.length, options, program, error);
    ws_text_free(&source);
    return status;
}

static enum ws_status build(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form, u32 variant,
                            u32 registers, const char *fixed, const char *model, struct ws_device_program *program,
                            struct ws_error *error)
{
    char options[OPTIONS_ROOM];
    write_options(options, device, form, variant, registers, fixed);
    *program = (struct ws_device_program){
        .form = form, .registers = registers, .key = key_of(device, options, fixed, model), .driver_keeps = device->keeps_programs};
    if (load(cl, options, program))
        return WS_STATUS_ok;
    const enum ws_status status = build_source(cl, fixed, options, &program->program, error);
    if (status != WS_STATUS_ok)
        ws_fail_in(error, "building '%s': ", ws_tuples()[variant].name);
    return status;
}

enum ws_status ws_device_program_open(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                      u32 variant, const char *fixed, const char *model, struct ws_device_program *program,
                                      struct ws_error *error)
{
    const u32 registers = ws_device_registers(device, ws_tuples()[variant].pipeline);
    const enum ws_status status = build(cl, device, form, variant, registers, fixed, model, program, error);
    if (status != WS_STATUS_compiler || registers == 0)
        return status;
    return build(cl, device, form, variant, 0, fixed, model, program, error);
}

void ws_device_program_free(struct ws_device_program *program)
{
    ws_cl_program_free(program->program);
    program->program = NULL;
}

enum ws_self_test_result ws_device_program_cached_result(struct ws_binary_key key, char **reason)
{
    enum ws_self_test_result result = WS_SELF_TEST_unknown;
    void *kept = NULL;
    size_t length;
    *reason = NULL;
    if (ws_binary_fetch(key, &kept, &length, &result) && result == WS_SELF_TEST_failed)
        *reason = kept;
    else
        free(kept);
    return result;
}

void ws_device_program_keep(const struct ws_device_program *program)
{
    void *binary;
    size_t length;
    if (program->driver_keeps) {
        if (program->tested)
            ws_device_program_accept(program->key);
        return;
    }
    if (ws_cl_binary(program->program, &binary, &length, NULL) != WS_STATUS_ok)
        return;
    ws_binary_keep(program->key, binary, length, program->tested ? WS_SELF_TEST_passed : WS_SELF_TEST_unknown);
    free(binary);
}

void ws_device_program_refuse(struct ws_binary_key key, const char *reason)
{
    ws_binary_keep(key, reason, strlen(reason), WS_SELF_TEST_failed);
}

void ws_device_program_accept(struct ws_binary_key key)
{
    static const char nothing[1];
    ws_binary_keep(key, nothing, sizeof nothing, WS_SELF_TEST_passed);
}
