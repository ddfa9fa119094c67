#include "engine/compile/specialize.h"

bool ws_specialized_add(struct ws_specialized *specialized, const struct ws_machine *machine, u32 recorded)
{
    if (!ws_fixed_add(&specialized->fixed, machine, recorded))
        return false;
    specialized->version++;
    specialized->state = WS_SPECIALIZED_unknown;
    return true;
}

bool ws_specialized_pays(const struct ws_specialized *specialized, double worth)
{
    const double jobs = specialized->ended == 0 ? 1 : (double)specialized->ended;
    return specialized->seconds + specialized->seconds / jobs * (double)specialized->coming >= worth;
}
