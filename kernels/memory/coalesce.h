/* Coalescing: what the lanes of a packet access together (docs/model/memory.md). */
#ifndef WS_MEMORY_COALESCE_H
#define WS_MEMORY_COALESCE_H

#include "state/counts.h"

/* An access on its way through the data port. */
struct access {
    u32 lines;  /* of global memory, one for each transaction */
    u32 passes; /* cycles for which it holds the data port; 0: none */
    u32 misses; /* lines that the packet has to wait for */
    u32 again;  /* if any: misses of lines that it waits for already */
};

/* Gathers the distinct keys of some lanes into local memory, lowest lane first, with the lane that brought each; returns their
 * number. */
static inline u32 gather_keys(PRIVATE struct sm *sm, PRIVATE const u32 *key, u32 lanes)
{
    FOR_TURNS (lane, rank, lanes, 0) {
        sm->scratch->lines[rank] = key[OF(lane)];
        sm->scratch->leads[rank] = lane;
    }
    lanes_fence(&sm->lanes);
    return ws_popcount(lanes);
}

/* Whether lanes of an access to global memory are serialized into turns. */
static inline u32 takes_turns(PRIVATE const struct sm *sm, u32 class_)
{
    return class_ == WS_CLASS_atomic && MACHINE(sm, memory_atomics) != WS_atomics_merged;
}

/* Gathers the lines of an access to global memory turn by turn, as gather_keys does; touched gets the granules that lanes of the
 * turn touch in each line. address: of each lane, as in the image; offset: the bits within a line. */
static inline u32 gather_turns(PRIVATE struct sm *sm, PRIVATE const u32 *address, u32 mask, u32 offset)
{
    LOCAL struct sm_local *const scratch = sm->scratch;
    u32 count = 0;
    FOR_LANES (lane)
        scratch->work[lane] = address[OF(lane)];
    lanes_fence(&sm->lanes);
    for (u32 left = lane_first() ? mask : 0, taken; left != 0; left &= ~taken) {
        const u32 first = count, low = MACHINE(sm, memory_atomics) == WS_atomics_halves ? left & 0xFFFFu : 0;
        taken = 0;
        for (u32 turn = low != 0 ? low : left; turn != 0; turn &= turn - 1) {
            const u32 lane = ws_ctz(turn), word = scratch->work[lane], line = word & (WS_ATOMIC_GRANULES - 1) & ~offset;
            u32 n = first, word_taken = 0, touches = 1;
            for (u32 lower = taken; lower != 0; lower &= lower - 1) {
                const u32 differs = scratch->work[ws_ctz(lower)] ^ word;
                word_taken |= differs == 0;
                touches &= (differs & (WS_ATOMIC_GRANULES - 1)) != 0;
            }
            if (word_taken)
                continue;
            taken |= ws_bit(lane);
            while (n < count && scratch->lines[n] != line)
                ++n;
            if (n == count) {
                scratch->lines[n] = line;
                scratch->leads[n] = lane;
                scratch->touched[n] = 0;
                ++count;
            }
            scratch->touched[n] += touches;
        }
    }
    count = lanes_from_first(&sm->lanes, count);
    lanes_fence(&sm->lanes);
    return count;
}

#endif
