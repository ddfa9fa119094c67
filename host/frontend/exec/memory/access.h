/* Locating the bytes that a load, store or atomic accesses. */
#pragma once

#include "frontend/exec/memory/races.h"
#include "frontend/exec/step.h"

/* Looks the address up among all ranges and keeps the range for the step's next access. NULL after stopping the thread. */
u8 *ws_locate_anew(struct ws_step *step, u64 address, u64 bytes, bool writes, struct ws_thread *thread);

/* Where the bytes lie; NULL after stopping the thread. Most steps access the same buffer as the time before. */
static inline u8 *ws_locate(struct ws_step *step, u64 address, u64 bytes, bool writes, struct ws_thread *thread)
{
    u8 *const at = ws_range_at(step->range, address, bytes);
    return __builtin_expect(at != NULL, 1) ? at : ws_locate_anew(step, address, bytes, writes, thread);
}

/* Marks the words of an access in the range's marks: of each 64 words one with those read, and one with those written. Other
 * workers look at them meanwhile (parallel.c). */
static inline void ws_mark(const struct ws_range *range, u64 offset, u64 bytes, bool writes)
{
    for (u64 word = offset / WS_MARKED_BYTES; word <= (offset + bytes - 1) / WS_MARKED_BYTES; word++) {
        u64 *const marks = &range->marks[word / 64 * 2 + writes];
        const u64 before = __atomic_load_n(marks, __ATOMIC_RELAXED), bit = UINT64_C(1) << word % 64;
        if (!(before & bit))
            __atomic_store_n(marks, before | bit, __ATOMIC_RELAXED);
    }
}

/* The same, recorded, and seen by the detector of races. An address of shared or local memory may have wrapped at 32 bits, so the
 * place is that of the bytes; those of an access outside of memory (beyond.h) lie elsewhere. */
static inline u8 *ws_access(struct ws_step *step, u64 address, u64 bytes, bool writes, struct ws_thread *thread)
{
    u8 *const at = ws_locate(step, address, bytes, writes, thread);
    const struct ws_range *const range = step->range;
    if (at && thread->recorder &&
        !ws_record_access(thread->recorder, (range->host ? (u64)(at - range->host) : address - range->base) + range->recorded)) {
        ws_stop(step, thread, WS_STOP_recording);
        return NULL;
    }
    if (__builtin_expect(at && range->marks, 0))
        ws_mark(range, (u64)(at - range->host), bytes, writes);
    if (__builtin_expect(at && thread->races, 0) && !ws_races_note(thread->races, step, at, bytes, writes)) {
        ws_stop(step, thread, WS_STOP_race_memory);
        return NULL;
    }
    return at;
}

/* Whether a store of a different value changes memory. Dropped stores do not (beyond.h). */
static inline bool ws_changes(const struct ws_step *step, bool different)
{
    return different && step->range->host;
}

static inline u64 ws_address(const struct ws_step *step, const u64 *slot)
{
    return slot[step->a] + step->offset;
}
