#include "engine/accumulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void ws_counters_add(u64 *counters, const u64 *more)
{
    size_t count;
    const struct ws_counter *counter = ws_counter_list(&count);
    for (size_t n = 0; n < count; n++) {
        for (u32 bin = counter[n].index; bin < counter[n].index + counter[n].bins; bin++) {
            if (!counter[n].most)
                counters[bin] += more[bin];
            else if (counters[bin] < more[bin])
                counters[bin] = more[bin];
        }
    }
}

static void widen(const u32 *quantum, u64 *counters)
{
    for (u32 n = 0; n < WS_COUNTERS; n++)
        counters[n] = quantum[n];
}

void ws_accumulate_counters(u64 *counters, const u32 *quantum)
{
    u64 more[WS_COUNTERS];
    widen(quantum, more);
    ws_counters_add(counters, more);
}

void ws_quantum_report(const struct ws_engine_watch *watch, size_t job, u64 from, const u32 *quantum)
{
    u64 counters[WS_COUNTERS];
    if (!watch->quantum)
        return;
    widen(quantum, counters);
    watch->quantum(watch->context, job, from, counters);
}

u32 ws_quantum_until(const struct ws_engine_watch *watch, u64 base, u32 quantum)
{
    return watch->interval == 0 ? quantum : (u32)ws_min(quantum, watch->interval - (u32)(base % watch->interval));
}

size_t ws_times_bytes(const struct ws_job *job)
{
    return job->blocks * (sizeof(struct ws_block_time) + job->plan.warps_per_block * sizeof(struct ws_warp_time));
}

enum ws_status ws_times_allocate(const struct ws_job *job, struct ws_job_result *result, struct ws_error *error)
{
    result->times = calloc(1, ws_times_bytes(job));
    if (!result->times)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for the times of a job");
    result->warps = (struct ws_warp_time *)(result->times + job->blocks);
    return WS_STATUS_ok;
}

/* Threads that share a divergence stack: each divergent branch pushes at most two entries and leaves fewer threads together, which
 * bounds the depth. */
static u32 threads_of_stack(const struct ws_machine *machine)
{
    return machine->divergence_unit == WS_divergence_tbc ? machine->divergence_compaction_block : machine->core_warp_size;
}

void ws_job_end(const struct ws_machine *machine, const struct ws_head *head, struct ws_job_result *result)
{
    const enum ws_status status = (enum ws_status)head->status;
    const unsigned long long cycle = result->counters[WS_COUNT_cycles];
    const u32 threads = threads_of_stack(machine);
    char warp[40] = "a warp";
    struct ws_error error;
    result->status = status;
    if (status == WS_STATUS_ok)
        return;
    if (head->overflowed != WS_NO_SLOT)
        snprintf(warp, sizeof warp, "the warp in slot %u", head->overflowed);
    if (status == WS_STATUS_stack_overflow)
        ws_fail(&error, status,
                "divergence.stack_depth: found %u, %s needs at least %u entries at cycle %llu; %u are enough for any %u threads",
                machine->divergence_stack_depth, warp, (u32)result->counters[WS_COUNT_stack_deepest], cycle, 2 * (threads - 1),
                threads);
    else
        ws_fail(&error, status, "%s at cycle %llu", ws_status_text(status), cycle);
    ws_job_refuse(result, &error);
}

void ws_job_refuse(struct ws_job_result *result, const struct ws_error *error)
{
    result->status = error->status;
    result->reason = strdup(error->message);
}
