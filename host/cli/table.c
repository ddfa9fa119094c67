#define _GNU_SOURCE /* strcasestr */
#include "cli/table.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

enum { FIRST_ROOM = 64, GAP = 2 };

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

void cli_table_digits(struct cli_table *table, const char *cell)
{
    add_cell(table, cell, true);
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

static void drop_rows(struct cli_table *table, size_t columns, const bool *dropped)
{
    size_t kept = 0;
    for (size_t n = 0; n < table->count; n++) {
        if (dropped[n / columns])
            free(table->cells[n].text);
        else
            table->cells[kept++] = table->cells[n];
    }
    table->count = kept;
}

static bool row_has(const struct cli_cell *cells, size_t columns, const char *word)
{
    for (size_t n = 0; n < columns; n++)
        if (strcasestr(cells[n].text, word))
            return true;
    return false;
}

void cli_table_keep(struct cli_table *table, const char *word)
{
    const size_t columns = column_count(table), rows = table->count / columns;
    bool *const dropped = calloc(rows + 1, sizeof *dropped);
    table->failed = table->failed || !dropped;
    if (!dropped)
        return;
    for (size_t n = 0; n < rows; n++)
        dropped[n] = !row_has(&table->cells[n * columns], columns, word);
    drop_rows(table, columns, dropped);
    free(dropped);
}

/* Columns of the terminal that stdout is; no limit for a file or a pipe. */
static size_t terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : SIZE_MAX;
}

static size_t longest_word(const char *text)
{
    size_t longest = 0;
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        longest = larger(longest, length);
    }
    return longest;
}

/* Narrows the widest columns, down to their longest words, until the table fits. False if it fits unchanged. */
static bool narrow(const struct cli_table *table, size_t columns, size_t *widths, size_t room)
{
    size_t least[CLI_COLUMNS] = {0}, sum = 0;
    for (size_t n = 0; n < columns + table->count; n++) {
        const char *const text = n < columns ? table->columns[n] : table->cells[n - columns].text;
        least[n % columns] = larger(least[n % columns], longest_word(text));
        widths[n % columns] = larger(n < columns ? 0 : widths[n % columns], ws_utf8_columns(text));
    }
    for (size_t n = 0; n < columns; n++)
        sum += widths[n] + (n > 0 ? GAP : 0);
    const bool wide = sum > room;
    while (sum > room) {
        size_t widest = columns;
        for (size_t n = 0; n < columns; n++)
            if (widths[n] > least[n] && (widest == columns || widths[n] > widths[widest]))
                widest = n;
        if (widest == columns)
            break;
        widths[widest]--;
        sum--;
    }
    return wide;
}

/* Bytes of the words that fit a width; at least one word. */
static size_t fitting(const char *text, size_t width)
{
    size_t end = strcspn(text, " ");
    for (size_t next = end; text[next] && next < width;) {
        next += 1 + strcspn(text + next + 1, " ");
        end = next <= width ? next : end;
    }
    return end;
}

/* Prints a row, each cell on as many lines as it needs. */
static void print_lines(struct ws_text *out, const char **cells, size_t columns, const size_t *widths)
{
    for (bool more = true; more;) {
        size_t blanks = 0;
        more = false;
        for (size_t n = 0; n < columns; n++) {
            const size_t bytes = fitting(cells[n], widths[n]);
            if (bytes > 0)
                ws_text_add(out, "%*s%.*s", (int)blanks, "", (int)bytes, cells[n]);
            blanks = (bytes > 0 ? 0 : blanks) + widths[n] + GAP - bytes;
            cells[n] += bytes + (cells[n][bytes] == ' ');
            more = more || *cells[n];
        }
        ws_text_add(out, "\n");
    }
}

void cli_table_print_to_fit(const struct cli_table *table, struct ws_text *out)
{
    const size_t columns = column_count(table), room = terminal_columns();
    size_t widths[CLI_COLUMNS];
    const char *cells[CLI_COLUMNS];
    if (!narrow(table, columns, widths, room)) {
        cli_table_print(table, out);
        return;
    }
    for (size_t n = 0; n < columns + table->count; n++) {
        cells[n % columns] = n < columns ? table->columns[n] : table->cells[n - columns].text;
        if (n % columns + 1 == columns)
            print_lines(out, cells, columns, widths);
    }
    if (table->failed)
        out->failed = true;
}

/* ---- Grouping ---- */

/* A row, grouped by the values of all columns but one (without). */
struct grouped_row {
    const struct cli_cell *cells;
    size_t columns, without;
};

static int compare_but_one(const struct grouped_row *a, const struct grouped_row *b)
{
    int order = 0;
    for (size_t n = 0; n < a->columns && order == 0; n++)
        order = n == a->without ? 0 : strcmp(a->cells[n].text, b->cells[n].text);
    return order;
}

/* Keeps the order of rows in a group. */
static int by_group(const void *left, const void *right)
{
    const struct grouped_row *const a = left, *const b = right;
    const int order = compare_but_one(a, b);
    return order != 0 ? order : (a->cells > b->cells) - (a->cells < b->cells);
}

/* Counts in the first row of each group the others, and marks those in dropped. */
static void join_groups(struct cli_table *table, const struct grouped_row *rows, size_t count, size_t column, bool *dropped)
{
    const size_t columns = rows->columns;
    for (size_t first = 0, n = 1; first < count; first = n++) {
        struct ws_text text = {0};
        struct cli_cell *const cell = &table->cells[(size_t)(rows[first].cells - table->cells) + column];
        for (; n < count && compare_but_one(&rows[first], &rows[n]) == 0; n++)
            dropped[(size_t)(rows[n].cells - table->cells) / columns] = true;
        if (n - first == 1)
            continue;
        ws_text_add(&text, "%s and %zu more", cell->text, n - first - 1);
        table->failed = table->failed || text.failed;
        if (text.failed)
            continue;
        free(cell->text);
        *cell = (struct cli_cell){text.data, false};
    }
}

void cli_table_group(struct cli_table *table, size_t column)
{
    const size_t columns = column_count(table), count = table->count / columns;
    struct grouped_row *const rows = calloc(count + 1, sizeof *rows);
    bool *const dropped = calloc(count + 1, sizeof *dropped);
    if (rows && dropped && !table->failed && count > 0) {
        for (size_t n = 0; n < count; n++)
            rows[n] = (struct grouped_row){&table->cells[n * columns], columns, column};
        qsort(rows, count, sizeof *rows, by_group);
        join_groups(table, rows, count, column, dropped);
        drop_rows(table, columns, dropped);
    }
    table->failed = table->failed || !rows || !dropped;
    free(rows);
    free(dropped);
}

/* ---- JSON ---- */

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
