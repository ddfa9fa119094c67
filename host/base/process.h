/* Running other programs. */
#pragma once

#include "warpsweep/status.h"

enum { WS_PROCESS_SIGNALLED = 128 };

/* Runs words[0], found through PATH, with the arguments words (NULL-terminated) and waits for it. *code receives its exit code,
 * WS_PROCESS_SIGNALLED and the signal when one ended it. WS_STATUS_no_file when it cannot be started, WS_STATUS_interrupted when
 * SIGINT or SIGTERM ended it, WS_STATUS_failed when something else did; the message begins with words[0]. */
enum ws_status ws_process_run(const char *const *words, int *code, struct ws_error *error);
