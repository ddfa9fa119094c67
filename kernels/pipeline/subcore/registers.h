/* Read ports of register banks, and the register-file cache (docs/model/subcore.md). First lane only. */
#ifndef WS_PIPELINE_SUBCORE_REGISTERS_H
#define WS_PIPELINE_SUBCORE_REGISTERS_H

#include "pipeline/subcore/warps.h"

static inline u32 bank_of(PRIVATE const struct sm *sm, u32 number)
{
    return number & (MACHINE(sm, subcore_banks) - 1);
}

/* Makes this cycle the first, in bit 0, of the masks of cycles in which ports are in use. */
static inline void reads_advance(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core)
{
    const u32 passed = sm->now - core->reads_from;
    for (u32 bank = 0; bank < MACHINE(sm, subcore_banks) && passed != 0; ++bank)
        for (u32 port = 0; port < MACHINE(sm, subcore_ports); ++port)
            core->reads[bank][port] = passed < 32 ? core->reads[bank][port] >> passed : 0;
    core->reads_from = sm->now;
}

/* Whether a variable instruction cannot read its sources in this cycle. */
static inline u32 reads_are_taken(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core,
                                  GLOBAL const struct ws_operands *operands)
{
    u32 taken = 0;
    reads_advance(sm, core);
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n)
            taken |= core->reads[bank_of(sm, operands->source[k] + n)][MACHINE(sm, subcore_ports) - 1] & 1;
    return taken;
}

/* ---- Register-file cache ---- */

static inline u32 looks_up(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    return MACHINE(sm, subcore_reuse) == WS_toggle_on && operands->unit <= WS_SUB_TENSOR && is_fixed(sm, operands);
}

static inline u32 reuse_hits(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core, u32 slot, u32 k, u32 number)
{
    return core->reuse_slot[bank_of(sm, number)][k] == (slot << 8 | number);
}

/* The instruction's look-ups change the cache. */
static inline void reuse_changes(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot,
                                 GLOBAL const struct ws_operands *operands)
{
    u32 hits = 0;
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n)
            hits += reuse_hits(sm, core, slot, k, operands->source[k] + n);
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n) {
            const u32 number = operands->source[k] + n, keeps = WS_CONTROL_REUSE(operands->control) >> k & 1;
            core->reuse_slot[bank_of(sm, number)][k] = (u16)(keeps ? slot << 8 | number : WS_NO_REUSE);
        }
    count(sm, WS_COUNT_reuse_hits, hits);
}

/* ---- Reads of a fixed instruction ---- */

/* Whether a register is read at an earlier place among the sources. */
static inline u32 is_read_before(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core, u32 slot,
                                 GLOBAL const struct ws_operands *operands, u32 slots, u32 number)
{
    u32 before = 0;
    for (u32 k = 0; k < slots; ++k)
        before |=
            number - operands->source[k] < operands->words[k] && !(looks_up(sm, operands) && reuse_hits(sm, core, slot, k, number));
    return before;
}

/* Takes a port of a bank in the first of so many cycles, from a later one on; returns whether there is one. */
static inline u32 read_takes(PRIVATE const struct sm *sm, PRIVATE u32 *reads, u32 later, u32 window)
{
    const u32 free = ~reads[MACHINE(sm, subcore_ports) - 1] >> later & ws_bits_below(window);
    if (free == 0)
        return 0;
    const u32 cycle = ws_bit(ws_ctz(free) + later);
    u32 port = 0;
    while (reads[port] & cycle)
        ++port;
    reads[port] |= cycle;
    return 1;
}

/* The instruction takes read ports for its sources if it leaves Allocate in a cycle; returns 0, and changes nothing, if it finds
 * too few. */
static inline u32 registers_read(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot,
                                 GLOBAL const struct ws_operands *operands, u32 at)
{
    const u32 cached = looks_up(sm, operands), window = MACHINE(sm, subcore_window) << (operands->unit == WS_SUB_TENSOR);
    u32 reads[WS_SUB_BANKS][WS_SUB_PORTS], needs[WS_SUB_BANKS] = {0, 0, 0, 0};
    for (u32 bank = 0; bank < MACHINE(sm, subcore_banks); ++bank)
        for (u32 port = 0; port < MACHINE(sm, subcore_ports); ++port)
            reads[bank][port] = core->reads[bank][port];
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n) {
            const u32 number = operands->source[k] + n, bank = bank_of(sm, number);
            if ((cached && reuse_hits(sm, core, slot, k, number)) || is_read_before(sm, core, slot, operands, k, number))
                continue;
            if (needs[bank]++ < window * MACHINE(sm, subcore_ports) && !read_takes(sm, reads[bank], at + 1 - sm->now, window))
                return 0;
        }
    for (u32 bank = 0; bank < MACHINE(sm, subcore_banks); ++bank)
        for (u32 port = 0; port < MACHINE(sm, subcore_ports); ++port)
            core->reads[bank][port] = reads[bank][port];
    return 1;
}

/* When the instruction leaves Allocate, in a cycle from the given one on. Earlier ones have taken ports in the next 15 cycles at
 * most, so that it leaves in one of the next 16 and takes ports in the next 24. */
static inline u32 allocated_at(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot,
                               GLOBAL const struct ws_operands *operands, u32 from)
{
    u32 at = from;
    reads_advance(sm, core);
    while (!registers_read(sm, core, slot, operands, at))
        ++at;
    if (looks_up(sm, operands))
        reuse_changes(sm, core, slot, operands);
    count(sm, WS_COUNT_register_stalls, at - from);
    return at;
}

#endif
