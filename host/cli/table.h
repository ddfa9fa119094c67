/* A table for people (aligned columns) and for programs (JSON). */
#pragma once

#include "base/documents/json.h"

enum { CLI_COLUMNS = 64 };

/* Starts as {.columns = names}, ended by NULL. Cells are added row by row. */
struct cli_table {
    const char *columns[CLI_COLUMNS + 1];
    struct cli_cell {
        char *text;
        bool number; /* unquoted in JSON; a column of numbers alone is aligned to the right */
    } * cells;
    size_t count, room;
    bool failed;
};

void cli_table_text(struct cli_table *table, const char *cell);
void cli_table_digits(struct cli_table *table, const char *cell); /* a number as text */
void cli_table_number(struct cli_table *table, uint64_t cell);
void cli_table_real(struct cli_table *table, double cell,
                    int digits); /* digits behind the point; "none" and null when not finite */
void cli_table_free(struct cli_table *table);

/* Makes one row of those that differ in a column only: the first, where " and N more" joins the cell of that column. */
void cli_table_group(struct cli_table *table, size_t column);

/* Keeps the rows of which a cell has the word, in capitals or not. */
void cli_table_keep(struct cli_table *table, const char *word);

/* Adds the table with a line of column names. */
void cli_table_print(const struct cli_table *table, struct ws_text *out);

/* The same; where stdout is a terminal that is narrower, its widest cells take several lines. */
void cli_table_print_to_fit(const struct cli_table *table, struct ws_text *out);

/* Adds an array of objects, one a row. */
void cli_table_json(const struct cli_table *table, const char *key, struct ws_json *json);
