/* What must hold of every machine. The checker follows each thread along its own path through the program, with a pc and cursors
 * that the machine never sees. The first breach is put into the log and ends the run with WS_STATUS_internal. Without a checker
 * nothing is done. */
#pragma once

#include "oracle/sm.h"

/* The pc of a thread whose instruction is under way. */
#define UNDER_WAY 0xFFFFFFFFu

/* Makes sm->checker when the log wishes it. */
void invariants_start(struct sm *sm);
void invariants_finish(struct sm *sm);

/* A packet has issued: each of its threads is there on its own path, has taken from its streams what that path needs, and issues
 * once, in its home lane. */
void invariants_issued(struct sm *sm, const struct packet *packet);

/* The same of threads that issue together, of which the packet shows those with a true guard. */
void invariants_bundle_issued(struct sm *sm, const struct bundle *bundle, const struct packet *packet);

/* At the start of a cycle. Looks at one block in some cycles, at about 32 threads a cycle: each live thread is in one place. */
void invariants_cycle(struct sm *sm);

/* What the places function of a path unit calls for each place, from the top of a stack down: it has the thread at pc. A place that
 * joins may hold threads that places above it hold too. */
void invariants_place(const struct sm *sm, const struct thread *thread, u32 pc, bool joins);

/* Notes a breach, of a thread or of none (NULL); printf's format. Whoever notes it has a checker. */
void invariants_breach(const struct sm *sm, const struct thread *thread, const char *format, ...);

/* After the last cycle: every cycle is classed; of a run that has ended well, what entered has left. */
void invariants_end(struct sm *sm);
