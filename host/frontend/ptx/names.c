#include "frontend/ptx/forms.h"

static const struct {
    u8 bytes;
    bool is_float, is_signed;
} executed_types[WS_TYPES] = {
    [WS_TYPE_none] = {0, false, false}, [WS_TYPE_pred] = {1, false, false}, [WS_TYPE_u8] = {1, false, false},
    [WS_TYPE_u16] = {2, false, false},  [WS_TYPE_u32] = {4, false, false},  [WS_TYPE_u64] = {8, false, false},
    [WS_TYPE_s8] = {1, false, true},    [WS_TYPE_s16] = {2, false, true},   [WS_TYPE_s32] = {4, false, true},
    [WS_TYPE_s64] = {8, false, true},   [WS_TYPE_f32] = {4, true, false},   [WS_TYPE_f64] = {8, true, false},
    [WS_TYPE_f16] = {2, true, false},   [WS_TYPE_bf16] = {2, true, false},  [WS_TYPE_f16x2] = {4, true, false},
    [WS_TYPE_bf16x2] = {4, true, false}};

u32 ws_type_bytes(enum ws_type type)
{
    return executed_types[type].bytes;
}

bool ws_type_is_float(enum ws_type type)
{
    return executed_types[type].is_float;
}

bool ws_type_is_signed(enum ws_type type)
{
    return executed_types[type].is_signed;
}

/* Classes that follow the type, beyond those of traces. */
enum { WS_CLASS_value = WS_CLASSES, WS_CLASS_heavy };

static const struct {
    const char *name;
    u8 class_, kind;
} opcodes[WS_OPCODES] = {
#define INTERNAL(operation, class__, kind_) [WS_OP_##operation] = {#operation, WS_CLASS_##class__, WS_KIND_##kind_},

#define OPCODE(operation, mnemonic_, types_, groups, operands_, class__, kind_) INTERNAL(operation, class__, kind_)
#include "frontend/ptx/opcodes.def"
};

const char *ws_opcode_name(enum ws_opcode opcode)
{
    return opcodes[opcode].name;
}

u8 ws_op_class(const struct ws_op *op)
{
    const u8 class_ = opcodes[op->opcode].class_;
    const enum ws_type type = (enum ws_type)(op->opcode == WS_OP_set ? op->from : op->type);
    if (class_ == WS_CLASS_heavy)
        return ws_type_is_float(type) ? WS_CLASS_sfu : WS_CLASS_int;
    if (class_ == WS_CLASS_value)
        return !ws_type_is_float(type) ? WS_CLASS_int : type == WS_TYPE_f64 ? WS_CLASS_fp64 : WS_CLASS_fp32;
    if (class_ == WS_CLASS_load && op->space == WS_SPACE_parameter)
        return WS_CLASS_int;
    return class_;
}

u8 ws_op_kind(const struct ws_op *op)
{
    return op->opcode == WS_OP_div && op->type == WS_TYPE_f64 ? WS_KIND_div_fp64 : opcodes[op->opcode].kind;
}
