#include "engine/opencl/align.h"

#include <stdio.h>

#include "base/error.h"
#include "embedded/ws_align_source.h"

enum { OPTIONS_ROOM = 200, BUFFERS = 5 };

enum ws_status ws_align_program(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                struct ws_cl_program **program, struct ws_error *error)
{
    char options[OPTIONS_ROOM];
    snprintf(options, sizeof options, "-cl-std=%s -D %s=1 -D WS_COMPUTE=%u", form->language(device), form->macro, device->compute);
    if (ws_cl_build(cl, ws_align_source, sizeof ws_align_source - 1, options, program, error) != WS_STATUS_ok)
        return ws_fail_in(error, "building the alignment with lanes as %s: ", form->name);
    return WS_STATUS_ok;
}

/* The buffers of a batch, as arguments of the kernel. */
struct part {
    const void *from;
    u64 bytes;
};

static enum ws_status fill(struct ws_cl *cl, const struct part *parts, struct ws_cl_buffer **buffers, struct ws_error *error)
{
    for (u32 n = 0; n < BUFFERS; n++) {
        WS_TRY(ws_cl_buffer_new(cl, parts[n].bytes, &buffers[n], error));
        if (parts[n].from)
            WS_TRY(ws_cl_write(cl, buffers[n], 0, parts[n].bytes, parts[n].from, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status launch(struct ws_cl *cl, const struct ws_cl_program *program, const struct ws_lane_form *form,
                             const struct ws_align_batch *batch, struct ws_cl_buffer *const *buffers, struct ws_error *error)
{
    struct ws_cl_argument arguments[BUFFERS + 1] = {{0}};
    for (u32 n = 0; n < BUFFERS; n++)
        arguments[n].buffer = buffers[n];
    WS_TRY(ws_cl_launch(cl, program, "align_tasks", arguments, BUFFERS + 1, batch->count, form->work_items, error));
    WS_TRY(ws_cl_read(cl, buffers[3], 0, batch->row_words * sizeof(u32), batch->rows, error));
    return ws_cl_read(cl, buffers[4], 0, batch->count * sizeof(u32), batch->scores, error);
}

enum ws_status ws_align_device(struct ws_cl *cl, const struct ws_cl_program *program, const struct ws_lane_form *form,
                               const struct ws_align_batch *batch, struct ws_error *error)
{
    const struct part parts[BUFFERS] = {{batch->tasks, batch->count * sizeof *batch->tasks},
                                        {batch->tokens, batch->token_words * sizeof(u32)},
                                        {batch->weights, batch->weight_words * sizeof(u32)},
                                        {NULL, batch->row_words * sizeof(u32)},
                                        {NULL, batch->count * sizeof(u32)}};
    struct ws_cl_buffer *buffers[BUFFERS] = {NULL};
    enum ws_status status = fill(cl, parts, buffers, error);
    if (status == WS_STATUS_ok)
        status = launch(cl, program, form, batch, buffers, error);
    for (u32 n = 0; n < BUFFERS; n++)
        ws_cl_buffer_free(buffers[n]);
    return status;
}
