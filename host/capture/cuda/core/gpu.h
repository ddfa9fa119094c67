/* The device that a CUDA program finds under `capture`: one, without hardware. The APIs (runtime/, driver/) are thin layers over
 * this folder. Every call holds one lock. All work is done before the call that starts it returns, which is an order that CUDA
 * allows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/dialect.h"
#include "warpsweep/frontend.h"
#include "warpsweep/machine.h"

/* Errors, by number: rows of errors.def. */
enum gpu_error {
#define ERROR(name, number, runtime, driver, text) GPU_##name = (number),
#include "capture/cuda/core/errors.def"
#undef ERROR
};

/* A row of errors.def, or NULL. */
struct gpu_error_row {
    const char *runtime, *driver, *text;
};
const struct gpu_error_row *gpu_error_row(int number);

/* What a GPU reports that a machine file does not hold (devices.def). */
struct gpu_device_row {
    const char *machine, *name;
    u32 capability;        /* times 10 */
    u64 memory, l2;        /* bytes */
    u32 shared_block;      /* most shared memory of a block, bytes */
    u32 shared_sm;         /* of an SM, bytes */
    u32 bus, memory_clock; /* bits, kHz */
};

/* The device, from its machine file and its row. */
struct gpu_device {
    struct gpu_device_row row;
    struct ws_machine machine;
    u32 sms;
};

/* Options of the executor, and the device; read at the first call. Ends the process with a message if the device has no row. */
const struct gpu_device *gpu_device(void);
const struct ws_frontend_options *gpu_options(void);

/* Whether the device has clusters of several blocks (from compute capability 9.0 on). */
bool gpu_has_clusters(void);

/* ---- Calls ---- */

/* Begin and end a call of an API: lock, and name of the function for messages. gpu_leave remembers an error for the thread's
 * next gpu_last_error, and returns it. */
void gpu_enter(const char *function);
int gpu_leave(int error);

/* Releases the lock while the program's own function runs. */
void gpu_pause(void);
void gpu_resume(void);

/* Reports why a call fails, with the function's name, and returns the error. */
int gpu_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for what the stand-in does not do: GPU_unsupported. */
int gpu_uncovered(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The name of the function that was entered, and why it fails: as reported, else the error's own text. */
const char *gpu_calling(void);
const char *gpu_message(int error);

/* The error of the thread's last failed call; reset: forget it. */
int gpu_last_error(bool reset);

/* An error of a kernel: every later call fails with it, as on hardware. GPU_none: there is none. */
int gpu_broken(void);
void gpu_break(int error);

/* Seconds since the first call. */
double gpu_seconds(void);
