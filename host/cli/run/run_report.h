/* What `run` prints. */
#pragma once

#include "base/documents/json.h"
#include "warpsweep/engine.h"

struct cli_series;
struct cli_lines;

/* One finished run; everything belongs to the caller. */
struct cli_run {
    const struct ws_machine_file *machine;
    const char *trace;
    u64 trace_digest;
    u32 shard, shards;
    const struct ws_image *image;
    const char *engine, *device;
    const struct ws_job_result *result; /* with times */
    size_t energy;                      /* which row of cli_energy_choices is reported, too, from 1; 0 for none */
    const double *metrics;              /* in the order of ws_metrics; NaN for none */
    const struct cli_series *series;    /* NULL without one */
    const struct cli_lines *lines;      /* NULL without them */
    bool series_elsewhere;              /* a file has it: omitted from text output */
    bool all;                           /* text output includes zero counters */
    bool follows;                       /* the previous run of a folder */
};

/* Adds the run's description and counters to an object; equal for all engines. */
void cli_run_json(const struct cli_run *run, struct ws_json *json);

/* Overrides of a machine: adds "key=value key=value" or nothing; or a member "overrides". */
void cli_add_overrides(const struct ws_machine_file *machine, struct ws_text *out);
void cli_json_overrides(const struct ws_machine_file *machine, struct ws_json *json);

/* The digest of the trace as text. */
struct cli_run_digest {
    char text[17];
};
struct cli_run_digest cli_run_digest(const struct cli_run *run);

/* Adds a field of CSV and the comma after it. */
void cli_add_csv(struct ws_text *out, const char *value);

/* Adds counter names, bins as NAME_0, NAME_1 ...; values of counters; values of metrics, empty for NaN. Each after a comma. */
void cli_csv_counter_names(struct ws_text *out);
void cli_csv_counters(const u64 *counters, struct ws_text *out);
void cli_csv_metrics(const double *metrics, struct ws_text *out);

/* ---- run_energy.c: energy by its parts ---- */

/* What --energy may be: "both", then the profiles. */
extern const char cli_energy_choices[];

/* Adds a table, a member "energy", or CSV columns (names or values, each after a comma) for the requested profiles, if any. */
void cli_energy_text(const struct cli_run *run, struct ws_text *out);
void cli_energy_json(const struct cli_run *run, struct ws_json *json);
void cli_energy_csv_names(const struct cli_run *run, struct ws_text *out);
void cli_energy_csv(const struct cli_run *run, struct ws_text *out);

/* ---- Formats ---- */

/* Formats of --format, a ROW(name) each, with BETWEEN between two; the first is the default. */
#define CLI_RUN_FORMATS(ROW, BETWEEN)                                                                                              \
    ROW(text) BETWEEN ROW(json)                                                                                                    \
    BETWEEN ROW(csv)

/* Printers of each format, and all in their order. */
#define CLI_RUN_PRINT(name) void cli_run_print_##name(const struct cli_run *run, struct ws_text *out);
CLI_RUN_FORMATS(CLI_RUN_PRINT, )
extern void (*const cli_run_formats[])(const struct cli_run *run, struct ws_text *out);
