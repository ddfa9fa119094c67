/* Names of earlier releases (old_names.def). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum ws_name_kind { WS_NAME_option, WS_NAME_parameter, WS_NAME_counter, WS_NAME_value };

struct ws_old_name {
    enum ws_name_kind kind;
    const char *scope, *old, *current;
};

/* The table; *count receives its number of rows. */
const struct ws_old_name *ws_old_names(size_t *count);

/* The current name of what had this name in the scope ("" for none); notes that the old one was used. Without a row, the name
 * itself. */
const char *ws_current_name(enum ws_name_kind kind, const char *scope, const char *name);

/* The same for a column of results files: a counter or a parameter, with a dot or an underscore. The text may be kept until the
 * thread's next call. */
const char *ws_current_column(const char *name);

/* A copy of the SQL in which old columns have their current names. NULL if there are none, or without memory. Notes uses in the
 * user's SQL only. Owned by the caller. */
char *ws_current_sql(const char *sql, bool is_users);

/* Calls tell once per process for each old name that was used. */
void ws_old_names_used(void (*tell)(void *context, const struct ws_old_name *name), void *context);
