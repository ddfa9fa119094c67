/* What lanes of a warp give each other: shfl, vote, match, redux, elect, activemask, and clock. */
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/warp_wide.h"

static void put(const struct ws_exchange *exchange, u32 n, u64 value)
{
    const u16 slot = exchange->op->dst[n];
    if (slot != WS_SLOT_NONE)
        exchange->slot[slot] = value;
}

static bool is_member(const struct ws_exchange *exchange, u32 lane)
{
    return lane < WS_WARP_THREADS && exchange->members >> lane & 1;
}

/* PTX ISA, shfl.sync: c is the last lane of a segment; from bit 8 on, the bits of a lane's number that select the segment. The
 * value of an absent lane (it has ended, or is not in the mask) is undefined; here the lane reads its own. */
static void shuffle(struct ws_exchange *exchange)
{
    const struct ws_op *const op = exchange->op;
    const u32 lane = exchange->lane, b = (u32)exchange->slot[op->src[1]] & 31, c = (u32)exchange->slot[op->src[2]];
    const u32 segment = c >> 8 & 31, first = lane & segment, last = first | (c & 31 & ~segment);
    const bool up = op->opcode == WS_OP_shfl_up;
    const u32 from = up                              ? lane - b
                     : op->opcode == WS_OP_shfl_down ? lane + b
                     : op->opcode == WS_OP_shfl_bfly ? lane ^ b
                                                     : first | (b & ~segment);
    const bool inside = up ? (i32)from >= (i32)last : from <= last;
    const bool absent = inside && !is_member(exchange, from);
    exchange->absent = absent ? 1 + from : 0;
    put(exchange, 0, exchange->values[inside && !absent ? from : lane]);
    put(exchange, 1, inside);
}

/* Members with the same value as the lane. */
static u32 same(const struct ws_exchange *exchange)
{
    u32 lanes = 0;
    for (u32 n = 0; n < WS_WARP_THREADS; n++)
        if (is_member(exchange, n) && exchange->values[n] == exchange->values[exchange->lane])
            lanes |= 1u << n;
    return lanes;
}

static u32 ballot(const struct ws_exchange *exchange)
{
    u32 lanes = 0;
    for (u32 n = 0; n < WS_WARP_THREADS; n++)
        if (is_member(exchange, n) && exchange->values[n])
            lanes |= 1u << n;
    return lanes;
}

static u64 reduced(const struct ws_op *op, u64 a, u64 b)
{
    const bool below = op->type == WS_TYPE_s32 ? (s32)a < (s32)b : (u32)a < (u32)b;
    switch (op->opcode) {
    case WS_OP_redux_add:
        return (u32)(a + b);
    case WS_OP_redux_min:
        return below ? a : b;
    case WS_OP_redux_max:
        return below ? b : a;
    case WS_OP_redux_and:
        return a & b;
    case WS_OP_redux_or:
        return a | b;
    default:
        return a ^ b;
    }
}

static u64 reduction(const struct ws_exchange *exchange)
{
    const u32 first = (u32)__builtin_ctz(exchange->members);
    u64 result = exchange->values[first];
    for (u32 n = first + 1; n < WS_WARP_THREADS; n++)
        if (is_member(exchange, n))
            result = reduced(exchange->op, result, exchange->values[n]);
    return result;
}

static void match_all(const struct ws_exchange *exchange)
{
    const bool all = same(exchange) == exchange->members;
    put(exchange, 0, all ? exchange->members : 0);
    put(exchange, 1, all);
}

static void elect(const struct ws_exchange *exchange)
{
    const u32 leader = (u32)__builtin_ctz(exchange->members);
    put(exchange, 0, leader);
    put(exchange, 1, leader == exchange->lane);
}

/* The value of the lowest lane, and whether that of the own lane differs, or a predicate holds. */
static void first(const struct ws_exchange *exchange)
{
    const u64 value = exchange->values[__builtin_ctz(exchange->members)];
    put(exchange, 0, value);
    const u16 also = exchange->op->src[2];
    put(exchange, 1, value != exchange->values[exchange->lane] || (also != WS_SLOT_NONE && exchange->slot[also]));
}

void ws_exchange(struct ws_exchange *exchange)
{
    const struct ws_op *const op = exchange->op;
    const bool votes = op->opcode >= WS_OP_vote_all && op->opcode <= WS_OP_vote_ballot;
    const u32 yes = votes ? ballot(exchange) : 0;
    switch (op->opcode) {
    case WS_OP_clock:
        put(exchange, 0, exchange->executed >> op->offset & (op->width == 8 ? UINT64_MAX : UINT32_MAX));
        put(exchange, 1, exchange->executed >> 32);
        break;
    case WS_OP_vote_all:
        put(exchange, 0, yes == exchange->members);
        put(exchange, 1, yes);
        break;
    case WS_OP_vote_any:
        put(exchange, 0, yes != 0);
        put(exchange, 1, yes);
        break;
    case WS_OP_vote_uni:
        put(exchange, 0, yes == 0 || yes == exchange->members);
        put(exchange, 1, yes);
        break;
    case WS_OP_vote_ballot:
        put(exchange, 0, yes);
        break;
    case WS_OP_match_any:
        put(exchange, 0, same(exchange));
        break;
    case WS_OP_match_all:
        match_all(exchange);
        break;
    case WS_OP_activemask:
        put(exchange, 0, exchange->members);
        break;
    case WS_OP_elect:
        elect(exchange);
        break;
    case WS_OP_first:
        first(exchange);
        break;
    case WS_OP_mma:
        ws_matrix_product(op, exchange->lane, exchange->sources, exchange->slot);
        break;
    case WS_OP_wgmma:
        ws_wgmma_product(op, exchange->tile, exchange->lane, exchange->sources[exchange->lane], exchange->slot);
        break;
    case WS_OP_deal:
        ws_matrix_deal(op, exchange->lane, exchange->sources, exchange->slot);
        break;
    case WS_OP_leave:
    case WS_OP_bar_warp:
        break;
    default:
        if (op->opcode <= WS_OP_shfl_idx)
            shuffle(exchange);
        else
            put(exchange, 0, reduction(exchange));
    }
}
