#include "sweep/writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "results/claim.h"

enum { GROUP = 256 };
#define GROUP_SECONDS 0.5 /* a partial group is written after this time */

struct group {
    struct ws_job_record records[GROUP];
    struct ws_job_result results[GROUP];
    size_t count;
    bool renews; /* renew the claim too */
};

/* Double-buffered groups: one is filled while the other is written. */
struct ws_sweep_writer {
    struct ws_results *file;
    bool replace;
    pthread_t thread;
    pthread_mutex_t lock; /* protects everything below except the groups */
    pthread_cond_t changed;
    struct group groups[2];
    struct group *filled, *written; /* written: NULL while the thread is idle */
    double handed_over;             /* time of the last group, in seconds */
    sqlite3_int64 claim;            /* of the jobs */
    double renewed;                 /* time of the last renewal, in seconds */
    bool ends;
    enum ws_status status; /* of the first failure, with its error */
    struct ws_error error;
};

static enum ws_status write_group(struct ws_sweep_writer *writer, const struct group *group, struct ws_error *error)
{
    if (group->renews)
        WS_TRY(ws_claim_renew(writer->file, writer->claim, error));
    return group->count > 0 ? ws_record_jobs(writer->file, group->records, group->count, writer->replace, error) : WS_STATUS_ok;
}

static void *write_groups(void *argument)
{
    struct ws_sweep_writer *const writer = argument;
    struct ws_error error;
    pthread_mutex_lock(&writer->lock);
    for (;;) {
        while (!writer->written && !writer->ends)
            pthread_cond_wait(&writer->changed, &writer->lock);
        struct group *const group = writer->written;
        if (!group)
            break;
        enum ws_status status = writer->status;
        pthread_mutex_unlock(&writer->lock);
        WS_THEN(status, write_group(writer, group, &error));
        pthread_mutex_lock(&writer->lock);
        if (status != WS_STATUS_ok && writer->status == WS_STATUS_ok) {
            writer->status = status;
            writer->error = error;
        }
        group->count = 0;
        writer->written = NULL;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

enum ws_status ws_sweep_writer_new(struct ws_results *results, bool replace, sqlite3_int64 claim, struct ws_sweep_writer **writer,
                                   struct ws_error *error)
{
    struct ws_sweep_writer *const made = calloc(1, sizeof *made);
    *writer = NULL;
    if (!made)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a group of jobs");
    made->file = results;
    made->replace = replace;
    made->claim = claim;
    made->renewed = ws_seconds_now();
    made->filled = &made->groups[0];
    made->handed_over = ws_seconds_now();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    if (pthread_create(&made->thread, NULL, write_groups, made) != 0) {
        free(made);
        return ws_fail(error, WS_STATUS_no_memory, "no thread for writing results; raise the limit of processes (ulimit -u)");
    }
    *writer = made;
    return WS_STATUS_ok;
}

void ws_sweep_writer_free(struct ws_sweep_writer *writer)
{
    if (!writer)
        return;
    pthread_mutex_lock(&writer->lock);
    writer->ends = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

/* Waits, with the lock held, until the thread is idle. */
static void wait_for_thread(struct ws_sweep_writer *writer)
{
    while (writer->written)
        pthread_cond_wait(&writer->changed, &writer->lock);
}

/* Passes the filled group to the idle thread. The lock is held. */
static void hand_over(struct ws_sweep_writer *writer)
{
    struct group *const group = writer->filled;
    writer->handed_over = ws_seconds_now();
    group->renews = writer->claim && writer->handed_over - writer->renewed > WS_CLAIM_SECONDS;
    if (group->renews)
        writer->renewed = writer->handed_over;
    else if (group->count == 0)
        return;
    writer->filled = group == &writer->groups[0] ? &writer->groups[1] : &writer->groups[0];
    writer->written = group;
    pthread_cond_broadcast(&writer->changed);
}

void ws_sweep_writer_add(struct ws_sweep_writer *writer, const struct ws_job_record *record)
{
    struct group *const group = writer->filled;
    struct ws_job_result *const result = &group->results[group->count];
    *result = *record->result;
    group->records[group->count] = *record;
    group->records[group->count++].result = result;
    if (group->count < GROUP)
        return;
    pthread_mutex_lock(&writer->lock);
    wait_for_thread(writer);
    hand_over(writer);
    pthread_mutex_unlock(&writer->lock);
}

void ws_sweep_writer_tick(struct ws_sweep_writer *writer)
{
    if (ws_seconds_now() - writer->handed_over < GROUP_SECONDS)
        return;
    pthread_mutex_lock(&writer->lock);
    if (!writer->written)
        hand_over(writer);
    pthread_mutex_unlock(&writer->lock);
}

enum ws_status ws_sweep_writer_flush(struct ws_sweep_writer *writer, struct ws_error *error)
{
    pthread_mutex_lock(&writer->lock);
    wait_for_thread(writer);
    hand_over(writer);
    wait_for_thread(writer);
    pthread_mutex_unlock(&writer->lock);
    return writer->status == WS_STATUS_ok ? WS_STATUS_ok : ws_fail(error, writer->status, "%s", writer->error.message);
}

bool ws_sweep_writer_is_well(struct ws_sweep_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    const bool well = writer->status == WS_STATUS_ok;
    pthread_mutex_unlock(&writer->lock);
    return well;
}
