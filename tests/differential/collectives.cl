/* Every collective of kernels/lanes.h once, without control flow around it: lane form group in a shape that compiles everywhere. Lane n
 * reads in[n] and writes out[8 * n ...]. */
#include "lanes.h"

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void collectives(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    LOCAL struct lanes_local local_lanes;
    struct lanes lanes;
    PER_LANE(u32, value);
    PER_LANE(u32, odd);
    u32 any = 0, none = 0;
    lanes_open(&lanes, &local_lanes);
    FOR_LANES (lane) {
        value[OF(lane)] = in[lane];
        odd[OF(lane)] = in[lane] & 1;
    }
    const u32 mask = lanes_ballot(&lanes, odd);
    const u32 least = lanes_least(&lanes, value);
    const u32 picked = lanes_pick(&lanes, value, in[32]);
    const u32 first = lanes_from_first(&lanes, value[OF(0)]);
    any = lanes_any(&lanes, odd);
    FOR_LANES (lane)
        odd[OF(lane)] = 0;
    none = lanes_any(&lanes, odd);
    const u32 again = lanes_least(&lanes, value);
    FOR_LANES (lane) {
        GLOBAL u32 *mine = out + 8 * lane;
        mine[0] = mask;
        mine[1] = least;
        mine[2] = picked;
        mine[3] = first;
        mine[4] = any;
        mine[5] = none;
        mine[6] = again;
        mine[7] = lane_first() ? 1u : 0u;
    }
}
