#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/text.h"
#include "sweep/parts.h"

void ws_sweep_note(const struct ws_sweep_state *sweep, const char *format, ...)
{
    const struct ws_sweep_watch *const watch = &sweep->options->watch;
    char text[WS_MESSAGE_ROOM + 200];
    va_list arguments;
    if (!watch->note)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    watch->note(watch->context, text);
}

/* Adds the size to a bundled workload's name; other names stay. */
static char *full_name(const char *name, enum ws_size size)
{
    struct ws_text text = {0};
    ws_text_add(&text, "%s", name);
    if (ws_workload_find(name))
        ws_text_add(&text, ":%s", ws_size_name(size));
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

static u32 find_frontend(const struct ws_sweep_state *sweep, const char *frontend)
{
    u32 n = 0;
    while (n < sweep->frontend_count && strcmp(sweep->frontends[n]->frontend, frontend) != 0)
        n++;
    return n;
}

enum ws_status ws_sweep_find_frontends(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    sweep->point_frontend = calloc(experiment->point_count, sizeof *sweep->point_frontend);
    sweep->frontends = calloc(experiment->point_count, sizeof *sweep->frontends);
    if (!sweep->point_frontend || !sweep->frontends)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", experiment->name);
    for (size_t n = 0; n < experiment->point_count; n++) {
        const u32 frontend = find_frontend(sweep, experiment->points[n].frontend);
        sweep->point_frontend[n] = frontend;
        if (frontend == sweep->frontend_count)
            sweep->frontends[sweep->frontend_count++] = &experiment->points[n];
    }
    return WS_STATUS_ok;
}

static const struct ws_frontend_overrides *overrides_of(const struct ws_sweep_state *sweep, size_t trace)
{
    return &sweep->frontends[trace / sweep->experiment->trace_count]->frontend_overrides;
}

static enum ws_size size_of(const struct ws_sweep_state *sweep, size_t trace)
{
    const struct ws_frontend_overrides *const overrides = overrides_of(sweep, trace);
    return overrides->sets_size ? overrides->size : sweep->options->size;
}

static u64 seed_of(const struct ws_sweep_state *sweep, size_t trace)
{
    const struct ws_frontend_overrides *const overrides = overrides_of(sweep, trace);
    return overrides->sets_seed ? overrides->seed : sweep->options->seed;
}

/* Puts the place where the experiment names the trace, or else the experiment's name, before an error message; returns its
 * status. */
static enum ws_status fail_at_trace(const struct ws_sweep_state *sweep, size_t trace, enum ws_status status, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    const char *const place = experiment->trace_places ? experiment->trace_places[trace % experiment->trace_count] : "";
    if (*place)
        ws_fail_in(error, "%s", place);
    else
        ws_fail_in(error, "%s: ", experiment->name);
    return status;
}

enum ws_status ws_sweep_name_traces(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    for (size_t n = 0; n < sweep->trace_count; n++) {
        const size_t frontend = n / experiment->trace_count;
        char *const name = full_name(experiment->traces[n % experiment->trace_count], size_of(sweep, n));
        if (!name)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", experiment->name);
        sweep->trace_names[n] = name;
        sweep->traces[n].name = name;
        sweep->traces[n].frontend = sweep->frontends[frontend]->frontend;
        for (size_t other = frontend * experiment->trace_count; other < n; other++)
            if (strcmp(sweep->trace_names[other], name) == 0)
                return fail_at_trace(sweep, n, ws_fail(error, WS_STATUS_bad_input, "trace %s is listed twice; remove one", name),
                                     error);
    }
    return WS_STATUS_ok;
}

bool ws_sweep_goes_on(const struct ws_sweep_state *sweep)
{
    const struct ws_sweep_watch *const watch = &sweep->options->watch;
    return !watch->progress || watch->progress(watch->context, &(struct ws_sweep_progress){0});
}

static bool go_on(void *context)
{
    return ws_sweep_goes_on(context);
}

static void note(void *context, const char *text)
{
    ws_sweep_note(context, "%s", text);
}

static struct ws_frontend_options frontend_options(const struct ws_sweep_state *sweep, size_t n)
{
    const struct ws_frontend_overrides *const overrides = overrides_of(sweep, n);
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    if (overrides->sets_if_convert)
        options.if_convert = overrides->if_convert;
    if (overrides->sets_guarded_moves)
        options.guarded_moves = overrides->guarded_moves;
    if (sweep->options->lockstep)
        options.lockstep = sweep->options->lockstep;
    if (overrides->sets_lockstep)
        options.lockstep = overrides->lockstep;
    options.go_on = go_on;
    options.note = note;
    options.context = (void *)(uintptr_t)sweep;
    return options;
}

static enum ws_status open_file(struct ws_sweep_state *sweep, size_t n, const char *path, struct ws_error *error)
{
    WS_TRY(ws_trace_open(path, &sweep->files[n], error));
    sweep->traces[n].launch = ws_trace_launch(sweep->files[n]);
    sweep->traces[n].key.digest = ws_trace_digest(sweep->files[n]);
    sweep->trace_blocks[n] = ws_recorded_blocks(sweep->traces[n].launch);
    return WS_STATUS_ok;
}

/* A placeholder for an unknown digest: different from that of any trace, and distinct for each name and front end. */
static u64 stand_in(const struct ws_recorded_trace *trace)
{
    return XXH3_64bits_withSeed(trace->name, strlen(trace->name), XXH3_64bits(trace->frontend, strlen(trace->frontend)));
}

/* A damaged trace is no error here: its jobs fail later, as if the damage had shown on loading. */
static enum ws_status open_or_excuse(struct ws_sweep_state *sweep, size_t n, const char *path, struct ws_error *error)
{
    static const struct ws_launch unknown = {.kernel = "", .source = ""};
    struct ws_error *const damage = &sweep->damage[n];
    const enum ws_status status = open_file(sweep, n, path, damage);
    if (status == WS_STATUS_ok)
        return status;
    if (status != WS_STATUS_bad_input)
        return ws_fail(error, status, "%s", damage->message);
    sweep->traces[n].launch = &unknown;
    sweep->traces[n].key.digest = stand_in(&sweep->traces[n]);
    return WS_STATUS_ok;
}

static enum ws_status open_trace(struct ws_sweep_state *sweep, size_t n, struct ws_error *error)
{
    const struct ws_recorded_trace *const trace = &sweep->traces[n];
    const struct ws_frontend_options frontend = frontend_options(sweep, n);
    char *path;
    ws_sweep_note(sweep, "trace %s%s%s", trace->name, *trace->frontend ? " " : "", trace->frontend);
    enum ws_status status = ws_trace_locate(trace->name, size_of(sweep, n), seed_of(sweep, n), &frontend, &path, error);
    if (status == WS_STATUS_interrupted)
        return ws_fail(error, status, "interrupted; run the same command again: it builds trace %s again and continues",
                       trace->name);
    if (status != WS_STATUS_ok)
        return fail_at_trace(sweep, n, status, error);
    status = open_or_excuse(sweep, n, path, error);
    free(path);
    return status == WS_STATUS_ok ? status : fail_at_trace(sweep, n, status, error);
}

enum ws_status ws_sweep_find_traces(struct ws_sweep_state *sweep, struct ws_error *error)
{
    for (size_t n = 0; n < sweep->trace_count; n++) {
        const struct ws_frontend_options frontend = frontend_options(sweep, n);
        char *path = NULL;
        enum ws_status status = ws_trace_find(sweep->traces[n].name, size_of(sweep, n), seed_of(sweep, n), &frontend, &path, error);
        if (status == WS_STATUS_ok && path)
            status = open_file(sweep, n, path, error);
        free(path);
        if (status != WS_STATUS_ok)
            return fail_at_trace(sweep, n, status, error);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_sweep_open_traces(struct ws_sweep_state *sweep, struct ws_error *error)
{
    for (size_t n = 0; n < sweep->trace_count; n++)
        WS_TRY(open_trace(sweep, n, error));
    return WS_STATUS_ok;
}

/* A trace's properties in the results file. */
struct recalled {
    u64 digest, blocks;
};

static enum ws_status take_recalled(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    *(struct recalled *)context =
        (struct recalled){.digest = strtoull(row->values[0], NULL, 16), .blocks = strtoull(row->values[1], NULL, 10)};
    return WS_STATUS_ok;
}

enum ws_status ws_sweep_recall_traces(struct ws_sweep_state *sweep, struct ws_error *error)
{
    for (size_t n = 0; n < sweep->trace_count; n++) {
        struct ws_recorded_trace *const trace = &sweep->traces[n];
        if (sweep->files[n])
            continue;
        struct recalled recalled = {.digest = stand_in(trace)};
        const char *const names[] = {sweep->experiment->name, trace->name, trace->frontend, NULL};
        if (sweep->results)
            WS_TRY(ws_results_query(
                sweep->results,
                "SELECT trace_digest, blocks FROM experiment JOIN experiment_trace USING (experiment_id) "
                "JOIN trace USING (trace_id) WHERE experiment = ?1 AND experiment_trace.trace = ?2 AND frontend = ?3",
                names, take_recalled, &recalled, error));
        trace->key.digest = recalled.digest;
        sweep->trace_blocks[n] = recalled.blocks;
    }
    return WS_STATUS_ok;
}

enum ws_status ws_sweep_load_image(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job, u32 shard,
                                   struct ws_image **image, struct ws_error *error)
{
    struct ws_trace *const trace = sweep->files[job->trace];
    if (trace)
        return ws_image_load(trace, shard, sweep->experiment->shards, job->spaces, image, error);
    *error = sweep->damage[job->trace];
    return error->status;
}

void ws_sweep_free_traces(struct ws_sweep_state *sweep)
{
    for (size_t n = 0; sweep->files && n < sweep->trace_count; n++)
        ws_trace_close(sweep->files[n]);
    for (size_t n = 0; sweep->trace_names && n < sweep->trace_count; n++)
        free(sweep->trace_names[n]);
    free(sweep->files);
    free(sweep->damage);
    free(sweep->trace_blocks);
    free(sweep->trace_instructions);
    free(sweep->trace_names);
    free(sweep->traces);
}
