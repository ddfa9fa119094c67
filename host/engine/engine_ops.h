/* Interface of an engine to the library: one row of engines.def and the operations of that name. */
#pragma once

#include "engine/jobs/predecoded.h"
#include "warpsweep/engine.h"

struct ws_engine_ops {
    const char *name; /* as in --engine */

    /* Makes *state ready to run jobs; close frees it. The options belong to the caller and need not outlive the call. */
    enum ws_status (*open)(const struct ws_engine_options *options, void **state, struct ws_error *error);
    void (*close)(void *state);

    /* Description of the device; the text belongs to state. */
    const char *(*describe)(const void *state);

    /* ws_engine_at_once */
    u32 (*at_once)(const void *state);

    /* ws_engine_run: results are zeroed with WS_STATUS_running. A job that ends, or cannot run, gets its status, its reason and one
     * call of watch->finished. Jobs still running when the engine fails or is stopped are left to the caller, who sets their status
     * to the returned one. Images of jobs come from predecoded, which may be NULL. error and watch are never NULL; callbacks of
     * watch may be. */
    enum ws_status (*run)(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_predecoded *predecoded,
                          struct ws_job_result *results, const struct ws_engine_watch *watch, struct ws_error *error);

    /* ws_engine_align; the batch is not empty */
    enum ws_status (*align)(void *state, const struct ws_align_batch *batch, struct ws_error *error);

    /* One line of text for each device that open would accept. */
    void (*list)(void (*line)(void *context, const char *name, const char *about), void *context);
};

#define ENGINE(name) extern const struct ws_engine_ops ws_engine_##name;
#include "engine/engines.def"
#undef ENGINE
