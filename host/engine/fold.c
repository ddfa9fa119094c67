#include "engine/fold.h"

#include <string.h>

#include "base/error.h"

void ws_fold_counters(u64 *counters, const u32 *slice)
{
    size_t count;
    const struct ws_counter *counter = ws_counter_list(&count);
    for (size_t n = 0; n < count; n++) {
        for (u32 bin = counter[n].index; bin < counter[n].index + counter[n].bins; bin++) {
            if (!counter[n].most)
                counters[bin] += slice[bin];
            else if (counters[bin] < slice[bin])
                counters[bin] = slice[bin];
        }
    }
}

size_t ws_times_length(const struct ws_job *job)
{
    return (size_t)job->blocks * (2 + (size_t)job->plan.warps_per_block);
}

void ws_job_end(struct ws_job_result *result, enum ws_status status)
{
    struct ws_error error;
    result->status = status;
    if (status == WS_STATUS_ok)
        return;
    ws_fail(&error, status, "%s at cycle %llu", ws_status_text(status), (unsigned long long)result->counters[WS_COUNT_cycles]);
    ws_job_refuse(result, &error);
}

void ws_job_refuse(struct ws_job_result *result, const struct ws_error *error)
{
    result->status = error->status;
    result->reason = strdup(error->message);
}
