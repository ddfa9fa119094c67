/* Loads, stores and atomics. */
#include <string.h>

#include "frontend/exec/memory/access.h"
#include "sass/exec/lower.h"

/* Sources of an access. */
enum { LOW = SASS_LOW, HIGH, BASE, BASE_HIGH, DATA };

static const struct size {
    u8 bytes, type; /* of one element */
    u8 count;
} sizes[] = {{1, WS_TYPE_u8, 1},  {1, WS_TYPE_s8, 1},  {2, WS_TYPE_u16, 1},  {2, WS_TYPE_s16, 1},
             {4, WS_TYPE_u32, 1}, {8, WS_TYPE_u32, 2}, {16, WS_TYPE_u32, 4}, {16, WS_TYPE_u32, 4}};

u32 sass_size(const struct ws_sass_instruction *in)
{
    if (in->row->does == WS_SASS_DOES_load_matrix)
        return 6;
    const bool late = in->row->does == WS_SASS_DOES_copy_async && in->architecture >= 100;
    return late ? 4 + sass_bits(in, 74, 2) : sass_bits(in, 73, 3);
}

#define LOAD(type, as)                                                                                                             \
    WS_HANDLER(load_##type)                                                                                                        \
    {                                                                                                                              \
        const u8 *const at = ws_access(step, sass_address(step, slot), sizeof(type), false, thread);                               \
        if (!at)                                                                                                                   \
            return NULL;                                                                                                           \
        type value;                                                                                                                \
        memcpy(&value, at, sizeof value);                                                                                          \
        const as extended = (as)value;                                                                                             \
        slot[step->dst] = (u32)extended;                                                                                           \
        return ws_next(step, slot, thread);                                                                                        \
    }                                                                                                                              \
    WS_HANDLER(load_plain_##type)                                                                                                  \
    {                                                                                                                              \
        const u8 *const at = ws_access(step, sass_pair(slot, step->a, step->b) + step->offset, sizeof(type), false, thread);       \
        if (!at)                                                                                                                   \
            return NULL;                                                                                                           \
        type value;                                                                                                                \
        memcpy(&value, at, sizeof value);                                                                                          \
        const as extended = (as)value;                                                                                             \
        slot[step->dst] = (u32)extended;                                                                                           \
        return ws_next(step, slot, thread);                                                                                        \
    }
LOAD(u8, u32)
LOAD(u16, u32)
LOAD(u32, u32)
LOAD(s8, s32)
LOAD(s16, s32)

WS_HANDLER(load_words)
{
    const struct ws_op *const op = step->op;
    const u8 *const at = ws_access(step, sass_address(step, slot), op->count * sizeof(u32), false, thread);
    if (!at)
        return NULL;
    u32 words[4];
    memcpy(words, at, op->count * sizeof(u32));
    for (u32 n = 0; n < op->count; n++)
        slot[op->dst[n]] = words[n];
    return ws_next(step, slot, thread);
}

static struct ws_basic_block *store_words(struct ws_step *step, u64 *slot, struct ws_thread *thread, const u32 words[4])
{
    const struct ws_op *const op = step->op;
    const u32 bytes = op->count * ws_value_bytes(op->type);
    u8 *const at = ws_access(step, sass_address(step, slot), bytes, true, thread);
    if (!at)
        return NULL;
    thread->changes += ws_changes(step, memcmp(at, words, bytes) != 0);
    memcpy(at, words, bytes);
    return ws_next(step, slot, thread);
}

WS_HANDLER(store)
{
    u32 words[4];
    for (u32 n = 0; n < step->op->count; n++)
        words[n] = (u32)slot[step->op->src[DATA + n]];
    return store_words(step, slot, thread, words);
}

WS_HANDLER(store_u32)
{
    const u32 value = (u32)slot[step->op->src[DATA]];
    u8 *const at = ws_access(step, sass_address(step, slot), sizeof value, true, thread);
    u32 old;
    if (!at)
        return NULL;
    memcpy(&old, at, sizeof old);
    thread->changes += ws_changes(step, old != value);
    memcpy(at, &value, sizeof value);
    return ws_next(step, slot, thread);
}

/* Stores zeros where the predicate, the source after the data, is false. */
WS_HANDLER(store_filled)
{
    const struct ws_op *const op = step->op;
    const bool holds = (slot[op->src[DATA + 4]] != 0) != ((op->flags & WS_OP_NOT_SOURCE) != 0);
    u32 words[4];
    for (u32 n = 0; n < op->count; n++)
        words[n] = holds ? (u32)slot[op->src[DATA + n]] : 0;
    return store_words(step, slot, thread, words);
}

/* ---- Addresses ---- */

static const struct ws_sass_operand *address_operand(const struct ws_sass_instruction *in, const struct ws_op *op)
{
    if (in->row->does == WS_SASS_DOES_copy_async)
        return ws_sass_operand(in, op->opcode == WS_OP_st ? 'Y' : 'Z');
    static const char letters[] = "gGHWmNYZS";
    const struct ws_sass_operand *found = NULL;
    for (u32 n = 0; letters[n] && !found; n++)
        found = ws_sass_operand(in, letters[n]);
    return found;
}

static u16 register_slot(struct lowering *lowering, enum ws_sass_file file, u32 number, u32 word)
{
    return number == WS_SASS_ZERO ? sass_value(lowering, 0) : sass_register(lowering, file, number + word);
}

/* Sets the sources of the address. *scale: factor of the register; 0: a 64-bit address. */
static void put_address(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, u64 *scale)
{
    const struct ws_sass_operand *const address = address_operand(in, op);
    const bool global = strchr("gGHWZ", address->letter);
    const bool based = address->uniform != WS_SASS_ZERO && !address->descriptor;
    op->src[LOW] = register_slot(lowering, WS_SASS_R, address->number, 0);
    op->src[HIGH] = global && address->wide ? register_slot(lowering, WS_SASS_R, address->number, 1) : sass_value(lowering, 0);
    op->src[BASE] = register_slot(lowering, WS_SASS_UR, based ? address->uniform : WS_SASS_ZERO, 0);
    op->src[BASE_HIGH] = register_slot(lowering, WS_SASS_UR, based && global ? address->uniform : WS_SASS_ZERO, 1);
    op->offset = (i32)address->value;
    op->space = address->letter == 'Y' ? WS_SPACE_shared : in->row->space == WS_SPACE_none ? WS_SPACE_generic : in->row->space;
    *scale = global ? 0 : address->scale;
}

static bool is_narrow(const struct ws_sass_instruction *in)
{
    return in->row->space != WS_SPACE_shared && in->row->space != WS_SPACE_local && in->row->does != WS_SASS_DOES_copy_async &&
           !sass_bits(in, 72, 1);
}

enum ws_status sass_access(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, ws_handler *run)
{
    u64 scale;
    if (is_narrow(in))
        return sass_refuse(lowering, "a 32-bit address of global or generic memory");
    put_address(lowering, in, op, &scale);
    struct sass_op *const own = sass_does(lowering, op, run);
    if (!own)
        return sass_no_memory(lowering);
    own->value = scale;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_load(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static ws_handler *const runs[] = {load_u8, load_s8, load_u16, load_s16, load_u32, load_words, load_words, load_words};
    static ws_handler *const plain_runs[] = {load_plain_u8,  load_plain_s8, load_plain_u16, load_plain_s16,
                                             load_plain_u32, load_words,    load_words,     load_words};
    const u32 size = sass_bits(in, 73, 3);
    const struct ws_sass_operand *const address = address_operand(in, op), *const failed = ws_sass_operand(in, 'p');
    const bool plain = address->wide && (address->uniform == WS_SASS_ZERO || address->descriptor);
    if (failed && failed->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "a load with a predicate result");
    op->opcode = WS_OP_ld;
    op->type = sizes[size].type;
    op->count = sizes[size].count;
    for (u32 n = 0; n < op->count; n++)
        op->dst[n] = sass_result(lowering, in, 'd', n);
    return sass_access(lowering, in, op, plain ? plain_runs[size] : runs[size]);
}

enum ws_status sass_lower_store(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 size = sass_bits(in, 73, 3);
    op->opcode = WS_OP_st;
    op->type = sizes[size].type;
    op->count = sizes[size].count;
    for (u32 n = 0; n < op->count; n++)
        op->src[DATA + n] = sass_source(lowering, in, ws_sass_operand(in, 'r') ? 'r' : 's', n);
    return sass_access(lowering, in, op, op->type == WS_TYPE_u32 && op->count == 1 ? store_u32 : store);
}

enum ws_status sass_load_words(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct size *const size = &sizes[sass_size(in)];
    op->opcode = WS_OP_ld;
    op->type = size->type;
    op->count = size->count;
    return sass_access(lowering, in, op, load_words);
}

enum ws_status sass_store_words(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct size *const size = &sizes[sass_size(in)];
    op->opcode = WS_OP_st;
    op->type = size->type;
    op->count = size->count;
    op->src[DATA + 4] = sass_source(lowering, in, 'P', 0);
    op->flags |= sass_modified(in, 'P') & 1 ? WS_OP_NOT_SOURCE : 0;
    return sass_access(lowering, in, op, store_filled);
}

/* ---- Constant banks ---- */

enum { CONSTANT_BANK = 3 };

/* The bytes at an offset of a bank, and their address in the trace, where banks are 64 KB apart. OpenCL's pointers to constant
 * memory are offsets in bank 3: the lower half of the address of a buffer or variable. */
static const u8 *bank_at(const struct ws_memory *memory, u32 number, u32 offset, u32 bytes, u64 *recorded)
{
    const struct ws_range *const bank = &memory->banks[number];
    *recorded = (u64)number << 16 | offset;
    if (offset < bank->bytes && bytes <= bank->bytes - offset)
        return bank->host + offset;
    for (u32 n = 0; number == CONSTANT_BANK && n < memory->count; n++) {
        const struct ws_range *const range = &memory->constants[n];
        const u32 inside = offset - (u32)range->base;
        *recorded = range->recorded + inside;
        if (inside < range->bytes && bytes <= range->bytes - inside)
            return range->host + inside;
    }
    return NULL;
}

WS_HANDLER(load_bank)
{
    const struct ws_op *const op = step->op;
    const struct sass_op *const own = sass_own(step);
    const u32 element = ws_value_bytes(op->type), bytes = element * op->count;
    const u32 offset = (u32)slot[step->a] + (u32)step->offset;
    u32 words[4] = {0};
    u64 recorded;
    const u8 *const at = bank_at(thread->memory, (u32)own->value, offset, bytes, &recorded);
    if (offset % bytes || !at) {
        thread->address = offset;
        return ws_stop(step, thread, offset % bytes ? WS_STOP_misaligned : WS_STOP_outside);
    }
    if (thread->recorder && op->space == WS_SPACE_constant && !ws_record_access(thread->recorder, recorded))
        return ws_stop(step, thread, WS_STOP_recording);
    memcpy(words, at, bytes);
    if (op->type == WS_TYPE_s8)
        words[0] = (u32)(s32)(s8)words[0];
    if (op->type == WS_TYPE_s16)
        words[0] = (u32)(s32)(s16)words[0];
    for (u32 n = 0; n < op->count; n++)
        slot[op->dst[n]] = words[n];
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_ldc(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *from = NULL;
    for (const char *letter = "KVv"; *letter && !from; letter++)
        from = ws_sass_operand(in, *letter);
    const u32 size = sass_bits(in, 73, 3);
    const char to = ws_sass_operand(in, 'd') ? 'd' : 'D';
    const struct ws_sass_operand *const index = ws_sass_operand(in, 'f');
    if (from->letter == 'K' && sass_bits(in, 78, 2))
        return sass_refuse(lowering, "LDC with an index mode");
    op->opcode = WS_OP_ld;
    op->type = sizes[size].type;
    op->count = sizes[size].count;
    op->offset = index ? (i32)(s16)from->value : (i32)from->value;
    op->space = in->row->space;
    for (u32 n = 0; n < op->count; n++)
        op->dst[n] = sass_result(lowering, in, to, n);
    op->src[0] = index ? sass_source(lowering, in, 'f', 0)
                       : register_slot(lowering, from->letter == 'K' ? WS_SASS_R : WS_SASS_UR, from->number, 0);
    struct sass_op *const own = sass_does(lowering, op, load_bank);
    if (!own)
        return sass_no_memory(lowering);
    own->value = from->bank;
    return from->bank < WS_BANKS ? WS_STATUS_ok : sass_refuse(lowering, "an unknown constant bank");
}

/* ---- Atomics: those of PTX ---- */

/* Further result of an atomic (op->count): whether it exchanged, returned instead of the old value; or whether it was done, which
 * is true in global memory only. */
enum { SAYS_NOTHING, SAYS_EXCHANGED, SAYS_DONE };

static bool is_within(const struct ws_thread *thread, u64 address, u32 space)
{
    return address - ws_memory_window(thread->memory, space) < WS_WINDOW_BYTES;
}

WS_HANDLER(atomic)
{
    const struct ws_op *const op = step->op;
    const bool wide = ws_value_bytes(op->type) == 8;
    const u64 b = wide ? sass_pair(slot, op->src[DATA], op->src[DATA + 1]) : (u32)slot[op->src[DATA]];
    const u64 c = wide ? sass_pair(slot, op->src[DATA + 2], op->src[DATA + 3]) : (u32)slot[op->src[DATA + 2]];
    const u64 address = sass_address(step, slot);
    bool good = true;
    if (op->count == SAYS_DONE && (is_within(thread, address, WS_SPACE_shared) || is_within(thread, address, WS_SPACE_local))) {
        slot[op->dst[2]] = 0;
        return ws_next(step, slot, thread);
    }
    const u64 old = sass_call(step, address, b, c, thread, &good);
    if (!good)
        return NULL;
    const bool exchanged = op->count == SAYS_EXCHANGED;
    slot[step->dst] = exchanged ? old == b : (u32)old;
    if (wide)
        slot[op->dst[1]] = exchanged ? 0 : old >> 32;
    slot[op->dst[2]] = exchanged ? old == b : 1;
    return ws_next(step, slot, thread);
}

static enum ws_status atomic_op(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, u8 opcode,
                                u8 type)
{
    op->type = type;
    op->dst[0] = sass_result(lowering, in, 'd', 0);
    op->dst[1] = sass_result(lowering, in, 'd', 1);
    op->dst[2] = sass_result(lowering, in, 'p', 0);
    if (in->row->space == WS_SPACE_none && op->dst[2] != lowering->unused)
        op->count = SAYS_DONE;
    op->src[DATA] = opcode == WS_OP_atom_inc && !ws_sass_operand(in, 'r') ? sass_value(lowering, UINT32_MAX)
                                                                          : sass_source(lowering, in, 'r', 0);
    op->src[DATA + 1] = sass_source(lowering, in, 'r', 1);
    op->src[DATA + 2] = sass_source(lowering, in, 's', 0);
    op->src[DATA + 3] = sass_source(lowering, in, 's', 1);
    WS_TRY(sass_access(lowering, in, op, atomic));
    struct sass_op *const own = lowering->own;
    own->inner = (struct ws_op){.opcode = opcode, .type = type, .space = op->space, .line = op->line};
    op->opcode = opcode;
    own->call = sass_handler_of(&own->inner);
    return own->call ? WS_STATUS_ok : sass_refuse(lowering, "an atomic of this operation and type");
}

static const u8 operations[] = {WS_OP_atom_add, WS_OP_atom_min, WS_OP_atom_max, WS_OP_atom_inc, WS_OP_atom_dec,
                                WS_OP_atom_and, WS_OP_atom_or,  WS_OP_atom_xor, WS_OP_atom_exch};

/* Types of operations without a sign are unsigned. */
static u8 type_for(u8 opcode, u8 type)
{
    const bool typed = opcode == WS_OP_atom_min || opcode == WS_OP_atom_max;
    if (typed || (opcode == WS_OP_atom_add && type >= WS_TYPE_f32))
        return type;
    return type == WS_TYPE_s64 || type == WS_TYPE_u64 ? WS_TYPE_u64 : WS_TYPE_u32;
}

static u8 type_of(const struct ws_sass_instruction *in)
{
    static const u8 old[] = {WS_TYPE_u32,   WS_TYPE_s32, WS_TYPE_u64, WS_TYPE_f32,
                             WS_TYPE_f16x2, WS_TYPE_s64, WS_TYPE_f64, WS_TYPE_none};
    static const u8 new[] = {WS_TYPE_u32,  WS_TYPE_s32,  WS_TYPE_u64,  WS_TYPE_s64,
                             WS_TYPE_none, WS_TYPE_none, WS_TYPE_none, WS_TYPE_none};
    return (in->architecture >= 90 && in->row->space != WS_SPACE_shared ? new : old)[sass_bits(in, 73, 3)];
}

enum ws_status sass_lower_atom(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u8 type = type_of(in);
    const u32 which = sass_bits(in, 87, ws_sass_operand(in, 'd') ? 4 : 3);
    if (type == WS_TYPE_none)
        return sass_refuse(lowering, "an atomic of this type");
    return atomic_op(lowering, in, op, operations[which], type_for(operations[which], type));
}

enum ws_status sass_lower_atom_real(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    enum { SINGLE = 9 };
    return atomic_op(lowering, in, op, WS_OP_atom_add, sass_bits(in, 73, 4) == SINGLE ? WS_TYPE_f32 : WS_TYPE_f64);
}

enum ws_status sass_lower_cas(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u8 type = type_of(in) == WS_TYPE_u64 ? WS_TYPE_u64 : WS_TYPE_u32;
    if (in->row->space == WS_SPACE_shared && sass_bits(in, 87, 2))
        op->count = SAYS_EXCHANGED;
    return atomic_op(lowering, in, op, WS_OP_atom_cas, type);
}

enum ws_status sass_lower_popc_inc(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return atomic_op(lowering, in, op, WS_OP_atom_inc, WS_TYPE_u32);
}

/* ---- Spaces ---- */

enum { ASKS_GLOBAL, ASKS_LOCAL, ASKS_SHARED };

WS_HANDLER(qspc)
{
    const u64 address = sass_address(step, slot), what = (u64)step->op->mode;
    const bool shared = is_within(thread, address, WS_SPACE_shared), local = is_within(thread, address, WS_SPACE_local);
    slot[step->dst] = what == ASKS_SHARED ? shared : what == ASKS_LOCAL ? local : !shared && !local;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_qspc(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->mode = (u8)sass_bits(in, 73, 2);
    WS_TRY(sass_access(lowering, in, op, qspc));
    op->dst[0] = sass_result(lowering, in, 'p', 0);
    op->space = 0;
    return WS_STATUS_ok;
}

/* ---- Addresses of code ---- */

WS_HANDLER(lepc)
{
    sass_put_pair(slot, step->dst, step->op->dst[1], sass_own(step)->value);
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_lepc(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    WS_TRY(sass_handles(lowering, in, op, lepc, "dd1", ""));
    const struct ws_sass_operand *const target = ws_sass_operand(in, 'T');
    lowering->own->value = target ? (u64)target->value : in->offset;
    return WS_STATUS_ok;
}
