/* The timeline of a run as CSV: cycle,cycles,kind,warp,pc,lanes. */
#ifndef WS_CLI_TIMELINE_H
#define WS_CLI_TIMELINE_H

#include "base/output.h"
#include "warpsweep/engine.h"

/* Opens the file and writes the names of the columns. To be closed by ws_output_close. */
enum ws_status cli_timeline_open(struct ws_output *output, const char *path, struct ws_error *error);

/* Writes one event; lost slots have no warp, pc and lanes. */
void cli_timeline_write(struct ws_output *output, const struct ws_timeline_event *event);

#endif
