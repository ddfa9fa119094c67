/* Exchange between lanes: warp-wide operations of PTX, for the active lanes. */
#include "sass/exec/lower.h"

enum ws_status sass_lower_vote(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const u8 votes[] = {WS_OP_vote_all, WS_OP_vote_any, WS_OP_vote_uni, WS_OP_vote_uni};
    op->opcode = votes[sass_bits(in, 72, 2)];
    op->type = WS_TYPE_pred;
    const bool uniform = ws_sass_operand(in, 'D');
    op->dst[0] = sass_result(lowering, in, uniform ? 'F' : 'p', 0);
    op->dst[1] = sass_result(lowering, in, uniform ? 'D' : 'd', 0);
    op->src[0] = sass_source(lowering, in, 'P', 0);
    op->flags |= sass_modified(in, 'P') & 1 ? WS_OP_NOT_SOURCE : 0;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_shfl(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const u8 shuffles[] = {WS_OP_shfl_idx, WS_OP_shfl_up, WS_OP_shfl_down, WS_OP_shfl_bfly};
    op->opcode = shuffles[sass_bits(in, 58, 2)];
    op->type = WS_TYPE_u32;
    op->dst[0] = sass_result(lowering, in, 'd', 0);
    op->dst[1] = sass_result(lowering, in, 'p', 0);
    op->src[0] = sass_source(lowering, in, 'A', 0);
    op->src[1] = sass_source(lowering, in, ws_sass_operand(in, 'r') ? 'r' : 'j', 0);
    op->src[2] = sass_source(lowering, in, ws_sass_operand(in, 's') ? 's' : 'k', 0);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_match(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->opcode = sass_bits(in, 79, 1) ? WS_OP_match_any : WS_OP_match_all;
    op->type = WS_TYPE_u32;
    op->dst[0] = sass_result(lowering, in, 'd', 0);
    op->dst[1] = sass_result(lowering, in, 'p', 0);
    op->src[0] = sass_source(lowering, in, 'A', 0);
    if (sass_bits(in, 73, 1))
        op->src[2] = sass_source(lowering, in, 'A', 1);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_elect(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const more = ws_sass_operand(in, 'P');
    if (more->number != WS_SASS_ZERO || more->negative)
        return sass_refuse(lowering, "ELECT with a predicate");
    op->opcode = WS_OP_elect;
    op->dst[0] = sass_result(lowering, in, 'D', 0);
    op->dst[1] = sass_result(lowering, in, 'p', 0);
    return WS_STATUS_ok;
}

enum { CREDUX = 0x2cc };

enum ws_status sass_lower_redux(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const u8 reductions[] = {WS_OP_redux_and, WS_OP_redux_or,  WS_OP_redux_xor,
                                    WS_OP_redux_add, WS_OP_redux_min, WS_OP_redux_max};
    const bool coupled = in->row->number == CREDUX;
    op->opcode = !coupled ? reductions[sass_bits(in, 78, 3)] : sass_bits(in, 79, 1) ? WS_OP_redux_min : WS_OP_redux_max;
    op->type = sass_bits(in, 73, 1) ? WS_TYPE_s32 : WS_TYPE_u32;
    op->dst[0] = sass_result(lowering, in, 'D', 0);
    op->src[0] = sass_source(lowering, in, 'A', 0);
    return WS_STATUS_ok;
}
