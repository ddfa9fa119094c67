/* Atomics. Threads run one after another, so a plain read and write is atomic. */
#include "frontend/exec/arithmetic/half.h"
#include "frontend/exec/arithmetic/modifiers.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"

/* An mbarrier (parse/mbarriers.c): threads arrive, some of which leave, and transactions are expected, or completed by a negative
 * number. The phase ends when no arrival and no transaction is missing. */
static u64 arrived(u64 word, u64 count, u64 leaving, u64 transactions)
{
    enum { EXPECTED = 20, TRANSACTIONS = 40, PHASE = 61 };
    const u64 mask = (1 << EXPECTED) - 1, pending = (1 << (PHASE - TRANSACTIONS)) - 1;
    const u64 missing = (word - count) & mask, expected = ((word >> EXPECTED) - leaving) & mask;
    const u64 bytes = ((word >> TRANSACTIONS) + transactions) & pending;
    const bool ends = missing == 0 && bytes == 0;
    return ((word >> PHASE) + ends) << PHASE | bytes << TRANSACTIONS | expected << EXPECTED | (ends ? expected : missing);
}

#define ATOMIC(operation, type, expression)                                                                                        \
    WS_HANDLER(operation##_##type)                                                                                                 \
    {                                                                                                                              \
        u8 *const at = ws_access(step, ws_address(step, slot), sizeof(type), true, thread);                                        \
        if (!at)                                                                                                                   \
            return NULL;                                                                                                           \
        const type b = (type)slot[step->b], c = (type)slot[step->c];                                                               \
        (void)b, (void)c;                                                                                                          \
        type old;                                                                                                                  \
        memcpy(&old, at, sizeof old);                                                                                              \
        const type new = (type)(expression);                                                                                       \
        thread->changes += ws_changes(step, new != old);                                                                           \
        memcpy(at, &new, sizeof new);                                                                                              \
        slot[step->dst] = (u64)old & WS_MASK_OF(type);                                                                             \
        return ws_next(step, slot, thread);                                                                                        \
    }
#include "frontend/exec/memory/atomic.def"
#undef ATOMIC

/* Single-precision addition flushes subnormals, except in shared memory (PTX ISA, atom). */
WS_HANDLER(atom_add_f32)
{
    u8 *const at = ws_access(step, ws_address(step, slot), sizeof(f32), true, thread);
    if (!at)
        return NULL;
    u32 old;
    memcpy(&old, at, sizeof old);
    const struct ws_memory *const memory = thread->memory;
    const bool shared = step->range == &memory->shared || step->range == &memory->shared_window;
    const u32 flags = shared ? 0 : WS_OP_FTZ;
    const u32 new = (u32)ws_output_f32(ws_input_f32(old, flags) + ws_input_f32(slot[step->b], flags), flags);
    thread->changes += ws_changes(step, new != old);
    memcpy(at, &new, sizeof new);
    slot[step->dst] = old;
    return ws_next(step, slot, thread);
}

/* Element by element; the elements are in global memory (PTX ISA, atom). */
struct ws_basic_block *ws_atom_add_vector(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    u8 *const at = ws_access(step, ws_address(step, slot), op->count * sizeof(f32), true, thread);
    if (!at)
        return NULL;
    for (u32 n = 0; n < op->count; n++) {
        u32 old;
        memcpy(&old, at + n * sizeof old, sizeof old);
        const u32 new = (u32)ws_output_f32(ws_input_f32(old, WS_OP_FTZ) + ws_input_f32(slot[op->src[1 + n]], WS_OP_FTZ), WS_OP_FTZ);
        thread->changes += ws_changes(step, new != old);
        memcpy(at + n * sizeof new, &new, sizeof new);
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = old;
    }
    return ws_next(step, slot, thread);
}

/* One number or two. */
WS_HANDLER(atom_add_half)
{
    const struct ws_op *const op = step->op;
    const u32 bytes = ws_value_bytes(op->type);
    u8 *const at = ws_access(step, ws_address(step, slot), bytes, true, thread);
    if (!at)
        return NULL;
    u32 old = 0, new = 0;
    memcpy(&old, at, bytes);
    for (u32 n = 0; n < ws_half_count(op->type); n++) {
        const double sum = ws_half_sum(ws_half_value(old, n, op->type), ws_half_value(slot[step->b], n, op->type));
        new |= (u32)ws_half_bits(sum, op->type, WS_ROUND_nearest, 0) << 16 * n;
    }
    thread->changes += ws_changes(step, new != old);
    memcpy(at, &new, bytes);
    slot[step->dst] = old;
    return ws_next(step, slot, thread);
}

WS_HANDLER(atom_add_f64)
{
    u8 *const at = ws_access(step, ws_address(step, slot), sizeof(f64), true, thread);
    if (!at)
        return NULL;
    u64 old;
    memcpy(&old, at, sizeof old);
    const u64 new = ws_bits_f64(ws_f64(old) + ws_f64(slot[step->b]));
    thread->changes += ws_changes(step, new != old);
    memcpy(at, &new, sizeof new);
    slot[step->dst] = old;
    return ws_next(step, slot, thread);
}

#define ATOMIC(operation, type, expression) {WS_CODE(WS_OP_##operation, WS_TYPE_##type), operation##_##type, NULL},
const struct ws_handler_row ws_atomic_handlers[] = {
#include "frontend/exec/memory/atomic.def"
    {WS_CODE(WS_OP_atom_add, WS_TYPE_f32), atom_add_f32, NULL},
    {WS_CODE(WS_OP_atom_add, WS_TYPE_f64), atom_add_f64, NULL},
    {WS_CODE(WS_OP_atom_add, WS_TYPE_f16), atom_add_half, NULL},
    {WS_CODE(WS_OP_atom_add, WS_TYPE_bf16), atom_add_half, NULL},
    {WS_CODE(WS_OP_atom_add, WS_TYPE_f16x2), atom_add_half, NULL},
    {WS_CODE(WS_OP_atom_add, WS_TYPE_bf16x2), atom_add_half, NULL},
    {0, NULL, NULL}};
