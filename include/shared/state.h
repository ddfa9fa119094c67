/* The state of one simulation between quanta, in the order in which it lies in memory (offsets: struct ws_plan):
 *
 *   ws_head    what the host reads
 *   kept       uniform fields, then fields of each slot (shared/state/rows.def)
 *   parts      the arrays of shared/state/rows.def
 *   requests   ws_request x plan.requests; last, so that it can grow between quanta
 *
 * Times are cycles of the current quantum, which starts at WS_QUANTUM_START, so that the past stays comparable, or, where there is
 * a wheel, as many cycles later as the job has done modulo WS_WHEEL, so that a cycle's place in it is its last bits. */
#ifndef WS_SHARED_STATE_H
#define WS_SHARED_STATE_H

#include "shared/job.h"

#define WS_QUANTUM_START 0x20000000u
/* Longest slice. A cycle adds at most 2^14 to a counter (bytes of 64 lines of 256 bytes), so that none wraps. What the end of a
 * block adds is more, at most 2^16, but a block with more warps adds it less often. */
#define WS_QUANTUM_MOST 0x20000u
#define WS_NEVER        0xFFFFFFFFu

/* Tag word of a cache: line (granule of its first byte) with the lowest bit set when valid and the second when dirty. Lines are
 * at least one granule, so those bits are taken from the line shifted left by two; lines stay below 2^30 granules. */
#define WS_TAG_VALID 1u
#define WS_TAG_DIRTY 2u

/* Lives of a block's warps that have ended, in cycles. */
struct ws_lives {
    u64 longest, sum;
};

/* Of a block: threads that have come to each barrier for part of it, and whether any have. */
#define WS_NAMED_COUNTS 17u

/* A bank's queue and row. Indices of requests count from 1; 0 is none. */
struct ws_bank {
    u32 free_at;
    u32 row;        /* open row + 1; 0 is none */
    u32 last_ready; /* of the request queued last */
    u32 head_ready; /* of the first request, WS_NEVER for none */
    u16 head, tail; /* requests */
};

#define WS_BANKS 32u

struct ws_memory {
    u32 bus_free;      /* cycle from which the bus is free */
    u32 bus_remainder; /* accumulator of the rational burst length */
    u32 next_bank;     /* bank whose first request has the bus next */
    u32 held;          /* requests in the queue */
    u32 mshrs;         /* data reads in flight */
    u32 fresh;         /* requests 1 .. fresh have been used before */
    u32 unused;        /* chain of requests free again, by bank_next */
    u32 cycle;         /* dram.timing ddr: the first one that the DRAM has not done */
    struct ws_bank banks[WS_BANKS];
};

enum {
    WS_REQUEST_WRITE = 0x2000,
    WS_REQUEST_CODE = 0x4000,
    WS_REQUEST_DIRTY = 0x8000, /* its line is filled dirty */
    WS_REQUEST_INDEX = 0x1FFF
};

/* Words of a set of slots (kernels/state/slots.h). */
#ifndef WS_SLOT_WORDS
#define WS_SLOT_WORDS 1
#endif

#include "shared/state/sizes.def"

struct ws_request {
    u32 line; /* granule of the line's first byte */
    u32 ready;
    u16 bank_next;                /* next in the bank, or in another queue */
    u16 bucket_next;              /* index of the next in the chain of its bucket, and the flags above */
    u32 tickets[WS_TICKET_WORDS]; /* who waits: a set of slots; data reads of lwm: a chain of thread slots (memory/tickets.h) */
};

/* ---- The DRAM by its timings. Queues are chains of requests, by bank_next ---- */

struct ws_queue {
    u16 first, last;
    u32 at; /* when the first is due; in a bank its row */
};

struct ws_timed_bank {
    u32 row;       /* open row + 1; 0 is none */
    u32 activated; /* last activation */
    u32 column;    /* end of the burst of the last column */
    u32 ready;     /* the column of the request that it serves may come then; WS_NEVER: it serves none */
    u16 current;
    u16 padding;
    struct ws_queue waits;
};

struct ws_timed {
    struct ws_queue sent, back; /* to the DRAM; lines on their way from it */
    u32 next_bank;              /* whose column comes next */
    u32 entered;                /* requests that have entered and wait for their column */
    u32 enter_at;               /* none enters before */
    u32 bus_free, bus_remainder;
    u32 activated; /* last activation of any bank */
    u32 idle;      /* mask of banks that serve nothing and have requests waiting */
    struct ws_timed_bank banks[WS_BANKS];
};

/* Requests for which a simulation has room at first. One that comes near has its slice ended early, and room for twice as many. */
#define WS_REQUESTS_AT_FIRST 256u
/* Most requests that a cycle adds: a read and a write of each line of an access, and an instruction line. */
#define WS_REQUESTS_A_CYCLE 65u

#define WS_BUCKETS 256u

/* ---- Pipeline `scoreboard` ---- */

#define WS_MOST_SLICES 8u

/* The SP units, or another unit: when each is free, the start of what was issued last, and the last starts, in a ring. */
#define WS_STARTS 16u
/* SP units, SFU and tensor unit. */
#define WS_UNIT_KINDS 3u
struct ws_unit {
    u32 free[4];
    u32 last;
    u32 issued;  /* so many, modulo 2^32 */
    u32 room_at; /* its queue has room from then on */
    u32 starts[WS_STARTS];
};

/* Cycles that a wheel reaches (kernels/pipeline/parts/timing_wheel.h). */
#define WS_WHEEL 64u

/* An instruction in the LD/ST unit. */
struct ws_ldst {
    u32 at; /* it has its operands from then on */
    u16 pc;
    u16 answers;    /* whom stores and atomics answer: a slot, or where slices issue the request that holds who waits */
    u16 ticket;     /* of the lines that it waits for (kernels/pipeline/parts/ldst.h) */
    u8 count, next; /* accesses, and those made */
    u8 kind;        /* enum ldst_kind */
    u8 missed;      /* an access has missed */
    u8 class_;
    u8 members;   /* place of its struct ws_members, where slices issue */
    u32 line[32]; /* granules of first bytes */
    u8 sectors[32];
};

/* The small warps whose accesses are an instruction in the LD/ST unit, by slice. */
struct ws_members {
    u16 slot[WS_MOST_SLICES], pc[WS_MOST_SLICES];
    u8 of[32];   /* slices that each access is of, */
    u8 ends[32]; /* and those of which it is the last */
};

/* A line in flight to a cache of the SM. */
struct ws_read {
    u32 line;
    u16 joined; /* accesses that wait for it; 0: unused */
    u16 dirty;  /* it comes dirty */
};

enum {
#define CACHE(id, name, line, replacement, sectors, mshrs, merges) WS_CACHE_##id,
#include "shared/caches.def"
#undef CACHE
    WS_CACHES,
    WS_L1_CACHES = WS_CACHE_L2 /* those of the SM */
};

/* Lines that the data cache can have in flight. */
#define WS_MOST_MSHRS 1024u
#define WS_L1_MSHRS(machine)                                                                                                       \
    ws_min((machine)->l1_size / (machine)->l1_line, (machine)->l1_mshrs == 0 ? WS_MOST_MSHRS : (machine)->l1_mshrs)

/* Accesses that can wait for an instruction or a constant line; no ticket: nobody waits for the answer. */
#define WS_MERGES    32u
#define WS_NO_TICKET 0xFFFFu

/* What is below the caches of the SM. */
struct ws_levels {
    u32 send_free;               /* the port out of the SM is free then */
    u32 sent;                    /* requests that have left or will */
    u32 leaves[32];              /* when the last ones did, in a ring */
    u32 held;                    /* requests of the SM unanswered */
    u32 used;                    /* requests in use, those of L2 included */
    u32 fresh, unused;           /* as in struct ws_memory */
    u32 in_flight[WS_L1_CACHES]; /* lines of each cache */
    u32 taken[WS_L1_CACHES];     /* at least so many of the lowest MSHRs of each are in use */
    u32 write_free;              /* the result port of the LD/ST unit is free then */
    u32 below;                   /* when the next thing happens below the SM, answers aside */
    u32 next;                    /* that, or when the next answer reaches the SM */
    u32 retry_at;                /* what LD/ST was refused is refused until then, or until an answer reaches the SM */
    struct ws_queue to_l2, answers;
    u32 lookup_at;         /* no lookup before */
    u32 refused;           /* the first of to_l2 has been refused, and nothing has changed since */
    u32 l2_free, l2_reads; /* data port; lines in flight */
    u32 reply_free;
    u32 at_dram; /* requests sent to the DRAM that it has not served */
};

/* Capacity of the pool: what the SM and what L2 may have sent; with slices who waits for lines, too, so many as have numbers. */
#define WS_LEVELS_MOST(slices, queue) ((slices) ? 0xFFFFu : 2 * (queue))
#define WS_REQUESTS_MOST(machine)                                                                                                  \
    (ws_pipeline_facts((machine)->core_pipeline).levels                                                                            \
         ? WS_LEVELS_MOST(ws_path_issues((machine)->divergence_unit) == WS_ISSUES_slices, (machine)->dram_queue)                   \
         : (machine)->dram_queue)
/* A cycle takes at most so many: two of LD/ST, one of fetch, two of L2; of slices for each instruction that enters LD/ST one, for
 * its next line one more, and one of each fetch. */
#define WS_LEVELS_MARGIN        8u
#define WS_SLICES_LEVELS_MARGIN 24u

/* An entry of the stack of a warp of at most 32 threads. */
struct ws_entry {
    u32 mask;
    u16 reconverge, execute;
};

/* A part of a warp that waits for its turn (path unit serial). */
struct ws_split {
    u32 mask;
    u16 pc;
    u16 waits; /* at a barrier */
};

/* ---- Path units `dwf` and `mimd` (kernels/state/dynamic_warps.h) ---- */

/* Threads that are together: they form a warp, are a packet in the pipeline or have been one, return, or are held at a barrier. */
struct ws_dynamic_warp {
    u32 mask;    /* places that have a thread */
    u32 missing; /* of those, which wait for a line */
    u32 age;     /* moment at which it issued */
    u32 at;      /* forming: can be selected from then on; in the pipeline: leaves it */
    u32 passed;  /* forming: reconvergence points that it has passed */
    u16 pc;      /* of its threads: forming where they are, later where they go next, unless they are apart */
    u16 apart;   /* its threads have pcs of their own */
    u16 next;    /* in the chain that it is in, or WS_NO_WARP */
    u16 left;    /* it has left the pipeline, and waits for lines */
    u32 exits;   /* in the pipeline: places whose threads leave, */
    u32 holds;   /* and that a barrier holds */
};
#define WS_NO_WARP 0xFFFFu

/* A dynamic warp that forms, and its pc. */
struct ws_forming {
    u16 warp, pc;
};

/* A chain of dynamic warps. */
struct ws_chain {
    u16 first, last; /* or WS_NO_WARP */
};

struct ws_pool {
    u32 ages;                                         /* given so far */
    u32 used;                                         /* dynamic warps in use */
    u32 fresh;                                        /* those below have been used */
    u32 forming;                                      /* of those in use, that form */
    u32 kept_pc;                                      /* of the packet that issued last; WS_NEVER at first */
    u32 asks;                                         /* of the packet that issues: places that access global memory */
    u32 entries;                                      /* of the majority table */
    struct ws_chain unused, flights, returned, holds; /* flights: in the order in which they leave the pipeline */
};

/* An entry of the PC-warp LUT; those of a set are in order of their last touch, invalid ones last. */
struct ws_lut {
    u16 pc;
    u16 warp; /* that forms, plus one; 0: invalid */
};

/* An entry of the majority table (kernels/schedule/pool/majority_table.h). */
struct ws_majority {
    u16 pc, threads;
};

#define WS_MOST_ROWS 16u /* of a large warp */

/* A packet of a large warp in the pipeline. */
struct ws_flight {
    u32 completes;           /* cycle */
    u32 warp;                /* slot */
    u32 leader;              /* thread slot + 1 that stands for a sub-warp that missed, 0 for one that did not */
    u32 instruction;         /* the warp's count of instructions when it began */
    u32 gives[WS_MOST_ROWS]; /* lanes whose threads are of a row, by row */
};

/* Masks of eight rows of a large warp, a word for each row (kernels/path/lwm/rows.h). */
#define WS_ROW_KINDS        5u
#define WS_ROWS_TOGETHER    8u
#define WS_ROW_GROUPS(rows) (((rows) + WS_ROWS_TOGETHER - 1) / WS_ROWS_TOGETHER)
struct ws_rows {
    u32 of[WS_ROW_KINDS][WS_ROWS_TOGETHER];
};

#endif
