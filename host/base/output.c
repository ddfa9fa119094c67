#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/inputs.h"
#include "base/text.h"

enum { TEMPORARY_NAMES = 100, MOST_OPEN = 64, HEAD_BYTES = 4096 };

static const struct {
    const char *words, *mark;
    size_t mark_bytes;
} kinds[] = {
#define OUTPUT(name, words_, mark_) {.words = (words_), .mark = (mark_), .mark_bytes = sizeof(mark_) - 1},
#include "base/outputs.def"
#undef OUTPUT
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static enum ws_status write_failed(const char *path, int cause, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", path, strerror(cause));
}

static enum ws_status is_taken(const char *path, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_bad_input, "%s: is an input, or another output, of this command. Name another file", path);
}

/* ---- Protection of existing files ---- */

static bool occurs(const char *mark, size_t bytes, const char *head, size_t length)
{
    for (size_t n = 0; bytes > 0 && n + bytes <= length; n++)
        if (memcmp(head + n, mark, bytes) == 0)
            return true;
    return false;
}

const char *ws_output_words(const char *head, size_t length)
{
    for (size_t n = 0; n < KINDS; n++)
        if (occurs(kinds[n].mark, kinds[n].mark_bytes, head, length < HEAD_BYTES ? length : HEAD_BYTES))
            return kinds[n].words;
    return NULL;
}

/* Whether a file starts like a program, archive, compressed file, document, picture or HDF5. */
static bool is_well_known(const char *head, size_t length)
{
    static const struct {
        size_t at;
        const char *bytes;
    } begins[] = {{0, "\x7f"
                      "ELF"},
                  {0, "PK\x03\x04"},
                  {0, "\x1f\x8b"},
                  {0, "\x28\xb5\x2f\xfd"},
                  {0, "\xfd"
                      "7zXZ"},
                  {0, "BZh"},
                  {0, "%PDF"},
                  {0, "GIF8"},
                  {0, "\xff\xd8\xff"},
                  {0, "\x89HDF"},
                  {257, "ustar"}};
    for (size_t n = 0; n < sizeof begins / sizeof *begins; n++) {
        const size_t bytes = strlen(begins[n].bytes);
        if (length >= begins[n].at + bytes && memcmp(head + begins[n].at, begins[n].bytes, bytes) == 0)
            return true;
    }
    return false;
}

/* Whether it has no control characters except white space. */
static bool is_text(const char *head, size_t length)
{
    for (size_t n = 0; n < length; n++)
        if ((unsigned char)head[n] < 0x20 && !strchr("\t\n\f\r", head[n] ? head[n] : 1))
            return false;
    return true;
}

/* Whether a file may be an earlier dump of a buffer: not a known format, not text, and of the same size or with a zero byte. */
static bool may_be_bytes(const char *head, size_t length, bool same_size)
{
    return !is_well_known(head, length) && !is_text(head, length) && (same_size || memchr(head, 0, length));
}

/* Whether a file with this head is of the kind. size matters for the kind bytes only. */
static bool is_kind(const char *head, size_t length, enum ws_output_kind kind, bool same_size)
{
    if (kind == WS_OUTPUT_bytes)
        return !ws_output_words(head, length) && may_be_bytes(head, length, same_size);
    return occurs(kinds[kind].mark, kinds[kind].mark_bytes, head, length);
}

static enum ws_status check_kind(const char *path, enum ws_output_kind kind, bool same_size, struct ws_error *error)
{
    char head[HEAD_BYTES];
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t length = descriptor < 0 ? -1 : read(descriptor, head, sizeof head);
    const int cause = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (length < 0)
        return write_failed(path, cause, error);
    if (is_kind(head, (size_t)length, kind, same_size))
        return WS_STATUS_ok;
    return ws_fail(
        error, WS_STATUS_bad_input,
        "%s: exists and is not %s; an output replaces a file of its own kind only. Name another file, or remove this one", path,
        kinds[kind].words);
}

/* Whether standard output goes to this file or pipe. */
static bool is_printed_to(const struct stat *file)
{
    struct stat printed;
    return fstat(STDOUT_FILENO, &printed) == 0 && printed.st_dev == file->st_dev && printed.st_ino == file->st_ino;
}

enum ws_status ws_output_check(const char *path, enum ws_output_kind kind, size_t bytes, struct ws_error *error)
{
    struct stat there;
    if (kind == WS_OUTPUT_private || stat(path, &there) != 0 || !(S_ISREG(there.st_mode) || S_ISFIFO(there.st_mode)))
        return WS_STATUS_ok;
    if (is_printed_to(&there))
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: is where standard output goes, which has what is printed. Name another file", path);
    if (S_ISFIFO(there.st_mode))
        return WS_STATUS_ok;
    if (ws_inputs_have(&there))
        return is_taken(path, error);
    return there.st_size == 0 ? WS_STATUS_ok : check_kind(path, kind, (size_t)there.st_size == bytes, error);
}

/* ---- Temporary files ---- */

/* Names of temporary files that may exist. */
static _Atomic(char *) open_files[MOST_OPEN];

/* Replaces the name `from` by `to` (NULL: none). False if `from` is not the current name. */
static bool exchange(char *from, char *to)
{
    for (size_t n = 0; n < MOST_OPEN; n++) {
        char *expected = from;
        if (atomic_compare_exchange_strong(&open_files[n], &expected, to))
            return true;
    }
    return false;
}

/* A name that a signal handler has taken must stay valid until the process ends. */
static void forget(char *name, bool noted)
{
    if (!name || !noted || exchange(name, NULL))
        free(name);
}

void ws_output_abandon_all(void)
{
    for (size_t n = 0; n < MOST_OPEN; n++) {
        const char *const name = atomic_exchange(&open_files[n], NULL);
        if (name)
            unlink(name);
    }
}

/* Whether another output of this command is open at that path. */
static bool is_open(const char *temporary)
{
    struct stat there;
    return stat(temporary, &there) == 0 && ws_inputs_have(&there);
}

/* Creates a new file beside path and gives its name; its mode follows the umask. EALREADY if an output of this command is open at
 * the same path, unless several are allowed. */
static FILE *open_beside(struct ws_output *output, bool several)
{
    for (int n = 0; n < TEMPORARY_NAMES; n++) {
        struct ws_text name = {0};
        ws_text_add(&name, "%s.%ld-%d.part", output->path, (long)getpid(), n);
        const bool noted = !name.failed && exchange(NULL, name.data);
        const int descriptor = name.failed ? -1 : open(name.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            output->temporary = name.data;
            output->noted = noted;
            ws_inputs_note(name.data);
            return fdopen(descriptor, "w");
        }
        const int cause = errno == EEXIST && !several && is_open(name.data) ? EALREADY : errno;
        forget(name.data, noted);
        errno = cause;
        if (cause != EEXIST)
            break;
    }
    return NULL;
}

/* Devices and pipes cannot be replaced by a file. */
static FILE *open_stream(struct ws_output *output, bool several)
{
    const char *const path = output->path;
    struct stat there;
    if (!*path) {
        errno = ENOENT;
        return NULL;
    }
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode))
        return open_beside(output, several);
    if (!S_ISDIR(there.st_mode))
        return fopen(path, "w");
    errno = EISDIR;
    return NULL;
}

enum ws_status ws_output_open(struct ws_output *output, const char *path, enum ws_output_kind kind, struct ws_error *error)
{
    *output = (struct ws_output){0};
    WS_TRY(ws_output_check(path, kind, 0, error));
    char *const resolved = realpath(path, NULL);
    *output = (struct ws_output){.path = resolved ? resolved : strdup(path)};
    if (!output->path)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    output->stream = open_stream(output, kind == WS_OUTPUT_private);
    if (output->stream)
        return WS_STATUS_ok;
    const int cause = errno;
    ws_output_close(output, false, NULL);
    return cause == EALREADY ? is_taken(path, error) : write_failed(path, cause, error);
}

/* Flushes buffers, to disk if the file system supports it. */
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
    if (!whole && output->temporary) {
        ws_inputs_forget(output->temporary);
        unlink(output->temporary);
    }
    if (whole && output->temporary)
        ws_inputs_note(output->path);
    forget(output->temporary, output->noted);
    free(output->path);
    *output = (struct ws_output){0};
    return status;
}

enum ws_status ws_output_write(const char *path, enum ws_output_kind kind, const void *data, size_t length, struct ws_error *error)
{
    struct ws_output output;
    WS_TRY(ws_output_check(path, kind, length, error));
    WS_TRY(ws_output_open(&output, path, WS_OUTPUT_private, error));
    fwrite(data, 1, length, output.stream);
    return ws_output_close(&output, true, error);
}

enum ws_status ws_output_probe(const char *path, enum ws_output_kind kind, struct ws_error *error)
{
    struct ws_output output;
    WS_TRY(ws_output_open(&output, path, kind, error));
    return ws_output_close(&output, false, error);
}
