/* The DRAM by its timings (section 11, "DRAM"). What it reads comes to the level that asked, or to the L2 cache. */
#ifndef WS_TESTS_ORACLE_TIMED_H
#define WS_TESTS_ORACLE_TIMED_H

#include "oracle/sm.h"

struct message;
struct timed;

void timed_start(struct sm *sm);
void timed_finish(struct timed *timed);

/* The L2 cache has room for what one of its requests sends. */
bool timed_fits(const struct sm *sm);

/* A request of a level; returns its ticket, NO_TICKET of a write. */
u32 timed_ask(struct sm *sm, const struct request *request);

/* The L2 cache reads the line at the granule, of a message where there is no cache, or writes it. */
void timed_send(struct sm *sm, enum request_kind kind, u32 granule, struct message *message);

/* Lines that come now. */
void timed_lines(struct sm *sm);

/* Entering, picks, column. */
void timed_cycle(struct sm *sm);

u32 timed_unserved(const struct sm *sm);
u32 timed_messages(const struct sm *sm); /* whose reads they are */
u32 timed_reads(const struct timed *timed);

#endif
