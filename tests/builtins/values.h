/* Types of OpenCL C, edge operands of each, and exact rounding, for the test of built-in functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Holds every value of every type: 64 bits of mantissa. */
typedef long double real;
#define PI 3.14159265358979323846264338327950288L
__extension__ typedef __int128 wide;

/* The last two are pools of operands: int exponents and counts, and half in memory. */
enum type_id { T_char, T_uchar, T_short, T_ushort, T_int, T_uint, T_long, T_ulong, T_float, T_double, T_count, T_half, TYPES };

struct type {
    const char *name;
    int bits;
    bool is_signed, is_real;
    int mantissa, least_exponent; /* of a real: bits of a normal mantissa, exponent of the smallest normal */
    real least, most;             /* finite ones */
};
extern const struct type types[TYPES];

enum { TUPLES = 480, OPERANDS = 3 };

/* pool[type][operand][tuple]: products of edge operands first, then random ones; equal in every run. */
extern real pool[TYPES][OPERANDS][TUPLES];
void fill_pools(void);

enum rounding { TO_EVEN, TO_ZERO, UP, DOWN };

/* x as a number of a real type, rounded once. */
real round_to(real x, const struct type *type, enum rounding rounding);

real load(const uint8_t *bytes, const struct type *type);
void store(uint8_t *bytes, const struct type *type, real x);

/* Distance of found from the exact value in units in the last place of the type at max(|expected|, scale); infinite where one is
 * NaN or infinite and the other is not. */
real ulps(real found, real expected, real scale, const struct type *type);
