/* Running other programs. */
#pragma once

#include <sys/types.h>

#include "warpsweep/status.h"

enum { WS_PROCESS_SIGNALLED = 128 };

/* Starts words[0], found through PATH, with the arguments words (NULL-terminated). WS_STATUS_no_file if it cannot be started; the
 * message begins with words[0]. */
enum ws_status ws_process_start(const char *const *words, pid_t *process, struct ws_error *error);

/* Waits for it. *code: its exit code, or WS_PROCESS_SIGNALLED + signal. WS_STATUS_no_file if it could not be started,
 * WS_STATUS_interrupted after SIGINT or SIGTERM, WS_STATUS_failed after other signals. */
enum ws_status ws_process_wait(pid_t process, const char *program, int *code, struct ws_error *error);

/* Both, one after the other. */
enum ws_status ws_process_run(const char *const *words, int *code, struct ws_error *error);
