#include "results/journal.h"

#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

enum { MODE_TRIES = 40, MODE_WAIT_MILLISECONDS = 25 };

/* File systems whose memory maps are not shared between machines (f_type of statfs): AFS, Ceph, CIFS, GPFS, Lustre, NFS, Plan 9,
 * SMB, SMB 2. */
static const unsigned long network[] = {
    0x5346414F, 0x00C36400, 0xFF534D42, 0x47504653, 0x0BD00BD0, 0x6969, 0x01021997, 0x517B, 0xFE534D42,
};

static bool on_network(const char *path)
{
    struct statfs system;
    if (statfs(path, &system) != 0)
        return false;
    for (size_t n = 0; n < sizeof network / sizeof *network; n++)
        if (((unsigned long)system.f_type & 0xFFFFFFFFul) == network[n])
            return true;
    return false;
}

/* Waits briefly while others use the file. If a mode is not possible, SQLite keeps its current one, which works, too. */
static void set_mode(struct ws_results *results, const char *pragma)
{
    const struct timespec pause = {.tv_nsec = MODE_WAIT_MILLISECONDS * 1000000L};
    for (int n = 0; n < MODE_TRIES; n++) {
        if (sqlite3_exec(results->database, pragma, NULL, NULL, NULL) != SQLITE_BUSY)
            return;
        nanosleep(&pause, NULL);
    }
}

void ws_journal_begin(struct ws_results *results)
{
    if (!on_network(results->path))
        set_mode(results, "PRAGMA journal_mode = WAL");
}

enum ws_status ws_journal_end(struct ws_results *results, bool *alone, struct ws_error *error)
{
    sqlite3_busy_timeout(results->database, 0);
    int code = sqlite3_wal_checkpoint_v2(results->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    *alone = code != SQLITE_BUSY;
    if (code == SQLITE_BUSY)
        return WS_STATUS_ok;
    if (code != SQLITE_OK)
        return ws_sql_fail(results, "merge its log into the file", error);
    code = sqlite3_exec(results->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    *alone = code != SQLITE_BUSY && code != SQLITE_LOCKED;
    return WS_STATUS_ok;
}

static bool has_log(const char *path)
{
    struct ws_text log = {0};
    ws_text_add(&log, "%s-wal", path);
    const bool there = !log.failed && access(log.data, F_OK) == 0;
    ws_text_free(&log);
    return there;
}

enum ws_status ws_journal_explain(const struct ws_results *results, enum ws_status status, struct ws_error *error)
{
    if (results->writes || status != WS_STATUS_no_file || !has_log(results->path))
        return status;
    return ws_fail_in(
        error, "%s-wal is the log of a run that did not end cleanly; it is merged once the folder can be written: ", results->path);
}
