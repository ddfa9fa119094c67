/* The table of built-in functions: how each is called, and what it returns. */
#pragma once

#include "builtins/values.h"

/* One call as its reference sees it: element `lane` of vectors of `width` elements. */
struct call {
    const struct type *type;
    int width, lane;
    const real *all[OPERANDS]; /* the vectors */
    real v[OPERANDS];          /* their elements of this lane */
    int n;                     /* the last of them, where it is a vector of int or an int */
    real second;               /* what the pointer's target holds after the call */
    real scale;                /* errors count against numbers of this magnitude, where the result is smaller */
    bool undefined;            /* OpenCL leaves the result open, */
    bool second_open;          /* that of the pointer's target, */
    bool any_zero;             /* the sign of a zero; */
    bool flushes;              /* a zero for a subnormal result is right too */
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
