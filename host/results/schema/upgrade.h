/* Results files of other builds. Tables hold inputs and measurements; digests and views are derived. A file is upgraded to a
 * build's parameters and counters by renaming and adding columns, and by recomputing digests and views. */
#pragma once

#include "results/sql.h"

/* Upgrades the file to this build, inside a transaction: renames columns and values of earlier releases, adds columns of parameters
 * with their default and of counters with NULL, recomputes digests and views. Columns unknown to this build stay. views is the
 * script that makes the views. */
enum ws_status ws_upgrade(struct ws_results *results, const char *views, struct ws_error *error);

/* Replaces a read-only file by an upgraded temporary copy. */
enum ws_status ws_upgrade_copy(struct ws_results *results, const char *views, struct ws_error *error);

/* Adds the columns that tables of `from` have and those of `to` lack, with types and defaults. */
enum ws_status ws_take_columns(struct ws_results *to, struct ws_results *from, struct ws_error *error);
