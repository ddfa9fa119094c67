/* Statuses and error messages of the library. */
#ifndef WARPSWEEP_STATUS_H
#define WARPSWEEP_STATUS_H

#include <stddef.h>

#include "shared/results/status.h"

/* Option and callback structs begin with their size: a program or binding compiled for another version of the struct is refused by
 * WS_STATUS_usage. {WS_STRUCT(sweep_options), .results = "r.db"} */
#define WS_STRUCT(name) .struct_size = sizeof(struct ws_##name)

/* Bytes of a message, terminator included: room for the first lines of a compiler's log in each of several lane forms. */
enum { WS_MESSAGE_ROOM = 2000 };

/* An error with its message for the user. The caller owns it and may pass NULL. A truncated message ends with the number of
 * characters left out. */
struct ws_error {
    enum ws_status status;
    char message[WS_MESSAGE_ROOM];
};

/* Short text of a status; static storage. */
const char *ws_status_text(enum ws_status status);

/* Name of a status as in status.def, for JSON and databases; static storage. */
const char *ws_status_name(enum ws_status status);

/* Exit code that a command-line program gives for a status. */
int ws_status_exit_code(enum ws_status status);

#endif
