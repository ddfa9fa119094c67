/* Options of every command that runs bundled workloads: --size and --seed. */
#pragma once

#include <argp.h>

#include "base/text.h"
#include "warpsweep/frontend.h"

struct cli_inputs {
    enum ws_size size;
    bool sized, seeded; /* whether size and seed were given */
    u64 seed;
};

/* A child parser whose input is a struct cli_inputs. */
extern const struct argp cli_input_argp;

/* Default size of a workload named without one, and default seed. */
#define CLI_INPUTS_STANDARD ((struct cli_inputs){.size = WS_SIZE_SMALL})

/* The workload and size of an argument NAME[:SIZE]. *workload is NULL for any other text. Refuses --size beside SIZE. */
enum ws_status cli_inputs_workload(const char *text, const struct cli_inputs *inputs, const struct ws_workload **workload,
                                   enum ws_size *size, struct ws_error *error);

/* Opens the trace of an argument: a file, or NAME[:SIZE] of a bundled workload, built once for these inputs and this lockstep
 * width, and cached. Refuses a size or seed for a file. To be closed by ws_trace_close; *trace is NULL after an error. */
enum ws_status cli_trace_open(const char *text, const struct cli_inputs *inputs, u32 lockstep, struct ws_trace **trace,
                              struct ws_error *error);

/* The argument with the given size and seed: "bfs size=tiny seed=3". */
void cli_trace_name(const char *text, const struct cli_inputs *inputs, struct ws_text *out);
