/* Latencies, intervals and accesses, common to the pipelines with units. */
#pragma once

#include "oracle/memory/levels.h"
#include "oracle/memory/memory.h"

#define NEVER 0xFFFFFFFFFFFFFFFFul

/* Target of an access of the LD/ST unit. */
enum target { TO_NOTHING, TO_SHARED, TO_CACHE };

/* What an instruction accesses: one line, pass or nothing after another. */
struct accessed {
    enum target target;
    struct request lines[WS_LANES];
    u32 accesses;
};

/* ---- scoreboard_units.c ---- */
u32 latency_of(const struct ws_machine *m, const struct ws_instruction *ins);
u32 interval_of(const struct ws_machine *m, const struct ws_instruction *ins);
/* Cycles over which a warp enters the lanes. */
u32 passes_of(const struct ws_machine *m);

/* ---- scoreboard_ldst.c ---- */
/* Counts the access of an instruction that lanes execute, or none, and finds its lines or passes. */
void ldst_find(struct sm *sm, const struct ws_instruction *ins, bool executed, const struct addresses *addresses,
               struct accessed *accessed);
/* Access n of them. */
enum outcome ldst_access(struct sm *sm, const struct ws_instruction *ins, const struct accessed *accessed, u32 n, u32 ticket);
u32 ldst_latency(const struct sm *sm, const struct ws_instruction *ins, enum target target);
