#include "model/streams.h"

#include <string.h>

/* 1 << lane of each lane, from memory: without AVX2 there are no shifts by lane. */
#define FOUR_BITS(n) 1u << (n), 1u << ((n) + 1), 1u << ((n) + 2), 1u << ((n) + 3)
static const u32 bit_of[WS_LANES] = {FOUR_BITS(0),  FOUR_BITS(4),  FOUR_BITS(8),  FOUR_BITS(12),
                                     FOUR_BITS(16), FOUR_BITS(20), FOUR_BITS(24), FOUR_BITS(28)};

/* Whether the lanes of a mask, which is not 0, have consumed equally many items, so that the next ones are words of one row. at:
 * items consumed by each lane. */
static bool share_row(const struct ws_streams *streams, const u32 at[WS_LANES], u32 mask)
{
    const u32 first = at[ws_ctz(mask)];
    u32 differs = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        differs |= mask & bit_of[lane] ? at[lane] ^ first : 0;
    return streams->whole && differs == 0;
}

static void consume(u32 at[WS_LANES], u32 mask)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        at[lane] += (mask & bit_of[lane]) != 0;
}

/* ws_streams_decide for lanes that share a row. */
static u32 decide_row(struct ws_streams *streams, u32 mask)
{
    const u32 n = streams->decision[ws_ctz(mask)];
    const u32 *const row = streams->decisions + (size_t)(n / 32) * WS_LANES;
    u32 decided = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        decided |= row[lane] >> n % 32 & 1u ? bit_of[lane] : 0;
    consume(streams->decision, mask);
    return decided & mask;
}

u32 ws_streams_decide(struct ws_streams *streams, u32 mask)
{
    u32 decided = 0;
    if (mask && share_row(streams, streams->decision, mask))
        return decide_row(streams, mask);
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
    return (struct ws_streams){
        .decisions = image->words + group->decisions + lane, .accesses = image->words + group->accesses + lane, .whole = lane == 0};
}

u32 ws_streams_take(struct ws_streams *streams, const struct ws_instruction *instruction, u32 mask, u32 access[WS_LANES])
{
    if (instruction->class_ == WS_CLASS_branch || instruction->flags & WS_GUARDED)
        mask = ws_streams_decide(streams, mask);
    if (!(instruction->flags & WS_ADDRESSED) || mask == 0)
        return mask;
    if (share_row(streams, streams->access, mask)) {
        memcpy(access, streams->accesses + (size_t)streams->access[ws_ctz(mask)] * WS_LANES, WS_LANES * sizeof *access);
        consume(streams->access, mask);
        return mask;
    }
    for (u32 left = mask; left; left &= left - 1)
        access[ws_ctz(left)] = ws_streams_access(streams, ws_ctz(left));
    return mask;
}
