/* Invariants of every machine. The checker follows each thread along its own path, with a pc and cursors that the machine never
 * sees. The first violation goes into the log and ends the run with WS_STATUS_internal. Without a checker, these functions do
 * nothing. */
#pragma once

#include "oracle/sm.h"

/* The pc of a thread with an instruction in flight. */
#define UNDER_WAY 0xFFFFFFFFu

/* Creates sm->checker if the log requests it. */
void invariants_start(struct sm *sm);
void invariants_finish(struct sm *sm);

/* A packet has issued: checks that each thread is at this point of its own path, has consumed the right streams, and issues once,
 * in its home lane. */
void invariants_issued(struct sm *sm, const struct packet *packet);

/* The same for threads that issue together; the packet shows those with a true guard. */
void invariants_bundle_issued(struct sm *sm, const struct bundle *bundle, const struct packet *packet);

/* At the start of a cycle. Checks one block in some cycles, about 32 threads a cycle: each live thread is in one place. */
void invariants_cycle(struct sm *sm);

/* Called by a path unit's places function for each place, from the top of a stack down: it has the thread at pc. A join place may
 * hold threads that places above it hold, too. */
void invariants_place(const struct sm *sm, const struct thread *thread, u32 pc, bool joins);

/* Notes a violation, of a thread or of none (NULL); printf's format. The caller has a checker. */
void invariants_violation(const struct sm *sm, const struct thread *thread, const char *format, ...);

/* After the last cycle: every cycle has a class; after a successful run, everything that entered has left. */
void invariants_end(struct sm *sm);
