/* The command line of bench_throughput. */
#pragma once

#include "engine/opencl/device.h"
#include "warpsweep/engine.h"

enum { MOST_WORKLOADS = 256, MOST_LIMITS = 8, MOST_VARIANTS = 16 };

struct settings {
    const char *json, *rows, *commit, *size, *engine, *device;
    double seconds, longest, budget; /* least time of a measurement, most of a batch, most of everything */
    u32 quantum, most_batch, registers[MOST_LIMITS];
    const char *workloads[MOST_WORKLOADS], *lane_forms[WS_LANE_FORMS], *variants[MOST_VARIANTS];
    size_t workload_count, lane_form_count, variant_count;
    enum ws_specialize_use specialize;
    size_t limit_count; /* limits of registers; none for the engine's choice */
};

/* Reads the command line over what is there already; ends the program where it cannot be read. Without a workload all bundled ones
 * are chosen. */
void settings_read(struct settings *settings, int count, char **arguments);
