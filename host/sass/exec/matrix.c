/* Matrix products, with the layout of PTX in the registers of a warp. A load of matrices (LDSM) is two operations: each lane that
 * names a row loads it, then the lanes exchange words. A copy from global to shared memory (LDGSTS) is a load and a store; it
 * stores zeros where its predicate is false. */
#include <string.h>

#include "frontend/ptx/matrix.h"
#include "sass/exec/lower.h"

enum { MEMBERS = WS_OP_SOURCES - 1, ROWS = 8 };

static bool find_shape(const char *name, u8 *shape)
{
    for (*shape = 0; *shape < WS_MATRIX_SHAPES; ++*shape)
        if (strcmp(ws_matrix_shapes[*shape].name, name) == 0)
            return true;
    return false;
}

static enum ws_status product(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, const char *shape)
{
    op->opcode = WS_OP_mma;
    if (op->guard != WS_SLOT_NONE || !shape || !find_shape(shape, &op->shape))
        return sass_refuse(lowering, "a matrix product of an unknown shape, or with a guard");
    const u32 a = ws_matrix_registers_a(op), b = ws_matrix_registers_b(op), c = ws_matrix_registers_c(op);
    for (u32 n = 0; n < a; n++)
        op->src[n] = sass_source(lowering, in, 'A', n);
    for (u32 n = 0; n < b; n++)
        op->src[a + n] = sass_source(lowering, in, 'r', n);
    for (u32 n = 0; n < c; n++) {
        op->src[a + b + n] = sass_source(lowering, in, 's', n);
        op->dst[n] = sass_result(lowering, in, 'd', n);
    }
    op->src[MEMBERS] = sass_value(lowering, UINT32_MAX);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_hmma(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const u8 types[] = {WS_TYPE_f16, WS_TYPE_bf16, WS_TYPE_f32, WS_TYPE_none};
    static const char *const halves[] = {"m16n8k8", "m16n8k16", NULL, NULL}, *const singles[] = {"m16n8k8", NULL, "m16n8k4", NULL};
    const u32 type = sass_bits(in, 82, 2), size = sass_bits(in, 75, 1) | sass_bits(in, 78, 1) << 1;
    op->type = sass_bits(in, 76, 1) ? WS_TYPE_f32 : WS_TYPE_f16;
    op->from = op->mode = types[type];
    if (op->type == WS_TYPE_f16 && type != 0)
        return sass_refuse(lowering, "HMMA with an unknown combination of types");
    return product(lowering, in, op, (type == 2 ? singles : halves)[size]);
}

enum ws_status sass_lower_imma(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const char *const shapes[] = {"m8n8k16", NULL, "m16n8k16", "m16n8k32"};
    op->type = WS_TYPE_s32;
    op->from = sass_bits(in, 76, 1) ? WS_TYPE_s8 : WS_TYPE_u8;
    op->mode = sass_bits(in, 78, 1) ? WS_TYPE_s8 : WS_TYPE_u8;
    op->flags |= sass_bits(in, 82, 1) ? WS_OP_SAT : 0;
    return product(lowering, in, op, shapes[sass_bits(in, 75, 1) | sass_bits(in, 86, 1) << 1]);
}

/* Elements of A, B and C have two registers each. */
enum ws_status sass_lower_dmma(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->opcode = WS_OP_mma;
    op->type = op->from = op->mode = WS_TYPE_f64;
    op->count = 2;
    if (op->guard != WS_SLOT_NONE || !find_shape("m8n8k4", &op->shape))
        return sass_refuse(lowering, "DMMA with a guard");
    for (u32 n = 0; n < 2; n++) {
        op->src[n] = sass_source(lowering, in, 'A', n);
        op->src[2 + n] = sass_source(lowering, in, 'r', n);
    }
    for (u32 n = 0; n < 4; n++) {
        op->src[4 + n] = sass_source(lowering, in, 's', n);
        op->dst[n] = sass_result(lowering, in, 'd', n);
    }
    op->src[MEMBERS] = sass_value(lowering, UINT32_MAX);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_move_matrix(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (op->guard != WS_SLOT_NONE)
        return sass_refuse(lowering, "MOVM with a guard");
    op->opcode = WS_OP_deal;
    op->type = WS_TYPE_u32;
    op->count = 1;
    op->mode = WS_DEAL_MOVE;
    op->src[0] = sass_source(lowering, in, 'A', 0);
    op->dst[0] = sass_result(lowering, in, 'd', 0);
    op->src[MEMBERS] = sass_value(lowering, UINT32_MAX);
    return WS_STATUS_ok;
}

/* ---- Loads ---- */

static void hide(const struct lowering *lowering, u16 *slots, u32 count)
{
    for (u32 n = 0; n < count; n++)
        slots[n] = (u16)(lowering->hidden + n);
}

/* Whether a lane names a row: the lowest 8 lanes for one matrix, 16 for two. The input is a lane's bit in the lane mask, cut to one
 * byte per matrix. */
static u16 names_row(struct lowering *lowering, u32 matrices)
{
    struct ws_input own;
    memset(&own, 0, sizeof own);
    own.kind = WS_INPUT_special;
    own.width = (u8)matrices;
    own.value = WS_SPECIAL_lanemask_eq;
    return sass_input(lowering, own);
}

enum ws_status sass_lower_load_matrix(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 count = 1u << sass_bits(in, 72, 2);
    if (count > 4 || op->guard != WS_SLOT_NONE)
        return sass_refuse(lowering, "LDSM of more than four matrices, or with a guard");
    if (lowering->part == 0) {
        hide(lowering, op->dst, 4);
        if (count < 4)
            op->guard = names_row(lowering, count);
        return sass_load_words(lowering, in, op);
    }
    op->opcode = WS_OP_deal;
    op->type = WS_TYPE_u32;
    op->count = (u8)count;
    op->mode = (u8)sass_bits(in, 78, 1);
    op->space = 0;
    hide(lowering, op->src, 4);
    for (u32 n = 0; n < count; n++)
        op->dst[n] = sass_result(lowering, in, 'd', n);
    op->src[MEMBERS] = sass_value(lowering, UINT32_MAX);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_copy_async(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const more = ws_sass_operand(in, 'P');
    const bool fills = more->number != WS_SASS_ZERO || more->negative;
    if (fills && (op->guard != WS_SLOT_NONE || sass_bits(in, 82, 1)))
        return sass_refuse(lowering, "LDGSTS with a guard and a predicate, or of fewer bytes than it stores");
    if (lowering->part == 0) {
        hide(lowering, op->dst, 4);
        if (fills)
            op->guard = sass_source(lowering, in, 'P', 0);
        op->flags |= fills && more->negative ? WS_OP_NOT_GUARD : 0;
        return sass_load_words(lowering, in, op);
    }
    hide(lowering, op->src + 4, 4);
    return sass_store_words(lowering, in, op);
}
