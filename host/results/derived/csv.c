#include "results/derived/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct reader {
    const char *file;
    char *at;
    unsigned line;
    size_t cells, room;
    struct ws_csv *csv;
};

/* Removes the quotes of a cell in place; `at` then stands behind it. */
static enum ws_status read_quoted(struct reader *reader, char **cell, struct ws_error *error)
{
    char *end = reader->at + 1;
    *cell = end;
    for (reader->at++; *reader->at != '"' || reader->at[1] == '"'; *end++ = *reader->at++) {
        reader->line += *reader->at == '\n';
        reader->at += *reader->at == '"';
        if (!*reader->at)
            return ws_fail(error, WS_STATUS_bad_input, "%s:%u: a quote that does not end", reader->file, reader->line);
    }
    reader->at++;
    if (*reader->at && !strchr(",\r\n", *reader->at))
        return ws_fail(error, WS_STATUS_bad_input, "%s:%u: found '%c' behind a quoted cell, allowed is a comma", reader->file,
                       reader->line, *reader->at);
    if (end != reader->at)
        *end = 0;
    return WS_STATUS_ok;
}

static enum ws_status read_cell(struct reader *reader, char *separator, struct ws_error *error)
{
    struct ws_csv *const csv = reader->csv;
    char *cell = reader->at;
    if (reader->cells == reader->room) {
        reader->room = reader->room ? 2 * reader->room : 256;
        char **const more = realloc(csv->cells, reader->room * sizeof *more);
        if (!more)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", reader->file);
        csv->cells = more;
    }
    if (*reader->at == '"')
        WS_TRY(read_quoted(reader, &cell, error));
    else
        reader->at += strcspn(reader->at, ",\r\n");
    *separator = *reader->at;
    *reader->at = 0;
    reader->at += *separator != 0;
    if (*separator == '\r' && *reader->at == '\n')
        *separator = *reader->at++;
    csv->cells[reader->cells++] = cell;
    return WS_STATUS_ok;
}

static enum ws_status read_row(struct reader *reader, struct ws_error *error)
{
    struct ws_csv *const csv = reader->csv;
    const size_t before = reader->cells;
    const unsigned line = reader->line;
    char separator = ',';
    while (separator == ',')
        WS_TRY(read_cell(reader, &separator, error));
    reader->line++;
    if (csv->rows++ == 0)
        csv->columns = reader->cells;
    if (reader->cells - before == csv->columns)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "%s:%u: found %zu cells, the first line names %zu columns", reader->file, line,
                   reader->cells - before, csv->columns);
}

enum ws_status ws_csv_read(const char *file, char *text, struct ws_csv *csv, struct ws_error *error)
{
    struct reader reader = {.file = file, .at = text, .line = 1, .csv = csv};
    enum ws_status status = WS_STATUS_ok;
    *csv = (struct ws_csv){0};
    while (*reader.at && status == WS_STATUS_ok)
        status = read_row(&reader, error);
    if (status == WS_STATUS_ok && csv->rows == 0)
        status = ws_fail(error, WS_STATUS_bad_input, "%s: is empty, allowed is a line of names and rows below it", file);
    if (status != WS_STATUS_ok)
        free(csv->cells);
    return status;
}
