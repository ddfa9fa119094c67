#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { TEMPORARY_NAMES = 100, SUFFIX_ROOM = 40 };

static enum ws_status cannot_write(const struct wst_output *output, int cause, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", output->path, strerror(cause));
}

static void release(struct wst_output *output)
{
    free(output->path);
    free(output->temporary);
    *output = (struct wst_output){.descriptor = -1};
}

static int create_beside(struct wst_output *output, size_t room)
{
    errno = EEXIST;
    for (int n = 0; n < TEMPORARY_NAMES && errno == EEXIST; n++) {
        snprintf(output->temporary, room, "%s.%ld-%d.part", output->path, (long)getpid(), n);
        const int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            return descriptor;
    }
    return -1;
}

enum ws_status wst_output_open(const char *path, struct wst_output *output, struct ws_error *error)
{
    const size_t length = strlen(path);
    *output = (struct wst_output){.path = malloc(length + 1), .temporary = malloc(length + SUFFIX_ROOM), .descriptor = -1};
    if (!output->path || !output->temporary) {
        release(output);
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    }
    memcpy(output->path, path, length + 1);
    output->descriptor = create_beside(output, length + SUFFIX_ROOM);
    if (output->descriptor >= 0)
        return WS_STATUS_ok;
    const enum ws_status status = cannot_write(output, errno, error);
    release(output);
    return status;
}

enum ws_status wst_output_write(struct wst_output *output, const void *data, size_t length, struct ws_error *error)
{
    const char *from = data;
    while (length) {
        const ssize_t put = write(output->descriptor, from, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return cannot_write(output, errno, error);
        from += put;
        output->offset += (u64)put;
        length -= (size_t)put;
    }
    return WS_STATUS_ok;
}

enum ws_status wst_output_finish(struct wst_output *output, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    const int closed = close(output->descriptor);
    output->descriptor = -1;
    if (closed != 0 || rename(output->temporary, output->path) != 0) {
        status = cannot_write(output, errno, error);
        wst_output_drop(output);
    }
    release(output);
    return status;
}

void wst_output_drop(struct wst_output *output)
{
    if (output->descriptor >= 0)
        close(output->descriptor);
    if (output->temporary)
        unlink(output->temporary);
    release(output);
}
