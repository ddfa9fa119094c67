#include "engine/opencl/selftest/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "embedded/ws_align_source.h"

/* Arguments of a self-test process: this word, then numbers: device, lane form, test, registers. */
#define WORD "--opencl-self-test"

enum { NUMBERS = 4, DIGITS = 12 };

struct ws_binary_key ws_self_test_key(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 what)
{
    const char *const texts[] = {what == WS_SELF_TEST_open ? "open" : ws_align_source, form->macro, device->platform_name,
                                 device->name, device->driver};
    return ws_binary_key(texts, sizeof texts / sizeof *texts);
}

/* ---- The parent process ---- */

/* The cached result as a status. */
static enum ws_status result(struct ws_binary_key key, struct ws_error *error)
{
    char *reason;
    const enum ws_self_test_result found = ws_device_program_cached_result(key, &reason);
    if (found == WS_SELF_TEST_failed)
        ws_fail(error, WS_STATUS_mismatch, "%s", reason);
    free(reason);
    return found == WS_SELF_TEST_failed ? WS_STATUS_mismatch : WS_STATUS_ok;
}

static bool has_passed(struct ws_binary_key key)
{
    char *reason;
    const bool passed = ws_device_program_cached_result(key, &reason) == WS_SELF_TEST_passed;
    free(reason);
    return passed;
}

static bool is_crash(int cause)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t n = 0; n < sizeof crashes / sizeof *crashes; n++)
        if (crashes[n] == cause)
            return true;
    return false;
}

static const char *name_of(u32 what)
{
    return what < WS_VARIANTS ? ws_tuples()[what].name : what == WS_SELF_TEST_open ? "opening the device" : "alignment";
}

/* A driver that crashed is refused from now on; a process killed from outside says nothing about the driver. */
static enum ws_status judge_signal(int cause, u32 what, struct ws_binary_key key, struct ws_error *error)
{
    char reason[WS_MESSAGE_ROOM];
    if (!is_crash(cause))
        return ws_fail(error, WS_STATUS_device, "self-test of '%s': killed by signal %d (%s)", name_of(what), cause,
                       strsignal(cause));
    snprintf(reason, sizeof reason, "self-test of '%s': the driver crashed with signal %d (%s)", name_of(what), cause,
             strsignal(cause));
    ws_device_program_refuse(key, reason);
    return ws_fail(error, WS_STATUS_mismatch, "%s", reason);
}

static enum ws_status judge_exit(int code, u32 what, struct ws_binary_key key, struct ws_error *error)
{
    char reason[WS_MESSAGE_ROOM];
    if (code == 0)
        return WS_STATUS_ok;
    snprintf(reason, sizeof reason, "self-test of '%s': the driver ended the process with exit code %d", name_of(what), code);
    ws_device_program_refuse(key, reason);
    return ws_fail(error, WS_STATUS_mismatch, "%s", reason);
}

enum ws_status ws_self_test_process(const struct ws_opencl *opencl, const struct ws_lane_form *form, u32 what,
                                    struct ws_binary_key key, struct ws_error *error)
{
    char numbers[NUMBERS][DIGITS];
    const char *words[] = {opencl->self_test_program, WORD, numbers[0], numbers[1], numbers[2], numbers[3], NULL};
    const u32 values[NUMBERS] = {opencl->device.place, (u32)(form - ws_lane_forms()), what, opencl->device.registers};
    int code;
    if (!opencl->self_test_program || opencl->trust || has_passed(key))
        return WS_STATUS_ok;
    for (u32 n = 0; n < NUMBERS; n++)
        snprintf(numbers[n], DIGITS, "%u", values[n]);
    const enum ws_status status = ws_process_run(words, &code, error);
    if (status == WS_STATUS_no_file) /* without a program the self-test runs in this process */
        return WS_STATUS_ok;
    if (status == WS_STATUS_failed && code > WS_PROCESS_SIGNALLED)
        return judge_signal(code - WS_PROCESS_SIGNALLED, what, key, error);
    if (status == WS_STATUS_interrupted) /* the user's signal reached the self-test process first */
        return ws_fail(error, status, "interrupted");
    if (status != WS_STATUS_ok)
        return status;
    WS_TRY(judge_exit(code, what, key, error));
    if (what >= WS_VARIANTS)
        ws_device_program_accept(key);
    return result(key, error);
}

/* ---- The self-test process ---- */

/* Discards the driver's output and core dumps, and ends with the parent process. */
static void withdraw(void)
{
    const struct rlimit none = {0, 0};
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

bool ws_engine_self_test(int argc, char **argv)
{
    u32 values[NUMBERS];
    if (argc != NUMBERS + 2 || strcmp(argv[1], WORD) != 0)
        return false;
    for (u32 n = 0; n < NUMBERS; n++)
        values[n] = (u32)strtoul(argv[n + 2], NULL, 10);
    withdraw();
    if (values[1] < WS_LANE_FORMS)
        ws_opencl_try(values[0], &ws_lane_forms()[values[1]], values[2], values[3]);
    return true;
}
