/* Questions to a results file, and its table as CSV. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/sql.h"

typedef enum ws_status row_function(void *context, const struct ws_results_row *row, struct ws_error *error);

struct question {
    row_function *row;
    void *context;
    bool names_first; /* the names of the columns come as a first row */
};

static enum ws_status give_rows(struct ws_results *results, sqlite3_stmt *statement, struct ws_results_row *row,
                                const struct question *question, struct ws_error *error)
{
    for (;;) {
        bool more;
        WS_TRY(ws_sql_step(results, statement, &more, error));
        if (!more)
            return WS_STATUS_ok;
        for (size_t n = 0; n < row->count; n++)
            row->values[n] = (const char *)sqlite3_column_text(statement, (int)n);
        WS_TRY(question->row(question->context, row, error));
    }
}

static enum ws_status give_answer(struct ws_results *results, sqlite3_stmt *statement, struct ws_results_row *row,
                                  const struct question *question, struct ws_error *error)
{
    for (size_t n = 0; n < row->count; n++)
        row->values[n] = sqlite3_column_name(statement, (int)n);
    memcpy(row->names, row->values, row->count * sizeof *row->names);
    if (question->names_first)
        WS_TRY(question->row(question->context, row, error));
    return give_rows(results, statement, row, question, error);
}

static enum ws_status ask(struct ws_results *results, const char *sql, const char *const *parameters,
                          const struct question *question, struct ws_error *error)
{
    sqlite3_stmt *statement;
    WS_TRY(ws_sql_prepare(results, sql, &statement, error));
    for (int n = 0; parameters && parameters[n]; n++)
        sqlite3_bind_text(statement, n + 1, parameters[n], -1, SQLITE_STATIC);
    const size_t count = (size_t)sqlite3_column_count(statement);
    const char **const texts = calloc(2 * count + 1, sizeof *texts);
    struct ws_results_row row = {.count = count, .names = texts, .values = texts ? texts + count : NULL};
    const enum ws_status status = texts ? give_answer(results, statement, &row, question, error)
                                        : ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", results->path);
    free(texts);
    sqlite3_finalize(statement);
    return status;
}

enum ws_status ws_results_query(struct ws_results *results, const char *sql, const char *const *parameters, row_function *row,
                                void *context, struct ws_error *error)
{
    const struct question question = {.row = row, .context = context};
    return ask(results, sql, parameters, &question, error);
}

/* ---- CSV ---- */

static void put_field(FILE *out, const char *text)
{
    if (!text)
        return;
    if (!text[strcspn(text, "\",\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static enum ws_status put_line(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    FILE *const out = context;
    for (size_t n = 0; n < row->count; n++) {
        if (n > 0)
            fputc(',', out);
        put_field(out, row->values[n]);
    }
    if (fputc('\n', out) == EOF || ferror(out))
        return ws_fail(error, WS_STATUS_no_file, "cannot write the table: %s", strerror(errno));
    return WS_STATUS_ok;
}

enum ws_status ws_results_export_csv(struct ws_results *results, FILE *out, struct ws_error *error)
{
    const struct question question = {.row = put_line, .context = out, .names_first = true};
    WS_TRY(ask(results, "SELECT * FROM result ORDER BY experiment, point_position, trace_position, shard", NULL, &question, error));
    if (fflush(out) != 0)
        return ws_fail(error, WS_STATUS_no_file, "cannot write the table: %s", strerror(errno));
    return WS_STATUS_ok;
}
