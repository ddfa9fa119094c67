/* The sub-core pipeline's state and its parts (subcore.md). */
#pragma once

#include "oracle/pipeline/units.h"

enum {
    MOST_SUBCORES = 4,
    MOST_FEED = 4,
    MOST_BANKS = 4,
    READ_CYCLES = 16, /* above the longest window */
    LINE_ENTRIES = 16,
    MOST_CONSTANT_SETS = 16,
    MOST_CONSTANT_WAYS = 4,
    MOST_SOURCES = WS_SUB_SLOTS * 8
};

#define NO_LINE 0xFFFFFFFFu

/* Where an instruction is. */
enum place { IN_CONTROL, IN_ALLOCATE, IN_QUEUE, IN_LATCH, IN_FP64, IN_LSU, GONE };

/* An instruction that has issued and not had both of its events. */
struct flight {
    struct flight *next; /* issued later */
    u32 slot, ticket;
    const struct ws_instruction *ins;
    const struct ws_operands *operands;
    u32 unit; /* whose input it takes */
    enum place place;
    u64 entered;           /* its place */
    u64 until;             /* it takes the input of a fixed unit */
    u64 left_control;      /* NEVER while it has not */
    u64 start;             /* of a variable one; NEVER while it has not started */
    u64 read_at, write_at; /* events; NEVER while unknown */
    struct accessed accessed;
    u32 made, unanswered;
    u64 accepted;
    bool missed;
    bool written_late; /* for a write port */
    bool ended;
    u32 group; /* commits that its warp issued before it */
};

/* Of a warp slot. */
struct feed {
    u32 pc[MOST_FEED]; /* instruction buffer */
    u64 valid_from[MOST_FEED];
    u32 entries;
    u32 waits_for;   /* line, or NO_LINE */
    u64 issues_from; /* by stall and yield */
    u64 released;    /* issues from this cycle by the last barrier */
    u32 counters[WS_SUB_COUNTERS];
    u32 commits; /* issued so far */
};

enum entry_kind { FREE, DEMANDED, STREAM, ABANDONED };

/* An instruction line that comes to a sub-core. */
struct line_entry {
    enum entry_kind kind;
    u32 line;
    u64 at; /* NEVER while the instruction cache waits for it */
};

struct l0_line {
    u32 line;
    u64 touched; /* 0: invalid */
};

struct constant_line {
    u32 number;
    u64 touched; /* 0: invalid */
};

/* Of a register-file cache. */
struct kept_register {
    bool valid;
    u32 slot, number;
};

struct subcore {
    u64 unit_free[WS_SUB_UNITS];
    u64 issues_from; /* after a wide instruction */
    u64 last_write;  /* of a result; 0: none */
    u64 address_free;
    u32 reads[MOST_BANKS][READ_CYCLES]; /* of fixed units, by cycle */
    struct kept_register kept[MOST_BANKS][WS_SUB_SLOTS];
    u32 greedy; /* slot that issued last */
    struct l0_line *l0;
    u64 touches;
    struct line_entry lines[LINE_ENTRIES];
    bool begun, stopped; /* the stream */
    u32 head, length;
    struct constant_line constants[MOST_CONSTANT_SETS][MOST_CONSTANT_WAYS];
    bool constant_comes; /* a line, */
    u32 constant;        /* its number */
    u64 constant_at;     /* and its cycle */
    bool missed;         /* the greedy warp, since the last issue, */
    u64 missed_at;       /* first in this cycle */
};

struct subcores {
    struct flight *flights; /* in order of issue */
    u32 tickets;            /* given so far */
    struct feed *feeds;     /* of each slot */
    struct subcore cores[MOST_SUBCORES];
    u64 accepts_from; /* the LD/ST unit */
    u32 next_accept;  /* sub-core whose turn it is */
    u32 next_code;    /* the same for the instruction cache */
    bool code_used;   /* in this cycle */
    bool issued;      /* in this cycle */
    u64 fp64_free;    /* the shared FP64 unit */
    u32 next_fp64;    /* sub-core whose turn it is there */
};

/* ---- subcore.c ---- */
struct subcores *subcores_of(const struct sm *sm);
struct feed *warp_feed(const struct sm *sm, u32 slot);
struct subcore *core_of(const struct sm *sm, u32 slot);
bool is_fixed(const struct sm *sm, u32 unit);

/* Whether an instruction of a unit finds a place behind Control. */
bool next_has_room(const struct sm *sm, u32 core, u32 unit);
/* Whether wait mask, DEPBAR condition or fence hold back the warp's first buffered instruction. */
bool counters_wait(const struct sm *sm, u32 slot);
bool is_commit(const struct sm *sm, const struct ws_operands *operands);
/* Whether its groups of copies have no room for the warp's first buffered instruction. */
bool groups_are_full(const struct sm *sm, u32 slot);

/* ---- stages.c ---- */
/* Memory queue, SFU, allocate and control of a sub-core. */
void subcore_stages(struct sm *sm, u32 core);
/* The instruction of a sub-core in a place, or NULL; the first one of a memory queue. */
struct flight *flight_in(const struct sm *sm, u32 core, enum place place);

/* Cycles for which it takes the input of its unit. */
u32 unit_occupation(const struct sm *sm, const struct flight *flight);

/* The shared FP64 unit. */
void fp64_cycle(struct sm *sm);

/* ---- constants.c ---- */
void constants_arrive(struct sm *sm);
/* Whether the operand of the slot's first instruction misses. */
bool constant_misses(const struct sm *sm, u32 slot);
void constant_touched(struct sm *sm, u32 slot);
/* misses: of each slot. A sub-core requests a line; is held. */
void constant_requested(struct sm *sm, u32 number, const bool *misses);
bool constant_holds(struct sm *sm, u32 number, const bool *misses);

/* ---- lsu.c ---- */
/* Cycles of the address unit. */
u64 address_cycles(const struct sm *sm, const struct flight *flight);
void lsu_enter(struct sm *sm, struct flight *flight, const struct packet *packet);
void lsu_cycle(struct sm *sm);
void lsu_answered(struct sm *sm, u32 ticket);
/* Words of a lane's access. */
u32 access_words(const struct ws_instruction *ins);
bool has_uniform_address(const struct flight *flight);

/* ---- issue.c ---- */
void subcore_issue(struct sm *sm);

/* ---- fetch.c ---- */
void subcore_fetch(struct sm *sm);
void subcore_lines(struct sm *sm);
void subcore_code_arrives(struct sm *sm, u32 ticket);
/* The first instruction, at that pc, has left the slot's buffer. */
void feed_moves(struct sm *sm, u32 slot, u32 pc);
