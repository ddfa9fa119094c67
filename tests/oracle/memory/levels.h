/* Memory of the scoreboard pipeline (memory.md): the SM's caches, request path, L2 cache, reply path, DRAM. Memory does not know
 * warps: waiting accesses have tickets, which it returns. */
#pragma once

#include "oracle/memory/tags.h"
#include "oracle/sm.h"

/* Caches of the SM. */
enum l1_cache { L1_DATA, L1_CODE, L1_CONSTANT, L1_TEXTURE, L1_CACHES };

/* Outcome of an access: FOUND: no wait; WAITS: its ticket returns once. */
enum outcome { REFUSED, FOUND, WAITS };

/* An unanswered request of the SM. */
struct message {
    struct message *next;
    struct request request;
    enum l1_cache cache; /* that a read fills */
    u32 ticket;          /* of a write or atomic; NO_TICKET: nobody waits */
    u64 leaves;          /* the SM */
    u64 arrives;         /* at the L2 cache; of an answer, at the SM */
};

/* In order. */
struct messages {
    struct message *first;
};

struct levels {
    void *l1[L1_CACHES];
    void *l2, *replies;   /* each file's own */
    struct messages sent; /* on their way to the L2 cache, or waiting for it */
    u64 port_free;        /* from the SM to the L2 cache */
    u32 unanswered;
};

/* ---- levels.c ---- */
void levels_start(struct sm *sm);
void levels_finish(struct sm *sm);
/* Step 1 of a cycle. */
void levels_cycle(struct sm *sm);
/* Lines with waiting accesses. */
u32 levels_reads(const struct sm *sm);
/* Invariants: Consistency of MSHRs and reserved ways; every unanswered request is in one list. */
void levels_check(const struct sm *sm);
/* After the run: completes everything in flight. */
void levels_drain(struct sm *sm);

/* ---- messages.c ---- */
void messages_append(struct messages *messages, struct message *message);
struct message *messages_take(struct messages *messages); /* the first */
u32 messages_count(const struct messages *messages);
void messages_free(struct messages *messages);

/* ---- l1.c: caches of the SM ---- */
void l1_start(struct sm *sm);
void l1_finish(struct sm *sm);
enum outcome l1_access(struct sm *sm, enum l1_cache cache, const struct request *request, u32 ticket);
/* A requested line arrives at the cache. */
void l1_fill(struct sm *sm, enum l1_cache cache, u32 granule);
u32 l1_reads(const struct sm *sm, enum l1_cache cache);
void l1_check(const struct sm *sm);

/* ---- send.c: the request path ---- */
/* Room for 1 or 2 requests; of two the first is a read. */
bool send_fits(const struct sm *sm, u32 requests);
void send_request(struct sm *sm, enum l1_cache cache, const struct request *request, u32 ticket);

/* ---- l2.c ---- */
void l2_start(struct sm *sm);
void l2_finish(struct sm *sm);
/* The first request is looked up. */
void l2_cycle(struct sm *sm);
/* A line arrives from DRAM; without an L2 cache, for one message. */
void l2_line_comes(struct sm *sm, u32 granule, struct message *message);
u32 l2_waiting(const struct sm *sm); /* messages that wait for a line */
u32 l2_reads(const struct sm *sm);
void l2_check(const struct sm *sm);

/* ---- replies.c: the reply path ---- */
void replies_start(struct sm *sm);
void replies_finish(struct sm *sm);
/* The answer is ready at that cycle; called in the order of use of the data port. */
void replies_send(struct sm *sm, struct message *message, u64 ready);
/* The answer that reaches the SM. */
void replies_cycle(struct sm *sm);
u32 replies_under_way(const struct sm *sm);

/* ---- place.c ---- */
u32 dram_scramble(u32 x);
void dram_place(const struct sm *sm, u32 granule, u32 *bank, u32 *row);

/* ---- timed.c: DRAM with DDR timings (memory.md, "DRAM"). Reads return to the requesting level, or to the L2 cache ---- */
struct timed;

void timed_start(struct sm *sm);
void timed_finish(struct timed *timed);

/* The L2 cache has room for what one of its requests sends. */
bool timed_fits(const struct sm *sm);

/* A request of a level; returns its ticket, NO_TICKET for a write. */
u32 timed_ask(struct sm *sm, const struct request *request);

/* The L2 cache reads or writes some bytes from a granule on; without a cache, for a message. */
void timed_send(struct sm *sm, enum request_kind kind, u32 granule, u32 bytes, struct message *message);

/* Lines that come now. */
void timed_lines(struct sm *sm);

/* Entering, picks, column. */
void timed_cycle(struct sm *sm);

u32 timed_unserved(const struct sm *sm);
u32 timed_messages(const struct sm *sm); /* whose reads they are */
u32 timed_reads(const struct timed *timed);
