/* SM dueling in a sweep (docs/model/dispatch.md). Leaders run in an earlier batch than their followers. */
#include <stdlib.h>

#include "sweep/parts.h"

static struct ws_dueling **place_of(const struct ws_sweep_state *sweep, const struct ws_sweep_job *job)
{
    return &sweep->duels[job->trace * sweep->experiment->point_count + job->point];
}

struct ws_dueling *ws_sweep_dueling(struct ws_sweep_state *sweep, const struct ws_sweep_job *job)
{
    struct ws_dueling **const dueling = place_of(sweep, job);
    if (!*dueling && ws_machine_has_dueling(&sweep->experiment->points[job->point].machine))
        *dueling = ws_dueling_new();
    return *dueling;
}

void ws_sweep_free_dueling(struct ws_sweep_state *sweep)
{
    for (size_t n = 0; sweep->duels && n < sweep->trace_count * sweep->experiment->point_count; n++)
        ws_dueling_free(sweep->duels[n]);
    free(sweep->duels);
}
