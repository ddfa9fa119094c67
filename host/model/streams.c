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

struct ws_streams ws_streams_of(const struct ws_image *image, u32 block, u32 thread)
{
    const struct ws_group *const group = &image->groups[(size_t)block * image->groups_per_block + thread / WS_LANES];
    const u32 lane = thread % WS_LANES;
    return (struct ws_streams){.decisions = image->words + group->decisions + lane,
                               .accesses = image->words + group->accesses + lane};
}

u32 ws_streams_take(struct ws_streams *streams, const struct ws_instruction *instruction, u32 mask, u32 access[WS_LANES])
{
    if (instruction->class_ == WS_CLASS_branch || instruction->flags & WS_GUARDED)
        mask = ws_streams_decide(streams, mask);
    for (u32 left = instruction->flags & WS_ADDRESSED ? mask : 0; left; left &= left - 1)
        access[ws_ctz(left)] = ws_streams_access(streams, ws_ctz(left));
    return mask;
}
