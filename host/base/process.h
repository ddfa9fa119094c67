/* Running other programs. */
#pragma once

#include "warpsweep/status.h"

enum { WS_PROCESS_SIGNALLED = 128 };

/* Runs words[0], found through PATH, with the arguments words (NULL-terminated) and waits for it. *code: its exit code, or
 * WS_PROCESS_SIGNALLED + signal. WS_STATUS_no_file if it cannot be started, WS_STATUS_interrupted after SIGINT or SIGTERM,
 * WS_STATUS_failed after other signals. The message begins with words[0]. */
enum ws_status ws_process_run(const char *const *words, int *code, struct ws_error *error);
