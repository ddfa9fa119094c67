#include "engine/opencl/trace_buffer.h"

#include "base/error.h"

enum { ALIGNMENT = 128 };

/* Offsets in bytes of the arrays of an image. */
struct parts {
    u64 groups, words, end;
};

static u64 aligned(u64 bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static u64 group_count(const struct ws_image *image)
{
    return (u64)image->blocks * image->groups_per_block * (image->packets ? WS_LANES / image->packets : 1);
}

static struct parts parts_of(const struct ws_image *image)
{
    struct parts parts;
    parts.groups = aligned(WS_PROGRAM_BYTES(image->instructions));
    parts.words = parts.groups + aligned(group_count(image) * sizeof *image->groups);
    parts.end = parts.words + aligned(image->word_count * sizeof *image->words);
    return parts;
}

static bool first_of_image(const struct ws_task *tasks, size_t n)
{
    return n == 0 || tasks[n].spec.image != tasks[n - 1].spec.image;
}

/* Bytes that task n adds to those of the tasks before it. */
static u64 added_bytes(const struct ws_task *tasks, size_t n)
{
    return first_of_image(tasks, n) ? parts_of(tasks[n].spec.image).end : 0;
}

u64 ws_trace_bytes(const struct ws_task *tasks, size_t count)
{
    u64 bytes = 0;
    for (size_t n = 0; n < count; n++)
        bytes += added_bytes(tasks, n);
    return bytes;
}

size_t ws_batch_take(const struct ws_task *tasks, size_t count, u64 trace_bytes)
{
    u64 bytes = 0;
    for (size_t n = 0; n < count; n++) {
        bytes += added_bytes(tasks, n);
        if (bytes > trace_bytes)
            return n;
    }
    return count;
}

static enum ws_status upload(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 start, const struct ws_image *image,
                             struct ws_error *error)
{
    const struct parts parts = parts_of(image);
    WS_TRY(ws_cl_write(cl, buffer, start, WS_PROGRAM_BYTES(image->instructions), image->program, error));
    WS_TRY(ws_cl_write(cl, buffer, start + parts.groups, group_count(image) * sizeof *image->groups, image->groups, error));
    if (image->word_count == 0)
        return WS_STATUS_ok;
    return ws_cl_write(cl, buffer, start + parts.words, image->word_count * sizeof *image->words, image->words, error);
}

static void place(struct ws_task *task, u64 start)
{
    const struct parts parts = parts_of(task->spec.image);
    task->job.program = start / sizeof(u32);
    task->job.groups = (start + parts.groups) / sizeof(u32);
    task->job.words = (start + parts.words) / sizeof(u32);
}

static enum ws_status upload_all(struct ws_cl *cl, struct ws_cl_buffer *buffer, struct ws_task *tasks, size_t count,
                                 struct ws_error *error)
{
    u64 start = 0, end = 0;
    for (size_t n = 0; n < count; n++) {
        if (first_of_image(tasks, n)) {
            start = end;
            end += added_bytes(tasks, n);
            WS_TRY(upload(cl, buffer, start, tasks[n].spec.image, error));
        }
        place(&tasks[n], start);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_trace_buffer_new(struct ws_cl *cl, struct ws_task *tasks, size_t count, struct ws_cl_buffer **buffer,
                                   struct ws_error *error)
{
    WS_TRY(ws_cl_buffer_new(cl, ws_trace_bytes(tasks, count), buffer, error));
    const enum ws_status status = upload_all(cl, *buffer, tasks, count, error);
    if (status != WS_STATUS_ok) {
        ws_cl_buffer_free(*buffer);
        *buffer = NULL;
    }
    return status;
}
