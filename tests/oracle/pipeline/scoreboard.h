/* The scoreboard pipeline's state and its parts (pipelines.md). */
#pragma once

#include "oracle/memory/levels.h"
#include "oracle/memory/memory.h"
#include "oracle/path/vws.h"

#define NEVER 0xFFFFFFFFFFFFFFFFul

enum { REGISTERS = 256, MOST_BUFFER = 2, MOST_SP_UNITS = 4, MOST_L0 = 32 };

enum unit { UNIT_SP, UNIT_SFU, UNIT_TENSOR, UNIT_LDST };

/* What an access of the LD/ST unit goes to. */
enum target { TO_NOTHING, TO_SHARED, TO_CACHE };

/* An instruction of the LD/ST unit: the access of a packet, of slices those of one kind that issue in one cycle. */
struct access {
    struct access *next; /* issued later */
    u32 ticket;          /* of its first line; the n-th has n more */
    u64 issued;
    const struct ws_instruction *ins; /* of the packet that issued first */
    u64 operands;                     /* the cycle in which it has them */
    bool held;                        /* by the unit */
    enum target target;
    struct addresses addresses; /* of all lanes of the SM */
    struct request lines[WS_LANES];
    u32 accesses, made;
};

/* An instruction in flight. */
struct flight {
    struct flight *next; /* issued later */
    u32 slot;
    const struct ws_instruction *ins;
    enum unit unit;
    u64 operands; /* the cycle in which it has them */
    u64 start;    /* SP, SFU */
    u64 done;     /* the cycle in which its results are there, NEVER as long as it is unknown */
    bool written; /* its results are there */
    /* LD/ST. */
    struct access *access;
    bool lane[WS_LANES];  /* of the SM, that execute it */
    bool waits[WS_LANES]; /* for which of the accesses */
    u32 left, unanswered; /* of these: not made, not answered */
    bool all_found;
};

/* Of a warp slot. */
struct feed {
    u32 pc[MOST_BUFFER]; /* instruction buffer */
    u32 entries;
    u64 valid_from;
    u32 waits_for;          /* ticket of an instruction line, or NO_TICKET */
    u64 not_before;         /* cycle in which it may be fetched again after a branch */
    bool marked[REGISTERS]; /* long, by schedule.long = sticky */
    u64 loaded[REGISTERS];  /* the cycle in which the result of a load from far was there last */
    u64 last_issue;
    u64 meets_until; /* waits for others at a reconvergence pc */
};

struct units {
    u32 count;
    u64 free[MOST_SP_UNITS]; /* the cycle from which on a unit is free */
    u64 last_start;          /* of the instruction issued last */
};

/* A line of an L0. */
struct kept_line {
    u32 number;
    u64 touched; /* 0: invalid */
};

/* What each slice has; without slices there is one of it. */
struct slice {
    u32 next_fetch; /* place in the slice after that of the slot tried last */
    struct kept_line l0[MOST_L0];
    u64 touches;
    u64 issues_from; /* the first cycle in which it may issue */
};

struct scoreboard {
    struct flight *flights;  /* in order of issue */
    struct access *accesses; /* likewise */
    u32 tickets;             /* given so far */
    struct feed *feeds;      /* of each slot */
    u64 write_port_free;     /* of the LD/ST unit */
    struct slice slices[MOST_SLICES];
    struct units units[MOST_SLICES][UNIT_LDST]; /* of each owner, all others */
    u32 next_slice;                             /* to make an access to the instruction cache */
    /* Of gangs. */
    u32 next_fetched_set, next_issued_set, next_reformed_set;
    u64 gangs_issued_at; /* the cycle in which gangs issued last, and one more; 0: none has */
    u64 *gang_issued_at; /* of each slot: likewise, of a gang whose lowest it was */
};

/* ---- scoreboard.c ---- */
/* What pipelines with a scoreboard are. */
void scoreboard_start(struct sm *sm);
void scoreboard_finish(struct sm *sm);
void scoreboard_cycle(struct sm *sm);
void scoreboard_code_arrives(struct sm *sm, u32 ticket);
bool scoreboard_awaits(const struct sm *sm, u32 slot);
u32 scoreboard_in_flight(const struct sm *sm);
void scoreboard_check(struct sm *sm);
#define SCOREBOARD_RULES                                                                                                           \
    .start = scoreboard_start, .finish = scoreboard_finish, .cycle = scoreboard_cycle, .data_arrives = ldst_answered,              \
    .code_arrives = scoreboard_code_arrives, .awaits = scoreboard_awaits, .in_flight = scoreboard_in_flight,                       \
    .reads = levels_reads, .retires = true, .check = scoreboard_check, .check_end = levels_drain
/* Slices, or one where there are none; the one of a slot. */
u32 slices(const struct sm *sm);
struct slice *slice_of(const struct sm *sm, u32 slot);
struct feed *feed_of(const struct sm *sm, u32 slot);
bool has_results(const struct flight *flight);
/* Its results are not yet there, or an access is not yet answered. */
bool is_waited_for(const struct flight *flight);
/* Whether the slot's warp has an atomic access to global memory in flight. */
bool atomic_in_flight(const struct sm *sm, u32 slot);
/* Whether a register that the slot's instruction reads or writes waits for a result. */
bool registers_wait(const struct sm *sm, u32 slot, const struct ws_instruction *ins);

/* ---- scoreboard_long.c: long registers ---- */
bool register_is_long(const struct sm *sm, u32 slot, u32 reg);
/* Whether a load from far in flight writes it, or has written it since the slot issued last. */
bool register_was_far(const struct sm *sm, u32 slot, u32 reg);
void mark_long(struct sm *sm, const struct flight *flight);      /* it issues */
void unmark_found(struct sm *sm, const struct flight *flight);   /* it makes its last access */
void unmark_written(struct sm *sm, const struct flight *flight); /* its results are there */

/* ---- scoreboard_fetch.c ---- */
void scoreboard_fetch(struct sm *sm);
/* The first instruction has left the buffer of the slot; it was at that pc. */
void buffer_moves(struct sm *sm, u32 slot, u32 pc);

/* ---- scoreboard_issue.c ---- */
/* How far a warp has come, for the class of a lost slot. */
enum readiness { NOT_VALID, VALID, READY, SELECTABLE };
/* Of the warp by itself: at most READY, whatever units and gang are. */
enum readiness warp_readiness(const struct sm *sm, u32 slot);
bool gang_is_ready(const struct sm *sm, u32 gang);
bool finds_room(const struct sm *sm, u32 slot);
/* The warp issues; as a member of a gang without its scheduler. */
void warp_issues(struct sm *sm, u32 slot, bool in_gang);
/* Gangs and ports issue, in their order. */
void scoreboard_issue(struct sm *sm);

/* ---- scoreboard_gangs.c ---- */
/* Waits at reconvergence pcs are over. */
void meetings_end(struct sm *sm);
/* Gangs split, issue, and are formed anew. */
void gangs_split(struct sm *sm);
void gangs_issue(struct sm *sm);
void gangs_reform(struct sm *sm);
/* Whether the warp waits for others of its set at a reconvergence pc. */
bool meets_others(const struct sm *sm, u32 slot);
/* Warps that issued together have diverged where their pcs do: those at a reconvergence pc begin to wait. */
void meeting_begins(struct sm *sm, const u32 *slot, u32 count_of);

/* ---- scoreboard_units.c ---- */
enum unit unit_of(const struct sm *sm, const struct ws_instruction *ins);
/* Whose SP units and SFU the slot uses: a slice, an issue port, or 0, the SM. */
u32 unit_owner(const struct sm *sm, u32 slot);
bool unit_has_room(const struct sm *sm, enum unit unit, u32 slot);
/* The instruction that issues now goes to SP or SFU. */
void unit_start(struct sm *sm, struct flight *flight);

/* ---- scoreboard_ldst.c ---- */
bool ldst_has_room(const struct sm *sm, const struct ws_instruction *ins);
/* The instruction that issues now goes to the LD/ST unit, and takes its addresses from the threads. */
void ldst_enter(struct sm *sm, struct flight *flight, const struct packet *packet);
/* All have issued that do in this cycle: their accesses are counted. */
void ldst_close(struct sm *sm);
/* The unit makes one access. */
void ldst_cycle(struct sm *sm);
/* An access with this ticket is answered. */
void ldst_answered(struct sm *sm, u32 ticket);
/* Forgets what nobody waits for any more. */
void ldst_forget(struct sm *sm);
