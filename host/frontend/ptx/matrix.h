/* Matrices that a warp of 32 threads holds in registers: mma, wmma and ldmatrix. */
#pragma once

#include "frontend/ptx/ir.h"

/* D = A B + C of an mma: m x n, and k numbers for each of them. */
struct ws_matrix_shape {
    const char *name; /* "m16n8k16" */
    u8 m, n, k;
};

enum { WS_MATRIX_SHAPES = 10, WS_MATRIX_SOURCES = WS_OP_SOURCES - 1 };

/* Bits of `compare` of a wmma: A is column-major, B is row-major. */
enum { WS_MATRIX_A_COLUMNS = 1, WS_MATRIX_B_ROWS = 2 };
extern const struct ws_matrix_shape ws_matrix_shapes[WS_MATRIX_SHAPES];

/* Bits of a number of A and B; of C and D. Types are enum ws_type. f32 or u32 for A or B means tf32, whose last 13 bits are
 * ignored. A number of f64 has a register, in machine code two; it counts as 32 bits. */
u32 ws_matrix_bits(u8 type);

/* Modes of a deal: rows as they are, or by columns; MOVE: a matrix in the lanes' registers, by columns (movmatrix). */
enum { WS_DEAL_ROWS, WS_DEAL_COLUMNS, WS_DEAL_MOVE };

/* Registers of a thread: of A, of B, of C and D. */
u32 ws_matrix_registers_a(const struct ws_op *op);
u32 ws_matrix_registers_b(const struct ws_op *op);
u32 ws_matrix_registers_c(const struct ws_op *op);

/* Results of one lane, from the registers of all lanes: mma gives its part of D; deal distributes the words of rows loaded by lanes
 * (ldmatrix). */
void ws_matrix_product(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot);
void ws_matrix_deal(const struct ws_op *op, u32 lane, const u64 (*sources)[WS_MATRIX_SOURCES], u64 *slot);
