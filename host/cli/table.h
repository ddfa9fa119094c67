/* A table for people (aligned columns) and for programs (JSON). */
#pragma once

#include "base/documents/json.h"

enum { CLI_COLUMNS = 64 };

/* Starts as {.columns = names}, ended by NULL. Cells are added row by row. */
struct cli_table {
    const char *columns[CLI_COLUMNS + 1];
    struct cli_cell {
        char *text;
        bool number; /* unquoted in JSON; a column of numbers is right-aligned */
    } * cells;
    size_t count, room;
    bool failed;
};

void cli_table_text(struct cli_table *table, const char *cell);
void cli_table_digits(struct cli_table *table, const char *cell); /* a number as text */
void cli_table_number(struct cli_table *table, uint64_t cell);
void cli_table_real(struct cli_table *table, double cell, int digits); /* digits behind the point; "none", or null if not finite */
void cli_table_free(struct cli_table *table);

/* Merges rows that differ in one column only: keeps the first, with " and N more" in its cell. */
void cli_table_group(struct cli_table *table, size_t column);

/* Keeps the rows with the word in a cell, ignoring case. */
void cli_table_keep(struct cli_table *table, const char *word);

/* Adds the table with a line of column names. */
void cli_table_print(const struct cli_table *table, struct ws_text *out);

/* The same; on a narrower terminal the widest cells take several lines. */
void cli_table_print_to_fit(const struct cli_table *table, struct ws_text *out);

/* Adds an array of objects, one per row. */
void cli_table_json(const struct cli_table *table, const char *key, struct ws_json *json);
