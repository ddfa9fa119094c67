/* Lowest pc, then oldest. */
#include "oracle/sm.h"

static void start(struct sm *sm)
{
    (void)sm;
}

static bool is_before(const struct warp *one, const struct warp *other)
{
    if (one->path.pc != other->path.pc)
        return one->path.pc < other->path.pc;
    return one->block != other->block ? one->block < other->block : one->number < other->number;
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    u32 best = NO_WARP;
    for (u32 n = 0; n < port_slots(sm, port); n++) {
        const u32 slot = port_slot(sm, port, n);
        if (ready[slot] && (best == NO_WARP || is_before(&sm->warps[slot], &sm->warps[best])))
            best = slot;
    }
    return best;
}

const struct oracle_policy oracle_policy_lpc = {.start = start, .finish = start, .choose = choose};
