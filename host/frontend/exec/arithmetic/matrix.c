/* Which thread holds which numbers: PTX ISA, "Warp-level Matrix Instructions". A lane's group is lane / 4; lane % 4 is its number
 * within it. A register holds `per` numbers, lowest first. */
#include "frontend/ptx/matrix.h"

#include <math.h>
#include <string.h>

#include "frontend/exec/arithmetic/half.h"

enum { LANES_OF_GROUP = 4, GROUPS = 8, REGISTER_BITS = 32, LANES = 32, TF32_MASK = 0x1FFF };

const struct ws_matrix_shape ws_matrix_shapes[WS_MATRIX_SHAPES] = {
    {"m16n8k4", 16, 8, 4},   {"m16n8k8", 16, 8, 8},     {"m16n8k16", 16, 8, 16},   {"m16n8k32", 16, 8, 32},
    {"m16n8k64", 16, 8, 64}, {"m8n8k16", 8, 8, 16},     {"m8n8k4", 8, 8, 4},       {"m8n8k32", 8, 8, 32},
    {"m8n8k128", 8, 8, 128}, {"m16n8k128", 16, 8, 128}, {"m16n8k256", 16, 8, 256},
};

u32 ws_matrix_bits(u8 type)
{
    switch (type) {
    case WS_MATRIX_b1:
        return 1;
    case WS_MATRIX_s4:
    case WS_MATRIX_u4:
        return 4;
    case WS_TYPE_u8:
    case WS_TYPE_s8:
    case WS_MATRIX_e4m3:
    case WS_MATRIX_e5m2:
        return 8;
    default:
        return ws_is_half(type) ? 16 : 32;
    }
}

static const struct ws_matrix_shape *shape_of(const struct ws_op *op)
{
    return &ws_matrix_shapes[op->shape];
}

/* m8n8k4 of f16: a product for each quad pair, the lanes 4 q to 4 q + 3 and those 16 above. */
enum { QUADS = 4, QUAD_HALVES = 4, UPPER = 16, QUAD_REGISTERS = 2 };

bool ws_matrix_is_of_quads(const struct ws_op *op)
{
    return op->from == WS_TYPE_f16 && shape_of(op)->m == 8 && shape_of(op)->k == 4;
}

u32 ws_matrix_registers_a(const struct ws_op *op)
{
    if (ws_matrix_is_of_quads(op))
        return QUAD_REGISTERS;
    return shape_of(op)->m * shape_of(op)->k * ws_matrix_bits(op->from) / REGISTER_BITS / LANES;
}

u32 ws_matrix_registers_b(const struct ws_op *op)
{
    if (ws_matrix_is_of_quads(op))
        return QUAD_REGISTERS;
    return shape_of(op)->n * shape_of(op)->k * ws_matrix_bits(op->from) / REGISTER_BITS / LANES;
}

u32 ws_matrix_registers_c(const struct ws_op *op)
{
    if (ws_matrix_is_of_quads(op))
        return QUAD_HALVES; /* of f32: half of them, `count` says which */
    return shape_of(op)->m * shape_of(op)->n * ws_matrix_bits(op->type) / REGISTER_BITS / LANES;
}

double ws_matrix_number(u64 word, u32 n, u8 type)
{
    switch (type) {
    case WS_MATRIX_b1:
        return (double)(word >> n & 1);
    case WS_MATRIX_u4:
        return (double)(word >> 4 * n & 15);
    case WS_MATRIX_s4:
        return (double)((i32)((word >> 4 * n & 15) ^ 8) - 8);
    case WS_TYPE_u8:
        return (u8)(word >> 8 * n);
    case WS_TYPE_s8:
        return (s8)(u8)(word >> 8 * n);
    case WS_MATRIX_e4m3:
    case WS_MATRIX_e5m2:
        return ws_byte_value((u32)(word >> 8 * n & 0xFF), type == WS_MATRIX_e4m3);
    case WS_TYPE_u32:
    case WS_TYPE_f32:
        return (double)ws_f32(word & ~(u64)TF32_MASK);
    default:
        return ws_half_value(word >> 16 * n & 0xFFFF, 0, type);
    }
}

/* The lane and its register that hold the number in row and column of A: every second register holds rows from 8 on. */
static u32 lane_of_a(const struct ws_op *op, u32 row, u32 column, u32 *place)
{
    const u32 per = REGISTER_BITS / ws_matrix_bits(op->from), halves = shape_of(op)->m / GROUPS;
    *place = column / (per * LANES_OF_GROUP) * halves + row / GROUPS;
    return row % GROUPS * LANES_OF_GROUP + column / per % LANES_OF_GROUP;
}

static u32 lane_of_b(const struct ws_op *op, u32 row, u32 column, u32 *place)
{
    const u32 per = REGISTER_BITS / ws_matrix_bits(op->from);
    *place = ws_matrix_registers_a(op) + row / (per * LANES_OF_GROUP);
    return column * LANES_OF_GROUP + row / per % LANES_OF_GROUP;
}

static double term_of(const struct ws_op *op, const u64 (*sources)[WS_MATRIX_SOURCES], u32 row, u32 column, u32 k)
{
    const u32 per = REGISTER_BITS / ws_matrix_bits(op->from);
    u32 place_a, place_b;
    const u32 lane_a = lane_of_a(op, row, k, &place_a), lane_b = lane_of_b(op, k, column, &place_b);
    const double a = ws_matrix_number(sources[lane_a][place_a], k % per, op->from);
    const double b = ws_matrix_number(sources[lane_b][place_b], k % per, op->mode);
    return op->from == WS_MATRIX_b1 && !(op->compare & WS_MATRIX_AND) ? fabs(a - b) : a * b;
}

u64 ws_matrix_sum(const struct ws_op *op, double sum, u64 c, u32 half)
{
    if (op->type == WS_TYPE_f16)
        return ws_half_bits(sum + ws_half_value(c >> 16 * half & 0xFFFF, 0, WS_TYPE_f16), WS_TYPE_f16, WS_ROUND_nearest, 0);
    if (op->type == WS_TYPE_f32)
        return ws_bits_f32((float)(sum + (double)ws_f32(c)));
    const s64 exact = (s64)sum + (s32)(u32)c;
    const bool clamps = op->flags & WS_OP_SAT;
    return (u32)(clamps && exact > INT32_MAX ? INT32_MAX : clamps && exact < INT32_MIN ? INT32_MIN : exact);
}

/* Number i of a lane's part of D: C has it in word c. */
static u64 result_of(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u32 i, u64 c)
{
    const u32 row = lane / LANES_OF_GROUP + i / 2 * GROUPS, column = lane % LANES_OF_GROUP * 2 + i % 2;
    double sum = 0;
    for (u32 k = 0; k < shape_of(op)->k; k++)
        sum += term_of(op, sources, row, column, k);
    return ws_matrix_sum(op, sum, c, i % 2);
}

/* Number n of a lane, of those of A, B and C; in machine code each has two registers. */
static double double_of(const struct ws_op *op, const u64 *sources, u32 n)
{
    return ws_f64(op->count == 2 ? (u32)sources[2 * n] | sources[2 * n + 1] << 32 : sources[n]);
}

static void double_product(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot)
{
    const u32 c = ws_matrix_registers_a(op) + ws_matrix_registers_b(op), parts = op->count == 2 ? 2 : 1;
    for (u32 i = 0; i < ws_matrix_registers_c(op); i++) {
        double sum = double_of(op, sources[lane], c + i);
        for (u32 k = 0; k < shape_of(op)->k; k++) {
            u32 place_a, place_b;
            const u32 lane_a = lane_of_a(op, lane / LANES_OF_GROUP + i / 2 * GROUPS, k, &place_a);
            const u32 lane_b = lane_of_b(op, k, lane % LANES_OF_GROUP * 2 + i % 2, &place_b);
            sum = fma(double_of(op, sources[lane_a], place_a), double_of(op, sources[lane_b], place_b), sum);
        }
        for (u32 n = 0; n < parts; n++)
            if (op->dst[parts * i + n] != WS_SLOT_NONE)
                slot[op->dst[parts * i + n]] = parts == 2 ? (u32)(ws_bits_f64(sum) >> 32 * n) : ws_bits_f64(sum);
    }
}

/* The number in a line (a row of A, a column of B) and at k: a lane has four of a line, or of one k those of four lines. */
static double quad_number(const u64 (*sources)[WS_MATRIX_SOURCES], u32 quad, u32 first, u32 line, u32 k, bool by_line)
{
    const u32 lane = quad * QUADS + (by_line ? line % QUADS : k) + line / QUADS * UPPER, n = by_line ? k : line % QUADS;
    return ws_matrix_number(sources[lane][first + n / 2], n % 2, WS_TYPE_f16);
}

/* Number i of a lane's part of D, of eight: C has it in word c. */
static u64 quad_result(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u32 i, u64 c)
{
    const bool single = op->type == WS_TYPE_f32;
    const u32 row = (single ? (lane & 1) + (i & 2) : lane % QUADS) + lane / UPPER * QUADS;
    const u32 column = single ? (i & 4) + (lane & 2) + (i & 1) : i, quad = lane / QUADS % QUADS;
    double sum = 0;
    for (u32 k = 0; k < QUAD_HALVES; k++)
        sum += quad_number(sources, quad, 0, row, k, !(op->compare & WS_MATRIX_A_COLUMNS)) *
               quad_number(sources, quad, QUAD_REGISTERS, column, k, !(op->compare & WS_MATRIX_B_ROWS));
    return ws_matrix_sum(op, sum, c, i % 2);
}

/* C and D have a number in a register, or two in its halves. */
void ws_matrix_product(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot)
{
    if (op->type == WS_TYPE_f64) {
        double_product(op, lane, sources, slot);
        return;
    }
    const u32 first = ws_matrix_registers_a(op) + ws_matrix_registers_b(op);
    for (u32 n = 0; n < ws_matrix_registers_c(op); n++) {
        const u64 c = sources[lane][first + n];
        const bool half = op->type == WS_TYPE_f16;
        const u32 i = half ? 2 * n : ws_matrix_is_of_quads(op) ? op->count * QUAD_HALVES + n : n;
        u64 (*const result)(const struct ws_op *, u32, const u64(*)[WS_MATRIX_SOURCES], u32, u64) =
            ws_matrix_is_of_quads(op) ? quad_result : result_of;
        const u64 value = result(op, lane, sources, i, c) | (half ? result(op, lane, sources, i + 1, c) << 16 : 0);
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = value;
    }
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

/* Half h of the words. */
static u64 half_of(u64 word, u32 h)
{
    return word >> 16 * (h % 2) & 0xFFFF;
}

/* Word n of the row that the lane stores: matrix lane / 8, in register lane / 8 of the lanes. */
static u64 gathered(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u32 n)
{
    const u32 matrix = lane / GROUPS, row = lane % GROUPS;
    if (matrix >= op->count)
        return 0;
    if (op->mode == WS_DEAL_GATHER)
        return (u32)sources[row * LANES_OF_GROUP + n][matrix];
    return half_of(sources[2 * n * LANES_OF_GROUP + row / 2][matrix], row) |
           half_of(sources[(2 * n + 1) * LANES_OF_GROUP + row / 2][matrix], row) << 16;
}

/* Register n of the lane. Matrix n has its rows in lanes 8 n to 8 n + 7, four words each. */
static u64 dealt(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u32 n)
{
    const u32 group = lane / LANES_OF_GROUP, number = lane % LANES_OF_GROUP;
    switch (op->mode) {
    case WS_DEAL_MOVE:
        return half_of(sources[2 * number * LANES_OF_GROUP + group / 2][0], group) |
               half_of(sources[(2 * number + 1) * LANES_OF_GROUP + group / 2][0], group) << 16;
    case WS_DEAL_COLUMNS: /* the numbers of two rows, in the lane's column */
        return half_of(sources[GROUPS * n + 2 * number][group / 2], group) |
               half_of(sources[GROUPS * n + 2 * number + 1][group / 2], group) << 16;
    case WS_DEAL_GATHER:
    case WS_DEAL_GATHER_COLUMNS:
        return gathered(op, lane, sources, n);
    default:
        return sources[GROUPS * n + group][number];
    }
}

void ws_matrix_deal(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot)
{
    const u32 count = op->mode >= WS_DEAL_GATHER ? LANES_OF_GROUP : op->count;
    for (u32 n = 0; n < count; n++)
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = dealt(op, lane, sources, n);
}
