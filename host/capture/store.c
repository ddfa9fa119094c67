#include "capture/store.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/capture.h"
#include "base/text.h"

enum { FILE_MODE = 0666 };

static struct capture_wanted wanted;
static u64 stored; /* bytes */

/* ---- Selection of launches ---- */

static u64 number_of(const char *name, u64 standard)
{
    const char *const text = getenv(name);
    return text ? strtoull(text, NULL, 10) : standard;
}

static void read_wanted(void)
{
    wanted.folder = getenv(WS_CAPTURE_FOLDER);
    wanted.kernel = getenv(WS_CAPTURE_KERNEL);
    wanted.first = number_of(WS_CAPTURE_FIRST, 0);
    wanted.last = number_of(WS_CAPTURE_LAST, UINT64_MAX);
    wanted.limit = number_of(WS_CAPTURE_LIMIT, UINT64_MAX);
    wanted.check = number_of(WS_CAPTURE_CHECK, 0) != 0;
    wanted.binaries = getenv(WS_CAPTURE_BINARIES);
    wanted.keep_binaries = number_of(WS_CAPTURE_KEEP_BINARIES, 0) != 0;
}

const struct capture_wanted *capture_wanted(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_wanted);
    return wanted.folder ? &wanted : NULL;
}

bool capture_room(u64 bytes)
{
    return bytes <= wanted.limit && stored <= wanted.limit - bytes;
}

void capture_stored(u64 bytes)
{
    stored += bytes;
}

/* ---- Numbers and the list ---- */

static int open_in_folder(const char *name, int flags)
{
    struct ws_text path = {0};
    ws_text_add(&path, "%s/%s", wanted.folder, name);
    const int file = path.failed ? -1 : open(path.data, flags | O_CREAT | O_CLOEXEC, FILE_MODE);
    ws_text_free(&path);
    return file;
}

u32 capture_next_number(void)
{
    u32 number = 0;
    const int file = open_in_folder(WS_CAPTURE_COUNT, O_RDWR);
    if (file < 0)
        return 0;
    flock(file, LOCK_EX);
    if (pread(file, &number, sizeof number, 0) != sizeof number)
        number = 0;
    const u32 next = number + 1;
    if (pwrite(file, &next, sizeof next, 0) != sizeof next)
        number = UINT32_MAX;
    close(file);
    return number;
}

void capture_cuda_loaded(void)
{
    const int file = capture_wanted() ? open_in_folder(WS_CAPTURE_CUDA, O_WRONLY) : -1;
    if (file >= 0)
        close(file);
}

/* One byte of the file per number. */
void capture_binary_refused(void)
{
    const int file = open_in_folder(WS_CAPTURE_REFUSED, O_WRONLY | O_APPEND);
    if (file >= 0 && write(file, "x", 1) != 1)
        fprintf(stderr, "warpsweep: %s/%s: cannot be written\n", wanted.folder, WS_CAPTURE_REFUSED);
    if (file >= 0)
        close(file);
}

void capture_log(u32 number, const char *state, const char *kernel, const char *rest)
{
    struct ws_text line = {0};
    ws_text_add(&line, "%05" PRIu32 " %s %s%s%s\n", number, state, kernel ? kernel : "?", *rest ? " " : "", rest);
    const int file = open_in_folder(WS_CAPTURE_LIST, O_WRONLY | O_APPEND);
    if (file >= 0 && !line.failed && write(file, line.data, line.length) != (ssize_t)line.length)
        fprintf(stderr, "warpsweep: %s/%s: cannot be written\n", wanted.folder, WS_CAPTURE_LIST);
    if (file >= 0)
        close(file);
    ws_text_free(&line);
}
