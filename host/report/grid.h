/* Tables that are the same as text and as Markdown: rows of cells, the first row the heading, the first column words. */
#ifndef WS_REPORT_GRID_H
#define WS_REPORT_GRID_H

#include "base/text.h"

/* Starts as {0}; freed by ws_grid_free. */
struct ws_grid {
    struct ws_text cells;
};

/* Add a cell to the row, and end it. A value that is not finite is "-". */
void ws_grid_cell(struct ws_grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ws_grid_number(struct ws_grid *grid, const char *format, double value);
void ws_grid_beside(struct ws_grid *grid, const char *format, double ours, double papers); /* "ours (papers)" if both are finite */
void ws_grid_end(struct ws_grid *grid);

/* Add the table: in columns as wide as their cells, or as Markdown. */
void ws_grid_text(struct ws_text *text, const struct ws_grid *grid);
void ws_grid_markdown(struct ws_text *text, const struct ws_grid *grid);

void ws_grid_free(struct ws_grid *grid);

#endif
