/* A trace in device memory: what a simulation reads. One array of 32-bit words holds, at word offsets given by the host,
 *   program  ws_instruction[instructions], then ws_operands[instructions]
 *   groups   ws_group[blocks * groups_per_block], 32 consecutive threads of a block each; the last of a block may be partial
 *   words    the streams of all groups
 * Thread t of block b is lane t % 32 of group b * groups_per_block + t / 32. Its i-th decision is bit i % 32 of word
 *   decisions + (i / 32) * 32 + lane,
 * its i-th recorded access is word
 *   accesses + i * 32 + lane.
 * Lanes of a group thus read adjacent words while they run together. Streams hold, in execution order of the thread, a decision
 * for every conditional branch and every guarded instruction, and an access for every executed (guard true) instruction that is
 * WS_ADDRESSED: a granule of 32 bytes for global memory, a word of 4 bytes of its memory for any other: of the block's shared
 * memory, the thread's private memory, the launch's constant or texture memory. An atomic access to global memory has its word of
 * the granule, too, from bit WS_ATOMIC_WORD on.
 * Global granules are below WS_GLOBAL_GRANULES, or WS_ATOMIC_GRANULES where the program has such atomics; segments are relocated
 * with their offset inside 64 KB kept. */
#ifndef WS_SHARED_IMAGE_H
#define WS_SHARED_IMAGE_H

#include "shared/operands.h"

#define WS_LANES         32u
#define WS_GRANULE_BYTES 32u
/* Instruction n of a program lies at granule WS_CODE_GRANULE + n * icache.instruction_bytes / 32. */
#define WS_CODE_GRANULE 0x3F000000u
/* Constants and textures have regions of their own; addresses wrap at their size. */
#define WS_REGION_GRANULES  0x01000000u
#define WS_CONSTANT_GRANULE 0x3E000000u
#define WS_TEXTURE_GRANULE  0x3D000000u
/* End of global memory. */
#define WS_GLOBAL_GRANULES WS_TEXTURE_GRANULE
#define WS_ATOMIC_WORD     29u
#define WS_ATOMIC_GRANULES (1u << WS_ATOMIC_WORD)

/* Bytes of a program with its operands, which lie directly behind it. */
#define WS_PROGRAM_BYTES(instructions) ((instructions) * (sizeof(struct ws_instruction) + sizeof(struct ws_operands)))

static inline GLOBAL const struct ws_operands *ws_operands_behind(GLOBAL const struct ws_instruction *program, u32 instructions)
{
    return (GLOBAL const struct ws_operands *)(program + instructions);
}

/* The granule of an access to global memory. */
static inline u32 ws_global_granule(u32 class_, u32 access)
{
    return class_ == WS_CLASS_atomic ? access & (WS_ATOMIC_GRANULES - 1) : access;
}

struct ws_group {
    u64 decisions; /* word offset of the group's decision streams in words */
    u64 accesses;  /* word offset of its access streams */
};

#endif
