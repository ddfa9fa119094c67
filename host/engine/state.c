#include "engine/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/native/native.h"

void ws_plan_grow(struct ws_job *job)
{
    ws_native_plan_state(&job->machine, &job->plan, ws_min(WS_REQUESTS_MOST(&job->machine), 2 * job->plan.requests));
}

void ws_state_report(const struct ws_engine_watch *watch, size_t number, const struct ws_job *job, const u32 *state)
{
    u32 gauges[WS_GAUGES];
    ws_native_read_gauges(job, state, gauges);
    watch->gauges(watch->context, number, gauges);
}

enum ws_status ws_state_grow(struct ws_job *job, u32 **state, struct ws_error *error)
{
    struct ws_job grown = *job;
    ws_plan_grow(&grown);
    u32 *const larger = realloc(*state, (size_t)grown.plan.state_words * sizeof(u32));
    if (!larger)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a simulation of %u bytes", grown.plan.state_words * 4);
    memset(larger + job->plan.state_words, 0, (size_t)(grown.plan.state_words - job->plan.state_words) * sizeof(u32));
    *job = grown;
    *state = larger;
    return WS_STATUS_ok;
}
