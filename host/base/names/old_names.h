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

/* The current name of what had this name in the scope ("" for none), and notes that the old one was used; the name itself where no
 * row has it. */
const char *ws_current_name(enum ws_name_kind kind, const char *scope, const char *name);

/* The same of a column of results files: a counter or a parameter, whose key may be written with a dot or as the column. The text
 * may be kept until the thread's next call. */
const char *ws_current_column(const char *name);

/* A copy of the SQL in which old columns have their current names; NULL where it has none of them, or without memory. Uses are
 * noted in SQL of the user alone. Owned by the caller. */
char *ws_current_sql(const char *sql, bool is_users);

/* Calls tell for each old name that was used, once in the life of the process. */
void ws_old_names_used(void (*tell)(void *context, const struct ws_old_name *name), void *context);
