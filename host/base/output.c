#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

enum { TEMPORARY_NAMES = 100 };

static enum ws_status write_failed(const char *path, int cause, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", path, strerror(cause));
}

/* Creates a new file beside path and gives its name; its mode follows the umask. */
static FILE *open_beside(const char *path, char **temporary)
{
    for (int n = 0; n < TEMPORARY_NAMES; n++) {
        struct ws_text name = {0};
        ws_text_add(&name, "%s.%ld-%d.part", path, (long)getpid(), n);
        *temporary = name.data;
        const int descriptor = name.failed ? -1 : open(name.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            return fdopen(descriptor, "w");
        const int cause = errno;
        ws_text_free(&name);
        *temporary = NULL;
        errno = cause;
        if (cause != EEXIST)
            break;
    }
    return NULL;
}

/* Devices and pipes cannot be replaced by a file. */
static FILE *open_stream(const char *path, char **temporary)
{
    struct stat there;
    if (!*path) {
        errno = ENOENT;
        return NULL;
    }
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode))
        return open_beside(path, temporary);
    if (!S_ISDIR(there.st_mode))
        return fopen(path, "w");
    errno = EISDIR;
    return NULL;
}

enum ws_status ws_output_open(struct ws_output *output, const char *path, struct ws_error *error)
{
    char *const resolved = realpath(path, NULL);
    *output = (struct ws_output){.path = resolved ? resolved : strdup(path)};
    if (!output->path)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    output->stream = open_stream(output->path, &output->temporary);
    if (output->stream)
        return WS_STATUS_ok;
    const int cause = errno;
    ws_output_close(output, false, NULL);
    return write_failed(path, cause, error);
}

/* Flushes what is buffered, to the disk itself where the file system can. */
static bool flush(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream) && (fsync(fileno(stream)) == 0 || errno == EINVAL);
}

enum ws_status ws_output_close(struct ws_output *output, bool keep, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    bool whole = keep && output->stream && flush(output->stream);
    int cause = errno;
    if (output->stream && fclose(output->stream) != 0 && whole) {
        whole = false;
        cause = errno;
    }
    if (whole && output->temporary && rename(output->temporary, output->path) != 0) {
        whole = false;
        cause = errno;
    }
    if (keep && !whole)
        status = write_failed(output->path, cause, error);
    if (!whole && output->temporary)
        unlink(output->temporary);
    free(output->path);
    free(output->temporary);
    *output = (struct ws_output){0};
    return status;
}

enum ws_status ws_output_probe(const char *path, struct ws_error *error)
{
    struct ws_output output;
    WS_TRY(ws_output_open(&output, path, error));
    return ws_output_close(&output, false, error);
}
