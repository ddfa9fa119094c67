/* mbarriers: words of 64 bits in shared memory. Compiled code computes and tests their fields. All counts are negative.
 *
 * sm_80: bits 0 to 29 expected arrivals, 32 to 62 missing arrivals, 63 phase. From sm_90 on: bits 1 to 20 expected arrivals, 22 to
 * 42 missing bytes of asynchronous copies (our choice: no code reads them), 43 to 62 missing arrivals, 63 phase. */
#include <string.h>

#include "frontend/exec/memory/access.h"
#include "sass/exec/lower.h"

/* The field of width bits from a bit on, plus a number. */
static u64 added(u64 word, u32 from, u32 width, u64 number)
{
    const u64 mask = ((UINT64_C(1) << width) - 1) << from;
    return (word & ~mask) | ((word + (number << from)) & mask);
}

static u64 field(u64 word, u32 from, u32 width)
{
    return word >> from & ((UINT64_C(1) << width) - 1);
}

/* Starts the next phase if nothing is missing. */
static u64 completed(u64 word, bool complete, u32 from, u32 width, u64 expected)
{
    return complete ? added(word & ~(((UINT64_C(1) << width) - 1) << from), from, width, expected) ^ UINT64_C(1) << 63 : word;
}

static u64 arrived_sm80(u64 word)
{
    enum { MISSING = 32, WIDTH = 31, EXPECTED_WIDTH = 30 };
    const u64 now = added(word, MISSING, WIDTH, 1), sign = UINT64_C(1) << EXPECTED_WIDTH;
    return completed(now, field(now, MISSING, WIDTH) == 0, MISSING, WIDTH, field(word, 0, EXPECTED_WIDTH) | sign);
}

/* What SYNCS.ARRIVE does to the counts: threads that arrive, bytes that are expected. */
struct arrival {
    u64 threads, bytes;
    bool leaves;
};

static u64 arrived(u64 word, struct arrival arrival)
{
    enum { EXPECTED = 1, EXPECTED_WIDTH = 21, BYTES = 22, BYTES_WIDTH = 21, MISSING = 43, WIDTH = 20 };
    u64 now = added(added(word, MISSING, WIDTH, arrival.threads), BYTES, BYTES_WIDTH, -arrival.bytes);
    if (arrival.leaves)
        now = added(now, EXPECTED, EXPECTED_WIDTH, arrival.threads);
    const bool complete = field(now, MISSING, WIDTH) == 0 && field(now, BYTES, BYTES_WIDTH) == 0;
    return completed(now, complete, MISSING, WIDTH, field(now, EXPECTED, WIDTH));
}

/* ---- Handlers ---- */

enum { BYTES = 8 };

/* The barrier's word; NULL after stopping the thread. */
static u8 *gate(struct ws_step *step, const u64 *slot, bool writes, struct ws_thread *thread, u64 *word)
{
    u8 *const at = ws_access(step, sass_address(step, slot), BYTES, writes, thread);
    if (at)
        memcpy(word, at, BYTES);
    return at;
}

static struct ws_basic_block *put(struct ws_step *step, u64 *slot, struct ws_thread *thread, u8 *at, u64 old, u64 new)
{
    thread->changes += ws_changes(step, new != old);
    memcpy(at, &new, BYTES);
    return ws_next(step, slot, thread);
}

WS_HANDLER(init)
{
    const u16 *const src = step->op->src;
    u64 old;
    u8 *const at = gate(step, slot, true, thread, &old);
    return at ? put(step, slot, thread, at, old, sass_pair(slot, src[SASS_DATA], src[SASS_DATA + 1])) : NULL;
}

WS_HANDLER(arrive_sm80)
{
    u64 old;
    u8 *const at = gate(step, slot, true, thread, &old);
    if (!at)
        return NULL;
    sass_put_pair(slot, step->dst, step->op->dst[1], old);
    return put(step, slot, thread, at, old, arrived_sm80(old));
}

WS_HANDLER(arrive)
{
    enum { A1TR, A1T0, TAKE_BACK, EXPECT, COMPLETE, SEVERAL };
    const struct ws_op *const op = step->op;
    const u32 given = (u32)slot[op->src[SASS_DATA]];
    u64 old;
    u8 *const at = gate(step, slot, true, thread, &old);
    if (!at)
        return NULL;
    static const i32 threads[] = {[A1TR] = 1, [A1T0] = 1, [TAKE_BACK] = -1, [EXPECT] = 0, [COMPLETE] = 0, [SEVERAL] = 0};
    struct arrival arrival = {.threads = (u64)(int64_t)threads[op->mode], .leaves = op->shape};
    if (op->mode == SEVERAL)
        arrival.threads = given;
    if (op->mode == A1TR || op->mode == EXPECT)
        arrival.bytes = given;
    if (op->mode == COMPLETE)
        arrival.bytes = -(u64)given;
    sass_put_pair(slot, step->dst, op->dst[1], old);
    return put(step, slot, thread, at, old, arrived(old, arrival));
}

/* Whether the phase differs from that of a state or parity, in bit 31 of a register. If not, other warps get their turn. */
WS_HANDLER(test)
{
    u64 word;
    if (!gate(step, slot, false, thread, &word))
        return NULL;
    const bool differs = word >> 63 != (slot[step->op->src[SASS_DATA]] >> 31 & 1);
    slot[step->dst] = differs;
    thread->yields |= !differs;
    return ws_next(step, slot, thread);
}

/* ---- Lowering ---- */

static enum ws_status gate_op(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, u8 opcode,
                              ws_handler *run)
{
    op->opcode = opcode;
    op->type = WS_TYPE_u64;
    op->count = 1;
    op->dst[0] = sass_result(lowering, in, 'd', 0);
    op->dst[1] = sass_result(lowering, in, 'd', 1);
    op->src[SASS_DATA] = sass_source(lowering, in, 'r', 0);
    return sass_access(lowering, in, op, run);
}

enum ws_status sass_lower_gate_init(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (ws_sass_operand(in, 'D')->number != WS_SASS_ZERO)
        return sass_refuse(lowering, "SYNCS.EXCH with a result");
    WS_TRY(gate_op(lowering, in, op, WS_OP_st, init));
    for (u32 n = 0; n < 2; n++)
        op->src[SASS_DATA + n] = sass_source(lowering, in, 'b', n);
    return WS_STATUS_ok;
}

enum ws_status sass_lower_gate_arrive_sm80(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return gate_op(lowering, in, op, WS_OP_atom_arrive, arrive_sm80);
}

/* A copy has arrived once it has executed. */
enum ws_status sass_lower_gate_copied(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    op->mode = 1;
    return gate_op(lowering, in, op, WS_OP_atom_arrive, in->architecture < 90 ? arrive_sm80 : arrive);
}

enum ws_status sass_lower_gate_arrive(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    enum { LEAVES = 75 };
    op->mode = (u8)sass_bits(in, 84, 3);
    op->shape = (u8)sass_bits(in, LEAVES, 1);
    return gate_op(lowering, in, op, op->shape ? WS_OP_atom_leave : WS_OP_atom_arrive, arrive);
}

enum ws_status sass_lower_gate_test(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    WS_TRY(gate_op(lowering, in, op, WS_OP_ld, test));
    op->dst[0] = sass_result(lowering, in, 'p', 0);
    return WS_STATUS_ok;
}
