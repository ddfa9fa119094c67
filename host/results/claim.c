/* For a claim of this machine the claiming process can be checked. Claims of other machines count as long as they are renewed. */
#include "results/claim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { PLACE_ROOM = 200, DEAD_SECONDS = 120, STAT_NAME = 2, STAT_STARTED = 22 };

/* ---- Processes ---- */

static void read_line(const char *path, char *line, size_t room)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, line, room - 1);
    if (file >= 0)
        close(file);
    line[length < 0 ? 0 : length] = 0;
    line[strcspn(line, "\n")] = 0;
}

/* Start time of a process, in ticks since boot; 0 if it does not exist. */
static sqlite3_int64 started(long process)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    read_line(path, line, sizeof line);
    const char *field = strrchr(line, ')'); /* the name may have blanks */
    for (int n = STAT_NAME; field && n < STAT_STARTED; n++)
        field = strchr(field + 1, ' ');
    return field ? strtoll(field, NULL, 10) : 0;
}

/* Boot and namespace: processes with equal values can check each other. */
static void place_of_this(char place[PLACE_ROOM])
{
    char boot[64], names[64];
    read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    const ssize_t length = readlink("/proc/self/ns/pid", names, sizeof names - 1);
    names[length < 0 ? 0 : length] = 0;
    snprintf(place, PLACE_ROOM, "%s %s", boot, names);
}

/* Columns of the row, from the first: process, started, place, seen. */
static bool is_alive(sqlite3_stmt *row, int first)
{
    char place[PLACE_ROOM];
    const char *const its = ws_sql_text(row, first + 2);
    place_of_this(place);
    if (its && strcmp(its, place) == 0 && started(getpid()) != 0)
        return started((long)sqlite3_column_int64(row, first)) == sqlite3_column_int64(row, first + 1);
    return time(NULL) - sqlite3_column_int64(row, first + 3) < DEAD_SECONDS;
}

#define OWNER "process, started, place, seen"

/* ---- Claiming ---- */

static int by_number(const void *a, const void *b)
{
    const u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

/* Marks the digests that a claim contains; returns whether there are any. */
static bool mark(const u64 *claimed, size_t count, const u64 *digests, bool *theirs, size_t digest_count)
{
    bool any = false;
    for (size_t n = 0; n < digest_count; n++)
        if (bsearch(&digests[n], claimed, count, sizeof *claimed, by_number))
            theirs[n] = any = true;
    return any;
}

/* Columns: claim_id, owner's columns, jobs. */
static enum ws_status mark_all(struct ws_results *results, sqlite3_stmt *claims, const u64 *digests, bool *theirs, size_t count,
                               sqlite3_int64 *other, struct ws_error *error)
{
    enum { JOBS = 5 };
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(results, claims, &row, error));
        if (!row)
            return WS_STATUS_ok;
        if (!is_alive(claims, 1)) {
            WS_TRY(ws_claim_release(results, sqlite3_column_int64(claims, 0), error));
            continue;
        }
        const size_t bytes = (size_t)sqlite3_column_bytes(claims, JOBS);
        u64 *const claimed = malloc(bytes + 1);
        if (!claimed)
            return ws_sql_no_memory(results, error);
        if (bytes > 0)
            memcpy(claimed, sqlite3_column_blob(claims, JOBS), bytes);
        if (mark(claimed, bytes / sizeof *claimed, digests, theirs, count))
            *other = sqlite3_column_int64(claims, 0);
        free(claimed);
    }
}

static enum ws_status insert(struct ws_results *results, const u64 *jobs, size_t count, sqlite3_int64 *claim,
                             struct ws_error *error)
{
    char place[PLACE_ROOM];
    sqlite3_stmt *put;
    place_of_this(place);
    WS_TRY(ws_sql_prepare(results, "INSERT INTO claim (" OWNER ", jobs) VALUES (?1, ?2, ?3, ?4, ?5)", &put, error));
    sqlite3_bind_int64(put, 1, getpid());
    sqlite3_bind_int64(put, 2, started(getpid()));
    sqlite3_bind_text(put, 3, place, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 4, time(NULL));
    sqlite3_bind_blob64(put, 5, jobs, count * sizeof *jobs, SQLITE_STATIC);
    const enum ws_status status = ws_sql_execute(results, put, error);
    *claim = status == WS_STATUS_ok ? sqlite3_last_insert_rowid(results->database) : 0;
    sqlite3_finalize(put);
    return status;
}

static enum ws_status claim_rest(struct ws_results *results, const u64 *digests, const bool *theirs, size_t count,
                                 sqlite3_int64 *claim, struct ws_error *error)
{
    size_t kept = 0;
    u64 *const jobs = malloc((count + 1) * sizeof *jobs);
    if (!jobs)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory for %zu jobs", results->path, count);
    for (size_t n = 0; n < count; n++)
        if (!theirs[n])
            jobs[kept++] = digests[n];
    qsort(jobs, kept, sizeof *jobs, by_number);
    const enum ws_status status = kept > 0 ? insert(results, jobs, kept, claim, error) : WS_STATUS_ok;
    free(jobs);
    return status;
}

enum ws_status ws_claim_jobs(struct ws_results *results, const u64 *digests, bool *theirs, size_t count, sqlite3_int64 *claim,
                             sqlite3_int64 *other, struct ws_error *error)
{
    sqlite3_stmt *claims = NULL;
    *claim = *other = 0;
    memset(theirs, 0, count * sizeof *theirs);
    WS_TRY(ws_sql_begin(results, error));
    enum ws_status status = ws_sql_prepare(results, "SELECT claim_id, " OWNER ", jobs FROM claim", &claims, error);
    WS_THEN(status, mark_all(results, claims, digests, theirs, count, other, error));
    sqlite3_finalize(claims);
    WS_THEN(status, claim_rest(results, digests, theirs, count, claim, error));
    return ws_sql_end(results, status, error);
}

/* ---- State of a claim ---- */

static enum ws_status change(struct ws_results *results, const char *sql, sqlite3_int64 claim, struct ws_error *error)
{
    sqlite3_stmt *statement;
    WS_TRY(ws_sql_prepare(results, sql, &statement, error));
    sqlite3_bind_int64(statement, 1, claim);
    sqlite3_bind_int64(statement, 2, time(NULL));
    const enum ws_status status = ws_sql_execute(results, statement, error);
    sqlite3_finalize(statement);
    return status;
}

enum ws_status ws_claim_renew(struct ws_results *results, sqlite3_int64 claim, struct ws_error *error)
{
    return change(results, "UPDATE claim SET seen = ?2 WHERE claim_id = ?1", claim, error);
}

enum ws_status ws_claim_release(struct ws_results *results, sqlite3_int64 claim, struct ws_error *error)
{
    return claim ? change(results, "DELETE FROM claim WHERE claim_id = ?1", claim, error) : WS_STATUS_ok;
}

enum ws_status ws_claim_lives(struct ws_results *results, sqlite3_int64 claim, bool *lives, long *process, struct ws_error *error)
{
    sqlite3_stmt *find;
    bool row;
    WS_TRY(ws_sql_prepare(results, "SELECT " OWNER " FROM claim WHERE claim_id = ?1", &find, error));
    sqlite3_bind_int64(find, 1, claim);
    const enum ws_status status = ws_sql_step(results, find, &row, error);
    *process = status == WS_STATUS_ok && row ? (long)sqlite3_column_int64(find, 0) : 0;
    *lives = status == WS_STATUS_ok && row && is_alive(find, 0);
    sqlite3_finalize(find);
    if (status == WS_STATUS_ok && row && !*lives)
        return ws_claim_release(results, claim, error);
    return status;
}
