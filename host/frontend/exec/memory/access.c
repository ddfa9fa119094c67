/* Loads and stores. */
#include <string.h>

#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"
#include "frontend/exec/memory/beyond.h"

/* A store to a buffer: notes that, or refuses it to one of several cores if the first block has not written there. */
static bool may_write(const struct ws_range *range, const struct ws_thread *thread)
{
    const struct ws_memory *const memory = thread->memory;
    if (range < memory->ranges || range >= memory->ranges + memory->count)
        return true;
    if (!thread->parallel)
        memory->ranges[range - memory->ranges].written = true;
    return !thread->parallel || range->marks;
}

u8 *ws_locate_anew(struct ws_step *step, u64 address, u64 bytes, bool writes, struct ws_thread *thread)
{
    const u32 space = step->op->space;
    if (space == WS_SPACE_shared || space == WS_SPACE_local)
        address = (u32)address; /* [%r + 8] of a negative register */
    const struct ws_range *const range = ws_memory_find(thread->memory, space, writes, address, bytes);
    const bool misaligned = (address & (bytes - 1)) != 0;
    if (range && !misaligned) {
        if (writes && !may_write(range, thread)) {
            ws_stop(step, thread, WS_STOP_dependence);
            return NULL;
        }
        step->range = range;
        return ws_range_at(range, address, bytes);
    }
    const bool read_only = writes && !range && ws_memory_find(thread->memory, space, false, address, bytes);
    u8 *const nothing = misaligned || read_only ? NULL : ws_beyond(step, address, bytes, writes, thread);
    if (nothing)
        return nothing;
    thread->address = address;
    ws_stop(step, thread, misaligned ? WS_STOP_misaligned : read_only ? WS_STOP_read_only : WS_STOP_outside);
    return NULL;
}

#define LOAD(type, mask)                                                                                                           \
    WS_HANDLER(ld_##type)                                                                                                          \
    {                                                                                                                              \
        const u8 *const at = ws_access(step, ws_address(step, slot), sizeof(type), false, thread);                                 \
        if (!at)                                                                                                                   \
            return NULL;                                                                                                           \
        type value;                                                                                                                \
        memcpy(&value, at, sizeof value);                                                                                          \
        slot[step->dst] = (u64)value & (mask);                                                                                     \
        return ws_next(step, slot, thread);                                                                                        \
    }
LOAD(u8, UINT64_MAX)
LOAD(u16, UINT64_MAX)
LOAD(u32, UINT64_MAX)
LOAD(u64, UINT64_MAX)
LOAD(s8, ws_register_mask(step->op))
LOAD(s16, ws_register_mask(step->op))
LOAD(s32, ws_register_mask(step->op))

#define STORE(type)                                                                                                                \
    WS_HANDLER(st_##type)                                                                                                          \
    {                                                                                                                              \
        u8 *const at = ws_access(step, ws_address(step, slot), sizeof(type), true, thread);                                        \
        if (!at)                                                                                                                   \
            return NULL;                                                                                                           \
        const type value = (type)slot[step->b];                                                                                    \
        type old;                                                                                                                  \
        memcpy(&old, at, sizeof old);                                                                                              \
        thread->changes += ws_changes(step, old != value);                                                                         \
        memcpy(at, &value, sizeof value);                                                                                          \
        return ws_next(step, slot, thread);                                                                                        \
    }
STORE(u8)
STORE(u16)
STORE(u32)
STORE(u64)

/* The register contents of an element. */
static u64 element_at(const u8 *at, const struct ws_op *op)
{
    u64 bits = 0;
    memcpy(&bits, at, ws_value_bytes(op->type));
    switch (op->type) {
    case WS_TYPE_s8:
        return WS_EXTENDED(s8, bits) & ws_register_mask(op);
    case WS_TYPE_s16:
        return WS_EXTENDED(s16, bits) & ws_register_mask(op);
    case WS_TYPE_s32:
        return WS_EXTENDED(s32, bits) & ws_register_mask(op);
    default:
        return bits;
    }
}

static void load_elements(const u8 *at, const struct ws_op *op, u64 *slot)
{
    const u32 bytes = ws_value_bytes(op->type);
    for (u32 n = 0; n < op->count; n++)
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = element_at(at + n * bytes, op);
}

WS_HANDLER(ld_vector)
{
    const u64 bytes = (u64)ws_value_bytes(step->op->type) * step->op->count;
    const u8 *const at = ws_access(step, ws_address(step, slot), bytes, false, thread);
    if (!at)
        return NULL;
    load_elements(at, step->op, slot);
    return ws_next(step, slot, thread);
}

/* To the trace, parameters are operands, not memory accesses. */
WS_HANDLER(ld_parameter)
{
    const u64 bytes = (u64)ws_value_bytes(step->op->type) * step->op->count;
    const u8 *const at = ws_locate(step, ws_address(step, slot), bytes, false, thread);
    if (!at)
        return NULL;
    load_elements(at, step->op, slot);
    return ws_next(step, slot, thread);
}

WS_HANDLER(st_vector)
{
    const struct ws_op *const op = step->op;
    const u32 bytes = ws_value_bytes(op->type);
    u8 *const at = ws_access(step, ws_address(step, slot), (u64)bytes * op->count, true, thread);
    if (!at)
        return NULL;
    for (u32 n = 0; n < op->count; n++) {
        thread->changes += ws_changes(step, memcmp(at + n * bytes, &slot[op->src[1 + n]], bytes) != 0);
        memcpy(at + n * bytes, &slot[op->src[1 + n]], bytes);
    }
    return ws_next(step, slot, thread);
}

/* ---- Copies that read fewer bytes than they write ---- */

enum { WORD = 4, MOST_COPIED = 16 };

static u32 copied_bytes(const struct ws_op *op)
{
    return (u32)WORD * op->count;
}

/* Bytes that are read; more than all are all. */
static u32 given_bytes(const struct ws_op *op, const u64 *slot)
{
    return ws_min((u32)slot[op->src[WS_COPY_GIVEN]], copied_bytes(op));
}

/* One access, as aligned as that of a whole copy. */
WS_HANDLER(ld_part)
{
    const u32 given = (given_bytes(step->op, slot) + WORD - 1) / WORD * WORD;
    const u64 address = ws_address(step, slot);
    u8 bytes[MOST_COPIED] = {0};
    if (address & (copied_bytes(step->op) - 1)) {
        thread->address = address;
        return ws_stop(step, thread, WS_STOP_misaligned);
    }
    const u8 *const at = ws_access(step, address, given, false, thread);
    if (!at)
        return NULL;
    memcpy(bytes, at, given);
    load_elements(bytes, step->op, slot);
    return ws_next(step, slot, thread);
}

/* The low bytes of a word. */
static u32 cut_word(u32 word, u32 bytes)
{
    return bytes < WORD ? word & ((1u << 8 * bytes) - 1) : word;
}

WS_HANDLER(st_part)
{
    const struct ws_op *const op = step->op;
    u8 *const at = ws_access(step, ws_address(step, slot), copied_bytes(op), true, thread);
    u32 left = given_bytes(op, slot);
    if (!at)
        return NULL;
    for (u32 n = 0; n < op->count; n++) {
        const u32 word = cut_word((u32)slot[op->src[1 + n]], left);
        thread->changes += ws_changes(step, memcmp(at + n * WORD, &word, WORD) != 0);
        memcpy(at + n * WORD, &word, WORD);
        left -= ws_min(left, WORD);
    }
    return ws_next(step, slot, thread);
}

ws_handler *ws_access_handler(const struct ws_op *op)
{
    static ws_handler *const loads[WS_TYPES] = {
        [WS_TYPE_u8] = ld_u8,   [WS_TYPE_u16] = ld_u16, [WS_TYPE_u32] = ld_u32, [WS_TYPE_u64] = ld_u64, [WS_TYPE_s8] = ld_s8,
        [WS_TYPE_s16] = ld_s16, [WS_TYPE_s32] = ld_s32, [WS_TYPE_s64] = ld_u64, [WS_TYPE_f32] = ld_u32, [WS_TYPE_f64] = ld_u64};
    static ws_handler *const stores[] = {[1] = st_u8, [2] = st_u16, [4] = st_u32, [8] = st_u64};
    if (op->type >= WS_TYPES || !loads[op->type])
        return NULL;
    if (op->access & WS_ACCESS_PART)
        return op->opcode == WS_OP_st ? st_part : ld_part;
    if (op->opcode == WS_OP_st)
        return op->count > 1 ? st_vector : stores[ws_value_bytes(op->type)];
    if (op->space == WS_SPACE_parameter)
        return ld_parameter;
    return op->count > 1 ? ld_vector : loads[op->type];
}
