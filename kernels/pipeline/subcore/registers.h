/* Read ports of register banks, and the register-file cache (docs/model/subcore.md). First lane only. */
#ifndef WS_PIPELINE_SUBCORE_REGISTERS_H
#define WS_PIPELINE_SUBCORE_REGISTERS_H

#include "pipeline/subcore/warps.h"

/* Bits for the ports in use of a cycle; cycles that are kept. */
enum { READ_BITS = 4, READ_CYCLES = 16 };

static inline u32 bank_of(PRIVATE const struct sm *sm, u32 number)
{
    return number & (MACHINE(sm, subcore_banks) - 1);
}

/* Makes this cycle the first whose ports are kept. */
static inline void reads_advance(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core)
{
    const u32 passed = sm->now - core->reads_from;
    if (passed == 0)
        return;
    for (u32 bank = 0; bank < MACHINE(sm, subcore_banks); ++bank)
        core->reads[bank] = passed >= READ_CYCLES ? 0 : core->reads[bank] >> READ_BITS * passed;
    core->reads_from = sm->now;
}

/* Ports of a bank in use so many cycles from now. */
static inline u32 reads_in_use(u64 reads, u32 later)
{
    return (u32)(reads >> READ_BITS * later) & ws_bits_below(READ_BITS);
}

/* Whether a variable instruction cannot read its sources in this cycle. */
static inline u32 reads_are_taken(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core,
                                  GLOBAL const struct ws_operands *operands)
{
    u32 taken = 0;
    reads_advance(sm, core);
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n)
            taken |= reads_in_use(core->reads[bank_of(sm, operands->source[k] + n)], 0) == MACHINE(sm, subcore_ports);
    return taken;
}

/* ---- Register-file cache ---- */

static inline u32 looks_up(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    return MACHINE(sm, subcore_reuse) == WS_toggle_on && operands->unit <= WS_SUB_TENSOR;
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

/* Takes a port in the first of so many cycles from the next one on; returns whether there is one. */
static inline u32 read_takes(PRIVATE const struct sm *sm, PRIVATE u64 *reads, u32 window)
{
    for (u32 later = 1; later <= window; ++later) {
        if (reads_in_use(*reads, later) < MACHINE(sm, subcore_ports)) {
            *reads += (u64)1 << READ_BITS * later;
            return 1;
        }
    }
    return 0;
}

/* The instruction takes read ports for its sources; returns 0, and changes nothing, if it finds too few. */
static inline u32 registers_read(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot,
                                 GLOBAL const struct ws_operands *operands)
{
    const u32 cached = looks_up(sm, operands), window = MACHINE(sm, subcore_window) << (operands->unit == WS_SUB_TENSOR);
    u64 reads[WS_SUB_BANKS];
    u32 needs[WS_SUB_BANKS];
    reads_advance(sm, core);
    for (u32 bank = 0; bank < WS_SUB_BANKS; ++bank) {
        reads[bank] = core->reads[bank];
        needs[bank] = 0;
    }
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n) {
            const u32 number = operands->source[k] + n;
            if ((cached && reuse_hits(sm, core, slot, k, number)) || is_read_before(sm, core, slot, operands, k, number))
                continue;
            if (needs[bank_of(sm, number)]++ < window * MACHINE(sm, subcore_ports) &&
                !read_takes(sm, &reads[bank_of(sm, number)], window))
                return 0;
        }
    for (u32 bank = 0; bank < WS_SUB_BANKS; ++bank)
        core->reads[bank] = reads[bank];
    if (cached)
        reuse_changes(sm, core, slot, operands);
    return 1;
}

#endif
