#include <string.h>

#include "base/error.h"
#include "sass/exec/lower.h"
#include "sass/file/load.h"

/* A kernel that cannot be lowered keeps the reason; its launch reports it. */
static enum ws_status lower_or_keep_failure(struct ws_program *program, u32 n, struct ws_error *error)
{
    struct ws_kernel *const kernel = &program->kernels[n];
    struct ws_error own = {.status = WS_STATUS_ok};
    if (kernel->failure)
        return WS_STATUS_ok;
    const enum ws_status status = ws_sass_lower(ws_sass_kernel_of(program, kernel), &program->arena, kernel, &own);
    if (status != WS_STATUS_bad_input)
        return status == WS_STATUS_ok ? status : ws_fail(error, status, "%s", own.message);
    kernel->failure = ws_arena_text(&program->arena, own.message, strlen(own.message));
    return kernel->failure ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel->name);
}

enum ws_status ws_sass_program(const char *name, const u8 *bytes, size_t length, struct ws_program **program,
                               struct ws_error *error)
{
    enum ws_status status = ws_sass_load(name, bytes, length, program, error);
    if (status == WS_STATUS_ok)
        (*program)->machine.place = sass_at_launch;
    for (u32 n = 0; status == WS_STATUS_ok && n < (*program)->kernel_count; n++)
        status = lower_or_keep_failure(*program, n, error);
    if (status == WS_STATUS_ok)
        return status;
    ws_program_free(*program);
    *program = NULL;
    return status;
}
