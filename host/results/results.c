/* Opening and closing results files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/output.h"
#include "base/random.h"
#include "results/derived/functions.h"
#include "results/journal.h"
#include "results/schema/schema.h"
#include "results/schema/upgrade.h"
#include "results/sql.h"

enum { BUSY_MILLISECONDS = 60000, END_TRIES = 6, MOST_WAIT_NANOSECONDS = 20000000 };

static enum ws_status no_memory(const char *path, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
}

/* The scripts of tables and views, and a digest of both, which identifies files with other parameters, defaults, counters or views.
 */
struct scripts {
    struct ws_text tables, views;
    char digest[17];
};

/* The mark of the file follows the views, which are created last. */
static enum ws_status make_scripts(const char *path, struct scripts *scripts, struct ws_error *error)
{
    ws_schema_tables(&scripts->tables);
    ws_schema_views(&scripts->views);
    if (scripts->tables.failed || scripts->views.failed)
        return no_memory(path, error);
    snprintf(scripts->digest, sizeof scripts->digest, "%016llx",
             (unsigned long long)XXH3_64bits_withSeed(scripts->views.data, scripts->views.length,
                                                      XXH3_64bits(scripts->tables.data, scripts->tables.length)));
    ws_text_add(&scripts->views,
                "INSERT OR REPLACE INTO meta VALUES ('schema', '%s'); PRAGMA application_id = %d; PRAGMA user_version = %d;",
                scripts->digest, WS_RESULTS_APPLICATION, WS_RESULTS_VERSION);
    return scripts->views.failed ? no_memory(path, error) : WS_STATUS_ok;
}

/* Upgrades a file of another build; a read-only one in a temporary copy. */
static enum ws_status bring_up(struct ws_results *results, const struct scripts *scripts, struct ws_error *error)
{
    sqlite3_int64 version;
    bool alike;
    WS_TRY(ws_sql_number(results, "PRAGMA user_version", &version, error));
    if (version < WS_RESULTS_OLDEST || version > WS_RESULTS_VERSION)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: written by %s warpsweep (layout %lld, this one reads %d to %d); use that one, or another file",
                       results->path, version < WS_RESULTS_OLDEST ? "an older" : "a newer", (long long)version, WS_RESULTS_OLDEST,
                       WS_RESULTS_VERSION);
    WS_TRY(ws_sql_has_schema(results, scripts->digest, &alike, error));
    if (alike)
        return WS_STATUS_ok;
    return results->writes ? ws_upgrade(results, scripts->views.data, error) : ws_upgrade_copy(results, scripts->views.data, error);
}

/* Checks the file's type; an empty writable one becomes a results file. */
static enum ws_status adopt(struct ws_results *results, const struct scripts *scripts, struct ws_error *error)
{
    sqlite3_int64 application, tables;
    WS_TRY(ws_sql_number(results, "PRAGMA application_id", &application, error));
    WS_TRY(ws_sql_number(results, "SELECT count(*) FROM sqlite_master", &tables, error));
    if (application == WS_RESULTS_APPLICATION)
        return bring_up(results, scripts, error);
    if (application != 0 || tables != 0 || !results->writes)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: is not a results file of warpsweep; name one that sweep, search or reproduce wrote", results->path);
    WS_TRY(ws_sql_run(results, scripts->tables.data, "make tables", error));
    return ws_sql_run(results, scripts->views.data, "make views", error);
}

static enum ws_status adopt_alone(struct ws_results *results, struct ws_error *error)
{
    struct scripts scripts = {0};
    enum ws_status status = make_scripts(results->path, &scripts, error);
    if (status == WS_STATUS_ok && results->writes)
        status = ws_sql_begin(results, error);
    if (status == WS_STATUS_ok) {
        status = adopt(results, &scripts, error);
        if (results->writes)
            status = ws_sql_end(results, status, error);
    }
    if (status == WS_STATUS_ok)
        memcpy(results->schema, scripts.digest, sizeof results->schema);
    ws_text_free(&scripts.tables);
    ws_text_free(&scripts.views);
    return status;
}

/* SQLite interprets names such as ":memory:" and "file:...". A folder in front prevents that. */
static int open_database(struct ws_results *results)
{
    const int flags = results->writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    struct ws_text name = {0};
    ws_text_add(&name, "%s%s", results->path[0] == '/' ? "" : "./", results->path);
    const int code = name.failed ? SQLITE_NOMEM : sqlite3_open_v2(name.data, &results->database, flags, NULL);
    ws_text_free(&name);
    return code;
}

/* A killed sweep may leave a journal that rolls back its last transaction, which requires write access. */
static void recover(struct ws_results *results)
{
    const int code = sqlite3_extended_errcode(results->database);
    if (results->writes || (code != SQLITE_READONLY_ROLLBACK && code != SQLITE_READONLY_RECOVERY))
        return;
    sqlite3_close(results->database);
    results->writes = true;
    if (open_database(results) == SQLITE_OK) {
        sqlite3_busy_timeout(results->database, BUSY_MILLISECONDS);
        sqlite3_exec(results->database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    }
    sqlite3_close(results->database);
    results->writes = false;
    open_database(results);
}

static enum ws_status set_up(struct ws_results *results, struct ws_error *error)
{
    sqlite3_busy_timeout(results->database, BUSY_MILLISECONDS);
    if (sqlite3_exec(results->database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) != SQLITE_OK)
        recover(results);
    sqlite3_busy_timeout(results->database, BUSY_MILLISECONDS);
    WS_TRY(adopt_alone(results, error));
    WS_TRY(ws_functions_add(results, error)); /* an upgraded copy has another connection */
    if (results->writes)
        ws_journal_begin(results);
    return ws_sql_run(results, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", "set up the file", error);
}

/* A query must not open other files: ATTACH would, and VACUUM INTO attaches its output. */
static int forbid_files(void *unused, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)unused, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_ATTACH ? SQLITE_DENY : SQLITE_OK;
}

enum ws_status ws_results_open(const char *path, enum ws_results_access access_, struct ws_results **results,
                               struct ws_error *error)
{
    const bool writes = access_ == WS_RESULTS_WRITE;
    *results = NULL;
    struct stat there;
    if (!writes && access(path, R_OK) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", path, strerror(errno));
    const bool is_there = stat(path, &there) == 0;
    if (is_there && !S_ISREG(there.st_mode))
        return ws_fail(error, WS_STATUS_no_file, "%s: is not a regular file; name a results file", path);
    if (writes)
        WS_TRY(ws_output_check(path, WS_OUTPUT_results, 0, error));
    struct ws_results *const opened = calloc(1, sizeof *opened);
    if (!opened || !(opened->path = strdup(path))) {
        free(opened);
        return no_memory(path, error);
    }
    opened->writes = writes;
    opened->made = writes && (!is_there || there.st_size == 0);
    enum ws_status status = WS_STATUS_ok;
    if (open_database(opened) != SQLITE_OK)
        status = ws_sql_fail(opened, "open the file", error);
    WS_THEN(status, set_up(opened, error));
    if (status == WS_STATUS_ok) {
        sqlite3_set_authorizer(opened->database, forbid_files, NULL);
        *results = opened;
        return status;
    }
    status = ws_journal_explain(opened, status, error);
    opened->writes = opened->made; /* a refused file stays unchanged, including its journal mode */
    ws_results_abandon(opened);
    return status;
}

/* If several processes end at once, each may find the others still there, and none merges the log. So they retry a few times, with
 * different pauses and a closed file in between. */
static enum ws_status end_journal(struct ws_results *results, bool *alone, struct ws_error *error)
{
    u64 seed = (u64)getpid();
    enum ws_status status = ws_journal_end(results, alone, error);
    for (int n = 0; n < END_TRIES && status == WS_STATUS_ok && !*alone; n++) {
        const struct timespec pause = {.tv_nsec = (long)ws_random_range(&seed, 1, MOST_WAIT_NANOSECONDS)};
        sqlite3_close(results->database);
        nanosleep(&pause, NULL);
        if (open_database(results) != SQLITE_OK)
            break;
        status = ws_journal_end(results, alone, error);
    }
    return status;
}

/* Whether the file is worth keeping. A file that is unreadable although no one else uses it (full disk) is empty. */
static bool has_experiments(struct ws_results *results)
{
    sqlite3_int64 count;
    return ws_sql_number(results, "SELECT count(*) FROM experiment", &count, NULL) == WS_STATUS_ok && count > 0;
}

static void remove_file(const char *path)
{
    static const char *const ends[] = {"", "-journal", "-shm", "-wal"};
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++) {
        struct ws_text name = {0};
        ws_text_add(&name, "%s%s", path, ends[n]);
        if (!name.failed)
            unlink(name.data);
        ws_text_free(&name);
    }
}

static enum ws_status close_file(struct ws_results *results, bool keep, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    bool alone = false;
    if (!results)
        return status;
    if (results->writes)
        status = end_journal(results, &alone, error);
    keep = keep || !results->made || !alone || has_experiments(results);
    sqlite3_close(results->database);
    if (!keep)
        remove_file(results->path);
    free(results->path);
    free(results);
    return status;
}

enum ws_status ws_results_close(struct ws_results *results, struct ws_error *error)
{
    return close_file(results, true, error);
}

void ws_results_abandon(struct ws_results *results)
{
    close_file(results, false, NULL);
}
