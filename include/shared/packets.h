/* Pre-decoded traces (host/engine/jobs/predecode.h): the packets of a warp, where they follow from the trace alone.
 * A pre-decoded image has one group for every core.warp_size threads of a block instead of every 32; decisions is the word at which
 * the warp's records begin. A record is an instruction with more effect than advancing the warp's pc:
 *   header    WS_PACKET_*
 *   moves     pc | entries popped << 16, then the mask of active threads: where the warp continues
 *   diverged  entries of the stack | entries pushed << 16: a divergent branch
 *   guard     lanes with a true guard
 *   lines     of an access to global, constant or texture memory: granule of each line's first byte, in order of their lowest lanes
 *   sectors   of a store or atomic in pipeline scoreboard: distinct granules of each line, one byte each
 * The header announces which words are present. Instructions between two records are plain. */
#ifndef WS_SHARED_PACKETS_H
#define WS_SHARED_PACKETS_H

#include "shared/dialect.h"

#define WS_PACKET_PLAIN(header)  ((header)&0xFFFFu)     /* plain instructions before it */
#define WS_PACKET_PASSES(header) ((header) >> 16 & 63u) /* passes of its access: lines, or by bank conflicts; 0: no access */
#define WS_PACKET_LINES          0x00400000u
#define WS_PACKET_SECTORS        0x00800000u
#define WS_PACKET_GUARD          0x01000000u
#define WS_PACKET_DIVERGED       0x02000000u
#define WS_PACKET_MOVES          0x04000000u
#define WS_PACKET_ARRIVES        0x08000000u /* reaches a barrier */
#define WS_PACKET_ENDS           0x10000000u /* the warp ends */

/* Words of a record before its guard, and before its lines. */
static inline u32 ws_packet_guard_at(u32 header)
{
    return 1u + (header & WS_PACKET_MOVES ? 2u : 0u) + (header & WS_PACKET_DIVERGED ? 1u : 0u);
}

static inline u32 ws_packet_lines_at(u32 header)
{
    return ws_packet_guard_at(header) + (header & WS_PACKET_GUARD ? 1u : 0u);
}

/* Words of a record. */
static inline u32 ws_packet_words(u32 header)
{
    const u32 lines = header & WS_PACKET_LINES ? WS_PACKET_PASSES(header) : 0u;
    return ws_packet_lines_at(header) + lines + (header & WS_PACKET_SECTORS ? (lines + 3) / 4 : 0u);
}

#endif
