#include "report/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ASCII's separators: in no label that anybody types. */
#define CELL_END "\x1f"
#define ROW_END  "\x1e"

enum { COLUMNS = 64 }; /* the widths of later columns are not kept */

void ws_grid_cell(struct ws_grid *grid, const char *format, ...)
{
    char cell[512];
    va_list values;
    va_start(values, format);
    vsnprintf(cell, sizeof cell, format, values);
    va_end(values);
    ws_text_add(&grid->cells, "%s" CELL_END, cell);
}

void ws_grid_number(struct ws_grid *grid, const char *format, double value)
{
    char digits[64] = "-";
    if (isfinite(value))
        snprintf(digits, sizeof digits, format, value);
    ws_text_add(&grid->cells, "%s" CELL_END, digits);
}

void ws_grid_beside(struct ws_grid *grid, const char *format, double ours, double papers)
{
    char own[32], other[32];
    if (!isfinite(ours) || !isfinite(papers)) {
        ws_grid_number(grid, format, ours);
        return;
    }
    snprintf(own, sizeof own, format, ours);
    snprintf(other, sizeof other, format, papers);
    ws_grid_cell(grid, "%s (%s)", own, other);
}

void ws_grid_end(struct ws_grid *grid)
{
    ws_text_add(&grid->cells, ROW_END);
}

void ws_grid_free(struct ws_grid *grid)
{
    ws_text_free(&grid->cells);
}

/* A cell of a grid, on the way from the first to the last. */
struct cell {
    const char *text;
    size_t row, column;
    int length;
};

static bool next(const struct ws_grid *grid, struct cell *cell)
{
    if (!cell->text) {
        cell->text = grid->cells.failed || !grid->cells.data ? "" : grid->cells.data;
    } else {
        cell->text += cell->length + 1;
        cell->column++;
    }
    if (*cell->text == *ROW_END) {
        cell->text++;
        cell->column = 0;
        cell->row++;
    }
    cell->length = (int)strcspn(cell->text, CELL_END);
    return *cell->text;
}

void ws_grid_text(struct ws_text *text, const struct ws_grid *grid)
{
    int widths[COLUMNS] = {0};
    for (struct cell cell = {0}; next(grid, &cell);)
        if (cell.column < COLUMNS && cell.length > widths[cell.column])
            widths[cell.column] = cell.length;
    for (struct cell cell = {0}; next(grid, &cell);) {
        const int width = cell.column < COLUMNS ? widths[cell.column] : 0;
        if (cell.column == 0)
            ws_text_add(text, "%s%-*.*s", cell.row > 0 ? "\n" : "", width, cell.length, cell.text);
        else
            ws_text_add(text, "  %*.*s", width, cell.length, cell.text);
    }
    ws_text_add(text, "\n");
    text->failed = text->failed || grid->cells.failed;
}

void ws_grid_markdown(struct ws_text *text, const struct ws_grid *grid)
{
    size_t columns = 0;
    for (struct cell cell = {0}; next(grid, &cell);) {
        if (cell.row == 1 && cell.column == 0) {
            ws_text_add(text, "\n|---|");
            for (size_t n = 1; n < columns; n++)
                ws_text_add(text, "---:|");
        }
        columns = cell.row == 0 ? cell.column + 1 : columns;
        ws_text_add(text, "%s %.*s |", cell.column > 0 ? "" : cell.row > 0 ? "\n|" : "|", cell.length, cell.text);
    }
    ws_text_add(text, "\n");
    text->failed = text->failed || grid->cells.failed;
}
