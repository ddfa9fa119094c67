#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "results/identity.h"
#include "sweep/parts.h"

static int by_digest(const void *a, const void *b)
{
    return ws_order(((const struct ws_sweep_job *)a)->digest, ((const struct ws_sweep_job *)b)->digest);
}

static int by_place(const void *a, const void *b)
{
    const struct ws_sweep_job *const x = a, *const y = b;
    if (x->trace != y->trace)
        return ws_order(x->trace, y->trace);
    if (x->spaces != y->spaces)
        return ws_order(x->spaces, y->spaces);
    if (x->shard != y->shard)
        return ws_order(x->shard, y->shard);
    return x->rank != y->rank ? ws_order(x->rank, y->rank) : ws_order(x->point, y->point);
}

u32 ws_sweep_shards(const struct ws_sweep_state *sweep, size_t trace)
{
    const u64 blocks = sweep->trace_blocks[trace];
    const u32 shards = sweep->experiment->sampled ? sweep->experiment->sampled : sweep->experiment->shards;
    return blocks > 0 && blocks < shards ? (u32)blocks : shards;
}

/* Lists the jobs of this part. */
static void expand(struct ws_sweep_state *sweep)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    const u32 parts = sweep->options->parts ? sweep->options->parts : 1;
    u64 number = 0;
    for (u32 trace = 0; trace < sweep->trace_count; trace++)
        for (u32 shard = 0; shard < ws_sweep_shards(sweep, trace); shard++)
            for (u32 point = 0; point < experiment->point_count; point++)
                if (sweep->point_frontend[point] == trace / experiment->trace_count && number++ % parts == sweep->options->part)
                    sweep->jobs[sweep->job_count++] = (struct ws_sweep_job){
                        .digest = ws_job_digest(sweep->points[point].digest, sweep->traces[trace].key.digest, shard,
                                                experiment->shards, WS_MODEL_VERSION),
                        .trace = trace,
                        .spaces = ws_machine_spaces(&experiment->points[point].machine),
                        .shard = shard,
                        .point = point,
                        .rank = sweep->families[point].rank,
                    };
}

/* Points with the same machine, and traces with the same content, are one job. */
static void drop_doubles(struct ws_sweep_state *sweep)
{
    size_t kept = 0;
    qsort(sweep->jobs, sweep->job_count, sizeof *sweep->jobs, by_digest);
    for (size_t n = 0; n < sweep->job_count; n++)
        if (n == 0 || sweep->jobs[n].digest != sweep->jobs[kept - 1].digest)
            sweep->jobs[kept++] = sweep->jobs[n];
    sweep->job_count = kept;
    qsort(sweep->jobs, sweep->job_count, sizeof *sweep->jobs, by_place);
}

struct ws_sweep_job *ws_sweep_job_beside(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job, u32 point)
{
    struct ws_sweep_job beside = *job;
    beside.point = point;
    beside.rank = sweep->families[point].rank;
    return bsearch(&beside, sweep->jobs, sweep->job_count, sizeof beside, by_place);
}

static enum ws_status drop_recorded(struct ws_sweep_state *sweep, u64 *digests, enum ws_job_state *states, struct ws_error *error)
{
    size_t kept = 0;
    for (size_t n = 0; n < sweep->job_count; n++)
        digests[n] = sweep->jobs[n].digest;
    WS_TRY(ws_record_states(sweep->results, digests, sweep->experiment->times, states, sweep->job_count, error));
    for (size_t n = 0; n < sweep->job_count; n++) {
        if (sweep->options->force)
            states[n] = WS_JOB_MISSING;
        sweep->summary->before += states[n] != WS_JOB_MISSING;
        sweep->summary->failed += states[n] == WS_JOB_FAILED;
        if (states[n] == WS_JOB_MISSING)
            sweep->jobs[kept++] = sweep->jobs[n];
    }
    sweep->job_count = kept;
    return WS_STATUS_ok;
}

static enum ws_status no_memory(const struct ws_sweep_state *sweep, size_t jobs, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory for %zu jobs", sweep->experiment->name, jobs);
}

enum ws_status ws_sweep_drop_done(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const size_t room = sweep->job_count + 1;
    u64 *const digests = calloc(room, sizeof *digests);
    enum ws_job_state *const states = calloc(room, sizeof *states);
    const enum ws_status status =
        digests && states ? drop_recorded(sweep, digests, states, error) : no_memory(sweep, sweep->job_count, error);
    free(digests);
    free(states);
    return status;
}

enum ws_status ws_sweep_list_jobs(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    const size_t most = experiment->trace_count * experiment->shards * experiment->point_count;
    for (size_t n = 0; n < experiment->point_count; n++)
        sweep->points[n].digest = ws_machine_digest(&experiment->points[n].machine);
    sweep->jobs = calloc(most, sizeof *sweep->jobs);
    if (!sweep->jobs)
        return no_memory(sweep, most, error);
    WS_TRY(ws_sweep_find_families(sweep, error));
    expand(sweep);
    drop_doubles(sweep);
    sweep->summary->jobs = sweep->job_count;
    return WS_STATUS_ok;
}
