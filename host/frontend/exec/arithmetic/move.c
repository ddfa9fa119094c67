/* Moves, selection, and generic addresses. */
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

WS_HANDLER(mov)
{
    slot[step->dst] = slot[step->a];
    return ws_next(step, slot, thread);
}

WS_HANDLER(selp)
{
    slot[step->dst] = slot[slot[step->c] ? step->a : step->b];
    return ws_next(step, slot, thread);
}

WS_HANDLER(cmov)
{
    const bool first = slot[step->c] != 0;
    const bool decision = first != ((step->op->flags & WS_OP_NOT_SOURCE) != 0);
    slot[step->dst] = slot[first ? step->a : step->b];
    if (thread->recorder && !ws_record_decision(thread->recorder, decision))
        return ws_stop(step, thread, WS_STOP_recording);
    return ws_next(step, slot, thread);
}

/* A subnormal that .ftz flushes is a zero, and both zeros are >= 0. */
WS_HANDLER(slct)
{
    const u64 value = slot[step->c];
    const struct ws_op *const op = step->op;
    const bool subnormal = op->flags & WS_OP_FTZ && fpclassify(ws_f32(value)) == FP_SUBNORMAL;
    const bool first = op->from == WS_TYPE_f32 ? subnormal || ws_f32(value) >= 0.0f : (s32)value >= 0;
    slot[step->dst] = slot[first ? step->a : step->b];
    return ws_next(step, slot, thread);
}

static u32 part_bits(const struct ws_op *op)
{
    return 8 * ws_value_bytes(op->type) / op->count;
}

/* The smaller values of a pack come lowest first. */
WS_HANDLER(pack)
{
    const struct ws_op *const op = step->op;
    const u32 bits = part_bits(op);
    u64 value = 0;
    for (u32 n = 0; n < op->count; n++)
        value |= (slot[op->src[n]] & (UINT64_MAX >> (64 - bits))) << (n * bits);
    slot[step->dst] = value;
    return ws_next(step, slot, thread);
}

WS_HANDLER(unpack)
{
    const struct ws_op *const op = step->op;
    const u32 bits = part_bits(op);
    const u64 value = slot[step->a];
    for (u32 n = 0; n < op->count; n++)
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = value >> (n * bits) & (UINT64_MAX >> (64 - bits));
    return ws_next(step, slot, thread);
}

static bool has_window(u32 space)
{
    return space == WS_SPACE_shared || space == WS_SPACE_local || space == WS_SPACE_parameter;
}

/* Start of a space within generic addresses; 0 for spaces whose addresses are generic. */
static u64 window_of(const struct ws_step *step, const struct ws_thread *thread)
{
    const u32 space = step->op->space;
    return has_window(space) ? ws_memory_window(thread->memory, space) : 0;
}

static u64 cut(const struct ws_step *step, u64 address)
{
    return step->op->type == WS_TYPE_u32 ? (u32)address : address;
}

WS_HANDLER(cvta)
{
    slot[step->dst] = cut(step, slot[step->a] + window_of(step, thread));
    return ws_next(step, slot, thread);
}

WS_HANDLER(cvta_to)
{
    slot[step->dst] = cut(step, slot[step->a] - window_of(step, thread));
    return ws_next(step, slot, thread);
}

WS_HANDLER(isspacep)
{
    const u64 address = slot[step->a], window = window_of(step, thread);
    if (has_window(step->op->space)) {
        slot[step->dst] = address - window < WS_WINDOW_BYTES;
        return ws_next(step, slot, thread);
    }
    const struct ws_range *const range = ws_memory_find(thread->memory, WS_SPACE_global, false, address, 1);
    slot[step->dst] = range && range->constant == (step->op->space == WS_SPACE_constant);
    return ws_next(step, slot, thread);
}

#define ROW(operation, type)                                                                                                       \
    {                                                                                                                              \
        WS_CODE(WS_OP_##operation, WS_TYPE_##type), operation, operation                                                           \
    }
#define WORDS(operation)   ROW(operation, pred), ROW(operation, u16), ROW(operation, u32), ROW(operation, u64)
#define NUMBERS(operation) ROW(operation, s16), ROW(operation, s32), ROW(operation, s64), ROW(operation, f32), ROW(operation, f64)
#define ANY(operation)     WORDS(operation), NUMBERS(operation)
const struct ws_handler_row ws_move_handlers[] = {
    ANY(mov),       ANY(selp),      ANY(cmov),         ANY(slct),         ANY(pack),           ANY(unpack),
    ROW(cvta, u32), ROW(cvta, u64), ROW(cvta_to, u32), ROW(cvta_to, u64), ROW(isspacep, none), {0, NULL, NULL},
};
