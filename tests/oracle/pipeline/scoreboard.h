/* The scoreboard pipeline's state and its parts (section 10). */
#ifndef WS_TESTS_ORACLE_SCOREBOARD_H
#define WS_TESTS_ORACLE_SCOREBOARD_H

#include "oracle/sm.h"

#define NEVER 0xFFFFFFFFFFFFFFFFul

enum { REGISTERS = 256, MOST_BUFFER = 2, MOST_SP_UNITS = 4 };

enum unit { UNIT_SP, UNIT_SFU, UNIT_LDST };

/* What an access of the LD/ST unit goes to. */
enum target { TO_NOTHING, TO_SHARED, TO_CACHE };

/* An instruction in flight. */
struct flight {
    struct flight *next; /* issued later */
    u32 ticket;
    u32 slot;
    const struct ws_instruction *ins;
    enum unit unit;
    u64 operands; /* the cycle in which it has them */
    u64 start;    /* SP, SFU */
    u64 done;     /* the cycle in which its results are there, NEVER as long as it is unknown */
    bool written; /* its results are there */
    /* LD/ST. */
    bool held; /* by the unit */
    enum target target;
    struct request lines[WS_LANES];
    u32 accesses, made;
    u32 unanswered;
    bool all_found;
};

/* Of a warp slot. */
struct feed {
    u32 pc[MOST_BUFFER]; /* instruction buffer */
    u32 entries;
    u64 valid_from;
    bool waits;             /* for an instruction line */
    u64 not_before;         /* cycle in which it may be fetched again after a branch */
    bool marked[REGISTERS]; /* long, by schedule.long = sticky */
};

struct units {
    u32 count;
    u64 free[MOST_SP_UNITS]; /* the cycle from which on a unit is free */
    u64 last_start;          /* of the instruction issued last */
};

struct scoreboard {
    struct flight *flights; /* in order of issue */
    u32 tickets;            /* given so far */
    struct feed *feeds;     /* of each slot */
    u32 next_fetch;         /* the slot after the one tried last */
    struct units units[2];  /* UNIT_SP, UNIT_SFU */
    u64 write_port_free;    /* of the LD/ST unit */
};

/* ---- scoreboard.c ---- */
bool has_results(const struct flight *flight);
/* Its results are not yet there, or an access is not yet answered. */
bool is_waited_for(const struct flight *flight);
/* Whether the slot's warp has an atomic access to global memory in flight. */
bool atomic_in_flight(const struct sm *sm, u32 slot);
/* Whether a register that the slot's instruction reads or writes waits for a result. */
bool registers_wait(const struct sm *sm, u32 slot, const struct ws_instruction *ins);

/* ---- scoreboard_long.c: long registers ---- */
bool register_is_long(const struct sm *sm, u32 slot, u32 reg);
void mark_long(struct sm *sm, const struct flight *flight);      /* it issues */
void unmark_found(struct sm *sm, const struct flight *flight);   /* it makes its last access */
void unmark_written(struct sm *sm, const struct flight *flight); /* its results are there */

/* ---- scoreboard_fetch.c ---- */
void scoreboard_fetch(struct sm *sm);
/* The first instruction has left the buffer of the slot; it was at that pc. */
void buffer_moves(struct sm *sm, u32 slot, u32 pc);

/* ---- scoreboard_issue.c ---- */
/* The ports issue, in their order. */
void scoreboard_issue(struct sm *sm);

/* ---- scoreboard_units.c ---- */
enum unit unit_of(const struct sm *sm, const struct ws_instruction *ins);
bool unit_has_room(const struct sm *sm, enum unit unit);
/* The instruction that issues now goes to SP or SFU. */
void unit_start(struct sm *sm, struct flight *flight);

/* ---- scoreboard_ldst.c ---- */
/* The instruction that issues now goes to the LD/ST unit: its accesses are counted, and taken from the threads. */
void ldst_enter(struct sm *sm, struct flight *flight, const struct packet *packet);
/* The unit makes one access. */
void ldst_cycle(struct sm *sm);
/* An access with this ticket is answered. */
void ldst_answered(struct sm *sm, u32 ticket);

#endif
