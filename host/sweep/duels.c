/* SM duels of a sweep (docs/model/dispatch.md). Leaders run in a batch before their followers. */
#include <stdlib.h>

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
