/* Tables: rows of cells. The first row is the heading, the first column has words. */
#pragma once

#include "base/text.h"
#include "figures/answer.h"

/* Cells row by row; texts are of the answer, or constants. Freed by ws_table_free; {0} is allowed. */
struct ws_table {
    size_t columns, rows;
    const char **cell;
};

/* The table of an answer: unchanged or, if it has the columns row, column and cell, pivoted, with rows and columns in order of
 * appearance (a fourth column, place, separates columns of equal names). heading stands above the first column; "": the first
 * column's name. "-" replaces missing cells and NULL. The answer must outlive the table. */
enum ws_status ws_table_make(const struct ws_answer *answer, const char *heading, struct ws_table *table, struct ws_error *error);
void ws_table_free(struct ws_table *table);

/* Add the table: in padded columns, as Markdown, as CSV (RFC 4180). */
void ws_table_text(struct ws_text *text, const struct ws_table *table);
void ws_table_markdown(struct ws_text *text, const struct ws_table *table);
void ws_table_csv(struct ws_text *text, const struct ws_table *table);
