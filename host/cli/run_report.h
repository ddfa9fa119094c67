/* What `run` prints. */
#ifndef WS_CLI_RUN_REPORT_H
#define WS_CLI_RUN_REPORT_H

#include "base/json.h"
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

/* Adds what was run and its counters to an object: the same for all engines. */
void cli_run_json(const struct cli_run *run, struct ws_json *json);

/* What was overridden of a machine: adds "key=value key=value", nothing where nothing was; or a member "overrides". */
void cli_add_overrides(const struct ws_machine_file *machine, struct ws_text *out);
void cli_json_overrides(const struct ws_machine_file *machine, struct ws_json *json);

/* Adds a field of CSV and the comma after it. */
void cli_add_csv(struct ws_text *out, const char *value);

/* Formats of --format, a ROW(name) each, with BETWEEN between two; the first is the default. */
#define CLI_RUN_FORMATS(ROW, BETWEEN)                                                                                              \
    ROW(text) BETWEEN ROW(json)                                                                                                    \
    BETWEEN ROW(csv)

/* What prints each of them, in their order. */
extern void (*const cli_run_formats[])(const struct cli_run *run, struct ws_text *out);

#endif
