/* The views that users read as tables: their columns, by name. */
#pragma once

#include "base/text.h"
#include "results/sql.h"

struct ws_view {
    struct ws_results *results;
    const char *name;
    const char *order;   /* sort order of its rows, an SQL list */
    sqlite3_stmt *whole; /* a query for all columns; never executed */
};

/* Opens a view of a results file; *view is to be closed in every case. */
enum ws_status ws_view_open(struct ws_results *results, const char *name, struct ws_view *view, struct ws_error *error);
void ws_view_close(struct ws_view *view);

size_t ws_view_columns(const struct ws_view *view);
const char *ws_view_column(const struct ws_view *view, size_t column);
/* Whether a name is that of a column: core.warp_size is core_warp_size, too. */
bool ws_view_names(const char *name, const char *column);

bool ws_view_is_text(const struct ws_view *view, size_t column);

/* Whether a column is a counter or metric of the view `kernel`. */
bool ws_view_is_computed(const struct ws_view *view, size_t column);

/* Finds a column by its name, or by the dotted key of a parameter; name ends after length bytes. An unknown name is
 * WS_STATUS_usage. */
enum ws_status ws_view_find(const struct ws_view *view, const char *name, size_t length, size_t *column, struct ws_error *error);

/* Adds a condition "COLUMN OP VALUE" as SQL, with parameter ?number for the value; *value: start of the value in condition, or a
 * static text. A malformed condition is WS_STATUS_usage. */
enum ws_status ws_view_add_condition(const struct ws_view *view, const char *condition, int number, struct ws_text *sql,
                                     const char **value, struct ws_error *error);
