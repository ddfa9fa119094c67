/* Offsets of the arrays in a job's state, for what is compiled in. */
#ifndef WS_STATE_PLAN_H
#define WS_STATE_PLAN_H

#include "state/keep.h"

/* Reserves bytes, aligned to 64; returns the word at which they begin. */
static inline u32 reserve(struct ws_plan *plan, u64 bytes)
{
    const u32 at = plan->state_words;
    plan->state_words += (u32)((bytes + 63) / 64 * 16);
    return at;
}

/* Words of all fields. */
static inline u64 kept_words(const struct ws_machine *machine)
{
    u64 words = KEPT_WORDS;
#define POLICY_SLOT(policy, name, start) words += scheduled_by(machine->schedule_policy, WS_policy_##policy) ? WS_SLOTS : 0;
#include "shared/state/rows.def"
    return words;
}

/* Lays out the state, with room for so many requests at its end. Host only. */
static inline void plan_state(const struct ws_machine *machine, struct ws_plan *plan, u32 requests)
{
    plan->state_words = 0;
    reserve(plan, sizeof(struct ws_head));
    plan->at_kept = reserve(plan, kept_words(machine) * sizeof(u32));
#define ARRAY(name, type, count) plan->at_##name = reserve(plan, (u64)(count) * sizeof(type));
#include "shared/state/rows.def"
    plan->requests = requests;
    plan->at_requests = reserve(plan, (u64)requests * sizeof(struct ws_request));
}

#endif
