/* Which thread holds which numbers: PTX ISA, "Warp-level Matrix Instructions". A lane's group is lane / 4; lane % 4 is its number
 * within it. A register holds `per` numbers, lowest first. */
#include "frontend/ptx/matrix.h"

#include <math.h>
#include <string.h>

#include "frontend/exec/arithmetic/half.h"

enum {
    LANES_OF_GROUP = 4,
    GROUPS = 8,
    REGISTER_BITS = 32,
    LANES = 32,
    NUMBERS = 8 /* numbers of C in a lane, for wmma */,
    TF32_MASK = 0x1FFF
};

const struct ws_matrix_shape ws_matrix_shapes[WS_MATRIX_SHAPES] = {
    {"m16n8k4", 16, 8, 4},     {"m16n8k8", 16, 8, 8},   {"m16n8k16", 16, 8, 16}, {"m16n8k32", 16, 8, 32}, {"m8n8k16", 8, 8, 16},
    {"m16n16k16", 16, 16, 16}, {"m32n8k16", 32, 8, 16}, {"m8n32k16", 8, 32, 16}, {"m16n16k8", 16, 16, 8}, {"m8n8k4", 8, 8, 4},
};

u32 ws_matrix_bits(u8 type)
{
    return type == WS_TYPE_u8 || type == WS_TYPE_s8 ? 8 : ws_is_half(type) ? 16 : 32;
}

static const struct ws_matrix_shape *shape_of(const struct ws_op *op)
{
    return &ws_matrix_shapes[op->shape];
}

u32 ws_matrix_registers_a(const struct ws_op *op)
{
    return shape_of(op)->m * shape_of(op)->k * ws_matrix_bits(op->from) / REGISTER_BITS / LANES;
}

u32 ws_matrix_registers_b(const struct ws_op *op)
{
    return shape_of(op)->n * shape_of(op)->k * ws_matrix_bits(op->from) / REGISTER_BITS / LANES;
}

u32 ws_matrix_registers_c(const struct ws_op *op)
{
    return shape_of(op)->m * shape_of(op)->n * ws_matrix_bits(op->type) / REGISTER_BITS / LANES;
}

static double number_of(u64 word, u32 n, u8 type)
{
    switch (type) {
    case WS_TYPE_u8:
        return (u8)(word >> 8 * n);
    case WS_TYPE_s8:
        return (s8)(u8)(word >> 8 * n);
    case WS_TYPE_u32:
    case WS_TYPE_f32:
        return (double)ws_f32(word & ~(u64)TF32_MASK);
    default:
        return ws_half_value(word >> 16 * n & 0xFFFF, 0, type);
    }
}

/* The number in row and column of A. If there are enough registers, every second one holds rows from 8 on. */
static double number_of_a(const struct ws_op *op, const u64 (*sources)[WS_MATRIX_SOURCES], u32 row, u32 column)
{
    const u32 per = REGISTER_BITS / ws_matrix_bits(op->from), halves = shape_of(op)->m / GROUPS;
    const u32 lane = row % GROUPS * LANES_OF_GROUP + column / per % LANES_OF_GROUP;
    const u32 place = column / (per * LANES_OF_GROUP) * halves + row / GROUPS;
    return number_of(sources[lane][place], column % per, op->from);
}

static double number_of_b(const struct ws_op *op, const u64 (*sources)[WS_MATRIX_SOURCES], u32 row, u32 column)
{
    const u32 per = REGISTER_BITS / ws_matrix_bits(op->from);
    const u32 lane = column * LANES_OF_GROUP + row / per % LANES_OF_GROUP;
    const u32 place = ws_matrix_registers_a(op) + row / (per * LANES_OF_GROUP);
    return number_of(sources[lane][place], row % per, op->mode);
}

/* wmma: each thread holds consecutive words in row or column order (parse/fragments.c). */
static double fragment_number(const u64 (*sources)[WS_MATRIX_SOURCES], u32 first, u32 registers, u32 index, u8 type)
{
    const u32 per = REGISTER_BITS / ws_matrix_bits(type), word = index / per;
    return number_of(sources[word / registers][first + word % registers], index % per, type);
}

static double term_of(const struct ws_op *op, const u64 (*sources)[WS_MATRIX_SOURCES], u32 row, u32 column, u32 k)
{
    const struct ws_matrix_shape *const shape = shape_of(op);
    if (op->opcode == WS_OP_mma)
        return number_of_a(op, sources, row, k) * number_of_b(op, sources, k, column);
    const u32 a = op->compare & WS_MATRIX_A_COLUMNS ? k * shape->m + row : row * shape->k + k;
    const u32 b = op->compare & WS_MATRIX_B_ROWS ? k * shape->n + column : column * shape->k + k;
    return fragment_number(sources, 0, ws_matrix_registers_a(op), a, op->from) *
           fragment_number(sources, ws_matrix_registers_a(op), ws_matrix_registers_b(op), b, op->mode);
}

/* Number i of a lane's part of D: C has it in word c. */
static u64 result_of(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u32 i, u64 c)
{
    const struct ws_matrix_shape *const shape = shape_of(op);
    const u32 index = lane * NUMBERS + i, group = lane / LANES_OF_GROUP, number = lane % LANES_OF_GROUP;
    const bool fragment = op->opcode == WS_OP_wmma;
    const u32 row = fragment ? index / shape->n : group + i / 2 * GROUPS, column = fragment ? index % shape->n : number * 2 + i % 2;
    double sum = 0;
    for (u32 k = 0; k < shape->k; k++)
        sum += term_of(op, sources, row, column, k);
    if (op->type == WS_TYPE_f16)
        return ws_half_bits(sum + ws_half_value(c >> 16 * (i % 2) & 0xFFFF, 0, WS_TYPE_f16), WS_TYPE_f16, WS_ROUND_nearest, 0);
    if (op->type == WS_TYPE_f32)
        return ws_bits_f32((float)(sum + (double)ws_f32(c)));
    const s64 exact = (s64)sum + (s32)(u32)c;
    const bool clamps = op->flags & WS_OP_SAT;
    return (u32)(clamps && exact > INT32_MAX ? INT32_MAX : clamps && exact < INT32_MIN ? INT32_MIN : exact);
}

/* Number n of a lane, of those of A, B and C; in machine code each has two registers. */
static double double_of(const struct ws_op *op, const u64 *sources, u32 n)
{
    return ws_f64(op->count == 2 ? (u32)sources[2 * n] | sources[2 * n + 1] << 32 : sources[n]);
}

/* m8n8k4 of f64: a lane has one number of A, one of B, two of C and D. */
static void double_product(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot)
{
    const u32 group = lane / LANES_OF_GROUP, number = lane % LANES_OF_GROUP;
    for (u32 i = 0; i < 2; i++) {
        double sum = double_of(op, sources[lane], 2 + i);
        for (u32 k = 0; k < LANES_OF_GROUP; k++)
            sum = fma(double_of(op, sources[group * LANES_OF_GROUP + k], 0),
                      double_of(op, sources[(number * 2 + i) * LANES_OF_GROUP + k], 1), sum);
        const u64 bits = ws_bits_f64(sum);
        for (u32 n = 0; n < (op->count == 2 ? 2 : 1); n++) {
            const u16 to = op->dst[op->count == 2 ? 2 * i + n : i];
            if (to != WS_SLOT_NONE)
                slot[to] = op->count == 2 ? (u32)(bits >> 32 * n) : bits;
        }
    }
}

/* C and D have a number in a register, or two in its halves. */
void ws_matrix_product(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot)
{
    if (op->type == WS_TYPE_f64) {
        double_product(op, lane, sources, slot);
        return;
    }
    const u32 first = ws_matrix_registers_a(op) + ws_matrix_registers_b(op), sums = ws_matrix_registers_c(op);
    const u32 count = sums < WS_OP_RESULTS ? sums : WS_OP_RESULTS, part = op->combine * WS_OP_RESULTS;
    for (u32 n = 0; n < count; n++) {
        const u64 c = sources[lane][first + n];
        const bool half = op->type == WS_TYPE_f16;
        const u64 value = half ? result_of(op, lane, sources, 2 * n, c) | result_of(op, lane, sources, 2 * n + 1, c) << 16
                               : result_of(op, lane, sources, part + n, c);
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = value;
    }
}

/* Matrix n has its rows in lanes 8 n to 8 n + 7, four words each. */
void ws_matrix_deal(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot)
{
    const u32 group = lane / LANES_OF_GROUP, number = lane % LANES_OF_GROUP;
    for (u32 n = 0; n < op->count; n++) {
        u64 value = sources[GROUPS * n + group][number];
        if (op->mode == WS_DEAL_MOVE) {
            value = 0;
            for (u32 i = 0; i < 2; i++)
                value |= (sources[(2 * number + i) * LANES_OF_GROUP + group / 2][0] >> 16 * (group % 2) & 0xFFFF) << 16 * i;
        }
        if (op->mode == WS_DEAL_COLUMNS) { /* transposed: the numbers of two rows, in the lane's column */
            value = 0;
            for (u32 i = 0; i < 2; i++)
                value |= (sources[GROUPS * n + 2 * number + i][group / 2] >> 16 * (group % 2) & 0xFFFF) << 16 * i;
        }
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = value;
    }
}
