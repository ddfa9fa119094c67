#include "oracle/schedule/pool/frequent.h"

u32 frequent_pc(const struct sm *sm, bool most)
{
    u32 chosen = 0, frequency = 0;
    bool any = false;
    for (const struct forming *forming = ((struct dwf *)sm->path)->pool; forming; forming = forming->next) {
        const u32 threads = forming_threads_at(sm, forming->pc);
        const bool ties = any && threads == frequency, beats = any && (most ? threads > frequency : threads < frequency);
        if (!forming_ready(sm, forming) || (any && !beats && !(ties && forming->pc < chosen)))
            continue;
        any = true;
        chosen = forming->pc;
        frequency = threads;
    }
    return chosen;
}
