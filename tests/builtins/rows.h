/* The table of built-in functions: how each is called, and its result. */
#pragma once

#include "builtins/values.h"

/* One call as its reference sees it: element `lane` of vectors of `width` elements. */
struct call {
    const struct type *type;
    int width, lane;
    const real *all[OPERANDS]; /* the vectors */
    real v[OPERANDS];          /* their elements of this lane */
    int n;                     /* the last one, if it is an int or a vector of int */
    real second;               /* contents of the pointer's target after the call */
    real scale;                /* errors are relative to this magnitude if the result is smaller */
    bool undefined;            /* OpenCL leaves open the result, */
    bool second_open;          /* the pointer's target, */
    bool any_zero;             /* the sign of a zero; */
    bool flushes;              /* zero is also accepted for a subnormal result */
    const struct row *row;
};

/* call: OpenCL C over x, y, z and p; %w is the width, %t the element's type, %u and %m the unsigned and the signed type of its
 * size. signature: RESULT:OPERANDS. Operands: g vector, s scalar of the type, i vector of int, I scalar int, u and m vector of
 * integers of the type's size, P pointer to such a vector, Q pointer to a vector of int (both written to), h half in memory, L
 * elements in memory. Results: g, i, u, m, w of twice the size, r of a comparison, S scalar of the type, b int of a vector, t of
 * the row's type `to`, H half in memory, V elements in memory. */
struct row {
    const char *id, *call, *signature;
    unsigned of;       /* bits of enum type_id */
    const int *widths; /* ends with 0 */
    real bounds[2];    /* in ULP of float and double (OpenCL 1.2, 7.4); 0 is exact, with the sign of zero */
    real (*reference)(struct call *);
    enum type_id to;
    enum rounding rounding;
    bool saturates;
};

/* The number of rows, conversions among them; *rows has static storage. */
size_t list_rows(const struct row **rows);
