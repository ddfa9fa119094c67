#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/inputs.h"
#include "base/output.h"

enum { FIRST_ROOM = 16384 };

static enum ws_status read_failed(const char *path, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", path, strerror(errno));
}

/* Doubles the buffer up to the limit, keeping a byte for the terminating zero. */
static bool make_room(char **data, size_t *room)
{
    if (*room > SIZE_MAX / 2)
        return false;
    char *const larger = realloc(*data, *room * 2);
    if (!larger)
        return false;
    *data = larger;
    *room *= 2;
    return true;
}

static enum ws_status read_all(int descriptor, const char *path, size_t most, char **data, size_t *length, struct ws_error *error)
{
    size_t room = FIRST_ROOM;
    *length = 0;
    *data = malloc(room);
    if (!*data)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    for (;;) {
        const ssize_t got = read(descriptor, *data + *length, room - 1 - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return read_failed(path, error);
        if (got == 0)
            break;
        *length += (size_t)got;
        if (*length > most)
            return ws_fail(error, WS_STATUS_bad_input, "%s: larger than the %zu bytes that are allowed", path, most);
        if (*length == room - 1 && !make_room(data, &room))
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    }
    (*data)[*length] = 0;
    return WS_STATUS_ok;
}

bool ws_file_is_same(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

enum ws_status ws_file_read(const char *path, size_t most, char **data, size_t *length, struct ws_error *error)
{
    *data = NULL;
    *length = 0;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return read_failed(path, error);
    ws_inputs_note(path);
    const enum ws_status status = read_all(descriptor, path, most, data, length, error);
    close(descriptor);
    if (status != WS_STATUS_ok) {
        free(*data);
        *data = NULL;
        *length = 0;
    }
    return status;
}

enum ws_status ws_file_write(const char *path, const void *data, size_t length, struct ws_error *error)
{
    return ws_output_write(path, WS_OUTPUT_private, data, length, error);
}
