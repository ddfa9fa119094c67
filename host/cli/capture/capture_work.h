/* Traces of a capture, built by threads while the program still runs. */
#pragma once

#include "cli/capture/capture.h"

/* A launch of the list, and what became of it. */
struct cli_capture_job {
    struct cli_capture_entry entry; /* its texts lie in line */
    char *line;
    enum ws_status status; /* not ok: nothing further is to be built */
    struct ws_error error;
    struct cli_captured captured;
    struct ws_text out, notes; /* its line of the report; what is to be said on stderr */
};

struct cli_capture_work;

/* Starts threads that build the traces of launches as the list in the capture's folder names them. NULL when out of memory. */
struct cli_capture_work *cli_capture_work_start(const struct cli_capture *capture);

/* The program has ended: waits until all traces are built. */
void cli_capture_work_finish(struct cli_capture_work *work);

/* The launch of a number, after cli_capture_work_finish; NULL if the list has none that was captured. Fast in the
 * order of the list. */
struct cli_capture_job *cli_capture_work_job(struct cli_capture_work *work, u32 number);
