#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/capture.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/process.h"
#include "cli/capture/capture_work.h"

enum { PATH_ROOM = 4096 };

#define LAYER "warpsweep/libwarpsweep_capture.so"

/* ---- The folder ---- */

static bool is_empty(const char *folder)
{
    DIR *const list = opendir(folder);
    const struct dirent *entry;
    bool empty = true;
    while (list && (entry = readdir(list)))
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (list)
        closedir(list);
    return empty;
}

/* Whether an earlier capture created it. */
static bool is_capture(const char *folder)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/" WS_CAPTURE_COUNT, folder);
    return access(path, F_OK) == 0;
}

/* The first unused name of FOLDER.1, FOLDER.2... */
static void free_name(const char *folder, char *path)
{
    size_t length = strlen(folder);
    u32 n = 1;
    while (length > 1 && folder[length - 1] == '/')
        length--;
    do
        snprintf(path, PATH_ROOM, "%.*s.%u", (int)length, folder, n++);
    while (access(path, F_OK) == 0);
}

/* An earlier capture keeps its files under another name. A folder of other files is not touched. */
static enum ws_status make_way(const char *folder, struct ws_error *error)
{
    char other[PATH_ROOM];
    if (is_empty(folder))
        return WS_STATUS_ok;
    free_name(folder, other);
    if (!is_capture(folder))
        return ws_fail(error, WS_STATUS_no_file, "%s: has files that are no capture; -o %s is free", folder, other);
    if (rename(folder, other) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: is an earlier capture and cannot become %s: %s", folder, other,
                       strerror(errno));
    fprintf(stderr, "warpsweep: the capture that was in %s is now in %s\n", folder, other);
    return WS_STATUS_ok;
}

static const char *const parts[] = {"data", "programs"};

void cli_capture_remove(const char *folder)
{
    static const char *const marks[] = {WS_CAPTURE_REFUSED, WS_CAPTURE_CUDA};
    char path[PATH_ROOM];
    if (is_capture(folder))
        return;
    for (size_t n = 0; n < sizeof marks / sizeof *marks; n++) {
        snprintf(path, sizeof path, "%s/%s", folder, marks[n]);
        unlink(path);
    }
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        snprintf(path, sizeof path, "%s/%s", folder, parts[n]);
        rmdir(path);
    }
    rmdir(folder);
}

static enum ws_status make_folder(const char *folder, struct ws_error *error)
{
    WS_TRY(make_way(folder, error));
    WS_TRY(ws_folder_make(folder, error));
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, parts[n]);
        WS_TRY(ws_folder_make(path, error));
    }
    return WS_STATUS_ok;
}

/* ---- The layer ---- */

/* Next to the program in the build tree, or installed. */
static enum ws_status find_layer(char *path, struct ws_error *error)
{
    static const char *const places[] = {"lib", "../" WS_LIBDIR};
    char own[PATH_ROOM] = "";
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0)
        return ws_fail(error, WS_STATUS_no_file, "/proc/self/exe: %s", strerror(errno));
    *strrchr(own, '/') = 0;
    for (size_t n = 0; n < sizeof places / sizeof *places; n++) {
        const int length = snprintf(path, PATH_ROOM, "%s/%s/%s", own, places[n], LAYER);
        if (length < PATH_ROOM && access(path, R_OK) == 0)
            return WS_STATUS_ok;
    }
    return ws_fail(error, WS_STATUS_no_file, "%s: not found in %s/lib and in %s/../%s; build or install warpsweep as a whole",
                   LAYER, own, own, WS_LIBDIR);
}

static bool set_number(const char *name, u64 value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return setenv(name, text, 1) == 0;
}

/* Keeps the user's layers, before the capture layer, which thus sees the driver's calls. */
static bool set_layers(const char *path)
{
    const char *const others = getenv("OPENCL_LAYERS");
    struct ws_text layers = {0};
    ws_text_add(&layers, "%s%s%s", path, others && *others ? ":" : "", others ? others : "");
    const bool good = !layers.failed && setenv("OPENCL_LAYERS", layers.data, 1) == 0;
    ws_text_free(&layers);
    return good;
}

/* Sources by digests of binaries are kept for later captures, too, if possible. */
static bool set_binaries(const char *folder)
{
    char *path = NULL;
    struct ws_error ignored;
    const bool kept = ws_cache_folder("binaries", &path, &ignored) == WS_STATUS_ok;
    const bool good = setenv(WS_CAPTURE_BINARIES, kept ? path : folder, 1) == 0;
    free(path);
    return good;
}

static enum ws_status set_variables(const struct cli_capture *capture, const char *layer, struct ws_error *error)
{
    char folder[PATH_ROOM];
    if (!realpath(capture->folder, folder))
        return ws_fail(error, WS_STATUS_no_file, "%s: %s", capture->folder, strerror(errno));
    WS_TRY(cli_capture_cuda_set(capture, layer, error));
    const bool good = set_layers(layer) && setenv(WS_CAPTURE_FOLDER, folder, 1) == 0 &&
                      set_number(WS_CAPTURE_FIRST, capture->first) && set_number(WS_CAPTURE_LAST, capture->last) &&
                      set_number(WS_CAPTURE_LIMIT, capture->limit) && set_number(WS_CAPTURE_CHECK, capture->check) &&
                      set_binaries(folder) && set_number(WS_CAPTURE_KEEP_BINARIES, capture->keep_binaries) &&
                      (capture->kernel ? setenv(WS_CAPTURE_KERNEL, capture->kernel, 1) : unsetenv(WS_CAPTURE_KERNEL)) == 0;
    return good ? WS_STATUS_ok : ws_no_memory(error);
}

/* Traces are built without the layer. */
static void unset_variables(const char *others, const char *libraries)
{
    cli_capture_cuda_unset(libraries);
    unsetenv(WS_CAPTURE_FOLDER);
    if (others)
        setenv("OPENCL_LAYERS", others, 1);
    else
        unsetenv("OPENCL_LAYERS");
}

/* Reports the number of refused binaries, and an option for programs that need them. */
static void report_refused(const struct cli_capture *capture, int code)
{
    char path[PATH_ROOM];
    struct stat about;
    snprintf(path, sizeof path, "%s/" WS_CAPTURE_REFUSED, capture->folder);
    if (stat(path, &about) == 0)
        fprintf(stderr, "warpsweep: %lld binaries of unknown source were refused (CL_INVALID_BINARY), so that %s compiles%s\n",
                (long long)about.st_size, capture->program[0],
                code ? "; if it does not, remove what it keeps of earlier runs, or let it use them: --keep-binaries" : "");
}

static char *copy_variable(const char *name)
{
    const char *const value = getenv(name);
    return value ? strdup(value) : NULL;
}

static enum ws_status start(const struct cli_capture *capture, const char *layer, pid_t *process, struct ws_error *error)
{
    char *const others = copy_variable("OPENCL_LAYERS"), *const libraries = copy_variable("LD_LIBRARY_PATH");
    fflush(stdout);
    enum ws_status status = set_variables(capture, layer, error);
    WS_THEN(status, ws_process_start((const char *const *)(uintptr_t)capture->program, process, error));
    unset_variables(others, libraries);
    free(others);
    free(libraries);
    return status;
}

/* Launches recorded before a crash are kept. */
static enum ws_status run(const struct cli_capture *capture, const char *layer, struct cli_capture_work **work, int *code,
                          struct ws_error *error)
{
    pid_t process;
    enum ws_status status = start(capture, layer, &process, error);
    if (status == WS_STATUS_ok) {
        *work = cli_capture_work_start(capture);
        status = ws_process_wait(process, capture->program[0], code, error);
    }
    if ((status == WS_STATUS_ok || status == WS_STATUS_failed) && !*work)
        return ws_no_memory(error);
    if (status == WS_STATUS_no_file || status == WS_STATUS_interrupted)
        cli_capture_remove(capture->folder);
    if (status == WS_STATUS_failed)
        fprintf(stderr, "warpsweep: %s\n", error->message);
    else if (status == WS_STATUS_ok && *code != 0)
        fprintf(stderr, "warpsweep: %s: ended with exit code %d\n", capture->program[0], *code);
    *code = status == WS_STATUS_failed ? 1 : *code;
    report_refused(capture, *code);
    return status == WS_STATUS_failed ? WS_STATUS_ok : status;
}

enum ws_status cli_capture_run(const struct cli_capture *capture, struct cli_capture_work **work, int *code, struct ws_error *error)
{
    char layer[PATH_ROOM];
    *work = NULL;
    *code = 0;
    enum ws_status status = cli_capture_cuda_device(capture->device, error);
    WS_THEN(status, cli_capture_cuda_check(capture->program[0], error));
    WS_THEN(status, find_layer(layer, error));
    WS_THEN(status, make_folder(capture->folder, error));
    WS_THEN(status, run(capture, layer, work, code, error));
    return status;
}
