#include "cli/table.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { FIRST_ROOM = 64 };

static void add_cell(struct cli_table *table, const char *text, bool number)
{
    if (table->count == table->room) {
        const size_t room = table->room == 0 ? FIRST_ROOM : 2 * table->room;
        struct cli_cell *const cells = realloc(table->cells, room * sizeof *cells);
        if (!cells) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->room = room;
    }
    char *const copy = strdup(text);
    if (!copy) {
        table->failed = true;
        return;
    }
    table->cells[table->count++] = (struct cli_cell){copy, number};
}

void cli_table_text(struct cli_table *table, const char *cell)
{
    add_cell(table, cell, false);
}

void cli_table_number(struct cli_table *table, uint64_t cell)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, cell);
    add_cell(table, text, true);
}

void cli_table_real(struct cli_table *table, double cell, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", digits, cell);
    add_cell(table, isfinite(cell) ? text : "none", true);
}

void cli_table_free(struct cli_table *table)
{
    for (size_t n = 0; n < table->count; n++)
        free(table->cells[n].text);
    free(table->cells);
    *table = (struct cli_table){0};
}

static size_t column_count(const struct cli_table *table)
{
    size_t columns = 0;
    while (table->columns[columns])
        columns++;
    assert(columns > 0);
    return columns;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The last column is not padded. */
static void print_cell(struct ws_text *out, const char *text, bool right, size_t width, bool last)
{
    const int padding = (int)(width - ws_utf8_columns(text));
    if (right)
        ws_text_add(out, "%*s%s%s", padding, "", text, last ? "\n" : "  ");
    else if (last)
        ws_text_add(out, "%s\n", text);
    else
        ws_text_add(out, "%s%*s  ", text, padding, "");
}

void cli_table_print(const struct cli_table *table, struct ws_text *out)
{
    const size_t columns = column_count(table);
    size_t widths[CLI_COLUMNS];
    bool right[CLI_COLUMNS];
    for (size_t n = 0; n < columns; n++) {
        widths[n] = strlen(table->columns[n]);
        right[n] = table->count > 0;
    }
    for (size_t n = 0; n < table->count; n++) {
        widths[n % columns] = larger(widths[n % columns], ws_utf8_columns(table->cells[n].text));
        right[n % columns] = right[n % columns] && table->cells[n].number;
    }
    for (size_t n = 0; n < columns; n++)
        print_cell(out, table->columns[n], right[n], widths[n], n + 1 == columns);
    for (size_t n = 0; n < table->count; n++)
        print_cell(out, table->cells[n].text, right[n % columns], widths[n % columns], n % columns + 1 == columns);
    if (table->failed)
        out->failed = true;
}

static void json_number(struct ws_json *json, const char *key, const char *text)
{
    if (strspn(text, "0123456789") == strlen(text))
        ws_json_unsigned(json, key, strtoull(text, NULL, 10));
    else
        ws_json_real(json, key, strcmp(text, "none") == 0 ? (double)NAN : strtod(text, NULL));
}

void cli_table_json(const struct cli_table *table, const char *key, struct ws_json *json)
{
    const size_t columns = column_count(table);
    ws_json_array(json, key);
    for (size_t n = 0; n < table->count; n++) {
        const size_t column = n % columns;
        if (column == 0)
            ws_json_object(json, NULL);
        if (table->cells[n].number)
            json_number(json, table->columns[column], table->cells[n].text);
        else
            ws_json_text(json, table->columns[column], table->cells[n].text);
        if (column + 1 == columns)
            ws_json_end_object(json);
    }
    ws_json_end_array(json);
    if (table->failed)
        json->text->failed = true;
}
