/* Banks of shared memory (docs/model/memory.md). */
#ifndef WS_MEMORY_SHARED_H
#define WS_MEMORY_SHARED_H

#include "memory/coalesce.h"

/* Most accesses to one bank, of those gathered in places of a mask, each of so many words. First lane only. */
static inline u32 most_in_a_bank(PRIVATE struct sm *sm, u32 places, u32 words)
{
    u32 most = 0;
    for (u32 bank = 0; bank < MACHINE(sm, memory_shared_banks); ++bank)
        sm->scratch->work[bank] = 0;
    for (; places != 0; places &= places - 1) {
        for (u32 n = 0; n < words; ++n) {
            const u32 bank = (sm->scratch->lines[ws_ctz(places)] + n) & (MACHINE(sm, memory_shared_banks) - 1);
            most = ws_max(most, ++sm->scratch->work[bank]);
        }
    }
    return most;
}

/* Lanes whose word no lower lane has. First lane only. */
static inline u32 distinct_lanes(PRIVATE const struct sm *sm, u32 lanes)
{
    u32 distinct = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        u32 lower = distinct;
        while (lower != 0 && sm->scratch->lines[ws_ctz(lower)] != sm->scratch->lines[ws_ctz(lanes)])
            lower &= lower - 1;
        distinct |= lower != 0 ? 0 : lanes & (0u - lanes);
    }
    return distinct;
}

/* Whether all lanes share their words with lanes at distance 1, or all with lanes at distance 2. First lane only. */
static inline u32 pairs_share(PRIVATE const struct sm *sm, u32 lanes)
{
    u32 share = 3;
    for (u32 left = lanes; left != 0; left &= left - 1) {
        const u32 lane = ws_ctz(left), word = sm->scratch->lines[lane];
        for (u32 distance = 1; distance <= 2; ++distance)
            share &= (lanes >> (lane ^ distance) & 1) && sm->scratch->lines[lane ^ distance] != word ? ~distance : 3u;
    }
    return share != 0;
}

/* Passes of lanes that access 2 or 4 words each, whose first words are gathered in their places; turns: one lane at a time. First
 * lane only. */
static inline u32 phase_passes(PRIVATE struct sm *sm, u32 mask, u32 words, u32 turns)
{
    const u32 phase = WS_LANES >> ws_log2(words), pairs = MACHINE(sm, memory_shared_wide) == WS_shared_wide_pairs;
    u32 passes = 0;
    for (u32 first = 0, size; first < WS_LANES; first += size) {
        const u32 pair = pairs && (first & phase) == 0 && pairs_share(sm, mask & ws_bits_below(2 * phase) << first);
        size = pair ? 2 * phase : phase;
        const u32 served = mask & ws_bits_below(size) << first;
        passes += most_in_a_bank(sm, turns ? served : distinct_lanes(sm, served), words);
    }
    return passes;
}

/* An access to shared memory of so many bytes by each of the lanes in mask: passes by bank conflicts. */
static inline void access_shared(PRIVATE struct sm *sm, u32 class_, u32 bytes, PRIVATE const u32 *word, u32 mask,
                                 PRIVATE struct access *access)
{
    const u32 turns = class_ == WS_CLASS_atomic && MACHINE(sm, memory_shared_atomics) == WS_shared_atomics_serial;
    const u32 wide = bytes > 4 && MACHINE(sm, memory_shared_wide) != WS_shared_wide_word;
    u32 passes = 0;
    if (wide) {
        FOR_LANES (lane)
            sm->scratch->lines[lane] = word[OF(lane)];
        lanes_fence(&sm->lanes);
        if (lane_first())
            passes = phase_passes(sm, mask, bytes / 4, turns);
    } else {
        const u32 gathered = gather_keys(sm, word, turns ? mask : lanes_leaders(&sm->lanes, word, mask));
        if (lane_first())
            passes = most_in_a_bank(sm, ws_bits_below(gathered), 1);
    }
    access->passes = lanes_from_first(&sm->lanes, passes);
    access->misses = 0;
}

#endif
