#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "warpsweep/results.h"

#define FORMATS "text|csv|jsonl"

enum { KEY_FORMAT = 0x1000, KEY_RUN, FORMAT_TEXT = 0, FORMAT_CSV };

struct arguments {
    const char *file, *query, *run;
    size_t format;
};

/* Prints an answer as a table. */
struct answer {
    size_t rows;
    struct cli_table table;
    char *names[CLI_COLUMNS + 1]; /* of its columns */
};

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, FORMATS, 0, "aligned columns, CSV or JSON lines; default text", 0},
    {"run", KEY_RUN, "N|all", 0, "show run N of each experiment, or all runs; default newest", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_FORMAT:
        arguments->format = cli_parse_choice(state, "format", FORMATS, argument);
        return 0;
    case KEY_RUN:
        arguments->run = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->query)
            argp_error(state, "found '%s', allowed are RESULTS.db and one QUERY in quotes", argument);
        *(arguments->file ? &arguments->query : &arguments->file) = argument;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->query)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum ws_status take_names(struct answer *answer, const struct ws_results_row *row, struct ws_error *error)
{
    if (row->count > CLI_COLUMNS)
        return ws_fail(error, WS_STATUS_usage, "the answer has %zu columns, text has at most %d; name them, or take --format csv",
                       row->count, CLI_COLUMNS);
    for (size_t n = 0; n < row->count; n++) {
        answer->names[n] = strdup(row->names[n]);
        if (!answer->names[n])
            return ws_no_memory(error);
        answer->table.columns[n] = answer->names[n];
    }
    return WS_STATUS_ok;
}

static enum ws_status take_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct answer *const answer = context;
    if (answer->rows++ == 0)
        WS_TRY(take_names(answer, row, error));
    for (size_t n = 0; n < row->count; n++)
        (row->numbers[n] ? cli_table_digits : cli_table_text)(&answer->table, row->values[n] ? row->values[n] : "");
    return WS_STATUS_ok;
}

static enum ws_status add_table(struct ws_results *results, const char *query, struct ws_text *out, struct ws_error *error)
{
    struct answer answer = {.rows = 0};
    const enum ws_status status = ws_results_query(results, query, NULL, take_row, &answer, error);
    if (status == WS_STATUS_ok && answer.rows > 0)
        cli_table_print(&answer.table, out);
    cli_table_free(&answer.table);
    for (size_t n = 0; n < CLI_COLUMNS; n++)
        free(answer.names[n]);
    return status;
}

static enum ws_status answer(const struct arguments *arguments, struct ws_results *results, struct ws_text *out,
                             struct ws_error *error)
{
    if (arguments->format == FORMAT_TEXT)
        return add_table(results, arguments->query, out, error);
    const enum ws_export_format format = arguments->format == FORMAT_CSV ? WS_EXPORT_CSV : WS_EXPORT_JSON_LINES;
    return ws_results_answer(results, arguments->query, format, stdout, error);
}

/* Comment lines before a query, which would be parsed as an option. No option has a line break. */
static void skip_comments(int argc, char **argv)
{
    for (int n = 1; n < argc; n++)
        for (char *end; strncmp(argv[n], "--", 2) == 0 && (end = strchr(argv[n], '\n'));)
            argv[n] = end + strspn(end, " \t\r\n");
}

const struct argp cli_sql_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "RESULTS.db QUERY",
    .doc = "Answer an SQL query over tables and views of a results file (results.md; examples in sql.md). The file is opened "
           "read-only."};

int cli_sql(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ws_results *results;
    struct ws_error error;
    struct ws_text out = {0};
    skip_comments(argc, argv);
    argp_parse(&cli_sql_argp, argc, argv, 0, NULL, &arguments);
    if (ws_results_open(arguments.file, WS_RESULTS_READ, &results, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    enum ws_status status = arguments.run ? ws_results_choose_run(results, arguments.run, &error) : WS_STATUS_ok;
    WS_THEN(status, ws_results_derive(results, NULL, &error));
    WS_THEN(status, answer(&arguments, results, &out, &error));
    ws_results_close(results, NULL);
    return status == WS_STATUS_ok ? cli_print(&out) : cli_fail(&error);
}
