/* Changes a results file without the library. */
#pragma once

#include <sqlite3.h>

#include "test.h"

/* Runs a script on a file, or fails the test. */
static inline void run_sql(const char *file, const char *script)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(file, &database), SQLITE_OK);
    if (sqlite3_exec(database, script, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", script, sqlite3_errmsg(database));
    sqlite3_close(database);
}
