#include "figures/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static enum ws_status make_room(struct ws_table *table, size_t rows, size_t columns, struct ws_error *error)
{
    *table = (struct ws_table){.columns = columns, .rows = rows, .cell = calloc(rows * columns + 1, sizeof *table->cell)};
    for (size_t n = 0; table->cell && n < rows * columns; n++)
        table->cell[n] = "-";
    return table->cell ? WS_STATUS_ok : ws_no_memory(error);
}

static const char *cell_of(const struct ws_answer *answer, size_t row, size_t column)
{
    const char *const text = answer->cells[row * answer->columns + column].text;
    return text ? text : "-";
}

/* Columns whose names begin with _ only define the order. */
static bool is_shown(const struct ws_answer *answer, size_t column)
{
    return answer->names[column][0] != '_';
}

static enum ws_status copy(const struct ws_answer *answer, struct ws_table *table, struct ws_error *error)
{
    size_t columns = 0, at = 0;
    for (size_t n = 0; n < answer->columns; n++)
        columns += is_shown(answer, n);
    WS_TRY(make_room(table, answer->rows + 1, columns, error));
    for (size_t n = 0; n < answer->columns; n++)
        if (is_shown(answer, n))
            table->cell[at++] = answer->names[n];
    for (size_t n = 0; n < answer->rows * answer->columns; n++)
        if (is_shown(answer, n % answer->columns))
            table->cell[at++] = cell_of(answer, n / answer->columns, n % answer->columns);
    return WS_STATUS_ok;
}

/* Pivoted answers: position of each cell in the table. */
struct turned {
    size_t row, column, cell, place;
    struct ws_words rows;
    const char **names, **places; /* of the table's columns */
    size_t columns;
};

/* The table column for a row of the answer; added if new. */
static size_t column_of(const struct ws_answer *answer, size_t row, struct turned *turned)
{
    const char *const name = ws_answer_text(answer, row, turned->column), *const place = ws_answer_text(answer, row, turned->place);
    size_t n = 0;
    while (n < turned->columns && (strcmp(turned->names[n], name) != 0 || strcmp(turned->places[n], place) != 0))
        n++;
    if (n == turned->columns) {
        turned->names[n] = name;
        turned->places[n] = place;
        turned->columns++;
    }
    return n;
}

static enum ws_status turn(const struct ws_answer *answer, struct turned *turned, struct ws_table *table, struct ws_error *error)
{
    WS_TRY(ws_words_of(answer, turned->row, answer->columns, "", &turned->rows, error));
    turned->names = calloc(2 * answer->rows + 1, sizeof *turned->names);
    if (!turned->names)
        return ws_no_memory(error);
    turned->places = turned->names + answer->rows;
    for (size_t row = 0; row < answer->rows; row++)
        column_of(answer, row, turned);
    WS_TRY(make_room(table, turned->rows.count + 1, turned->columns + 1, error));
    table->cell[0] = answer->names[turned->row];
    memcpy(table->cell + 1, turned->names, turned->columns * sizeof *table->cell);
    for (size_t row = 0; row < answer->rows; row++) {
        const size_t place = (1 + ws_words_find(&turned->rows, ws_answer_text(answer, row, turned->row))) * table->columns;
        table->cell[place] = ws_answer_text(answer, row, turned->row);
        table->cell[place + 1 + column_of(answer, row, turned)] = cell_of(answer, row, turned->cell);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_table_make(const struct ws_answer *answer, const char *heading, struct ws_table *table, struct ws_error *error)
{
    struct turned turned = {.row = ws_answer_find(answer, "row"),
                            .column = ws_answer_find(answer, "column"),
                            .cell = ws_answer_find(answer, "cell"),
                            .place = ws_answer_find(answer, "place")};
    const bool turns = turned.row < answer->columns && turned.column < answer->columns && turned.cell < answer->columns;
    *table = (struct ws_table){0};
    const enum ws_status status = turns ? turn(answer, &turned, table, error) : copy(answer, table, error);
    ws_words_free(&turned.rows);
    free(turned.names);
    if (status != WS_STATUS_ok)
        ws_table_free(table);
    else if (*heading && table->columns > 0)
        table->cell[0] = heading;
    return status;
}

void ws_table_free(struct ws_table *table)
{
    free(table->cell);
    *table = (struct ws_table){0};
}

void ws_table_text(struct ws_text *text, const struct ws_table *table)
{
    size_t *const widths = calloc(table->columns + 1, sizeof *widths);
    text->failed = text->failed || !widths;
    for (size_t n = 0; widths && n < table->rows * table->columns; n++)
        if (strlen(table->cell[n]) > widths[n % table->columns])
            widths[n % table->columns] = strlen(table->cell[n]);
    for (size_t n = 0; widths && n < table->rows * table->columns; n++) {
        const size_t column = n % table->columns;
        ws_text_add(text, column == 0 ? "%s%-*s" : "%s%*s",
                    column > 0 ? "  "
                    : n > 0    ? "\n"
                               : "",
                    (int)widths[column], table->cell[n]);
    }
    ws_text_add(text, "\n");
    free(widths);
}

void ws_table_markdown(struct ws_text *text, const struct ws_table *table)
{
    for (size_t row = 0; row < table->rows; row++) {
        ws_text_add(text, "|");
        for (size_t n = 0; n < table->columns; n++)
            ws_text_add(text, " %s |", table->cell[row * table->columns + n]);
        ws_text_add(text, "\n");
        if (row > 0)
            continue;
        ws_text_add(text, "|---|");
        for (size_t n = 1; n < table->columns; n++)
            ws_text_add(text, "---:|");
        ws_text_add(text, "\n");
    }
}

static void add_cell(struct ws_text *text, const char *cell)
{
    if (!strpbrk(cell, "\",\r\n")) {
        ws_text_add(text, "%s", cell);
        return;
    }
    ws_text_add(text, "\"");
    for (; *cell; cell++)
        ws_text_add(text, *cell == '"' ? "\"%c" : "%c", *cell);
    ws_text_add(text, "\"");
}

void ws_table_csv(struct ws_text *text, const struct ws_table *table)
{
    for (size_t n = 0; n < table->rows * table->columns; n++) {
        if (strcmp(table->cell[n], "-") != 0)
            add_cell(text, table->cell[n]);
        ws_text_add(text, (n + 1) % table->columns == 0 ? "\n" : ",");
    }
}
