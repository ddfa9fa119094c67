/* Packets that were made before the simulation (host/engine/lower): what a warp executes where that follows from the trace alone.
 * An image of packets has one group for every core.warp_size threads of its blocks instead of every 32; decisions is the word at
 * which the warp's records begin. A record is of an instruction that does more than take its warp to the next:
 *   header   WS_PACKET_*
 *   moves    pc | entries popped << 16, then the mask of active threads: where the warp goes on
 *   diverged   entries of the stack | entries pushed << 16: the branch has diverged its threads
 *   guard    lanes whose guard is true
 *   lines    of an access to global, constant or texture memory, each the granule of its first byte, in order of their lowest lanes
 *   sectors  of a store or atomic in pipeline scoreboard: distinct granules of each line, a byte each
 * Words that the header does not announce are left out. Between two records instructions are plain. */
#ifndef WS_SHARED_PACKETS_H
#define WS_SHARED_PACKETS_H

#include "shared/dialect.h"

#define WS_PACKET_PLAIN(header)  ((header)&0xFFFFu)     /* plain instructions before it */
#define WS_PACKET_PASSES(header) ((header) >> 16 & 63u) /* of its access: lines, or by bank conflicts; 0: it makes none */
#define WS_PACKET_LINES          0x00400000u
#define WS_PACKET_SECTORS        0x00800000u
#define WS_PACKET_GUARD          0x01000000u
#define WS_PACKET_DIVERGED       0x02000000u
#define WS_PACKET_MOVES          0x04000000u
#define WS_PACKET_ARRIVES        0x08000000u /* at a barrier */
#define WS_PACKET_ENDS           0x10000000u /* the warp */

/* Words of a record up to its guard, and up to its lines. */
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
