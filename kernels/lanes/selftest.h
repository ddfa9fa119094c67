/* Self-test of the collectives: every collective of lanes.h once, without control flow, so that lanes that fail to communicate give
 * wrong numbers and never hang. */
#ifndef WS_LANES_SELFTEST_H
#define WS_LANES_SELFTEST_H

#include "shared/collectives.h"

#include "lanes/lanes.h"

struct collectives_local {
    struct lanes_local lanes;
    u32 word[WS_LANES];
};

/* Reads in[WS_COLLECTIVE_INPUTS], writes out[WS_COLLECTIVES of each lane]. */
static inline void try_collectives(LOCAL struct collectives_local *local_words, GLOBAL const u32 *in, GLOBAL u32 *out)
{
    struct lanes lanes;
    PER_LANE(u32, value);
    PER_LANE(u32, odd);
    PER_LANE(u32, kind);
    PER_LANE(u32, seen);
    lanes_open(&lanes, &local_words->lanes);
    FOR_LANES (lane) {
        value[OF(lane)] = in[lane];
        odd[OF(lane)] = in[lane] & 1;
        kind[OF(lane)] = in[lane] / 2 % 8;
        local_words->word[lane] = in[lane];
    }
    lanes_fence(&lanes);
    FOR_LANES (lane)
        seen[OF(lane)] = local_words->word[(lane + 1) % WS_LANES];
    const u32 mask = lanes_ballot(&lanes, odd);
    const u32 least = lanes_least(&lanes, value);
    const u32 picked = lanes_pick(&lanes, value, in[WS_LANES]);
    const u32 first = lanes_from_first(&lanes, value[OF(0)]);
    const u32 leaders = lanes_leaders(&lanes, kind, mask);
    const u32 any = lanes_any(&lanes, odd);
    FOR_LANES (lane)
        odd[OF(lane)] = 0;
    const u32 none = lanes_any(&lanes, odd);
    const u32 again = lanes_least(&lanes, value);
    FOR_LANES (lane) {
        GLOBAL u32 *mine = out + WS_COLLECTIVES * lane;
        mine[WS_COLLECTIVE_ballot] = mask;
        mine[WS_COLLECTIVE_least] = least;
        mine[WS_COLLECTIVE_pick] = picked;
        mine[WS_COLLECTIVE_first] = first;
        mine[WS_COLLECTIVE_any] = any;
        mine[WS_COLLECTIVE_none] = none;
        mine[WS_COLLECTIVE_least_again] = again;
        mine[WS_COLLECTIVE_leaders] = leaders;
        mine[WS_COLLECTIVE_neighbour] = seen[OF(lane)];
    }
}

#endif
