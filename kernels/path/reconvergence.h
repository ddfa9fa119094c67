/* Reconvergence points of the program. */
#ifndef WS_PATH_RECONVERGENCE_H
#define WS_PATH_RECONVERGENCE_H

#include "state/sm.h"

/* Marks them before the first quantum. First lane only. */
static inline void mark_reconvergence_pcs(PRIVATE struct sm *sm)
{
    for (u32 pc = 0; pc < sm->job->instructions; ++pc)
        if (sm->program[pc].class_ == WS_CLASS_branch && sm->program[pc].reconverge < sm->job->instructions)
            sm_pc_reconverges(sm)[sm->program[pc].reconverge] = 1;
}

#endif
