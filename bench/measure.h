/* Measuring an engine: many equal jobs at once. */
#pragma once

#include <stdbool.h>

#include "base/documents/json.h"
#include "warpsweep/engine.h"

struct measurement {
    size_t jobs; /* that ended */
    u64 warp_instructions, cycles;
    double seconds, cpu_seconds; /* on the clock; of all threads of this process */
    bool cut;                    /* the only batch was stopped: it counts as far as it came */
};

/* How many seconds of batches a measurement takes: none is begun after the least, one that has executed anything is stopped after
 * the most, and any at the end (of ws_seconds_now). The first counts if it ran for the least, later ones if they were done. */
struct patience {
    double least, most, end;
};

/* The machine of a row of the tables of variants that is measured: the defaults, large warps as the paper has them. */
struct ws_machine machine_of(u32 variant);
/* Whether the variant's name contains the text; NULL is in all. */
bool variant_is_wanted(u32 variant, const char *text);

/* A trace for all jobs whose machines read these spaces: a bundled workload NAME:SIZE, or "synthetic", which needs no front end.
 * Ends the process without one. */
struct ws_image *workload_load(const char *name, const char *size, u32 spaces);
void workload_unload(const char *name, struct ws_image *image);

/* Runs batches of that many equal jobs; before that the variant's program is built and proved, and runs a quantum of a job, none of
 * which is counted. WS_STATUS_interrupted when time was up before there was anything to count. */
enum ws_status measure(struct ws_engine *engine, const struct ws_machine *machine, const struct ws_image *image, size_t batch,
                       const struct patience *patience, struct measurement *measurement, struct ws_error *error);

/* Adds the measurement to the open object, and prints it as the end of a line. */
void measurement_report(struct ws_json *json, const struct measurement *measurement);
