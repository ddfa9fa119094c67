/* Statuses and error messages of the library. */
#ifndef WARPSWEEP_STATUS_H
#define WARPSWEEP_STATUS_H

#include "shared/status.h"

/* What went wrong, in words for the user. The caller owns it and may pass NULL where it does not want to know. */
struct ws_error {
    enum ws_status status;
    char message[1000];
};

/* Short text of a status; static storage. */
const char *ws_status_text(enum ws_status status);

/* Name of a status as in status.def, for JSON and databases; static storage. */
const char *ws_status_name(enum ws_status status);

/* Exit code that a command-line program gives for a status. */
int ws_status_exit_code(enum ws_status status);

#endif
