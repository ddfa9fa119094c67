/* Control flow, barriers, special registers. */
#include <stdio.h>
#include <string.h>

#include "sass/exec/lower.h"

enum ws_status sass_lower_refused(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    char what[100], modifiers[50];
    (void)op;
    ws_sass_modifiers(in, modifiers, sizeof modifiers);
    snprintf(what, sizeof what, "%s%s of sm_%u", in->row->name, modifiers, in->architecture);
    return sass_refuse(lowering, what);
}

WS_HANDLER(nothing)
{
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_nothing(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    (void)in;
    return sass_does(lowering, op, nothing) ? WS_STATUS_ok : sass_no_memory(lowering);
}

enum ws_status sass_lower_fence(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_lower_nothing(lowering, in, op);
}

/* ---- Branches ---- */

static struct sass_place *target_place(struct lowering *lowering)
{
    return &lowering->targets[lowering->contexts[lowering->context].op_of[lowering->instruction] - 1 + lowering->part];
}

static void go_to(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->opcode = op->guard == WS_SLOT_NONE ? WS_OP_jump : WS_OP_branch;
    *target_place(lowering) = (struct sass_place){lowering->context, (u32)ws_sass_operand(in, 't')->value / WS_SASS_WORD, 0};
}

WS_HANDLER(branch_both)
{
    const struct ws_op *const op = step->op;
    const bool taken = ws_takes_part(op, slot) && (slot[op->src[0]] != 0) == (sass_own(step)->value != 0);
    if (thread->recorder && !ws_record_decision(thread->recorder, taken))
        return ws_stop(step, thread, WS_STOP_recording);
    return taken ? step->taken : step->next;
}

enum ws_status sass_guard_both(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->guard = sass_register(lowering, WS_SASS_P, in->guard);
    op->flags = in->guard_negative ? WS_OP_NOT_GUARD : 0;
    WS_TRY(sass_handles(lowering, in, op, branch_both, "", "P"));
    lowering->own->value = !ws_sass_operand(in, 'P')->negative;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_branch(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    go_to(lowering, in, op);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_branch_uniform(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const decides = ws_sass_operand(in, 'U');
    if (op->guard != WS_SLOT_NONE)
        return sass_refuse(lowering, "a guarded branch on a uniform predicate");
    if (decides->number != WS_SASS_ZERO || decides->negative) {
        op->guard = sass_source(lowering, in, 'U', 0);
        op->flags = decides->negative ? WS_OP_NOT_GUARD : 0;
    }
    go_to(lowering, in, op);
    return WS_STATUS_ok;
}

/* Makes the lanes of a mask reconverge. A branch on divergence (BRA.DIV) is then never taken, a branch on convergence (BRA.CONV)
 * always. */
static void converge(struct ws_op *op, u16 members)
{
    op->opcode = WS_OP_bar_warp;
    op->src[0] = members;
}

static u16 members_of(struct lowering *lowering, const struct ws_sass_instruction *in)
{
    const struct ws_sass_operand *const mask = ws_sass_operand(in, 'z');
    const bool all = mask->number == WS_SASS_ZERO && mask->negative;
    return all ? sass_value(lowering, UINT32_MAX) : mask->negative ? WS_SLOT_NONE : sass_source(lowering, in, 'z', 0);
}

enum ws_status sass_lower_branch_div(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u16 members = members_of(lowering, in);
    converge(op, members);
    return members == WS_SLOT_NONE ? sass_refuse(lowering, "an inverted lane mask") : WS_STATUS_ok;
}

enum ws_status sass_lower_branch_conv(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const enum ws_status status = sass_lower_branch_div(lowering, in, op);
    op->target = 1; /* any number but 0; sass_trace_program sets the target */
    *target_place(lowering) = (struct sass_place){lowering->context, (u32)ws_sass_operand(in, 't')->value / WS_SASS_WORD, 0};
    return status;
}

/* A vote over the guard, then a branch of all lanes by its result. */
enum ws_status sass_lower_branch_any(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (lowering->part == 0) {
        op->opcode = WS_OP_vote_any;
        op->type = WS_TYPE_pred;
        op->dst[0] = lowering->hidden;
        op->src[0] = op->guard == WS_SLOT_NONE ? sass_value(lowering, 1) : op->guard;
        op->flags = op->flags & WS_OP_NOT_GUARD ? WS_OP_NOT_SOURCE : 0;
        op->guard = WS_SLOT_NONE;
        return WS_STATUS_ok;
    }
    op->guard = lowering->hidden;
    op->flags = 0;
    op->opcode = WS_OP_branch;
    *target_place(lowering) = (struct sass_place){lowering->context, (u32)ws_sass_operand(in, 't')->value / WS_SASS_WORD, 0};
    return WS_STATUS_ok;
}

/* An indirect branch is a chain of tests, one per possible target. The last test is a jump, or stops the thread. */
static bool goes_there(const struct ws_step *step, const u64 *slot)
{
    return sass_pair(slot, step->op->src[0], step->op->src[1]) == sass_own(step)->value;
}

WS_HANDLER(branch_there)
{
    const bool taken = goes_there(step, slot);
    if (thread->recorder && !ws_record_decision(thread->recorder, taken))
        return ws_stop(step, thread, WS_STOP_recording);
    return taken ? step->taken : step->next;
}

WS_HANDLER(jump_there)
{
    return goes_there(step, slot) ? step->next : ws_stop(step, thread, WS_STOP_return);
}

/* Goes to a place if the pair of registers holds its address. last: the thread stops at another address. */
static enum ws_status goes_to(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op,
                              struct sass_place place, bool last)
{
    if (op->guard != WS_SLOT_NONE)
        return sass_refuse(lowering, "a guarded indirect branch or call");
    WS_TRY(sass_handles(lowering, in, op, last ? jump_there : branch_there, "", "AA1"));
    op->opcode = last ? WS_OP_jump : WS_OP_branch;
    lowering->own->value = place.instruction * WS_SASS_WORD - (u64)ws_sass_operand(in, 't')->value;
    *target_place(lowering) = place;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_branch_indirect(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_branch *const branch = sass_branch_at(lowering, lowering->instruction);
    const struct sass_place place = {lowering->context, branch->targets[lowering->part] / WS_SASS_WORD, 0};
    return goes_to(lowering, in, op, place, lowering->part + 1 == branch->target_count);
}

/* ---- Calls ---- */

/* The context of the function at entry for this call; a function that does not return has none of its own. */
static u32 called_context(const struct lowering *lowering, u32 entry)
{
    for (u32 n = 1; n < lowering->context_count; n++) {
        const struct sass_context *const context = &lowering->contexts[n];
        if (context->caller == lowering->context && context->site == lowering->instruction && context->entry == entry)
            return n;
    }
    const u32 recursive = sass_recursive(lowering, lowering->context, entry);
    return recursive ? recursive : lowering->context;
}

enum ws_status sass_lower_call(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    go_to(lowering, in, op);
    target_place(lowering)->context = called_context(lowering, (u32)ws_sass_operand(in, 't')->value);
    return WS_STATUS_ok;
}

/* Calls a function of the driver: vprintf. Other functions stop the thread, and so does a return address other than the next
 * instruction. */
WS_HANDLER(call_external)
{
    const struct ws_op *const op = step->op;
    const struct sass_op *const own = sass_own(step);
    const u64 number = (sass_pair(slot, op->src[0], op->src[1]) - WS_SASS_EXTERNAL) / WS_SASS_WORD;
    const char *const name = number < own->module->external_count ? own->module->externals[number] : "";
    bool good;
    if (strcmp(name, "vprintf") != 0)
        return ws_stop(step, thread, strcmp(name, "__assertfail") == 0 ? WS_STOP_assertion : WS_STOP_external);
    if (sass_pair(slot, op->src[6], op->src[7]) != own->value)
        return ws_stop(step, thread, WS_STOP_return);
    const u64 count =
        sass_call(step, sass_pair(slot, op->src[2], op->src[3]), sass_pair(slot, op->src[4], op->src[5]), 0, thread, &good);
    if (!good)
        return NULL;
    slot[step->dst] = (u32)count;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_call_absolute(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    enum { ARGUMENT = 4, BACK = 20 };
    WS_TRY(sass_handles(lowering, in, op, call_external, "", "AA1"));
    for (u32 n = 0; n < 4; n++)
        op->src[2 + n] = sass_register(lowering, WS_SASS_R, ARGUMENT + n);
    op->src[6] = sass_register(lowering, WS_SASS_R, BACK);
    op->src[7] = sass_register(lowering, WS_SASS_R, BACK + 1);
    op->dst[0] = sass_register(lowering, WS_SASS_R, ARGUMENT);
    lowering->own->inner = (struct ws_op){.opcode = WS_OP_print, .space = WS_SPACE_generic};
    lowering->own->call = ws_print;
    lowering->own->value = in->offset + WS_SASS_WORD;
    lowering->own->module = lowering->machine->module;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_call_indirect(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    u32 entry;
    sass_callee(lowering, lowering->part, &entry);
    return goes_to(lowering, in, op, (struct sass_place){called_context(lowering, entry), entry / WS_SASS_WORD, 0},
                   lowering->part + 1 == sass_callees(lowering));
}

/* Returns to the instruction after the call. The trace has a jump. */
WS_HANDLER(returns)
{
    const struct ws_op *const op = step->op;
    if (sass_pair(slot, op->src[0], op->src[1]) != sass_own(step)->value)
        return ws_stop(step, thread, WS_STOP_return);
    return step->next;
}

enum ws_status sass_lower_ret(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct sass_context *const context = &lowering->contexts[lowering->context];
    if (lowering->context == 0)
        return sass_refuse(lowering, "a return outside of a function");
    if (context->recursive_count > 0) {
        const bool last = lowering->part == context->recursive_count;
        const struct sass_return to =
            last ? (struct sass_return){context->caller, context->back} : context->recursive[lowering->part];
        return goes_to(lowering, in, op, (struct sass_place){to.context, to.back / WS_SASS_WORD, 0}, last);
    }
    go_to(lowering, in, op);
    *target_place(lowering) = (struct sass_place){context->caller, context->back / WS_SASS_WORD, 0};
    if (op->opcode == WS_OP_branch)
        return WS_STATUS_ok;
    WS_TRY(sass_handles(lowering, in, op, returns, "", "AA1"));
    lowering->own->value = context->back - (u64)ws_sass_operand(in, 't')->value;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_exit(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    (void)lowering, (void)in;
    op->opcode = WS_OP_exit;
    return WS_STATUS_ok;
}

enum ws_status sass_lower_trap(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    (void)lowering, (void)in;
    op->opcode = WS_OP_trap;
    return WS_STATUS_ok;
}

/* ---- Convergence barriers: each lane holds the mask of the lanes that it waits for ---- */

enum ws_status sass_lower_bssy(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->opcode = WS_OP_activemask;
    op->type = WS_TYPE_u32;
    op->dst[0] = sass_result(lowering, in, 'B', 0);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_bsync(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    converge(op, sass_source(lowering, in, 'B', 0));
    return WS_STATUS_ok;
}

enum ws_status sass_lower_brk(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const more = ws_sass_operand(in, 'P');
    if (more->number != WS_SASS_ZERO || more->negative)
        return sass_refuse(lowering, "BREAK with a predicate");
    op->opcode = WS_OP_leave;
    op->src[0] = sass_source(lowering, in, 'B', 0);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_warpsync(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const mask = ws_sass_operand(in, 'b');
    const bool given = mask ? mask->kind != WS_SASS_IS_IMMEDIATE || mask->value != 0 : ws_sass_operand(in, 'A') != NULL;
    converge(op, given ? sass_source(lowering, in, mask ? 'b' : 'A', 0) : sass_value(lowering, UINT32_MAX));
    return WS_STATUS_ok;
}

WS_HANDLER(bmov)
{
    const u64 value = (u32)slot[step->a];
    if (step->offset)
        slot[step->a] = 0;
    slot[step->dst] = value;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_bmov_from(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->offset = (i32)sass_bits(in, 84, 1);
    return sass_handles(lowering, in, op, bmov, "d", "C");
}

enum ws_status sass_lower_bmov_to(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (sass_bits(in, 84, 1))
        return sass_refuse(lowering, "BMOV.CLEAR from a register");
    return sass_handles(lowering, in, op, bmov, "C", "r");
}

WS_HANDLER(yield)
{
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_yield(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_handles(lowering, in, op, yield, "", "");
}

enum ws_status sass_lower_nanosleep(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return sass_handles(lowering, in, op, ws_nanosleep, "", "");
}

/* ---- Barriers of a block ---- */

enum { BAR_SYNC, BAR_ARRIVE, BAR_REDUCE };

enum ws_status sass_lower_bar(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    static const u8 reduces[] = {WS_OP_bar_popc, WS_OP_bar_and, WS_OP_bar_or};
    const u32 mode = sass_bits(in, 77, 2), how = sass_bits(in, 74, 2);
    if (op->guard != WS_SLOT_NONE && lowering->part == 0) {
        op->opcode = WS_OP_branch;
        op->flags ^= WS_OP_NOT_GUARD;
        *target_place(lowering) = (struct sass_place){lowering->context, lowering->instruction + 1, 0};
        return WS_STATUS_ok;
    }
    op->guard = WS_SLOT_NONE;
    op->flags = 0;
    const char number = ws_sass_operand(in, 'n') ? 'n' : 'r', threads = number == 'n' && ws_sass_operand(in, 'r') ? 'r' : 'w';
    const struct ws_sass_operand *const given = ws_sass_operand(in, threads);
    const bool whole = given->kind == WS_SASS_IS_IMMEDIATE && given->value == 0;
    if (mode == BAR_REDUCE ? how == 3 || !whole : mode == BAR_ARRIVE ? whole : mode != BAR_SYNC)
        return sass_refuse(lowering, "BAR.SCAN, BAR.RED for part of the block, or BAR.ARV without a number of threads");
    op->opcode = mode == BAR_REDUCE ? reduces[how] : mode == BAR_ARRIVE ? WS_OP_bar_arrive : WS_OP_bar;
    op->type = mode != BAR_REDUCE ? WS_TYPE_none : how == 0 ? WS_TYPE_u32 : WS_TYPE_pred;
    op->src[0] = sass_source(lowering, in, number, 0);
    if (!whole)
        op->src[1] = sass_source(lowering, in, threads, 0);
    if (mode != BAR_REDUCE)
        return WS_STATUS_ok;
    op->src[2] = sass_source(lowering, in, 'P', 0);
    op->flags |= ws_sass_operand(in, 'P')->negative ? WS_OP_NOT_SOURCE : 0;
    op->dst[0] = lowering->bar_result;
    return WS_STATUS_ok;
}

WS_HANDLER(bar_result)
{
    const u64 value = slot[step->a];
    slot[step->dst] = value;
    slot[step->op->dst[1]] = value != 0;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_bar_result(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    WS_TRY(sass_handles(lowering, in, op, bar_result, "dp", ""));
    op->src[0] = lowering->bar_result;
    return WS_STATUS_ok;
}

/* ---- Special registers ---- */

/* Register numbers in S2R, S2UR and CS2R. */
static const struct special {
    u8 number, special; /* enum ws_special */
} specials[] = {
    {0x00, WS_SPECIAL_laneid},          {0x21, WS_SPECIAL_tid_x},       {0x22, WS_SPECIAL_tid_y},
    {0x23, WS_SPECIAL_tid_z},           {0x25, WS_SPECIAL_ctaid_x},     {0x26, WS_SPECIAL_ctaid_y},
    {0x27, WS_SPECIAL_ctaid_z},         {0x38, WS_SPECIAL_lanemask_eq}, {0x39, WS_SPECIAL_lanemask_lt},
    {0x3a, WS_SPECIAL_lanemask_le},     {0x3b, WS_SPECIAL_lanemask_gt}, {0x3c, WS_SPECIAL_lanemask_ge},
    {0x88, WS_SPECIAL_cluster_ctarank},
};
enum { SHARED_WINDOW = 0x2F /* upper half of the window's address */, ZERO = 0xFF };

/* Clock and global timer, each with its upper half: as in PTX, the thread's instructions so far. */
static bool is_clock(u32 number)
{
    return number >= 0x50 && number <= 0x53;
}

static enum ws_status special(struct lowering *lowering, struct ws_op *op, u16 to, u32 number)
{
    struct ws_input input;
    memset(&input, 0, sizeof input);
    input.kind = WS_INPUT_special;
    input.width = 4;
    op->type = WS_TYPE_u32;
    op->width = 4;
    op->dst[0] = to;
    op->opcode = is_clock(number) ? WS_OP_clock : WS_OP_mov;
    op->offset = is_clock(number) && number & 1 ? 32 : 0;
    if (is_clock(number))
        return WS_STATUS_ok;
    if (number == ZERO || number == SHARED_WINDOW) {
        op->src[0] = sass_value(lowering, number == ZERO ? 0 : WS_SHARED_WINDOW >> 32);
        return WS_STATUS_ok;
    }
    for (u32 n = 0; n < sizeof specials / sizeof *specials; n++)
        if (specials[n].number == number) {
            input.value = specials[n].special;
            op->src[0] = sass_input(lowering, input);
            return WS_STATUS_ok;
        }
    return sass_refuse(lowering, "an unknown special register");
}

enum ws_status sass_lower_special(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const char to = ws_sass_operand(in, 'd') ? 'd' : 'D';
    return special(lowering, op, sass_result(lowering, in, to, 0), ws_sass_operand(in, 'x')->number);
}

WS_HANDLER(zeros)
{
    slot[step->dst] = 0;
    slot[step->op->dst[1]] = 0;
    return ws_next(step, slot, thread);
}

enum ws_status sass_lower_special64(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 number = ws_sass_operand(in, 'x')->number;
    const char to = ws_sass_operand(in, 'd') ? 'd' : 'D';
    if (!sass_bits(in, 80, 1))
        return sass_lower_special(lowering, in, op);
    if (is_clock(number) && !(number & 1)) {
        op->dst[1] = sass_result(lowering, in, to, 1);
        return special(lowering, op, sass_result(lowering, in, to, 0), number);
    }
    if (number != ZERO)
        return sass_refuse(lowering, "an unknown 64-bit special register");
    return sass_handles(lowering, in, op, zeros, to == 'd' ? "dd1" : "DD1", "");
}
