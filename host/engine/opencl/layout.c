#include "engine/opencl/layout.h"

#include "base/error.h"
#include "shared/state.h"

static const struct {
    const char *name;
    u32 value;
} rows[] = {
#define SIZE(type)          {"size of struct " #type, (u32)sizeof(struct type)},
#define OFFSET(type, field) {"offset of " #type "." #field, (u32)offsetof(struct type, field)},
#include "shared/layout.def"
#undef SIZE
#undef OFFSET
};

enum { ROWS = sizeof rows / sizeof *rows };

static enum ws_status ask(struct ws_cl *cl, const struct ws_cl_program *program, struct ws_cl_buffer *buffer, u32 *said,
                          struct ws_error *error)
{
    const struct ws_cl_argument argument = {.buffer = buffer};
    WS_TRY(ws_cl_zero(cl, buffer, 0, ROWS * sizeof *said, error));
    WS_TRY(ws_cl_launch(cl, program, "sm_layout", &argument, 1, 1, 1, error));
    return ws_cl_read(cl, buffer, 0, ROWS * sizeof *said, said, error);
}

enum ws_status ws_layout_check(struct ws_cl *cl, const struct ws_cl_program *program, struct ws_error *error)
{
    u32 said[ROWS];
    struct ws_cl_buffer *buffer;
    WS_TRY(ws_cl_buffer_new(cl, sizeof said, &buffer, error));
    const enum ws_status status = ask(cl, program, buffer, said, error);
    ws_cl_buffer_free(buffer);
    if (status != WS_STATUS_ok)
        return status;
    for (u32 n = 0; n < ROWS; n++)
        if (said[n] != rows[n].value)
            return ws_fail(error, WS_STATUS_mismatch, "%s is %u on the device, %u on the host", rows[n].name, said[n],
                           rows[n].value);
    return WS_STATUS_ok;
}
