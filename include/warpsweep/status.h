/* Statuses and error messages of the library. */
#ifndef WARPSWEEP_STATUS_H
#define WARPSWEEP_STATUS_H

#include <stddef.h>

#include "shared/results/status.h"

/* Options, and what holds callbacks, begin with their size: a program or a binding that was made for the structs of another version
 * is refused by WS_STATUS_usage instead of being read past its end. {WS_STRUCT(sweep_options), .results = "r.db"} */
#define WS_STRUCT(name) .struct_size = sizeof(struct ws_##name)

/* Bytes of a message with its zero byte: room for the first lines of a compiler's log in each of several lane forms. */
enum { WS_MESSAGE_ROOM = 2000 };

/* What went wrong, in words for the user. The caller owns it and may pass NULL where it does not want to know. A message that is
 * too long says at its end how much of it is left out. */
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
