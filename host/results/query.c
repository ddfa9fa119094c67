/* Queries to a results file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/sql.h"

typedef enum ws_status row_function(void *context, const struct ws_results_row *row, struct ws_error *error);

/* Row under construction; the arrays have count elements. */
struct answer {
    size_t count;
    const char **names, **values;
    bool *numbers;
};

static bool is_number(sqlite3_stmt *statement, int column)
{
    const int type = sqlite3_column_type(statement, column);
    return type == SQLITE_INTEGER || (type == SQLITE_FLOAT && isfinite(sqlite3_column_double(statement, column)));
}

static enum ws_status give_rows(struct ws_results *results, sqlite3_stmt *statement, const struct answer *answer,
                                row_function *give, void *context, struct ws_error *error)
{
    const struct ws_results_row row = {
        .count = answer->count, .names = answer->names, .values = answer->values, .numbers = answer->numbers};
    for (bool first = true;; first = false) {
        bool more;
        WS_TRY(ws_sql_step(results, statement, &more, error));
        if (!more)
            return WS_STATUS_ok;
        for (size_t n = 0; first && n < row.count; n++) /* the first step may prepare again, which invalidates the names */
            answer->names[n] = sqlite3_column_name(statement, (int)n);
        for (size_t n = 0; n < row.count; n++) {
            answer->numbers[n] = is_number(statement, (int)n); /* read before the value is converted to text */
            answer->values[n] = ws_sql_text(statement, (int)n);
        }
        WS_TRY(give(context, &row, error));
    }
}

/* Prepares one read-only statement. */
static enum ws_status prepare(struct ws_results *results, const char *sql, sqlite3_stmt **statement, struct ws_error *error)
{
    const char *rest = NULL;
    const char *wrong = NULL;
    if (ws_sql_prepare_users(results->database, sql, statement, &rest) != SQLITE_OK)
        return ws_fail(error, WS_STATUS_usage, "%s: the query is not valid: %s", results->path, sqlite3_errmsg(results->database));
    if (!*statement)
        wrong = "found no statement, allowed is one SELECT";
    else if (!sqlite3_stmt_readonly(*statement) && sqlite3_strnicmp(sql, "PRAGMA ", 7) != 0) /* "PRAGMA journal_mode" might write */
        wrong = "found a statement that writes, allowed is one SELECT";
    else if (rest[strspn(rest, "; \t\r\n")])
        wrong = "found a second statement, allowed is one";
    if (!wrong)
        return WS_STATUS_ok;
    sqlite3_finalize(*statement);
    return ws_fail(error, WS_STATUS_usage, "%s: %s", results->path, wrong);
}

enum ws_status ws_results_query(struct ws_results *results, const char *sql, const char *const *parameters, row_function *row,
                                void *context, struct ws_error *error)
{
    sqlite3_stmt *statement;
    WS_TRY(prepare(results, sql, &statement, error));
    for (int n = 0; parameters && parameters[n]; n++)
        sqlite3_bind_text(statement, n + 1, parameters[n], -1, SQLITE_STATIC);
    const size_t count = (size_t)sqlite3_column_count(statement);
    const char **const texts = calloc(2 * count + 1, sizeof *texts);
    bool *const numbers = calloc(count + 1, sizeof *numbers);
    const struct answer answer = {.count = count, .names = texts, .values = texts ? texts + count : NULL, .numbers = numbers};
    const enum ws_status status =
        texts && numbers ? give_rows(results, statement, &answer, row, context, error) : ws_sql_no_memory(results, error);
    free(texts);
    free(numbers);
    sqlite3_finalize(statement);
    return status;
}
