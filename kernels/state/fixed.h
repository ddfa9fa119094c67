/* What kernels read of their machine: MACHINE(sm, core_warps), PLAN(sm, line_shift) and PLAN_OF(sm, cache_ways, cache), of
 * parameters (shared/parameters.def) and what follows from them (shared/plan.def); RECORDED(sm) is what is recorded of the job.
 * Where WS_FIXED is defined, kernels are compiled for jobs that have values in common, and a text before says for each name whether
 * it is FIXED_IS_name, and then FIXED_name, or FIXED_name(n) (host/engine/fixed.c). */
#ifndef WS_STATE_FIXED_H
#define WS_STATE_FIXED_H

#ifdef WS_FIXED
#define MACHINE(sm, name)    (FIXED_IS_##name ? FIXED_##name : (sm)->machine->name)
#define PLAN(sm, name)       (FIXED_IS_##name ? FIXED_##name : (sm)->plan->name)
#define PLAN_OF(sm, name, n) (FIXED_IS_##name ? FIXED_##name(n) : (sm)->plan->name[n])
#define RECORDED(sm)         (FIXED_IS_recorded ? FIXED_recorded : (sm)->job->recorded)
#else
#define MACHINE(sm, name)    ((sm)->machine->name)
#define PLAN(sm, name)       ((sm)->plan->name)
#define PLAN_OF(sm, name, n) ((sm)->plan->name[n])
#define RECORDED(sm)         ((sm)->job->recorded)
#endif

#endif
