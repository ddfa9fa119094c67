#include "figures/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "results/sql.h"

/* ---- Messages ---- */

/* Fails at the line of the query's text that contains a byte. A multi-line text begins below its key. */
static enum ws_status fail_at(const struct ws_yaml *query, int byte, const char *message, struct ws_error *error)
{
    unsigned line = query->line + (strchr(query->text, '\n') != NULL);
    for (int n = 0; n < byte && query->text[n]; n++)
        line += query->text[n] == '\n';
    return ws_fail(error, WS_STATUS_bad_input, "%s:%u: %s", query->file, line, message);
}

/* ---- Asking ---- */

static enum ws_status prepare(sqlite3 *database, const struct ws_yaml *query, sqlite3_stmt **statement, struct ws_error *error)
{
    const char *rest = NULL;
    *statement = NULL;
    if (ws_sql_prepare_users(database, query->text, statement, &rest) != SQLITE_OK)
        return fail_at(query, sqlite3_error_offset(database), sqlite3_errmsg(database), error);
    if (!*statement)
        return fail_at(query, 0, "found no statement, allowed is one SELECT", error);
    if (!sqlite3_stmt_readonly(*statement))
        return fail_at(query, 0, "found a statement that writes, allowed is one SELECT", error);
    if (rest[strspn(rest, "; \t\r\n")])
        return fail_at(query, (int)(rest - query->text), "found a second statement, allowed is one SELECT", error);
    return WS_STATUS_ok;
}

static enum ws_status bind(sqlite3_stmt *statement, const struct ws_yaml *query, const struct ws_values *values,
                           struct ws_error *error)
{
    for (int n = 1; n <= sqlite3_bind_parameter_count(statement); n++) {
        const char *const name = sqlite3_bind_parameter_name(statement, n);
        const char *const value = name && values ? values->find(values->context, name + 1) : NULL;
        if (!value)
            return ws_yaml_fail(query, error, "found %s, which has no value; the figure's key values gives it one",
                                name ? name : "?");
        sqlite3_bind_text(statement, n, value, -1, SQLITE_STATIC);
    }
    return WS_STATUS_ok;
}

static enum ws_status take_names(sqlite3_stmt *statement, struct ws_answer *answer, struct ws_error *error)
{
    answer->columns = (size_t)sqlite3_column_count(statement);
    answer->names = calloc(answer->columns + 1, sizeof *answer->names);
    for (size_t n = 0; answer->names && n < answer->columns; n++)
        if (!(answer->names[n] = strdup(sqlite3_column_name(statement, (int)n))))
            return ws_no_memory(error);
    return answer->names ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status take_row(sqlite3_stmt *statement, struct ws_answer *answer, struct ws_error *error)
{
    const size_t count = answer->rows * answer->columns;
    if ((answer->rows & (answer->rows - 1)) == 0) { /* capacities are powers of two */
        const size_t room = answer->rows ? 2 * answer->rows : 1;
        struct ws_cell *const more = realloc(answer->cells, room * answer->columns * sizeof *more);
        if (!more)
            return ws_no_memory(error);
        answer->cells = more;
    }
    memset(&answer->cells[count], 0, answer->columns * sizeof *answer->cells);
    answer->rows++;
    for (size_t n = 0; n < answer->columns; n++) {
        struct ws_cell *const cell = &answer->cells[count + n];
        const int type = sqlite3_column_type(statement, (int)n);
        cell->number = type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_column_double(statement, (int)n) : (double)NAN;
        if (type != SQLITE_NULL && !(cell->text = strdup(ws_sql_text(statement, (int)n))))
            return ws_no_memory(error);
    }
    return WS_STATUS_ok;
}

static enum ws_status ask(sqlite3 *database, sqlite3_stmt *statement, const struct ws_values *values, struct ws_answer *answer,
                          struct ws_error *error)
{
    WS_TRY(bind(statement, answer->query, values, error));
    WS_TRY(take_names(statement, answer, error));
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        WS_TRY(take_row(statement, answer, error));
    return code == SQLITE_DONE ? WS_STATUS_ok : fail_at(answer->query, 0, sqlite3_errmsg(database), error);
}

enum ws_status ws_answer_ask(struct ws_results *results, const struct ws_yaml *query, const struct ws_values *values,
                             struct ws_answer *answer, struct ws_error *error)
{
    sqlite3_stmt *statement;
    *answer = (struct ws_answer){.query = query};
    WS_TRY(ws_yaml_expect(query, WS_YAML_SCALAR, error));
    enum ws_status status = prepare(results->database, query, &statement, error);
    if (status == WS_STATUS_ok)
        status = ask(results->database, statement, values, answer, error);
    sqlite3_finalize(statement);
    if (status != WS_STATUS_ok)
        ws_answer_free(answer);
    return status;
}

void ws_answer_free(struct ws_answer *answer)
{
    for (size_t n = 0; n < answer->rows * answer->columns; n++)
        free(answer->cells[n].text);
    for (size_t n = 0; answer->names && n < answer->columns; n++)
        free(answer->names[n]);
    free(answer->cells);
    free(answer->names);
    *answer = (struct ws_answer){0};
}

/* ---- Looking up ---- */

size_t ws_answer_find(const struct ws_answer *answer, const char *name)
{
    size_t column = 0;
    while (column < answer->columns && strcmp(answer->names[column], name) != 0)
        column++;
    return column;
}

enum ws_status ws_answer_need(const struct ws_answer *answer, const char *name, const char *who, size_t *column,
                              struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}};
    *column = ws_answer_find(answer, name);
    if (*column < answer->columns)
        return WS_STATUS_ok;
    for (size_t n = 0; n < answer->columns; n++)
        ws_names_offer(&names, answer->names[n]);
    const enum ws_status status =
        ws_yaml_fail(answer->query, error, "%s needs a column '%s', the answer has %s", who, name, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

const char *ws_answer_text(const struct ws_answer *answer, size_t row, size_t column)
{
    const char *const text = column < answer->columns ? answer->cells[row * answer->columns + column].text : NULL;
    return text ? text : "";
}

double ws_answer_number(const struct ws_answer *answer, size_t row, size_t column)
{
    return column < answer->columns ? answer->cells[row * answer->columns + column].number : (double)NAN;
}

enum ws_status ws_words_of(const struct ws_answer *answer, size_t column, size_t where, const char *is, struct ws_words *words,
                           struct ws_error *error)
{
    *words = (struct ws_words){.word = calloc(answer->rows + 1, sizeof *words->word)};
    if (!words->word)
        return ws_no_memory(error);
    for (size_t row = 0; row < answer->rows; row++) {
        const char *const word = ws_answer_text(answer, row, column);
        if (where < answer->columns && strcmp(ws_answer_text(answer, row, where), is) != 0)
            continue;
        if (ws_words_find(words, word) == words->count)
            words->word[words->count++] = word;
    }
    return WS_STATUS_ok;
}

/* Searches from the last match: answers arrive in order. */
size_t ws_words_find(const struct ws_words *words, const char *word)
{
    for (size_t n = words->count; n > 0; n--)
        if (strcmp(words->word[n - 1], word) == 0)
            return n - 1;
    return words->count;
}

void ws_words_free(struct ws_words *words)
{
    free(words->word);
    *words = (struct ws_words){0};
}
