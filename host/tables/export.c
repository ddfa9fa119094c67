/* A view as a table: columns, rows and order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/schema/view.h"
#include "tables/lines.h"

/* Rows being written. */
struct table {
    FILE *out;
    bool csv;
    size_t rows;
};

/* The query: ordered columns, and the values of conditions. */
struct question {
    const struct ws_export_options *options;
    struct ws_view view;
    size_t *columns, column_count;
    const char **values; /* ended by NULL */
    struct ws_text sql;
};

static enum ws_status no_memory(const struct question *question, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", question->view.results->path);
}

/* ---- Columns ---- */

static enum ws_status choose_column(struct question *question, const char *name, size_t length, struct ws_error *error)
{
    size_t column;
    WS_TRY(ws_view_find(&question->view, name, length, &column, error));
    for (size_t n = 0; n < question->column_count; n++)
        if (question->columns[n] == column)
            return ws_fail(error, WS_STATUS_usage, "%s: column '%s' is named twice; remove one", question->view.results->path,
                           ws_view_column(&question->view, column));
    question->columns[question->column_count++] = column;
    return WS_STATUS_ok;
}

/* Reads "a, b,c". */
static enum ws_status choose_columns(struct question *question, struct ws_error *error)
{
    const char *list = question->options->columns;
    for (;;) {
        list += strspn(list, " ");
        const size_t item = strcspn(list, ",");
        size_t length = item;
        while (length > 0 && list[length - 1] == ' ')
            length--;
        WS_TRY(choose_column(question, list, length, error));
        if (!list[item])
            return WS_STATUS_ok;
        list += item + 1;
    }
}

static void choose_all(struct question *question)
{
    for (size_t n = 0; n < ws_view_columns(&question->view); n++)
        question->columns[question->column_count++] = n;
}

/* ---- The question ---- */

static enum ws_status compose(struct question *question, struct ws_error *error)
{
    const struct ws_export_options *const options = question->options;
    for (size_t n = 0; n < question->column_count; n++)
        ws_text_add(&question->sql, "%s%s", n > 0 ? ", " : "SELECT ", ws_view_column(&question->view, question->columns[n]));
    ws_text_add(&question->sql, " FROM %s", question->view.name);
    for (size_t n = 0; n < options->condition_count; n++) {
        ws_text_add(&question->sql, n > 0 ? " AND " : " WHERE ");
        WS_TRY(ws_view_add_condition(&question->view, options->conditions[n], (int)n + 1, &question->sql, &question->values[n],
                                     error));
    }
    ws_text_add(&question->sql, " ORDER BY %s", question->view.order);
    return question->sql.failed ? no_memory(question, error) : WS_STATUS_ok;
}

static enum ws_status put_names(const struct question *question, FILE *out, struct ws_error *error)
{
    const char **const names = calloc(question->column_count, sizeof *names);
    if (!names)
        return no_memory(question, error);
    for (size_t n = 0; n < question->column_count; n++)
        names[n] = ws_view_column(&question->view, question->columns[n]);
    const struct ws_results_row row = {.count = question->column_count, .values = names};
    const enum ws_status status = ws_lines_csv(out, &row, error);
    free(names);
    return status;
}

static enum ws_status put_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct table *const table = context;
    table->rows++;
    return (table->csv ? ws_lines_csv : ws_lines_json)(table->out, row, error);
}

static enum ws_status print_table(struct question *question, FILE *out, struct ws_error *error)
{
    struct table table = {.out = out, .csv = question->options->format == WS_EXPORT_CSV};
    question->columns = calloc(ws_view_columns(&question->view), sizeof *question->columns);
    question->values = calloc(question->options->condition_count + 1, sizeof *question->values);
    if (!question->columns || !question->values)
        return no_memory(question, error);
    if (question->options->columns)
        WS_TRY(choose_columns(question, error));
    else
        choose_all(question);
    WS_TRY(compose(question, error));
    if (table.csv)
        WS_TRY(put_names(question, out, error));
    WS_TRY(ws_results_query(question->view.results, question->sql.data, question->values, put_row, &table, error));
    if (question->options->rows)
        *question->options->rows = table.rows;
    if (fflush(out) != 0)
        return ws_fail(error, WS_STATUS_no_file, "the table cannot be written: %s", strerror(errno));
    return WS_STATUS_ok;
}

/* Output state; names precede the first row of CSV. */
struct writing {
    FILE *out;
    bool csv, named;
};

static enum ws_status write_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct writing *const writing = context;
    if (!writing->csv)
        return ws_lines_json(writing->out, row, error);
    if (!writing->named)
        WS_TRY(ws_lines_csv(writing->out, &(struct ws_results_row){.count = row->count, .values = row->names}, error));
    writing->named = true;
    return ws_lines_csv(writing->out, row, error);
}

enum ws_status ws_results_answer(struct ws_results *results, const char *sql, enum ws_export_format format, FILE *out,
                                 struct ws_error *error)
{
    struct writing writing = {.out = out, .csv = format == WS_EXPORT_CSV};
    WS_TRY(ws_results_query(results, sql, NULL, write_row, &writing, error));
    if (fflush(out) != 0)
        return ws_fail(error, WS_STATUS_no_file, "the table cannot be written: %s", strerror(errno));
    return WS_STATUS_ok;
}

enum ws_status ws_results_export(struct ws_results *results, const struct ws_export_options *options, FILE *out,
                                 struct ws_error *error)
{
    static const struct ws_export_options standard = {WS_STRUCT(export_options)};
    struct question question = {.options = options ? options : &standard};
    const char *const view = question.options->view ? question.options->view : "result";
    WS_TRY(WS_STRUCT_CHECK(export_options, question.options, error));
    enum ws_status status = question.options->run ? ws_results_choose_run(results, question.options->run, error) : WS_STATUS_ok;
    WS_THEN(status, ws_view_open(results, view, &question.view, error));
    WS_THEN(status, print_table(&question, out, error));
    ws_view_close(&question.view);
    free(question.columns);
    free(question.values);
    ws_text_free(&question.sql);
    return status;
}
