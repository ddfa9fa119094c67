/* Opening and closing results files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "results/schema.h"
#include "results/sql.h"

enum { BUSY_MILLISECONDS = 60000, MODE_TRIES = 40, MODE_WAIT_MILLISECONDS = 25 };

static enum ws_status no_memory(const char *path, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
}

/* The script and a digest of it, by which files of other parameters or counters are told. */
static enum ws_status make_script(const char *path, struct ws_text *script, char digest[17], struct ws_error *error)
{
    ws_schema_script(script);
    if (script->failed)
        return no_memory(path, error);
    snprintf(digest, 17, "%016llx", (unsigned long long)XXH3_64bits(script->data, script->length));
    ws_text_add(script, "INSERT INTO meta VALUES ('schema', '%s'); PRAGMA application_id = %d; PRAGMA user_version = %d;", digest,
                WS_RESULTS_APPLICATION, WS_RESULTS_VERSION);
    return script->failed ? no_memory(path, error) : WS_STATUS_ok;
}

static enum ws_status check_versions(struct ws_results *results, const char *digest, struct ws_error *error)
{
    sqlite3_int64 version, alike;
    char question[100];
    WS_TRY(ws_sql_number(results, "PRAGMA user_version", &version, error));
    if (version > WS_RESULTS_VERSION)
        return ws_fail(error, WS_STATUS_bad_input, "%s: written by a newer warpsweep (layout %lld, this one knows up to %d)",
                       results->path, (long long)version, WS_RESULTS_VERSION);
    snprintf(question, sizeof question, "SELECT count(*) FROM meta WHERE key = 'schema' AND value = '%s'", digest);
    WS_TRY(ws_sql_number(results, question, &alike, error));
    if (alike == 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: written by a warpsweep with other parameters or counters; use that one, or a new file", results->path);
    return WS_STATUS_ok;
}

/* Looks at what the file is; an empty one becomes a results file when it may be written. */
static enum ws_status adopt(struct ws_results *results, const char *script, const char *digest, struct ws_error *error)
{
    sqlite3_int64 application, tables;
    WS_TRY(ws_sql_number(results, "PRAGMA application_id", &application, error));
    WS_TRY(ws_sql_number(results, "SELECT count(*) FROM sqlite_master", &tables, error));
    if (application == WS_RESULTS_APPLICATION)
        return check_versions(results, digest, error);
    if (application != 0 || tables != 0 || !results->writes)
        return ws_fail(error, WS_STATUS_bad_input, "%s: not a results file of warpsweep", results->path);
    return ws_sql_run(results, script, "make tables", error);
}

static enum ws_status adopt_alone(struct ws_results *results, struct ws_error *error)
{
    struct ws_text script = {0};
    char digest[17];
    enum ws_status status = make_script(results->path, &script, digest, error);
    if (status == WS_STATUS_ok && results->writes)
        status = ws_sql_begin(results, error);
    if (status == WS_STATUS_ok) {
        status = adopt(results, script.data, digest, error);
        if (results->writes)
            status = ws_sql_end(results, status, error);
    }
    ws_text_free(&script);
    return status;
}

/* Asks for a journal mode and waits a little while others hold the file. Where a mode cannot be, SQLite keeps the one it has: that
 * serves as well. */
static void set_journal_mode(struct ws_results *results, const char *pragma)
{
    const struct timespec pause = {.tv_nsec = MODE_WAIT_MILLISECONDS * 1000000L};
    for (int n = 0; n < MODE_TRIES; n++) {
        if (sqlite3_exec(results->database, pragma, NULL, NULL, NULL) != SQLITE_BUSY)
            return;
        nanosleep(&pause, NULL);
    }
}

static enum ws_status set_up(struct ws_results *results, struct ws_error *error)
{
    sqlite3_busy_timeout(results->database, BUSY_MILLISECONDS);
    WS_TRY(adopt_alone(results, error));
    if (results->writes)
        set_journal_mode(results, "PRAGMA journal_mode = WAL");
    return ws_sql_run(results, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", "set up the file", error);
}

/* A reader cannot follow a log that it may not open for writing: says so instead of SQLite's words. */
static bool has_log(const char *path)
{
    struct ws_text log = {0};
    ws_text_add(&log, "%s-wal", path);
    const bool there = !log.failed && access(log.data, F_OK) == 0;
    ws_text_free(&log);
    return there;
}

static enum ws_status explain(const struct ws_results *results, enum ws_status status, struct ws_error *error)
{
    if (!results->writes && status == WS_STATUS_no_file && access(results->path, F_OK) == 0 && has_log(results->path))
        return ws_fail_in(
            error,
            "%s-wal is the log of a run that did not end cleanly; it is taken in when the folder can be written: ", results->path);
    return status;
}

enum ws_status ws_results_open(const char *path, enum ws_results_access access_, struct ws_results **results,
                               struct ws_error *error)
{
    const bool writes = access_ == WS_RESULTS_WRITE;
    *results = NULL;
    if (!writes && access(path, R_OK) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", path, strerror(errno));
    struct ws_results *const opened = calloc(1, sizeof *opened);
    if (!opened || !(opened->path = strdup(path))) {
        free(opened);
        return no_memory(path, error);
    }
    opened->writes = writes;
    const int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    enum ws_status status = WS_STATUS_ok;
    if (sqlite3_open_v2(path, &opened->database, flags, NULL) != SQLITE_OK)
        status = ws_sql_fail(opened, "open the file", error);
    if (status == WS_STATUS_ok)
        status = set_up(opened, error);
    if (status == WS_STATUS_ok) {
        *results = opened;
        return status;
    }
    status = explain(opened, status, error);
    ws_results_close(opened, NULL);
    return status;
}

/* Folds the log into the file. Where others still use it they do so when they close. */
static enum ws_status fold_log(struct ws_results *results, struct ws_error *error)
{
    const int code = sqlite3_wal_checkpoint_v2(results->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    if (code == SQLITE_BUSY)
        return WS_STATUS_ok;
    if (code != SQLITE_OK)
        return ws_sql_fail(results, "fold its log into the file", error);
    sqlite3_exec(results->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    return WS_STATUS_ok;
}

enum ws_status ws_results_close(struct ws_results *results, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    if (!results)
        return status;
    if (results->writes) {
        sqlite3_busy_timeout(results->database, 0);
        status = fold_log(results, error);
    }
    sqlite3_close(results->database);
    free(results->path);
    free(results);
    return status;
}
