#define _GNU_SOURCE /* recursive mutexes */
#include "capture/cuda/core/gpu.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/capture.h"
#include "base/text.h"
#include "capture/store.h"

/* ---- The device and options ---- */

#define STANDARD_DEVICE "a100"

static const struct gpu_device_row rows[] = {
#define DEVICE(machine, name, capability, memory, l2, shared_block, shared_sm, bus, clock)                                         \
    {machine, name, capability, memory, l2, shared_block, shared_sm, bus, clock},
#include "warpsweep/devices.def"
#undef DEVICE
};

static struct gpu_device device;
static struct ws_frontend_options options;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;

_Noreturn static void end(const char *message)
{
    fprintf(stderr, "warpsweep: %s\n", message);
    exit(2);
}

static void read_device(void)
{
    const char *const given = getenv(WS_CAPTURE_DEVICE), *const name = given ? given : STANDARD_DEVICE;
    struct ws_machine_file file;
    struct ws_error error;
    struct ws_names names = {.nearest = {.word = name}};
    char message[WS_MESSAGE_ROOM];
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        ws_names_offer(&names, rows[n].machine);
        if (strcmp(rows[n].machine, name) == 0)
            device.row = rows[n];
    }
    if (!device.row.machine) {
        snprintf(message, sizeof message, "--device-as: found '%s', allowed are %s", name, ws_names_text(&names));
        end(message);
    }
    ws_names_free(&names);
    if (ws_machine_load(name, &file, &error) != WS_STATUS_ok)
        end(error.message);
    device.machine = file.machine;
    device.sms = file.sms;
}

static void print(void *context, const char *text)
{
    (void)context;
    fputs(text, stdout);
}

/* A note that many launches give is printed once. */
static void note(void *context, const char *text)
{
    enum { MOST_TEXTS = 64 };
    static char *texts[MOST_TEXTS];
    u32 n = 0;
    (void)context;
    while (n < MOST_TEXTS && texts[n] && strcmp(texts[n], text) != 0)
        n++;
    if (n < MOST_TEXTS && texts[n])
        return;
    if (n < MOST_TEXTS)
        texts[n] = strdup(text);
    fprintf(stderr, "warpsweep: %s\n", text);
}

static void read_options(void)
{
    const char *const lockstep = getenv(WS_CAPTURE_LOCKSTEP), *const most = getenv(WS_CAPTURE_MOST),
                      *const workers = getenv(WS_CAPTURE_WORKERS);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    ws_frontend_defaults(&options);
    options.print = print;
    options.note = note;
    options.hint_races = true;
    options.workers = workers ? (u32)strtoul(workers, NULL, 10) : cores > 0 ? (u32)cores : 1;
    options.lenient = getenv(WS_CAPTURE_LENIENT) != NULL;
    if (lockstep)
        options.lockstep = (u32)strtoul(lockstep, NULL, 10);
    if (most)
        options.most_thread_instructions = strtoull(most, NULL, 10);
}

static void read_all(void)
{
    read_options();
    read_device();
}

/* When the program loads the library. */
__attribute__((constructor)) static void tell_loaded(void)
{
    capture_cuda_loaded();
}

const struct gpu_device *gpu_device(void)
{
    pthread_once(&read_once, read_all);
    return &device;
}

bool gpu_has_clusters(void)
{
    enum { FIRST_WITH_CLUSTERS = 90 };
    return gpu_device()->row.capability >= FIRST_WITH_CLUSTERS;
}

const struct ws_frontend_options *gpu_options(void)
{
    pthread_once(&read_once, read_all);
    return &options;
}

/* ---- Errors ---- */

static const struct {
    int number;
    struct gpu_error_row row;
} errors[] = {
#define ERROR(name, number, runtime, driver, text) {number, {runtime, driver, text}},
#include "capture/cuda/core/errors.def"
#undef ERROR
};

const struct gpu_error_row *gpu_error_row(int number)
{
    for (size_t n = 0; n < sizeof errors / sizeof *errors; n++)
        if (errors[n].number == number)
            return &errors[n].row;
    return NULL;
}

/* ---- Calls ---- */

static pthread_mutex_t lock;
static pthread_once_t lock_once = PTHREAD_ONCE_INIT;
static _Thread_local const char *calling;
static _Thread_local char last_message[WS_MESSAGE_ROOM]; /* of the call */
static _Thread_local int last_error;
static int broken;
static struct timespec start;

/* A child of fork has a device of its own, with the memory that the parent had. */
static void renew_lock(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void prepare(void)
{
    renew_lock();
    pthread_atfork(before_fork, after_fork, renew_lock);
    clock_gettime(CLOCK_MONOTONIC, &start);
}

void gpu_enter(const char *function)
{
    pthread_once(&lock_once, prepare);
    pthread_mutex_lock(&lock);
    calling = function;
    last_message[0] = 0;
}

int gpu_leave(int error)
{
    if (error != GPU_none && error != GPU_not_ready)
        last_error = error;
    pthread_mutex_unlock(&lock);
    return error;
}

void gpu_pause(void)
{
    pthread_mutex_unlock(&lock);
}

void gpu_resume(void)
{
    pthread_mutex_lock(&lock);
}

int gpu_fail(int error, const char *format, ...)
{
    char message[WS_MESSAGE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "warpsweep: %s: %s\n", calling ? calling : "CUDA", message);
    memcpy(last_message, message, strlen(message) + 1);
    return error;
}

const char *gpu_calling(void)
{
    return calling;
}

const char *gpu_message(int error)
{
    const struct gpu_error_row *const row = gpu_error_row(error);
    return last_message[0] ? last_message : row ? row->text : "unknown error";
}

int gpu_uncovered(const char *format, ...)
{
    char message[WS_MESSAGE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return gpu_fail(GPU_unsupported, "not covered by capture: %s (docs/capture.md lists what is)", message);
}

int gpu_last_error(bool reset)
{
    const int error = last_error;
    if (reset && !broken)
        last_error = GPU_none;
    return error;
}

int gpu_broken(void)
{
    return broken;
}

void gpu_break(int error)
{
    broken = error;
}

double gpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec);
}
