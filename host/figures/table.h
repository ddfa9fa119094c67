/* Tables: rows of cells, the first row the heading, the first column words. */
#pragma once

#include "base/text.h"
#include "figures/answer.h"

/* Cells row by row, texts of the answer or constants. Freed by ws_table_free; {0} is allowed. */
struct ws_table {
    size_t columns, rows;
    const char **cell;
};

/* The table of an answer: as it is, or where it has the columns row, column and cell, with a row and a column for each of those, in
 * the order in which they come (columns of one name are told apart by a fourth column, place). heading, "" for the first column's
 * name, stands above the first column. "-" is what is missing or NULL. The answer must outlive the table. */
enum ws_status ws_table_make(const struct ws_answer *answer, const char *heading, struct ws_table *table, struct ws_error *error);
void ws_table_free(struct ws_table *table);

/* Add the table: in columns as wide as their cells, as Markdown, as CSV (RFC 4180). */
void ws_table_text(struct ws_text *text, const struct ws_table *table);
void ws_table_markdown(struct ws_text *text, const struct ws_table *table);
void ws_table_csv(struct ws_text *text, const struct ws_table *table);
