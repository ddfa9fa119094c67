#include "engine/engine_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/accumulate.h"

struct ws_engine {
    const struct ws_engine_ops *ops;
    void *state;
    enum ws_predecode_use predecoding;
    char device[2048]; /* description that includes why other devices were not selected; empty: the engine's own */
};

static const struct ws_engine_ops *const engines[] = {
#define ENGINE(name) &ws_engine_##name,
#include "engine/engines.def"
#undef ENGINE
};

enum { ENGINES = sizeof engines / sizeof *engines };

static const struct ws_engine_ops *find_engine(const char *name)
{
    for (size_t n = 0; n < ENGINES; n++)
        if (strcmp(engines[n]->name, name) == 0)
            return engines[n];
    return NULL;
}

static enum ws_status unknown_engine(const char *name, struct ws_error *error)
{
    char known[200] = "auto";
    for (size_t n = 0; n < ENGINES; n++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, ", %s", engines[n]->name);
    }
    return ws_fail(error, WS_STATUS_usage, "no engine is called '%s'; there are %s", name, known);
}

static enum ws_status open_with(struct ws_engine *engine, const char *name, const struct ws_engine_options *options,
                                struct ws_error *error)
{
    engine->ops = find_engine(name);
    if (!engine->ops)
        return unknown_engine(name, error);
    return engine->ops->open(options, &engine->state, error);
}

/* A GPU that passes the self-test, else native; a device requested by name is not replaced by another. */
static enum ws_status open_auto(struct ws_engine *engine, const struct ws_engine_options *options, struct ws_error *error)
{
    if (options->device)
        return open_with(engine, "opencl", options, error);
    struct ws_engine_options gpu = *options;
    gpu.device = "gpu";
    struct ws_error refused = {.status = WS_STATUS_ok};
    const enum ws_status status = open_with(engine, "opencl", &gpu, &refused);
    if (status == WS_STATUS_ok)
        return status;
    WS_TRY(open_with(engine, "native", options, error));
    if (status != WS_STATUS_no_device)
        snprintf(engine->device, sizeof engine->device, "%s (a GPU was refused: %s)", engine->ops->describe(engine->state),
                 refused.message);
    return WS_STATUS_ok;
}

enum ws_status ws_engine_open(const struct ws_engine_options *options, struct ws_engine **engine, struct ws_error *error)
{
    *engine = NULL;
    WS_TRY(WS_STRUCT_CHECK(engine_options, options, error));
    *engine = calloc(1, sizeof **engine);
    if (!*engine)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory opening an engine");
    const char *name = options->engine ? options->engine : "auto";
    (*engine)->predecoding = options->predecoding;
    const enum ws_status status =
        strcmp(name, "auto") == 0 ? open_auto(*engine, options, error) : open_with(*engine, name, options, error);
    if (status != WS_STATUS_ok) {
        free(*engine);
        *engine = NULL;
    }
    return status;
}

void ws_engine_close(struct ws_engine *engine)
{
    if (!engine)
        return;
    engine->ops->close(engine->state);
    free(engine);
}

const char *ws_engine_name(const struct ws_engine *engine)
{
    return engine->ops->name;
}

const char *ws_engine_device(const struct ws_engine *engine)
{
    return engine->device[0] ? engine->device : engine->ops->describe(engine->state);
}

u32 ws_engine_at_once(const struct ws_engine *engine)
{
    return engine->ops->at_once(engine->state);
}

/* Jobs that the engine left running get its status; those of an interrupted run have not ended. */
static void end_unfinished(struct ws_job_result *results, size_t count, const struct ws_engine_watch *watch,
                           const struct ws_error *error)
{
    for (size_t n = 0; n < count; n++) {
        if (results[n].status != WS_STATUS_running)
            continue;
        ws_job_refuse(&results[n], error);
        if (watch->finished && error->status != WS_STATUS_interrupted)
            watch->finished(watch->context, n, &results[n]);
    }
}

enum ws_status ws_engine_run(struct ws_engine *engine, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_engine_watch *watch, struct ws_error *error)
{
    const struct ws_engine_watch unwatched = {WS_STRUCT(engine_watch), .context = NULL};
    struct ws_error failure = {.status = WS_STATUS_ok};
    watch = watch ? watch : &unwatched;
    WS_TRY(WS_STRUCT_CHECK(engine_watch, watch, error));
    for (size_t n = 0; n < count; n++)
        results[n] = (struct ws_job_result){.status = WS_STATUS_running};
    struct ws_predecoded *const predecoded = ws_predecoded_open(jobs, count, engine->predecoding);
    const enum ws_status status = engine->ops->run(engine->state, jobs, count, predecoded, results, watch, &failure);
    ws_predecoded_close(predecoded);
    if (status == WS_STATUS_ok)
        return WS_STATUS_ok;
    end_unfinished(results, count, watch, &failure);
    return ws_fail(error, status, "%s", failure.message);
}

enum ws_status ws_engine_align(struct ws_engine *engine, const struct ws_align_batch *batch, struct ws_error *error)
{
    return batch->count == 0 ? WS_STATUS_ok : engine->ops->align(engine->state, batch, error);
}

void ws_engine_list(void (*line)(void *context, const char *name, const char *about), void *context)
{
    for (size_t n = 0; n < ENGINES; n++)
        engines[n]->list(line, context);
}
