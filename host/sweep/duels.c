/* SM duels of a sweep (docs/model.md 9.1). Leaders run in a batch before their followers; those that are not to be recorded run
 * here. */
#include <stdlib.h>

#include "base/error.h"
#include "sweep/parts.h"

static struct ws_duel **place_of(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job)
{
    return &sweep->duels[job->trace * sweep->experiment->point_count + job->point];
}

struct ws_duel *ws_sweep_duel(struct ws_sweep_state *sweep, const struct ws_sweep_job *job)
{
    struct ws_duel **const duel = place_of(sweep, job);
    if (!*duel && ws_machine_duels(&sweep->experiment->points[job->point].machine))
        *duel = ws_duel_new();
    return *duel;
}

void ws_sweep_free_duels(struct ws_sweep_state *sweep)
{
    for (size_t n = 0; sweep->duels && n < sweep->trace_count * sweep->experiment->point_count; n++)
        ws_duel_free(sweep->duels[n]);
    free(sweep->duels);
}

/* ---- Leaders that are missing ---- */

/* Those of jobs of one trace and its spaces; they share the images of shards 0 and 1. */
struct leaders {
    struct ws_job_spec *specs;
    struct ws_image *images[WS_DUEL_LEADERS];
    size_t count;
};

static bool is_listed(const struct leaders *leaders, const struct ws_duel *duel, u32 shard)
{
    for (size_t n = 0; n < leaders->count; n++)
        if (leaders->specs[n].duel == duel && leaders->specs[n].shard == shard)
            return true;
    return false;
}

/* A leader whose image is damaged is not run. */
static void list(const struct ws_sweep_state *sweep, const struct ws_job_spec *spec, const struct ws_sweep_job *job,
                 struct leaders *leaders)
{
    struct ws_error error;
    for (u32 shard = 0; shard < WS_DUEL_LEADERS; shard++) {
        if (ws_duel_led(spec->duel, shard) || is_listed(leaders, spec->duel, shard))
            continue;
        if (!leaders->images[shard] && ws_sweep_load_image(sweep, job, shard, &leaders->images[shard], &error) != WS_STATUS_ok)
            return;
        leaders->specs[leaders->count++] =
            (struct ws_job_spec){.machine = spec->machine, .image = leaders->images[shard], .shard = shard, .duel = spec->duel};
    }
}

static bool go_on(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    (void)done;
    (void)jobs;
    (void)warp_instructions;
    return ws_sweep_goes_on(context);
}

/* Runs what is listed. The engine refuses followers of a leader that did not end. */
static enum ws_status run(struct ws_sweep_state *sweep, struct ws_engine *engine, const struct leaders *leaders,
                          struct ws_error *error)
{
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = sweep, .progress = go_on};
    struct ws_job_result *const results = calloc(leaders->count + 1, sizeof *results);
    if (!results)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", leaders->count);
    enum ws_status status =
        leaders->count > 0 ? ws_engine_run(engine, leaders->specs, leaders->count, results, &watch, error) : WS_STATUS_ok;
    for (size_t n = 0; n < leaders->count; n++) {
        if (status == WS_STATUS_ok && ws_engine_failed(&results[n]))
            status = ws_fail(error, results[n].status, "%s", ws_job_reason(&results[n]));
        ws_job_result_free(&results[n]);
    }
    free(results);
    return status;
}

static bool same_trace(const struct ws_sweep_job *a, const struct ws_sweep_job *b)
{
    return a->trace == b->trace && a->spaces == b->spaces;
}

static enum ws_status lead_one_trace(struct ws_sweep_state *sweep, struct ws_engine *engine, const struct ws_job_spec *specs,
                                     const size_t *jobs, size_t count, struct ws_error *error)
{
    struct leaders leaders = {.specs = calloc(WS_DUEL_LEADERS * count, sizeof *leaders.specs)};
    enum ws_status status =
        leaders.specs ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", WS_DUEL_LEADERS * count);
    for (size_t n = 0; n < count && status == WS_STATUS_ok; n++)
        if (specs[n].duel && specs[n].shard >= WS_DUEL_LEADERS)
            list(sweep, &specs[n], &sweep->jobs[jobs[n]], &leaders);
    if (status == WS_STATUS_ok)
        status = run(sweep, engine, &leaders, error);
    for (u32 shard = 0; shard < WS_DUEL_LEADERS; shard++)
        ws_image_free(leaders.images[shard]);
    free(leaders.specs);
    return status;
}

enum ws_status ws_sweep_lead(struct ws_sweep_state *sweep, struct ws_engine *engine, const struct ws_job_spec *specs,
                             const size_t *jobs, size_t count, struct ws_error *error)
{
    size_t end;
    for (size_t first = 0; first < count; first = end) {
        end = first + 1;
        while (end < count && same_trace(&sweep->jobs[jobs[first]], &sweep->jobs[jobs[end]]))
            end++;
        WS_TRY(lead_one_trace(sweep, engine, specs + first, jobs + first, end - first, error));
    }
    return WS_STATUS_ok;
}
