/* SM dueling (dispatch.md): the leaders run first, since they do not depend on the others. */
#include <stdlib.h>
#include <string.h>

#include "oracle/sm.h"

struct dueling {
    bool *on; /* in each window that both leaders have reached; later windows copy the last of these */
    u64 count;
};

static u64 executed(const struct oracle_log *leader, u64 window)
{
    return leader->windows[window + 1] - leader->windows[window];
}

static struct dueling decide(const struct oracle_log *on, const struct oracle_log *off)
{
    struct dueling dueling = {.count = on->window_count < off->window_count ? on->window_count : off->window_count};
    dueling.on = oracle_allocate(dueling.count, sizeof *dueling.on);
    dueling.on[0] = true;
    for (u64 n = 1; n < dueling.count; n++) {
        const u64 with = executed(on, n - 1), without = executed(off, n - 1);
        dueling.on[n] = with == without ? dueling.on[n - 1] : with > without;
    }
    return dueling;
}

bool dueling_is_on(const struct dueling *dueling, u64 window)
{
    return dueling->on[window < dueling->count ? window : dueling->count - 1];
}

static void lead(const struct ws_machine *machine, u32 spatial, const struct ws_image *image, enum ws_status *status, u64 *counters,
                 struct oracle_log *log)
{
    struct ws_machine leader = *machine;
    leader.dispatch_spatial = spatial;
    *log = (struct oracle_log){.want_pending = true};
    *status = oracle_run(&leader, image, counters, log);
}

void oracle_run_dueling(const struct ws_machine *machine, const struct ws_image *const *images, u32 count, enum ws_status *statuses,
                        u64 (*counters)[WS_COUNTERS])
{
    struct oracle_log on, off;
    lead(machine, WS_spatial_on, images[0], &statuses[0], counters[0], &on);
    lead(machine, WS_spatial_off, images[1], &statuses[1], counters[1], &off);
    const struct dueling dueling = decide(&on, &off);
    for (u32 shard = 2; shard < count; shard++) {
        struct oracle_log log = {.want_pending = true};
        statuses[shard] = oracle_run_following(&dueling, machine, images[shard], counters[shard], &log);
        oracle_log_free(&log);
    }
    free(dueling.on);
    oracle_log_free(&on);
    oracle_log_free(&off);
}
