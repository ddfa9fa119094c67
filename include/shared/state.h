/* The state of one simulation between quanta, in memory order (offsets: struct ws_plan):
 *
 *   ws_head    read by the host
 *   kept       uniform fields, then fields of each slot (shared/state/rows.def)
 *   arrays     those of shared/state/rows.def
 *   requests   ws_request x plan.requests; last, so that they can grow between quanta
 *
 * Times are relative to the current quantum, which starts at WS_QUANTUM_START so that past cycles stay comparable. With a timing
 * wheel the start is later by the job's cycle count modulo WS_WHEEL, so that a cycle's place on the wheel is given by its low bits.
 */
#ifndef WS_SHARED_STATE_H
#define WS_SHARED_STATE_H

#include "shared/job.h"

#define WS_QUANTUM_START 0x20000000u
/* Longest quantum. A cycle adds at most 2^14 to a counter (bytes of 64 lines of 256 bytes), so none wraps. The end of a block adds
 * at most 2^16, but blocks with more warps end less often. */
#define WS_QUANTUM_MOST 0x20000u
#define WS_NEVER        0xFFFFFFFFu

/* Tag word of a cache: line (granule of its first byte) with the lowest bit set when valid and the second when dirty. Lines are
 * at least one granule, so those bits are taken from the line shifted left by two; lines stay below 2^30 granules. */
#define WS_TAG_VALID 1u
#define WS_TAG_DIRTY 2u

/* Lifetimes of a block's ended warps, in cycles. */
struct ws_lives {
    u64 longest, sum;
};

/* Of a block: threads that have arrived at each barrier for a part of it, and whether any have. */
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
    u32 unused;        /* free list of requests, linked by bank_next */
    u32 cycle;         /* dram.timing ddr: the first cycle that DRAM has not simulated */
    struct ws_bank banks[WS_BANKS];
};

enum {
    WS_REQUEST_WRITE = 0x2000,
    WS_REQUEST_CODE = 0x4000,
    WS_REQUEST_DIRTY = 0x8000, /* its line is dirty when filled */
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
    u16 bucket_next;              /* next in the chain of its bucket, and the flags above */
    u32 tickets[WS_TICKET_WORDS]; /* waiting: a set of slots; data reads of lwm: a chain of thread slots (memory/tickets.h) */
};

/* ---- DRAM with DDR timings. Queues are chains of requests, by bank_next ---- */

struct ws_queue {
    u16 first, last;
    u32 at; /* when the first is due; in a bank its row */
};

struct ws_timed_bank {
    u32 row;       /* open row + 1; 0 is none */
    u32 activated; /* last activation */
    u32 column;    /* end of the burst of the last column */
    u32 ready;     /* earliest cycle for the column access of its request; WS_NEVER: idle */
    u16 current;
    u16 padding;
    struct ws_queue waits;
};

struct ws_timed {
    struct ws_queue sent, back; /* to DRAM; lines on their way from it */
    u32 next_bank;              /* bank with the next column access */
    u32 entered;                /* requests that have entered and wait for their column */
    u32 enter_at;               /* none enters before */
    u32 bus_free, bus_remainder;
    u32 activated; /* last activation of any bank */
    u32 idle;      /* mask of idle banks with waiting requests */
    struct ws_timed_bank banks[WS_BANKS];
};

/* Initial room for requests. When little is left the quantum ends early, and the host doubles the room. */
#define WS_REQUESTS_AT_FIRST 256u
/* Most requests that a cycle adds: a read and a write of each line of an access, and an instruction line. */
#define WS_REQUESTS_A_CYCLE 65u

#define WS_BUCKETS 256u

/* ---- Pipeline `scoreboard` ---- */

#define WS_MOST_SLICES 8u

/* Units of one kind (SP, or another): cycle in which each is free, start of the last issued instruction, and a ring of the last
 * starts. */
#define WS_STARTS 16u
/* SP units, SFU and tensor unit. */
#define WS_UNIT_KINDS 3u
struct ws_unit {
    u32 free[4];
    u32 last;
    u32 issued;  /* number of instructions, modulo 2^32 */
    u32 room_at; /* its queue has room from this cycle on */
    u32 starts[WS_STARTS];
};

/* Range of the timing wheel in cycles (kernels/pipeline/parts/timing_wheel.h). */
#define WS_WHEEL 64u

/* An instruction in the LD/ST unit. */
struct ws_ldst {
    u32 at; /* its operands are available from this cycle on */
    u16 pc;
    u16 answers;    /* ticket of responses to stores and atomics: a slot; with slices the request that holds the waiting members */
    u16 ticket;     /* of its missing lines (kernels/pipeline/parts/ldst.h) */
    u8 count, next; /* accesses, and those made so far */
    u8 kind;        /* enum ldst_kind */
    u8 missed;      /* an access has missed */
    u8 class_;
    u8 members;   /* with slices place of its struct ws_members; in pipeline `subcore` the group of a copy */
    u32 line[32]; /* granules of first bytes */
    u8 sectors[32];
};

/* The small warps whose accesses form an instruction in the LD/ST unit, by slice. */
struct ws_members {
    u16 slot[WS_MOST_SLICES], pc[WS_MOST_SLICES];
    u8 of[32];   /* slices of each access, */
    u8 ends[32]; /* and slices whose last access it is */
};

/* A line in flight to a cache of the SM. */
struct ws_read {
    u32 line;
    u16 joined; /* waiting accesses; 0: unused */
    u16 dirty;  /* the line is dirty on arrival */
    u16 ticket; /* of the first access, */
    u16 last;   /* and the request with that of the last */
};

enum {
#define CACHE(id, name, line, replacement, sectors, mshrs) WS_CACHE_##id,
#include "shared/caches.def"
#undef CACHE
    WS_CACHES,
    WS_L1_CACHES = WS_CACHE_L2 /* those of the SM */
};

/* Lines that the data cache can have in flight. */
#define WS_MOST_MSHRS 1024u
#define WS_L1_MSHRS(machine)                                                                                                       \
    ws_min((machine)->l1_size / (machine)->l1_line, (machine)->l1_mshrs == 0 ? WS_MOST_MSHRS : (machine)->l1_mshrs)

/* Most accesses that wait for an instruction or a constant line. WS_NO_TICKET: the response is discarded. */
#define WS_MERGES    32u
#define WS_NO_TICKET 0xFFFFu

/* State below the first-level caches of the SM. */
struct ws_levels {
    u32 send_free;               /* cycle from which the SM's request port is free */
    u32 sent;                    /* requests that have left or will */
    u32 leaves[32];              /* when the last ones left or will, in a ring */
    u32 held;                    /* unanswered requests of the SM */
    u32 used;                    /* requests in use, those of L2 included */
    u32 fresh, unused;           /* as in struct ws_memory */
    u32 in_flight[WS_L1_CACHES]; /* lines of each cache */
    u32 taken[WS_L1_CACHES];     /* the lowest MSHRs of each, at least so many, are in use */
    u32 write_free;              /* cycle from which the result port of the LD/ST unit is free */
    u32 below;                   /* next event below the SM, responses aside */
    u32 next;                    /* that event, or the next response to the SM */
    u32 retry_at;                /* an access that LD/ST was refused stays refused until this cycle, or the next response */
    struct ws_queue to_l2, answers;
    u32 lookup_at;         /* no lookup before */
    u32 refused;           /* the first of to_l2 has been refused, and nothing has changed since */
    u32 l2_free, l2_reads; /* data port; lines in flight */
    u32 reply_free;
    u32 at_dram; /* requests sent to DRAM and not served */
};

/* Capacity of the pool: requests of the SM and of L2, tickets of waiting accesses, waiting members of slices, changes of dependence
 * counters; limited by the width of an index. */
#define WS_LEVELS_MOST            0xFFFFu
#define WS_REQUESTS_MOST(machine) (ws_pipeline_facts((machine)->core_pipeline).levels ? WS_LEVELS_MOST : (machine)->dram_queue)
/* Most requests that a cycle takes: two of LD/ST, one of fetch, two of L2; with slices two for each instruction that enters LD/ST,
 * and one for each fetch. */
#define WS_LEVELS_MARGIN        8u
#define WS_SLICES_LEVELS_MARGIN 24u
/* In pipeline `subcore`: two requests of each of 32 lookups, one of fetch, two of L2; in each sub-core three changes of counters at
 * issue, two in Control, two of the SFU, one of the memory queue; two of the FP64 unit; two for each of 32 instructions that a line
 * answers, and for LD/ST. */
#define WS_SUB_LEVELS_MARGIN 168u

/* ---- Pipeline `subcore` ---- */

#define WS_SUB_BUFFER    4u  /* most instructions of a buffer */
#define WS_SUB_ENTRIES   16u /* line entries of a sub-core */
#define WS_SUB_RESULTS   32u /* at most 16 are reserved, and those written last are known */
#define WS_SUB_BANKS     4u
#define WS_SUB_PORTS     4u
#define WS_SUB_PENDING   128u
#define WS_SUB_FP64_MOST 8u  /* most instructions of a queue to the shared FP64 unit */
#define WS_SUB_GROUPS    16u /* groups of copies of a warp: the open one, and those committed */

/* A warp between issues. */
struct ws_sub_warp {
    u8 counters[8];              /* dependence counters by barrier; the last two mean nothing */
    u8 groups[WS_SUB_GROUPS];    /* what each group of copies awaits: copies in flight, and its commit */
    u8 committed[WS_SUB_GROUPS]; /* write barrier of each group's commit */
    u8 group_first, group_count; /* oldest group; those committed. The open group comes after them */
    u8 buffered;                 /* instructions in its buffer */
    u8 watched;                  /* counters on which its first buffered instruction waits, a mask */
    u32 constant_line;           /* line of the constant operand of that instruction */
    u32 issue_at;                /* it may issue from this cycle on */
    u32 valid_at[WS_SUB_BUFFER]; /* when each buffered instruction is valid */
    u32 done_at;                 /* cycle after the last event of its instructions, as far as is known */
    u16 out;                     /* instructions whose last event is not known yet */
    u16 line;                    /* instruction line that it waits for */
};

/* A variable instruction in Control, in the latch of the SFU, or in the FP64 queue. */
struct ws_latch {
    u16 pc;
    u8 slot;
    u8 full;
};

/* A line on its way to an L0, or a line of the stream that has arrived. */
struct ws_line_entry {
    u32 at; /* when it arrives; WS_NEVER while the instruction cache misses it */
    u16 line;
    u16 kind; /* kernels/pipeline/subcore/lines.h */
};

struct ws_subcore {
    struct ws_latch control, sfu, fp64[WS_SUB_FP64_MOST]; /* fp64: a ring */
    u32 opens_at;     /* the port issues nothing before: a fixed instruction is in Control, or after a wide one */
    u32 allocated;    /* when the last fixed instruction leaves Allocate */
    u32 unit_free[8]; /* inputs of the fixed units are free from this cycle on */
    u32 sfu_free, address_free;
    u32 written;                                /* last write event of an instruction with a result */
    u32 results[WS_SUB_RESULTS];                /* write events of reserved results, a ring */
    u32 result_count, result_first;             /* of the ring */
    u32 reads_from;                             /* first cycle of reads */
    u32 reads[WS_SUB_BANKS][WS_SUB_PORTS];      /* cycles in which at least 1, 2, ... read ports of a bank are in use, masks */
    u16 reuse_slot[WS_SUB_BANKS][WS_SUB_SLOTS]; /* register-file cache: warp slot << 8 | register, or WS_NO_REUSE */
    u8 ldst_first, ldst_count, ldst_started;    /* memory queue: a ring in sub_ldst */
    u8 stream_begun, stream_stopped;
    u8 stream_count;                /* lines of the stream, */
    u16 stream_line;                /* and its head */
    u16 l0_last;                    /* line + 1 that L0 touched last */
    u8 fp64_first, fp64_count;      /* of the ring */
    u8 units_taken;                 /* inputs that may not be free, a mask */
    u8 reuse_kept;                  /* the register-file cache may hold a register */
    u32 constant_line, constant_at; /* line of constants on its way + 1, and its arrival */
    u32 missed_at;                  /* since when the greedy warp misses a constant; 0: it does not */
    struct ws_line_entry lines[WS_SUB_ENTRIES];
};
#define WS_NO_REUSE 0xFFFFu

/* The FP64 unit that sub-cores share. */
struct ws_fp64 {
    u32 free_at;
    u32 turn; /* sub-core after that of the last start */
};

/* Sub-cores by what they hold, a mask each: a variable instruction in Control, in the latch of the SFU or not yet started in the
 * memory queue; one that the LD/ST unit may accept; one in the FP64 queue; a stream that wants a line. */
struct ws_busy {
    u8 stages, sends, fp64, streams;
};

/* Changes of dependence counters to come: requests, in a list for each place of the timing wheel. */
struct ws_agenda {
    u64 places; /* mask of those that are not empty */
    u16 lists[WS_WHEEL];
};

/* The LD/ST unit of the SM. */
struct ws_pending {
    u8 slot, counter; /* dependence counter of its result */
    u8 extra;         /* cycles from its last answer to its write event */
    u8 accessed;      /* its last access has been made */
    u8 flags;         /* WS_OPERANDS_* */
    u8 group;         /* of a copy */
    u16 left;         /* unanswered accesses */
};
struct ws_lsu {
    u32 accept_at; /* no acceptance before */
    u32 began;     /* first cycle of accesses of the instruction that it holds */
    u16 turn;      /* sub-core after the last accepted */
    u16 holds;     /* it holds an instruction: its place in sub_ldst + 1 */
    u32 used[WS_SUB_PENDING / 32], count;
    struct ws_pending pending[WS_SUB_PENDING];
};

/* An entry of the stack of a warp of at most 32 threads. */
struct ws_entry {
    u32 mask;
    u16 reconverge, execute;
};

/* A diverged part of a warp (path unit serial). */
struct ws_split {
    u32 mask;
    u16 pc;
    u16 waits; /* at a barrier */
};

/* ---- Path units `dwf` and `mimd` (kernels/state/dynamic_warps.h) ---- */

/* Threads that issue together: a forming warp, a packet in the pipeline, waiting for lines or returning, or threads held at a
 * barrier. */
struct ws_dynamic_warp {
    u32 mask;    /* places that hold a thread */
    u32 missing; /* of those, places that wait for a line */
    u32 age;     /* when it issued */
    u32 at;      /* forming: selectable from this cycle; in the pipeline: leaves it then */
    u32 passed;  /* forming: reconvergence points passed */
    u16 pc;      /* forming: pc of its threads; later: their next pc, unless apart */
    u16 apart;   /* its threads have different pcs */
    u16 next;    /* next of its chain, or WS_NO_WARP */
    u16 left;    /* it has left the pipeline and waits for lines */
    u32 exits;   /* in the pipeline: places whose threads exit, */
    u32 holds;   /* and places that a barrier holds */
};
#define WS_NO_WARP 0xFFFFu

/* A forming dynamic warp, and its pc. */
struct ws_forming {
    u16 warp, pc;
};

/* A chain of dynamic warps. */
struct ws_chain {
    u16 first, last; /* or WS_NO_WARP */
};

struct ws_pool {
    u32 ages;                                         /* next age to give */
    u32 used;                                         /* dynamic warps in use */
    u32 fresh;                                        /* those from here on are unused yet */
    u32 forming;                                      /* number of them that form */
    u32 kept_pc;                                      /* of the packet that issued last; WS_NEVER at first */
    u32 asks;                                         /* of the packet that issues: places that access global memory */
    u32 entries;                                      /* of the majority table */
    struct ws_chain unused, flights, returned, holds; /* flights: in the order in which they leave the pipeline */
};

/* An entry of the PC-warp LUT; those of a set are in order of their last touch, invalid ones last. */
struct ws_lut {
    u16 pc;
    u16 warp; /* forming warp, plus one; 0: invalid */
};

/* An entry of the majority table (kernels/schedule/pool/majority_table.h). */
struct ws_majority {
    u16 pc, threads;
};

#define WS_MOST_ROWS 16u /* of a large warp */

/* A packet of a large warp in the pipeline. */
struct ws_flight {
    u32 completes;           /* cycle in which it completes */
    u32 warp;                /* slot */
    u32 leader;              /* thread slot + 1 of the leader of a sub-warp that missed, else 0 */
    u32 instruction;         /* the warp's count of instructions when it started */
    u32 gives[WS_MOST_ROWS]; /* lanes with a thread of each row */
};

/* Masks of eight rows of a large warp, a word for each row (kernels/path/lwm/rows.h). */
#define WS_ROW_KINDS        5u
#define WS_ROWS_TOGETHER    8u
#define WS_ROW_GROUPS(rows) (((rows) + WS_ROWS_TOGETHER - 1) / WS_ROWS_TOGETHER)
struct ws_rows {
    u32 of[WS_ROW_KINDS][WS_ROWS_TOGETHER];
};

#endif
