/* Memory as the barrel pipeline sees it (memory.md), and what an access is. It does not know warps: waiting accesses get tickets.
 */
#pragma once

#include "oracle/sm.h"

/* Chains the levels, all empty. */
void memory_start(struct sm *sm);
void memory_finish(struct sm *sm);

/* Step 1 of a cycle: bursts that end now. */
void memory_fill(struct sm *sm);

/* Reads in flight at any level. */
u32 memory_reads(const struct sm *sm);
/* Of those, lines of the data cache; of any machine. */
u32 memory_data_reads(const struct sm *sm);

/* ---- access.c: data ---- */

/* Whether the instruction is a load, store or atomic of that space. */
bool accesses(const struct ws_instruction *ins, u32 space);

/* Requests of lanes: granules, or words of shared memory. */
struct addresses {
    bool asks[WS_LANES];
    u32 address[WS_LANES], word[WS_LANES]; /* word: distinguishes atomic accesses to global memory */
    u32 bytes;                             /* of the widest lane */
    bool atomic;                           /* a lane is */
};

/* Adds the packet's next addresses, its lane n as lane first + n. */
void access_addresses(const struct sm *sm, const struct packet *packet, u32 first, struct addresses *addresses);

/* Requests for distinct lines of this many bytes that contain granules, in order of their lowest lane; for serialized lanes, turn
 * by turn. */
u32 access_lines(const struct sm *sm, const struct addresses *addresses, enum request_kind kind, u32 bytes,
                 struct request requests[WS_LANES]);
enum request_kind access_kind(const struct ws_instruction *ins);

/* Counts an access to words of shared memory; returns its passes. */
u32 access_shared(struct sm *sm, const struct addresses *addresses);

/* Consumes the packet's addresses. */
void access_taken(const struct packet *packet);

/* Whether the accesses of packets that issue together find room; true without accesses. A lane is in at most one packet. */
bool accesses_fit(const struct sm *sm, const struct packet *packets, u32 packet_count);
bool access_fits(const struct sm *sm, const struct packet *packet);

/* Whether the packet reads global memory, and thus has l1.latency. */
bool access_reads_global(const struct sm *sm, const struct packet *packet);

/* Makes the packet's access and consumes the addresses; fills in the packet's waits. Returns the cycles for which it holds the data
 * port, 0 for none. */
u32 access_perform(struct sm *sm, struct packet *packet);

/* ---- code.c: the instruction cache ---- */

bool code_present(const struct sm *sm, u32 pc);
/* Whether a miss finds room. */
bool code_fits(const struct sm *sm, u32 pc);
/* Fetches the instruction; returns the ticket of a miss. */
u32 code_fetch(struct sm *sm, u32 pc);
