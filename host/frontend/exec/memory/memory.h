/* Memory as a kernel sees it. Buffers and module variables lie at virtual addresses that are multiples of 64 KB, far enough apart
 * that a wrong index does not reach another one (place.c). Shared, local and parameter memory have address spaces of their own that
 * begin at 0; generic addresses reach them through windows. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"
#include "warpsweep/frontend.h"

#define WS_SEGMENT_ALIGNMENT UINT64_C(0x10000)
#define WS_FIRST_ADDRESS     UINT64_C(0x700000000000)
#define WS_SHARED_WINDOW     UINT64_C(0x7FFF00000000)
#define WS_LOCAL_WINDOW      UINT64_C(0x7FFF40000000)
#define WS_PARAMETER_WINDOW  UINT64_C(0x7FFF80000000)
#define WS_WINDOW_BYTES      UINT64_C(0x40000000)
/* With 32-bit addresses: buffers and variables lie above the windows, at the low halves of their addresses. */
#define WS_NARROW_FIRST UINT64_C(0xC0000000)
#define WS_NARROW_END   UINT64_C(0xFFFF0000)

enum { WS_MARKED_BYTES = 4 };

/* A range of addresses and where its bytes are. */
struct ws_range {
    u64 base; /* first address, a multiple of 64 KB */
    u64 bytes;
    u8 *host;
    u64 *marks;                        /* of its words, where several cores write it (access.h); else NULL */
    u64 recorded;                      /* address of the first byte in a trace; there gaps are of 64 KB */
    const char *name;                  /* for messages; NULL when it has none */
    bool constant;                     /* kernels may not write there */
    const struct ws_image_desc *image; /* that it is; its handle is base; NULL: none */
    u64 texture;                       /* of an image, its place in a trace's texture memory */
    bool touched;                      /* reported to ws_memory.touch */
    bool written;                      /* some store has found it */
};

/* Addresses of shared memory of the blocks of a cluster (mapa): the rank + 1 from this bit on; without, of the own block. */
enum { WS_CLUSTER_SHIFT = 24, WS_CLUSTER_BLOCKS = 16 };

/* Constant banks of machine code. */
enum { WS_BANKS = 5 };

/* The ranges of a launch; owned by the caller that filled them in. */
struct ws_memory {
    u32 count;
    bool narrow;                                                   /* addresses have 32 bits */
    struct ws_range *ranges;                                       /* buffers and module variables, by ascending address */
    struct ws_range *constants;                                    /* the same as constant memory, by recorded offset */
    struct ws_range shared, local, parameter;                      /* in their own address spaces; local: of the running thread */
    struct ws_range banks[WS_BANKS];                               /* of machine code, each in an address space of its own */
    struct ws_range shared_window, local_window, parameter_window; /* the same under generic addresses */
    u32 cluster, rank;                                             /* blocks of a cluster, and the running one's rank */
    struct ws_range peers[WS_CLUSTER_BLOCKS], peer_windows[WS_CLUSTER_BLOCKS]; /* shared memory of its blocks; 0 bytes: ended */
    void (*touch)(void *context, u64 address);                                 /* as in struct ws_ndrange */
    void *context;
};

/* Finds the range of the space (WS_SPACE_* of the front end) that holds all bytes from address on, or NULL. Stores and atomics do
 * not find constant memory. */
const struct ws_range *ws_memory_find(const struct ws_memory *memory, u32 space, bool writes, u64 address, u64 bytes);

/* Whether a range is shared memory of the block or its cluster. */
bool ws_memory_is_shared(const struct ws_memory *memory, const struct ws_range *range);

/* The running block's cluster: shared memory of the block with this rank is at host; NULL: that block has ended. */
void ws_memory_set_peer(struct ws_memory *memory, u32 rank, u8 *host);

/* Reports the first access to a range. */
static inline void ws_memory_touch(const struct ws_memory *memory, struct ws_range *range)
{
    if (!memory->touch || range->touched)
        return;
    range->touched = true;
    memory->touch(memory->context, range->base);
}

/* The range of the space nearest to an address, or NULL when there is none. */
const struct ws_range *ws_memory_nearest(const struct ws_memory *memory, u32 space, u64 address);

/* Where shared, local or parameter memory begins among generic addresses. */
u64 ws_memory_window(const struct ws_memory *memory, u32 space);

/* Gives the running thread its local memory; recorded is its global address in a trace. */
void ws_memory_set_local(struct ws_memory *memory, u8 *host, u64 recorded);

/* Where bytes (a power of two, or 12 at an address aligned to 16) at address lie in the range, NULL when they leave it or are
 * misaligned. An aligned offset plus bytes
 * - 1 cannot overflow. One comparison therefore catches addresses on both sides of the range. */
static inline u8 *ws_range_at(const struct ws_range *range, u64 address, u64 bytes)
{
    const u64 offset = address - range->base;
    if ((address & (bytes - 1)) != 0 || offset + (bytes - 1) >= range->bytes)
        return NULL;
    return range->host + offset;
}
