/* Loads state into registers at the start of a quantum, and stores it at the end. */
#ifndef WS_STATE_KEEP_H
#define WS_STATE_KEEP_H

#include "state/sm.h"

/* Words of the fields, without schedulers' per-slot fields, which are allocated only for the selected scheduler. */
enum {
#define UNIFORM(name, start)      +1
#define UNIFORM_SET(name)         +WS_SLOT_WORDS
#define UNIFORM_SETS(name, count) +(count)*WS_SLOT_WORDS
#define PORT(name, start)         +WS_PORTS
#define SLOT(name, start)         +WS_SLOTS
#define SLOT_SET(name)            +WS_SLOTS *WS_SLOT_WORDS
#define POLICY_SLOT(policy, name, start)
    KEPT_WORDS = 0
#include "shared/state/rows.def"
};

/* Difference between the time base of this quantum and that of the next. */
static inline u32 quantum_elapsed(PRIVATE const struct sm *sm)
{
    return sm->now - WS_QUANTUM_START - sm->now % QUANTUM_TURNS;
}

/* A cycle of this quantum, relative to the next. */
static inline u32 rebased(PRIVATE const struct sm *sm, u32 cycle)
{
    const u32 elapsed = quantum_elapsed(sm);
    if (cycle == WS_NEVER)
        return WS_NEVER;
    return cycle < elapsed ? 0 : cycle - elapsed;
}

/* Loads the fields, or initializes them. */
static inline void keep_load(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    GLOBAL const u32 *kept = sm_kept(sm);
    const u32 started = sm->head->started;
#define UNIFORM(name, start) sm->name = started ? *kept : (start), ++kept;
#define POLICY_UNIFORM(policy, name, start)                                                                                        \
    if (policy_compiled(WS_policy_##policy))                                                                                       \
        sm->name = started ? *kept : (start);                                                                                      \
    ++kept;
#define UNIFORM_SET(name) sm->name = started ? slots_of_words(kept, 1) : slots_none(), kept += WS_SLOT_WORDS;
#define UNIFORM_SETS(name, count)                                                                                                  \
    for (u32 n = 0; n < (count); ++n, kept += WS_SLOT_WORDS)                                                                       \
        sm->name[n] = started ? slots_of_words(kept, 1) : slots_none();
#define POLICY_SET(policy, name)                                                                                                   \
    if (policy_compiled(WS_policy_##policy))                                                                                       \
        sm->name = started ? slots_of_words(kept, 1) : slots_none();                                                               \
    kept += WS_SLOT_WORDS;
#define PORT(name, start)                                                                                                          \
    for (u32 n = 0; n < WS_PORTS; ++n)                                                                                             \
        sm->name[n] = started ? kept[n] : (start);                                                                                 \
    kept += WS_PORTS;
#define POLICY_PORT(policy, name, start)                                                                                           \
    if (policy_compiled(WS_policy_##policy)) {                                                                                     \
        for (u32 n = 0; n < WS_PORTS; ++n)                                                                                         \
            sm->name[n] = started ? kept[n] : (start);                                                                             \
    }                                                                                                                              \
    kept += WS_PORTS;
#include "shared/state/rows.def"
#define SLOT(name, start)                                                                                                          \
    FOR_SLOTS (slot)                                                                                                               \
        lanes->name[AT(slot)] = started ? kept[slot] : (u32)(start);                                                               \
    kept += WS_SLOTS;
#define POLICY_SLOT(policy, name, start)                                                                                           \
    if (scheduled_by(MACHINE(sm, schedule_policy), WS_policy_##policy)) {                                                          \
        FOR_SLOTS (slot)                                                                                                           \
            lanes->name[AT(slot)] = started ? kept[slot] : (u32)(start);                                                           \
        kept += WS_SLOTS;                                                                                                          \
    }
#define SLOT_SET(name)                                                                                                             \
    FOR_SLOTS (slot)                                                                                                               \
        lanes->name[AT(slot)] = started ? slots_of_words(kept + slot, WS_SLOTS) : slots_none();                                    \
    kept += WS_SLOT_WORDS * WS_SLOTS;
#include "shared/state/rows.def"
}

/* Stores the uniform fields, rebased, in the first lane; returns where those of slots begin. */
static inline GLOBAL u32 *keep_store_uniform(PRIVATE struct sm *sm)
{
    GLOBAL u32 *kept = sm_kept(sm);
#define UNIFORM(name, start)                                                                                                       \
    if (lane_first())                                                                                                              \
        *kept = sm->name;                                                                                                          \
    ++kept;
#define POLICY_UNIFORM(policy, name, start)                                                                                        \
    if (policy_compiled(WS_policy_##policy) && lane_first())                                                                       \
        *kept = sm->name;                                                                                                          \
    ++kept;
#define UNIFORM_TIME(name, start)                                                                                                  \
    if (lane_first())                                                                                                              \
        *kept = rebased(sm, sm->name);                                                                                             \
    ++kept;
#define POLICY_TIME(policy, name, start)                                                                                           \
    if (policy_compiled(WS_policy_##policy) && lane_first())                                                                       \
        *kept = rebased(sm, sm->name);                                                                                             \
    ++kept;
#define POLICY_SET(policy, name)                                                                                                   \
    if (policy_compiled(WS_policy_##policy) && lane_first()) {                                                                     \
        FOR_WORDS (word)                                                                                                           \
            kept[word] = SLOT_WORD(sm->name, word);                                                                                \
    }                                                                                                                              \
    kept += WS_SLOT_WORDS;
#define PORT(name, start)                                                                                                          \
    if (lane_first()) {                                                                                                            \
        for (u32 n = 0; n < WS_PORTS; ++n)                                                                                         \
            kept[n] = sm->name[n];                                                                                                 \
    }                                                                                                                              \
    kept += WS_PORTS;
#define POLICY_PORT(policy, name, start)                                                                                           \
    if (policy_compiled(WS_policy_##policy) && lane_first()) {                                                                     \
        for (u32 n = 0; n < WS_PORTS; ++n)                                                                                         \
            kept[n] = sm->name[n];                                                                                                 \
    }                                                                                                                              \
    kept += WS_PORTS;
#define UNIFORM_SET(name)                                                                                                          \
    for (u32 word = 0; word < WS_SLOT_WORDS; ++word, ++kept)                                                                       \
        if (lane_first())                                                                                                          \
            *kept = SLOT_WORD(sm->name, word);
#define UNIFORM_SETS(name, count)                                                                                                  \
    for (u32 n = 0; n < (count); ++n)                                                                                              \
        for (u32 word = 0; word < WS_SLOT_WORDS; ++word, ++kept)                                                                   \
            if (lane_first())                                                                                                      \
                *kept = SLOT_WORD(sm->name[n], word);
#include "shared/state/rows.def"
    return kept;
}

/* Stores the fields, rebased. */
static inline void keep_store(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    GLOBAL u32 *kept = keep_store_uniform(sm);
#define SLOT(name, start)                                                                                                          \
    FOR_SLOTS (slot)                                                                                                               \
        kept[slot] = lanes->name[AT(slot)];                                                                                        \
    kept += WS_SLOTS;
#define POLICY_SLOT(policy, name, start)                                                                                           \
    if (scheduled_by(MACHINE(sm, schedule_policy), WS_policy_##policy)) {                                                          \
        FOR_SLOTS (slot)                                                                                                           \
            kept[slot] = lanes->name[AT(slot)];                                                                                    \
        kept += WS_SLOTS;                                                                                                          \
    }
#define SLOT_TIME(name, start)                                                                                                     \
    FOR_SLOTS (slot)                                                                                                               \
        kept[slot] = rebased(sm, lanes->name[AT(slot)]);                                                                           \
    kept += WS_SLOTS;
#define SLOT_SET(name)                                                                                                             \
    for (u32 word = 0; word < WS_SLOT_WORDS; ++word, kept += WS_SLOTS)                                                             \
        FOR_SLOTS (slot)                                                                                                           \
            kept[slot] = SLOT_WORD(lanes->name[AT(slot)], word);
#include "shared/state/rows.def"
}

#endif
