/* Answers to SQL queries, kept as a matrix. */
#pragma once

#include "base/documents/yaml.h"
#include "warpsweep/results.h"

/* A cell; text is NULL for SQL NULL, number NaN for non-numbers. */
struct ws_cell {
    char *text;
    double number;
};

/* Cells row by row. Freed by ws_answer_free; {0} is allowed. */
struct ws_answer {
    size_t columns, rows;
    char **names;
    struct ws_cell *cells;
    const struct ws_yaml *query; /* the query, for messages */
};

/* Value of :NAME in a query. Stays NULL if there is no such value. */
struct ws_values {
    const char *(*find)(const void *context, const char *name);
    const void *context;
};

/* Runs one read-only statement. Errors refer to the query in its file: "FILE:LINE: ...", with the line of SQLite's error. An
 * unknown column, a name without a value, or a second statement are WS_STATUS_bad_input. */
enum ws_status ws_answer_ask(struct ws_results *results, const struct ws_yaml *query, const struct ws_values *values,
                             struct ws_answer *answer, struct ws_error *error);
void ws_answer_free(struct ws_answer *answer);

/* The column of this name, or answer->columns. */
size_t ws_answer_find(const struct ws_answer *answer, const char *name);

/* The same, but fails if missing: the message lists the answer's columns, and who needs it. */
enum ws_status ws_answer_need(const struct ws_answer *answer, const char *name, const char *who, size_t *column,
                              struct ws_error *error);

/* A cell; "" and NaN for NULL, and for a missing column. */
const char *ws_answer_text(const struct ws_answer *answer, size_t row, size_t column);
double ws_answer_number(const struct ws_answer *answer, size_t row, size_t column);

/* The distinct texts of a column, in order of appearance, in rows where another column (answer->columns: all rows) has a text. */
struct ws_words {
    size_t count;
    const char **word; /* freed by ws_words_free */
};
enum ws_status ws_words_of(const struct ws_answer *answer, size_t column, size_t where, const char *is, struct ws_words *words,
                           struct ws_error *error);
size_t ws_words_find(const struct ws_words *words, const char *word);
void ws_words_free(struct ws_words *words);
