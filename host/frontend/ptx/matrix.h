/* Matrices that a warp of 32 threads holds in registers: mma, ldmatrix and their like. */
#pragma once

#include "frontend/ptx/ir.h"

/* D = A B + C of an mma: m x n, and k numbers for each of them. */
struct ws_matrix_shape {
    const char *name; /* "m16n8k16" */
    u16 m, n, k;
};

enum { WS_MATRIX_SHAPES = 11, WS_MATRIX_SOURCES = WS_OP_SOURCES - 1 };
extern const struct ws_matrix_shape ws_matrix_shapes[WS_MATRIX_SHAPES];

/* Types of A and B beyond enum ws_type. f32 for A or B means tf32, whose last 13 bits are ignored. */
enum { WS_MATRIX_s4 = WS_TYPES, WS_MATRIX_u4, WS_MATRIX_b1, WS_MATRIX_e4m3, WS_MATRIX_e5m2 };

/* `compare` of an mma of b1, whose products are bits: A and B, else A xor B. Of an m8n8k4 of f16: lanes have numbers of a column of
 * A, else of a row; of a row of B, else of a column. */
enum { WS_MATRIX_AND = 1, WS_MATRIX_A_COLUMNS = 2, WS_MATRIX_B_ROWS = 4 };

/* Bits of a number of A and B; of C and D. A number of f64 has a register, in machine code two; it counts as 32 bits. */
u32 ws_matrix_bits(u8 type);

/* Modes of a deal. From rows to registers: as they are, or by columns (ldmatrix). MOVE: a matrix in the lanes' registers, by
 * columns (movmatrix). GATHER: the four words of the lane's row, from registers; the other one by columns (stmatrix). */
enum { WS_DEAL_ROWS, WS_DEAL_COLUMNS, WS_DEAL_MOVE, WS_DEAL_GATHER, WS_DEAL_GATHER_COLUMNS };

/* Whether it is an m8n8k4 of f16: a product for each quad pair of lanes; eight numbers of f32 are made by two operations. */
bool ws_matrix_is_of_quads(const struct ws_op *op);

/* Registers of a thread: of A, of B, of C and D. */
u32 ws_matrix_registers_a(const struct ws_op *op);
u32 ws_matrix_registers_b(const struct ws_op *op);
u32 ws_matrix_registers_c(const struct ws_op *op);

/* Results of one lane, from the registers of all lanes: mma gives its part of D; deal distributes the words of rows loaded by lanes
 * (ldmatrix) or collects those of the rows that lanes store (stmatrix). */
void ws_matrix_product(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot);
void ws_matrix_deal(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot);

/* Number n of a word of A or B. */
double ws_matrix_number(u64 word, u32 n, u8 type);

/* A number of D: sum plus that of C, which is the word c, or one of its halves (f16). */
u64 ws_matrix_sum(const struct ws_op *op, double sum, u64 c, u32 half);
