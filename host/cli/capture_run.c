#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/process.h"
#include "base/capture.h"
#include "cli/capture.h"

enum { PATH_ROOM = 4096 };

#define LAYER "warpsweep/libwarpsweep_capture.so"

/* ---- The folder ---- */

static enum ws_status check_empty(const char *folder, struct ws_error *error)
{
    DIR *const list = opendir(folder);
    const struct dirent *entry;
    bool empty = true;
    while (list && (entry = readdir(list)))
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (list)
        closedir(list);
    return empty ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_file, "%s: is not empty; remove it or name another folder", folder);
}

static const char *const parts[] = {"data", "programs"};

/* As far as nothing is in there. */
static void remove_folder(const char *folder)
{
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, parts[n]);
        rmdir(path);
    }
    rmdir(folder);
}

static enum ws_status make_folder(const char *folder, struct ws_error *error)
{
    WS_TRY(ws_folder_make(folder, error));
    WS_TRY(check_empty(folder, error));
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, parts[n]);
        WS_TRY(ws_folder_make(path, error));
    }
    return WS_STATUS_ok;
}

/* ---- The layer ---- */

/* Beside the program as it is built, or as it is installed. */
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
    return ws_fail(error, WS_STATUS_no_file, "%s: not found in %s/lib and in %s/../%s", LAYER, own, own, WS_LIBDIR);
}

static bool set_number(const char *name, u64 value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return setenv(name, text, 1) == 0;
}

/* Layers that the user has go on, before ours: ours sees what the driver sees. */
static bool set_layers(const char *path)
{
    const char *const others = getenv("OPENCL_LAYERS");
    struct ws_text layers = {0};
    ws_text_add(&layers, "%s%s%s", path, others && *others ? ":" : "", others ? others : "");
    const bool good = !layers.failed && setenv("OPENCL_LAYERS", layers.data, 1) == 0;
    ws_text_free(&layers);
    return good;
}

static enum ws_status set_variables(const struct cli_capture *capture, const char *layer, struct ws_error *error)
{
    char folder[PATH_ROOM];
    if (!realpath(capture->folder, folder))
        return ws_fail(error, WS_STATUS_no_file, "%s: %s", capture->folder, strerror(errno));
    const bool good = set_layers(layer) && setenv(WS_CAPTURE_FOLDER, folder, 1) == 0 &&
                      set_number(WS_CAPTURE_FIRST, capture->first) && set_number(WS_CAPTURE_LAST, capture->last) &&
                      set_number(WS_CAPTURE_LIMIT, capture->limit) && set_number(WS_CAPTURE_CHECK, capture->check) &&
                      (capture->kernel ? setenv(WS_CAPTURE_KERNEL, capture->kernel, 1) : unsetenv(WS_CAPTURE_KERNEL)) == 0;
    return good ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "out of memory");
}

/* Traces are built without the layer. */
static void unset_variables(const char *others)
{
    unsetenv(WS_CAPTURE_FOLDER);
    if (others)
        setenv("OPENCL_LAYERS", others, 1);
    else
        unsetenv("OPENCL_LAYERS");
}

/* What was recorded before a program crashed stays. */
static enum ws_status run(const struct cli_capture *capture, int *code, struct ws_error *error)
{
    fflush(stdout);
    const enum ws_status status = ws_process_run((const char *const *)(uintptr_t)capture->program, code, error);
    if (status == WS_STATUS_no_file)
        remove_folder(capture->folder);
    if (status == WS_STATUS_failed)
        fprintf(stderr, "warpsweep: %s\n", error->message);
    else if (status == WS_STATUS_ok && *code != 0)
        fprintf(stderr, "warpsweep: %s: ended with exit code %d\n", capture->program[0], *code);
    *code = status == WS_STATUS_failed ? 1 : *code;
    return status == WS_STATUS_failed ? WS_STATUS_ok : status;
}

enum ws_status cli_capture_run(const struct cli_capture *capture, int *code, struct ws_error *error)
{
    char layer[PATH_ROOM];
    const char *const layers = getenv("OPENCL_LAYERS");
    char *const others = layers ? strdup(layers) : NULL;
    enum ws_status status = find_layer(layer, error);
    if (status == WS_STATUS_ok)
        status = make_folder(capture->folder, error);
    if (status == WS_STATUS_ok)
        status = set_variables(capture, layer, error);
    if (status == WS_STATUS_ok)
        status = run(capture, code, error);
    unset_variables(others);
    free(others);
    return status;
}
