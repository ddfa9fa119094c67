/* Options of every command that runs bundled workloads: --size and --seed. */
#pragma once

#include <argp.h>

#include "base/text.h"
#include "warpsweep/frontend.h"

struct cli_inputs {
    enum ws_size size;
    bool sized, seeded; /* the size, the seed was given */
    u64 seed;
};

/* A child parser whose input is a struct cli_inputs. */
extern const struct argp cli_input_argp;

/* The size of a workload that is named without one, and the seed, when neither is given. */
#define CLI_INPUTS_STANDARD ((struct cli_inputs){.size = WS_SIZE_SMALL})

/* The workload and its size that an argument names, NAME[:SIZE]; *workload is NULL for any other text. Refuses --size beside SIZE.
 */
enum ws_status cli_inputs_workload(const char *text, const struct cli_inputs *inputs, const struct ws_workload **workload,
                                   enum ws_size *size, struct ws_error *error);

/* Opens the trace of an argument: a file, or NAME[:SIZE] of a bundled workload, built once of these inputs with so many threads in
 * lockstep and kept. Refuses a size or seed with a file, which has its own. To be closed by ws_trace_close; *trace is NULL after an
 * error. */
enum ws_status cli_trace_open(const char *text, const struct cli_inputs *inputs, u32 lockstep, struct ws_trace **trace,
                              struct ws_error *error);

/* The argument with the size and seed that were given beside it: "bfs size=tiny seed=3". */
void cli_trace_name(const char *text, const struct cli_inputs *inputs, struct ws_text *out);
