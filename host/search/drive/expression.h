/* Expressions of objectives and limits, translated to SQL over the kernels of a point (docs/search.md). */
#pragma once

#include "base/text.h"
#include "warpsweep/space.h"

enum { WS_MOST_BASELINES = 64 };

/* Values at the baseline that expressions refer to: variable ?(WS_FIRST_BASELINE + n) is baseline[n] at the baseline. */
enum { WS_FIRST_BASELINE = 10 };

struct ws_expressions {
    struct ws_text baseline[WS_MOST_BASELINES];
    u32 baselines;
};

/* Adds the SQL of an expression ("geometric_mean(ipc) / 2") to sql. */
enum ws_status ws_expression(const struct ws_space_text *from, struct ws_expressions *all, struct ws_text *sql,
                             struct ws_error *error);

/* The SQL of both sides of a limit, "EXPRESSION >= EXPRESSION" (or <=); *least: the left side must be at least the right one. */
enum ws_status ws_limit_expression(const struct ws_space_text *from, struct ws_expressions *all, struct ws_text *left,
                                   struct ws_text *right, bool *least, struct ws_error *error);

void ws_expressions_free(struct ws_expressions *all);

/* Adds the SQL of a row of storage.def, or of storage_bits; false for another name. */
bool ws_storage_sql(const char *name, struct ws_text *sql);

/* Rows of storage.def, then the sum; NULL past the last. */
const char *ws_storage_name(size_t n);
