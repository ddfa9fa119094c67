#include "engine/jobs/dueling.h"

#include <stdlib.h>

#include "base/error.h"

enum { FIRST_ROOM = 64 };

/* executed[n] belongs to window n. */
struct leader {
    u64 *executed;
    size_t room;
    u64 cycles; /* recorded so far */
    bool ended;
};

struct ws_dueling {
    struct leader leaders[WS_DUELING_LEADERS];
};

struct ws_dueling *ws_dueling_new(void)
{
    return calloc(1, sizeof(struct ws_dueling));
}

void ws_dueling_free(struct ws_dueling *dueling)
{
    if (!dueling)
        return;
    for (u32 shard = 0; shard < WS_DUELING_LEADERS; shard++)
        free(dueling->leaders[shard].executed);
    free(dueling);
}

bool ws_dueling_led(const struct ws_dueling *dueling, u32 shard)
{
    return dueling->leaders[shard].ended;
}

bool ws_machine_has_dueling(const struct ws_machine *machine)
{
    return machine->core_dispatch == WS_dispatch_warp && machine->dispatch_spatial == WS_spatial_dueling;
}

void ws_dueling_begin(const struct ws_job_spec *spec, struct ws_job *job)
{
    if (ws_machine_has_dueling(spec->machine))
        job->machine.dispatch_spatial = spec->shard == 1 ? WS_spatial_off : WS_spatial_on;
}

enum ws_status ws_dueling_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error)
{
    const struct ws_dueling *const dueling = spec->dueling;
    if (!ws_machine_has_dueling(spec->machine))
        return WS_STATUS_ok;
    ws_dueling_begin(spec, job);
    job->window = dueling ? spec->machine->dispatch_window : 0;
    if (spec->shard < WS_DUELING_LEADERS || (dueling && ws_dueling_led(dueling, 0) && ws_dueling_led(dueling, 1)))
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "dispatch.spatial: found 'dueling', in which shard %u follows shards 0 and 1, and %s", spec->shard,
                   dueling ? "one of them did not end" : "they are not run");
}

/* ---- Leaders ---- */

/* Allocates entries up to that window, initialized; unchanged without memory. */
static bool make_room(struct leader *leader, u64 window)
{
    size_t room = leader->room ? leader->room : FIRST_ROOM;
    while (room <= window)
        room *= 2;
    if (room == leader->room)
        return true;
    u64 *const executed = realloc(leader->executed, room * sizeof *executed);
    if (!executed)
        return false;
    leader->executed = executed;
    leader->room = room;
    return true;
}

/* A leader whose record has a gap does not count as complete. */
static void note_down(struct leader *leader, const struct ws_job *job, const struct ws_head *head)
{
    const u32 cycles = head->counters[WS_COUNT_cycles];
    const u64 begin = head->base - cycles, window = begin / job->window;
    if (begin == 0)
        leader->cycles = leader->ended = 0;
    if (begin != leader->cycles || !make_room(leader, window))
        return;
    if (begin % job->window == 0)
        leader->executed[window] = 0;
    leader->executed[window] += head->counters[WS_COUNT_thread_instructions];
    leader->cycles = head->base;
    leader->ended = head->status != WS_STATUS_running;
}

/* ---- Followers ---- */

/* Whether the next window uses spatial places, from the leaders' counts in this one. */
static u32 choose(const struct ws_dueling *dueling, u64 window, u64 end, u32 before)
{
    const struct leader *const on = &dueling->leaders[0], *const off = &dueling->leaders[1];
    if (on->cycles < end || off->cycles < end || on->executed[window] == off->executed[window])
        return before;
    return on->executed[window] > off->executed[window] ? WS_spatial_on : WS_spatial_off;
}

bool ws_dueling_step(const struct ws_job_spec *spec, struct ws_job *job, const struct ws_head *head)
{
    const u32 before = job->machine.dispatch_spatial;
    if (job->window == 0)
        return false;
    if (spec->shard < WS_DUELING_LEADERS)
        note_down(&spec->dueling->leaders[spec->shard], job, head);
    else if (head->base > 0 && head->base % job->window == 0)
        job->machine.dispatch_spatial = choose(spec->dueling, head->base / job->window - 1, head->base, before);
    return job->machine.dispatch_spatial != before;
}
