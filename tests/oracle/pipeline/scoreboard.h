/* The scoreboard pipeline's state and its parts (pipelines.md). */
#pragma once

#include "oracle/path/vws.h"
#include "oracle/pipeline/units.h"

enum { REGISTERS = 256, MOST_BUFFER = 2, MOST_SP_UNITS = 4, MOST_L0 = 32 };

enum unit { UNIT_SP, UNIT_SFU, UNIT_TENSOR, UNIT_LDST };

/* An instruction of the LD/ST unit: the access of a packet; with slices, those of one kind that issue in one cycle. */
struct access {
    struct access *next; /* issued later */
    u32 ticket;          /* of its first line; the n-th has n more */
    u64 issued;
    const struct ws_instruction *ins; /* of the packet that issued first */
    u64 operands;                     /* cycle in which they are available */
    bool held;                        /* by the unit */
    struct addresses addresses;       /* of all lanes of the SM */
    struct accessed found;
    u32 made;
};

/* An instruction in flight. */
struct flight {
    struct flight *next; /* issued later */
    u32 slot;
    const struct ws_instruction *ins;
    enum unit unit;
    u64 operands; /* cycle in which they are available */
    u64 start;    /* SP, SFU */
    u64 done;     /* cycle in which its results are available, NEVER while unknown */
    bool written; /* its results are there */
    /* LD/ST. */
    struct access *access;
    bool lane[WS_LANES];  /* lanes of the SM that execute it */
    bool waits[WS_LANES]; /* waits for which of the accesses */
    u32 left, unanswered; /* of these: not made, not answered */
    bool all_found;
};

/* Of a warp slot. */
struct feed {
    u32 pc[MOST_BUFFER]; /* instruction buffer */
    u32 entries;
    u64 valid_from;
    u32 waits_for;          /* ticket of an instruction line, or NO_TICKET */
    u64 not_before;         /* cycle from which it may be fetched after a branch */
    bool marked[REGISTERS]; /* long, by schedule.long = sticky */
    u64 loaded[REGISTERS];  /* cycle of the last result of a load from below the caches */
    u64 last_issue;
    u64 meets_until; /* waits for others at a reconvergence pc */
};

struct units {
    u32 count;
    u64 free[MOST_SP_UNITS]; /* cycle from which a unit is free */
    u64 last_start;          /* of the instruction issued last */
};

/* A line of an L0. */
struct kept_line {
    u32 number;
    u64 touched; /* 0: invalid */
};

/* State of each slice; without slices there is one. */
struct slice {
    u32 next_fetch; /* place in the slice after that of the slot tried last */
    struct kept_line l0[MOST_L0];
    u64 touches;
    u64 issues_from; /* the first cycle in which it may issue */
};

struct scoreboard {
    struct flight *flights;  /* in order of issue */
    struct access *accesses; /* in order of issue */
    u32 tickets;             /* given so far */
    struct feed *feeds;      /* of each slot */
    u64 write_port_free;     /* of the LD/ST unit */
    struct slice slices[MOST_SLICES];
    struct units units[MOST_SLICES][UNIT_LDST]; /* of each owner, all others */
    u32 next_slice;                             /* for an access to the instruction cache */
    /* Of gangs. */
    u32 next_fetched_set, next_issued_set, next_reformed_set;
    u64 gangs_issued_at; /* cycle in which gangs issued last, plus one; 0: never */
    u64 *gang_issued_at; /* of each slot: the same, for a gang with this lowest slot */
};

/* ---- scoreboard.c ---- */
/* Parameters of pipelines with a scoreboard. */
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
/* Number of slices, or 1; slice of a slot. */
u32 slices(const struct sm *sm);
struct slice *slice_of(const struct sm *sm, u32 slot);
struct feed *feed_of(const struct sm *sm, u32 slot);
bool has_results(const struct flight *flight);
/* Its results are not available, or an access is unanswered. */
bool is_waited_for(const struct flight *flight);
/* Whether the slot's warp has an atomic access to global memory in flight. */
bool atomic_in_flight(const struct sm *sm, u32 slot);
/* Whether a register that the slot's instruction reads or writes awaits a result. */
bool registers_wait(const struct sm *sm, u32 slot, const struct ws_instruction *ins);

/* ---- scoreboard_long.c: long registers ---- */
bool register_is_long(const struct sm *sm, u32 slot, u32 reg);
/* Whether a load in flight from below the caches writes it, or has written it since the slot issued last. */
bool register_was_far(const struct sm *sm, u32 slot, u32 reg);
void mark_long(struct sm *sm, const struct flight *flight);      /* it issues */
void unmark_found(struct sm *sm, const struct flight *flight);   /* it makes its last access */
void unmark_written(struct sm *sm, const struct flight *flight); /* its results are there */

/* ---- scoreboard_fetch.c ---- */
void scoreboard_fetch(struct sm *sm);
/* The first instruction, at that pc, has left the slot's buffer. */
void buffer_moves(struct sm *sm, u32 slot, u32 pc);

/* ---- scoreboard_issue.c ---- */
/* Progress of a warp, for the class of a stall slot. */
enum readiness { NOT_VALID, VALID, READY, SELECTABLE };
/* Of the warp alone: at most READY, regardless of units and gang. */
enum readiness warp_readiness(const struct sm *sm, u32 slot);
bool gang_is_ready(const struct sm *sm, u32 gang);
bool finds_room(const struct sm *sm, u32 slot);
/* The warp issues; as a member of a gang, without its scheduler. */
void warp_issues(struct sm *sm, u32 slot, bool in_gang);
/* Gangs and ports issue, in order. */
void scoreboard_issue(struct sm *sm);

/* ---- scoreboard_gangs.c ---- */
/* Ends waits at reconvergence pcs. */
void meetings_end(struct sm *sm);
/* Gangs split, issue, and re-form. */
void gangs_split(struct sm *sm);
void gangs_issue(struct sm *sm);
void gangs_reform(struct sm *sm);
/* Whether the warp waits for others of its set at a reconvergence pc. */
bool meets_others(const struct sm *sm, u32 slot);
/* Warps that issued together have diverged by pc: those at a reconvergence pc begin to wait. */
void meeting_begins(struct sm *sm, const u32 *slot, u32 count_of);

/* ---- scoreboard_units.c ---- */
enum unit unit_of(const struct sm *sm, const struct ws_instruction *ins);
/* Owner of the slot's SP units and SFU: a slice, an issue port, or 0, the SM. */
u32 unit_owner(const struct sm *sm, u32 slot);
bool unit_has_room(const struct sm *sm, enum unit unit, u32 slot);
/* The instruction that issues now goes to SP or SFU. */
void unit_start(struct sm *sm, struct flight *flight);

/* ---- scoreboard_ldst.c ---- */
bool ldst_has_room(const struct sm *sm, const struct ws_instruction *ins);
/* The instruction that issues now goes to the LD/ST unit, and consumes the threads' addresses. */
void ldst_enter(struct sm *sm, struct flight *flight, const struct packet *packet);
/* After all issues of this cycle: counts their accesses. */
void ldst_close(struct sm *sm);
/* The unit makes one access. */
void ldst_cycle(struct sm *sm);
/* An access with this ticket is answered. */
void ldst_answered(struct sm *sm, u32 ticket);
/* Removes completed flights. */
void ldst_forget(struct sm *sm);
