#include "model/streams.h"

u32 ws_streams_decide(struct ws_streams *streams, u32 mask)
{
    u32 decided = 0;
    for (u32 left = mask; left; left &= left - 1) {
        const u32 lane = ws_ctz(left), n = streams->decision[lane]++;
        decided |= (streams->decisions[(size_t)(n / 32) * WS_LANES + lane] >> (n % 32) & 1u) << lane;
    }
    return decided;
}
