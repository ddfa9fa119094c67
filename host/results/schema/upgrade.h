/* Results files of other builds. Tables hold what was given and measured; digests and views follow from them, so that a file is
 * brought up to a build's parameters and counters by adding columns and making the others anew. */
#pragma once

#include "results/sql.h"

/* Brings the file up to this build, inside a transaction: adds columns of parameters with their default, of counters with NULL;
 * makes digests and views anew. Columns that this build does not know stay. script is that of the views. */
enum ws_status ws_upgrade(struct ws_results *results, const char *views, struct ws_error *error);

/* Puts a temporary copy, brought up to this build, in the place of a file that is only read. */
enum ws_status ws_upgrade_copy(struct ws_results *results, const char *views, struct ws_error *error);

/* Adds the columns that tables of `from` have, and those of `to` lack, with their types and defaults. */
enum ws_status ws_take_columns(struct ws_results *to, struct ws_results *from, struct ws_error *error);
