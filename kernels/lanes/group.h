/* Form group: a work-group of 32; collectives go through local memory. */
#ifndef WS_LANES_GROUP_H
#define WS_LANES_GROUP_H

/* Three buffers in rotation: one is read, the next is clean, the previous is being cleaned. */
struct lanes_local {
    u32 any[3], least[3], picked[3];
};

#ifdef WS_FIBER
#define LANES_BARRIER() fiber_barrier()
static inline void lanes_or(LOCAL u32 *word, u32 value)
{
    *word |= value;
}
static inline void lanes_lower(LOCAL u32 *word, u32 value)
{
    *word = ws_min(*word, value);
}
#else
#define LANES_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
static inline void lanes_or(LOCAL u32 *word, u32 value)
{
    atomic_or(word, value);
}
static inline void lanes_lower(LOCAL u32 *word, u32 value)
{
    atomic_min(word, value);
}
#endif

struct lanes {
    LOCAL struct lanes_local *scratch;
    u32 turn;
};

static inline void lanes_open(PRIVATE struct lanes *lanes, LOCAL struct lanes_local *scratch)
{
    lanes->scratch = scratch;
    lanes->turn = 0;
    if (lane_first()) {
        for (u32 i = 0; i < 3; ++i) {
            scratch->any[i] = 0;
            scratch->least[i] = 0xFFFFFFFFu;
        }
    }
    LANES_BARRIER();
}

/* Writes of all lanes before the fence are visible to all lanes after it. */
static inline void lanes_fence(PRIVATE struct lanes *lanes)
{
    LANES_BARRIER();
}

/* Takes the next buffer, and cleans the one that all lanes have read. */
static inline void lanes_turn(PRIVATE struct lanes *lanes)
{
    const u32 stale = lanes->turn == 0 ? 2 : lanes->turn - 1;
    if (lane_first()) {
        lanes->scratch->any[stale] = 0;
        lanes->scratch->least[stale] = 0xFFFFFFFFu;
    }
    lanes->turn = lanes->turn == 2 ? 0 : lanes->turn + 1;
}

static inline u32 lanes_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    const u32 turn = lanes->turn;
    if (value[0])
        lanes_or(&lanes->scratch->any[turn], ws_bit(LANE_ID()));
    LANES_BARRIER();
    const u32 mask = lanes->scratch->any[turn];
    lanes_turn(lanes);
    return mask;
}

static inline u32 lanes_any(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    return lanes_ballot(lanes, value) != 0;
}

static inline u32 lanes_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    const u32 turn = lanes->turn;
    lanes_lower(&lanes->scratch->least[turn], value[0]);
    LANES_BARRIER();
    const u32 least = lanes->scratch->least[turn];
    lanes_turn(lanes);
    return least;
}

static inline u32 lanes_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 lane)
{
    const u32 turn = lanes->turn;
    if (LANE_ID() == lane)
        lanes->scratch->picked[turn] = value[0];
    LANES_BARRIER();
    const u32 picked = lanes->scratch->picked[turn];
    lanes_turn(lanes);
    return picked;
}

#endif
