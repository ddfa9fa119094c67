/* Atomics. Threads run one after another, so a plain read and write is atomic. */
#include "frontend/exec/arithmetic/half.h"
#include "frontend/exec/arithmetic/modifiers.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/cluster.h"
#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"

/* An mbarrier (parse/mbarriers.c): threads arrive, some of which leave, and transactions are expected, or completed by a negative
 * number. The phase ends when no arrival and no transaction is missing. */
u64 ws_mbarrier_arrived(u64 word, u64 count, u64 leaving, u64 transactions)
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
    const bool shared = ws_memory_is_shared(thread->memory, step->range);
    const u32 flags = shared ? 0 : WS_OP_FTZ;
    const u32 new = (u32)ws_output_f32(ws_input_f32(old, flags) + ws_input_f32(slot[step->b], flags), flags);
    thread->changes += ws_changes(step, new != old);
    memcpy(at, &new, sizeof new);
    slot[step->dst] = old;
    return ws_next(step, slot, thread);
}

/* The new bits of an element of count halves or one f32 (PTX ISA, atom: the minimum and maximum of min and max). */
static u32 combined(const struct ws_op *op, u32 old, u64 given)
{
    u32 new = 0;
    if (op->type == WS_TYPE_f32)
        return (u32)ws_output_f32(ws_input_f32(old, WS_OP_FTZ) + ws_input_f32(given, WS_OP_FTZ), WS_OP_FTZ);
    for (u32 n = 0; n < ws_half_count(op->type); n++) {
        const double a = ws_half_value(old, n, op->type), b = ws_half_value(given, n, op->type);
        const double value = op->opcode == WS_OP_atom_min   ? ws_min_f64(a, b)
                             : op->opcode == WS_OP_atom_max ? ws_max_f64(a, b)
                                                            : ws_half_sum(a, b);
        new |= (u32)ws_half_bits(value, op->type, WS_ROUND_nearest, 0) << 16 * n;
    }
    return new;
}

/* Element by element; the elements are in global memory (PTX ISA, atom). */
struct ws_basic_block *ws_atom_vector(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const u32 bytes = ws_value_bytes(op->type);
    u8 *const at = ws_access(step, ws_address(step, slot), op->count * bytes, true, thread);
    if (!at)
        return NULL;
    for (u32 n = 0; n < op->count; n++) {
        u32 old = 0;
        memcpy(&old, at + n * bytes, bytes);
        const u32 new = combined(op, old, slot[op->src[1 + n]]);
        thread->changes += ws_changes(step, new != old);
        memcpy(at + n * bytes, &new, bytes);
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = old;
    }
    return ws_next(step, slot, thread);
}

/* exch and cas of 128 bits: the new value is src[1] and src[2]; of cas it is src[3] and src[4], if src[1] and src[2] are there. */
struct ws_basic_block *ws_atom_swap_pair(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    u64 old[2];
    u8 *const at = ws_access(step, ws_address(step, slot), sizeof old, true, thread);
    if (!at)
        return NULL;
    memcpy(old, at, sizeof old);
    const bool compares = op->opcode == WS_OP_atom_cas,
               writes = !compares || (old[0] == slot[op->src[1]] && old[1] == slot[op->src[2]]);
    const u16 *const from = op->src + (compares ? 3 : 1);
    const u64 new[2] = {slot[from[0]], slot[from[1]]};
    if (writes) {
        thread->changes += ws_changes(step, memcmp(new, old, sizeof new) != 0);
        memcpy(at, new, sizeof new);
    }
    for (u32 n = 0; n < 2; n++)
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = old[n];
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
