/* What `run` prints. */
#pragma once

#include "base/documents/json.h"
#include "warpsweep/engine.h"

/* One finished run; everything belongs to the caller. */
struct cli_run {
    const struct ws_machine_file *machine;
    const char *trace;
    u64 trace_digest;
    u32 shard, shards;
    const struct ws_image *image;
    const char *engine, *device;
    const struct ws_job_result *result; /* with times */
    size_t energy;                      /* which row of cli_energy_choices is reported too, from 1; 0 for none */
    const double *metrics;              /* in the order of ws_metrics; not a number where there is none */
    bool all;                           /* text has counters that are 0 too */
    bool follows;                       /* the run of a set before it has been printed */
};

/* Adds what was run and its counters to an object: the same for all engines. */
void cli_run_json(const struct cli_run *run, struct ws_json *json);

/* What was overridden of a machine: adds "key=value key=value", nothing where nothing was; or a member "overrides". */
void cli_add_overrides(const struct ws_machine_file *machine, struct ws_text *out);
void cli_json_overrides(const struct ws_machine_file *machine, struct ws_json *json);

/* The digest of the trace as text. */
struct cli_run_digest {
    char text[17];
};
struct cli_run_digest cli_run_digest(const struct cli_run *run);

/* Adds a field of CSV and the comma after it. */
void cli_add_csv(struct ws_text *out, const char *value);

/* Adds names of counters, bins being NAME_0, NAME_1 ...; values of counters; those of metrics, empty where one is no number: each
 * with a comma before it. */
void cli_csv_counter_names(struct ws_text *out);
void cli_csv_counters(const u64 *counters, struct ws_text *out);
void cli_csv_metrics(const double *metrics, struct ws_text *out);

/* ---- run_energy.c: energy by its parts ---- */

/* What --energy may be: "both", then the profiles. */
extern const char cli_energy_choices[];

/* Adds a table, a member "energy", columns of CSV (names or values, a comma before each) of the profiles that the run asks for;
 * nothing where it asks for none. */
void cli_energy_text(const struct cli_run *run, struct ws_text *out);
void cli_energy_json(const struct cli_run *run, struct ws_json *json);
void cli_energy_csv_names(const struct cli_run *run, struct ws_text *out);
void cli_energy_csv(const struct cli_run *run, struct ws_text *out);

/* ---- Formats ---- */

/* Formats of --format, a ROW(name) each, with BETWEEN between two; the first is the default. */
#define CLI_RUN_FORMATS(ROW, BETWEEN)                                                                                              \
    ROW(text) BETWEEN ROW(json)                                                                                                    \
    BETWEEN ROW(csv)

/* What prints each of them, and all in their order. */
#define CLI_RUN_PRINT(name) void cli_run_print_##name(const struct cli_run *run, struct ws_text *out);
CLI_RUN_FORMATS(CLI_RUN_PRINT, )
extern void (*const cli_run_formats[])(const struct cli_run *run, struct ws_text *out);
