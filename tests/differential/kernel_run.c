#include "differential/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/fold.h"
#include "engine/plan.h"
#include "engine/state.h"
#include "oracle/allocate.h"

u32 kernel_run(const struct random_case *random_case, ws_native_slice *advance, u32 slice, u64 most, struct ws_job_result *result)
{
    const struct ws_job_spec spec = {.machine = &random_case->machine, .image = random_case->image};
    const struct ws_image *image = random_case->image;
    struct ws_error error;
    struct ws_job job;
    memset(&job, 0, sizeof job);
    if (ws_job_plan(&spec, &job, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    job.times = 0;
    *result = (struct ws_job_result){.times = oracle_allocate(ws_times_length(&job), sizeof(u64))};
    struct ws_native_parts parts = {.program = image->program,
                                    .groups = image->groups,
                                    .words = image->words,
                                    .state = oracle_allocate(job.plan.state_words, sizeof(u32)),
                                    .records = (u32 *)result->times};
    u32 grown = 0;
    struct ws_head *head = (struct ws_head *)parts.state;
    head->status = WS_STATUS_running;
    while (head->status == WS_STATUS_running && result->counters[WS_COUNT_cycles] <= most) {
        advance(&job, &parts, slice);
        ws_fold_counters(result->counters, head->counters);
        grown += head->wants_room;
        if (head->wants_room && ws_state_grow(&job, &parts.state, &error) != WS_STATUS_ok)
            fail_msg("%s", error.message);
        head = (struct ws_head *)parts.state;
    }
    ws_job_end(result, (enum ws_status)head->status);
    free(parts.state);
    return grown;
}
