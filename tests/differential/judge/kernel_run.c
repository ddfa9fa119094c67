#include "differential/judge/kernel_run.h"

#include <stdlib.h>
#include <string.h>

#include "engine/accumulate.h"
#include "engine/plan.h"
#include "engine/state.h"
#include "oracle/allocate.h"
#include "test.h"

enum { GUARD = 0x5A5A5A5A, REQUEST_WORDS = 11 /* of sets of 8 words */ };

/* Words that a kernel could write past its state if it ignored the room for requests. */
static size_t guard_words(const struct ws_job *job)
{
    return (size_t)(WS_REQUESTS_MOST(&job->machine) - job->plan.requests) * REQUEST_WORDS;
}

static u32 *guard(const struct ws_job *job, u32 *state)
{
    const size_t words = job->plan.state_words, guards = guard_words(job);
    u32 *const guarded = realloc(state, (words + guards) * sizeof *guarded);
    assert_non_null(guarded);
    for (size_t n = 0; n < guards; n++)
        guarded[words + n] = GUARD;
    return guarded;
}

static bool guard_holds(const struct ws_job *job, const u32 *state)
{
    for (size_t n = 0; n < guard_words(job); n++)
        if (state[job->plan.state_words + n] != GUARD)
            return false;
    return true;
}

bool kernel_case(const struct random_case *random_case, u32 path, struct ws_machine *machine, struct ws_image **packets)
{
    struct ws_predecoding lowering;
    *machine = random_case->machine;
    *packets = NULL;
    if (path != WS_divergence_predecoded)
        return true;
    machine->divergence_unit = path;
    return ws_predecoding_of(&random_case->machine, &lowering) &&
           ws_predecode(random_case->image, &lowering, UINT64_MAX, packets) == WS_STATUS_ok;
}

u32 kernel_run(const struct random_case *random_case, const struct ws_image *packets, ws_native_quantum *advance, u32 quantum,
               u64 most, struct ws_job_result *result)
{
    const struct ws_image *const image = packets ? packets : random_case->image;
    const struct ws_job_spec spec = {.machine = &random_case->machine, .image = image};
    struct ws_job job;
    memset(&job, 0, sizeof job);
    EXPECT_OK(ws_job_plan(&spec, &job, &error));
    job.times = 0;
    *result = (struct ws_job_result){.status = WS_STATUS_ok};
    EXPECT_OK(ws_times_allocate(&job, result, &error));
    struct ws_native_parts parts = {.program = image->program,
                                    .groups = image->groups,
                                    .words = image->words,
                                    .state = guard(&job, oracle_allocate(job.plan.state_words, sizeof(u32))),
                                    .records = (u32 *)result->times};
    u32 grown = 0;
    struct ws_head *head = (struct ws_head *)parts.state;
    head->status = WS_STATUS_running;
    while (head->status == WS_STATUS_running && result->counters[WS_COUNT_cycles] <= most) {
        advance(&job, &parts, quantum);
        ws_accumulate_counters(result->counters, head->counters);
        if (!guard_holds(&job, parts.state)) {
            head->status = WS_STATUS_internal;
        } else if (head->wants_room) {
            EXPECT_OK(ws_state_grow(&job, &parts.state, &error));
            parts.state = guard(&job, parts.state);
            head = (struct ws_head *)parts.state;
            grown++;
        }
    }
    ws_job_end(&job.machine, head, result);
    free(parts.state);
    return grown;
}
