/* The kernels as host C: a row for each pipeline, path unit, way of dispatch and width of sets. */
#ifndef WS_ENGINE_NATIVE_ROWS_H
#define WS_ENGINE_NATIVE_ROWS_H

#include <stdbool.h>

#include "engine/native/native.h"
#include "warpsweep/status.h"

enum {
    WS_NATIVE_FLAGS = 16,
    WS_NATIVE_ROWS = 0
#define NATIVE(...) +1
#include "natives.def"
#undef NATIVE
};

struct ws_native_row {
    u32 pipeline, path, dispatch, words;
    const char *pipeline_name, *path_name, *dispatch_name; /* as in WS_PATH_NAME */
    ws_native_plan *plan;
    ws_native_gauges *gauges;
    ws_native_quantum *base, *suited;   /* compiled in: for any processor, and for those that ws_native_flags_suit; or NULL */
    const char *flags[WS_NATIVE_FLAGS]; /* compiler flags of the latter, if any; up to a NULL */
};

/* The row of a legal machine, or of one with WS_divergence_predecoded. */
const struct ws_native_row *ws_native_row_of(const struct ws_machine *machine);

/* Rows are numbered from 0. */
u32 ws_native_row_number(const struct ws_native_row *row);

/* Compiles the row's kernel for a scheduler (schedule.policy) if necessary: a few seconds, once for each user. Thread-safe.
 * WS_STATUS_compiler, or WS_STATUS_interrupted by a signal. */
enum ws_status ws_native_quantum_need(const struct ws_native_row *row, u32 scheduler, struct ws_error *error);

/* Whether that kernel is loaded or in the cache. Thread-safe. */
bool ws_native_quantum_find(const struct ws_native_row *row, u32 scheduler);

/* The row's kernel for this processor and a scheduler; NULL before ws_native_quantum_need. */
ws_native_quantum *ws_native_quantum_of(const struct ws_native_row *row, u32 scheduler);

/* Whether this processor has the extensions that the flags enable. */
bool ws_native_flags_suit(void);

#endif
