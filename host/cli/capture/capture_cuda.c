/* Capture of CUDA programs: whether the stand-in fits a program, and the variables by which the program finds it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capture.h"
#include "base/error.h"
#include "cli/capture/capture.h"
#include "warpsweep/machine.h"
#include "warpsweep/sass.h"

enum { PATH_ROOM = 4096, NAME_ROOM = 128 };

/* ---- The program ---- */

/* Libraries of NVIDIA that hold GPU code and a runtime of their own, which asks the driver for private tables. cuBLAS has a
 * stand-in. */
static const char *const closed[] = {"libcudnn",  "libcufft",  "libcusparse.", "libcusolver", "libcurand.", "libnccl.",  "libnpp",
                                     "libnvjpeg", "libcupti.", "libnvgraph.",  "libcutensor", "libcudss.",  "libnvinfer"};

struct needs {
    bool runtime, driver;
    char closed[NAME_ROOM];
};

static void take_library(void *context, const char *library)
{
    struct needs *const needs = context;
    needs->runtime = needs->runtime || strncmp(library, "libcudart.so", 12) == 0;
    needs->driver = needs->driver || strncmp(library, "libcuda.so", 10) == 0;
    for (size_t n = 0; n < sizeof closed / sizeof *closed; n++)
        if (strncmp(library, closed[n], strlen(closed[n])) == 0)
            snprintf(needs->closed, sizeof needs->closed, "%s", library);
}

/* The file that a command runs, as execvp finds it. */
static bool find_program(const char *name, char *path)
{
    const char *folder = getenv("PATH");
    if (strchr(name, '/'))
        return snprintf(path, PATH_ROOM, "%s", name) < PATH_ROOM;
    while (folder && *folder) {
        const int length = (int)strcspn(folder, ":");
        if (snprintf(path, PATH_ROOM, "%.*s/%s", length, folder, name) < PATH_ROOM && access(path, X_OK) == 0)
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

enum ws_status cli_capture_cuda_check(const char *program, struct ws_error *error)
{
    char path[PATH_ROOM];
    struct needs needs = {0};
    bool has_code;
    if (!find_program(program, path) || !ws_sass_host_needs(path, &has_code, take_library, &needs))
        return WS_STATUS_ok;
    if (needs.closed[0])
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: needs %s, a closed library that only NVIDIA's driver runs; build the program without it to capture it",
                       program, needs.closed);
    if (has_code && !needs.runtime && !needs.driver)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: its CUDA runtime is linked statically, which only NVIDIA's driver runs; link the shared one: "
                       "nvcc -cudart shared, or set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) in CMake",
                       program);
    return WS_STATUS_ok;
}

/* ---- The device ---- */

enum ws_status cli_capture_cuda_device(const char *name, struct ws_error *error)
{
    static const char *const machines[] = {
#define DEVICE(machine, name, capability, memory, l2, shared_block, shared_sm, bus, clock) machine,
#include "warpsweep/devices.def"
#undef DEVICE
    };
    struct ws_names names = {.nearest = {.word = name}};
    enum ws_status status = name ? WS_STATUS_bad_input : WS_STATUS_ok;
    for (size_t n = 0; name && n < sizeof machines / sizeof *machines; n++) {
        ws_names_offer(&names, machines[n]);
        if (strcmp(machines[n], name) == 0)
            status = WS_STATUS_ok;
    }
    if (status != WS_STATUS_ok)
        ws_fail(error, status, "--device-as: found '%s', allowed are %s", name, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

/* ---- The environment ---- */

#define LIBRARIES "LD_LIBRARY_PATH"

static bool set_libraries(const char *layer)
{
    const char *const others = getenv(LIBRARIES);
    struct ws_text path = {0};
    ws_text_add(&path, "%.*s/cuda%s%s", (int)(strrchr(layer, '/') - layer), layer, others && *others ? ":" : "",
                others && *others ? others : "");
    const bool good = !path.failed && setenv(LIBRARIES, path.data, 1) == 0;
    ws_text_free(&path);
    return good;
}

static bool set_number(const char *name, u64 value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return setenv(name, text, 1) == 0;
}

enum ws_status cli_capture_cuda_set(const struct cli_capture *capture, const char *layer, struct ws_error *error)
{
    const struct ws_frontend_options *const frontend = &capture->frontend;
    const bool good = set_libraries(layer) && set_number(WS_CAPTURE_LOCKSTEP, frontend->lockstep) &&
                      set_number(WS_CAPTURE_MOST, frontend->most_thread_instructions) &&
                      (frontend->lenient ? setenv(WS_CAPTURE_LENIENT, "1", 1) : unsetenv(WS_CAPTURE_LENIENT)) == 0 &&
                      (capture->device ? setenv(WS_CAPTURE_DEVICE, capture->device, 1) : unsetenv(WS_CAPTURE_DEVICE)) == 0;
    return good ? WS_STATUS_ok : ws_no_memory(error);
}

void cli_capture_cuda_unset(const char *libraries)
{
    if (libraries)
        setenv(LIBRARIES, libraries, 1);
    else
        unsetenv(LIBRARIES);
}
