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

/* ---- Reads of a fixed instruction ---- */

/* Whether a register of a source is one of an earlier source. */
static inline u32 is_read_before(GLOBAL const struct ws_operands *operands, u32 k, u32 number)
{
    u32 before = 0;
    for (u32 earlier = 0; earlier < k; ++earlier)
        before |= number - operands->source[earlier] < operands->words[earlier];
    return before;
}

/* Registers of each bank that the instruction reads, a byte each, while the cache is empty. */
static inline u32 registers_needed(PRIVATE const struct sm *sm, GLOBAL const struct ws_operands *operands)
{
    u32 needs = 0;
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n) {
            const u32 number = operands->source[k] + n;
            needs += (u32)!is_read_before(operands, k, number) << 8 * bank_of(sm, number);
        }
    return needs;
}

/* The same with the cache, in which the instruction's look-ups take effect. A register that misses at one place and hits at others
 * is read once. */
static inline u32 registers_missed(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot,
                                   GLOBAL const struct ws_operands *operands)
{
    u32 hits = 0, needs = 0;
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n) {
            const u32 number = operands->source[k] + n;
            u32 has = reuse_hits(sm, core, slot, k, number);
            hits += has;
            for (u32 earlier = 0; earlier < k; ++earlier)
                has |=
                    number - operands->source[earlier] < operands->words[earlier] && !reuse_hits(sm, core, slot, earlier, number);
            needs += (u32)!has << 8 * bank_of(sm, number);
        }
    for (u32 k = 0; k < WS_SUB_SLOTS; ++k)
        for (u32 n = 0; n < operands->words[k]; ++n) {
            const u32 number = operands->source[k] + n, keeps = WS_CONTROL_REUSE(operands->control) >> k & 1;
            core->reuse_slot[bank_of(sm, number)][k] = (u16)(keeps ? slot << 8 | number : WS_NO_REUSE);
            core->reuse_kept |= (u8)keeps;
        }
    count(sm, WS_COUNT_reuse_hits, hits);
    return needs;
}

/* First cycle, from this one on, in which an instruction that leaves Allocate in a cycle may read. */
static inline u32 reads_later(PRIVATE const struct sm *sm, u32 at)
{
    return at + 1 - sm->now;
}

/* Ports of a bank that are free in so many cycles, from a later one on; one for each port and cycle. */
static inline u32 reads_free(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core, u32 bank, u32 later, u32 window)
{
    u32 free = 0;
    for (u32 port = 0; port < MACHINE(sm, subcore_ports); ++port)
        free += ws_popcount(~core->reads[bank][port] >> later & ws_bits_below(window));
    return free;
}

/* Takes a port of a bank in the first of so many cycles, from a later one on. There is one. */
static inline void read_takes(PRIVATE const struct sm *sm, GLOBAL struct ws_subcore *core, u32 bank, u32 later, u32 window)
{
    const u32 free = ~core->reads[bank][MACHINE(sm, subcore_ports) - 1] >> later & ws_bits_below(window);
    const u32 cycle = ws_bit(ws_ctz(free) + later);
    u32 port = 0;
    while (core->reads[bank][port] & cycle)
        ++port;
    core->reads[bank][port] |= cycle;
}

/* Registers of a bank that need ports ([rf.most]). */
static inline u32 needs_of_bank(PRIVATE const struct sm *sm, u32 needs, u32 bank, u32 window)
{
    return ws_min(needs >> 8 * bank & 0xFF, window * MACHINE(sm, subcore_ports));
}

/* Whether all banks have as many ports as needed in so many cycles, from a later one on. */
static inline u32 reads_fit(PRIVATE const struct sm *sm, GLOBAL const struct ws_subcore *core, u32 needs, u32 later, u32 window)
{
    u32 fit = 1;
    for (u32 bank = 0; bank < MACHINE(sm, subcore_banks); ++bank)
        fit &= reads_free(sm, core, bank, later, window) >= needs_of_bank(sm, needs, bank, window);
    return fit;
}

/* When the instruction leaves Allocate, in a cycle from the given one on; it takes read ports for its sources. Earlier ones have
 * taken ports in the next 15 cycles at most, so that it leaves in one of the next 16 and takes ports in the next 24. */
static inline u32 allocated_at(PRIVATE struct sm *sm, GLOBAL struct ws_subcore *core, u32 slot,
                               GLOBAL const struct ws_operands *operands, u32 from)
{
    const u32 looks = looks_up(sm, operands) && (core->reuse_kept | WS_CONTROL_REUSE(operands->control)) != 0;
    const u32 needs = looks ? registers_missed(sm, core, slot, operands) : registers_needed(sm, operands);
    const u32 window = MACHINE(sm, subcore_window) << (operands->unit == WS_SUB_TENSOR);
    u32 at = from;
    reads_advance(sm, core);
    while (!reads_fit(sm, core, needs, reads_later(sm, at), window))
        ++at;
    for (u32 bank = 0; bank < MACHINE(sm, subcore_banks); ++bank)
        for (u32 n = needs_of_bank(sm, needs, bank, window); n > 0; --n)
            read_takes(sm, core, bank, reads_later(sm, at), window);
    count(sm, WS_COUNT_register_stalls, at - from);
    return at;
}

#endif
