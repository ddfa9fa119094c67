/* What `run` prints. */
#ifndef WS_CLI_RUN_REPORT_H
#define WS_CLI_RUN_REPORT_H

#include "base/text.h"
#include "warpsweep/engine.h"

/* One finished run; everything belongs to the caller. */
struct cli_run {
    const struct ws_machine_file *machine;
    const char *trace;
    u32 shard, shards;
    const struct ws_image *image;
    const char *engine, *device;
    const struct ws_job_result *result; /* with times */
};

/* A format of --format; the table ends with a NULL name, its first row is the default. */
struct cli_run_format {
    const char *name;
    void (*print)(const struct cli_run *run, struct ws_text *out);
};
extern const struct cli_run_format cli_run_formats[];

#endif
