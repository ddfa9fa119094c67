#include "cli/capture/capture_work.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/capture.h"
#include "base/error.h"
#include "cli/progress.h"

enum { PATH_ROOM = 4096, PIECE = 65536, POLL = 50000000 /* ns */, MOST_WORKERS = 64 };

struct worker {
    struct cli_capture_work *work;
    struct cli_capture capture; /* with the last program that this thread loaded */
    u32 number;
    pthread_t thread;
};

struct cli_capture_work {
    char list[PATH_ROOM];
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    struct cli_capture_job **jobs; /* in the order of the list */
    size_t count, room, next;      /* next: the first that no worker has taken */
    size_t built;                  /* jobs that workers have finished */
    size_t found;                  /* behind the one that was last asked for */
    bool ended, complete;          /* the program has; the list is read */
    struct ws_text rest;           /* of the list: a line that is not yet complete */
    off_t offset;
    u32 worker_count;
    pthread_t watcher;
    bool watched;
    struct worker workers[MOST_WORKERS];
};

/* ---- The list ---- */

static bool add_job(struct cli_capture_work *work, const char *line, size_t length)
{
    struct cli_capture_job *const job = calloc(1, sizeof *job);
    if (job)
        job->line = strndup(line, length);
    if (job && job->line && work->count == work->room) {
        const size_t room = work->room ? 2 * work->room : 64;
        struct cli_capture_job **const more = realloc(work->jobs, room * sizeof(void *));
        work->jobs = more ? more : work->jobs;
        work->room = more ? room : work->room;
    }
    if (!job || !job->line || work->count == work->room) {
        free(job ? job->line : NULL);
        free(job);
        return false;
    }
    job->entry = cli_capture_entry(job->line);
    if (strcmp(job->entry.state, "captured") == 0) {
        work->jobs[work->count++] = job;
        return true;
    }
    free(job->line);
    free(job);
    return true;
}

/* Adds the lines that were written since the last look. */
static void read_list(struct cli_capture_work *work)
{
    char piece[PIECE];
    ssize_t length;
    const int file = open(work->list, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && (length = pread(file, piece, sizeof piece, work->offset)) > 0) {
        ws_text_bytes(&work->rest, piece, (size_t)length);
        work->offset += length;
    }
    if (file >= 0)
        close(file);
    size_t at = 0;
    for (const char *end; work->rest.data && (end = memchr(work->rest.data + at, '\n', work->rest.length - at));) {
        const size_t line = (size_t)(end - work->rest.data) - at;
        if (!add_job(work, work->rest.data + at, line))
            work->rest.failed = true;
        at += line + 1;
    }
    if (at > 0) {
        memmove(work->rest.data, work->rest.data + at, work->rest.length - at + 1);
        work->rest.length -= at;
    }
}

/* Until something changes, or POLL ns. The lock is held before and after. */
static void wait_briefly(struct cli_capture_work *work)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (until.tv_nsec + POLL) / 1000000000;
    until.tv_nsec = (until.tv_nsec + POLL) % 1000000000;
    pthread_cond_timedwait(&work->changed, &work->lock, &until);
}

static void *watch(void *context)
{
    struct cli_capture_work *const work = context;
    pthread_mutex_lock(&work->lock);
    while (!work->complete) {
        const bool last = work->ended;
        read_list(work);
        work->complete = last;
        pthread_cond_broadcast(&work->changed);
        if (!last)
            wait_briefly(work);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* ---- Workers ---- */

static void keep_note(void *context, const char *text)
{
    struct cli_capture_job *const job = context;
    ws_text_add(&job->notes, "warpsweep: %s\n", text);
}

/* Waits for a job. One core is the program's own as long as it runs. */
static struct cli_capture_job *take_job(const struct worker *worker)
{
    struct cli_capture_work *const work = worker->work;
    struct cli_capture_job *job = NULL;
    pthread_mutex_lock(&work->lock);
    for (;;) {
        const bool waits = !work->ended && worker->number > 0 && worker->number + 1 >= work->worker_count;
        const bool any = work->next < work->count;
        if (any && !waits)
            job = work->jobs[work->next++];
        if (job || (work->complete && !any))
            break;
        pthread_cond_wait(&work->changed, &work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    return job;
}

static void *build(void *context)
{
    struct worker *const worker = context;
    struct cli_capture_work *const work = worker->work;
    struct cli_capture_job *job;
    while ((job = take_job(worker))) {
        worker->capture.frontend.context = job;
        worker->capture.frontend.note = keep_note;
        job->status = cli_should_continue(NULL)
                          ? cli_capture_build_one(&worker->capture, &job->entry, &job->captured, &job->out, &job->error)
                          : ws_fail(&job->error, WS_STATUS_interrupted, "interrupted");
        pthread_mutex_lock(&work->lock);
        work->built++;
        pthread_cond_broadcast(&work->changed);
        pthread_mutex_unlock(&work->lock);
    }
    cli_kept_forget(&worker->capture.kept);
    return NULL;
}

/* ---- All of it ---- */

struct cli_capture_work *cli_capture_work_start(const struct cli_capture *capture)
{
    struct cli_capture_work *const work = calloc(1, sizeof *work);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!work)
        return NULL;
    snprintf(work->list, sizeof work->list, "%s/" WS_CAPTURE_LIST, capture->folder);
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->changed, NULL);
    const u32 wanted = capture->no_traces || cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (u32)cores;
    pthread_mutex_lock(&work->lock); /* until worker_count is final */
    for (u32 n = 0; n < wanted; n++) {
        work->workers[n] = (struct worker){.work = work, .capture = *capture, .number = n};
        if (pthread_create(&work->workers[n].thread, NULL, build, &work->workers[n]) != 0)
            break;
        work->worker_count++;
    }
    work->watched = work->worker_count > 0 && pthread_create(&work->watcher, NULL, watch, work) == 0;
    work->complete = !work->watched; /* and workers end */
    pthread_mutex_unlock(&work->lock);
    if (work->watched)
        return work;
    cli_capture_work_free(work);
    return NULL;
}

/* On a terminal, a changing line until all jobs are finished: the program, which may use the terminal, has ended. */
static void show_progress(struct cli_capture_work *work)
{
    struct cli_progress progress;
    cli_progress_start(&progress);
    pthread_mutex_lock(&work->lock);
    while (progress.terminal && !(work->complete && work->built == work->count)) {
        char words[100];
        snprintf(words, sizeof words, "%zu of %zu launches finished", work->built, work->count);
        cli_progress_say(&progress, words);
        wait_briefly(work);
    }
    pthread_mutex_unlock(&work->lock);
    cli_progress_end(&progress);
}

void cli_capture_work_finish(struct cli_capture_work *work)
{
    pthread_mutex_lock(&work->lock);
    work->ended = true;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
    if (work->watched) {
        show_progress(work);
        pthread_join(work->watcher, NULL);
    }
    for (u32 n = 0; n < work->worker_count; n++)
        pthread_join(work->workers[n].thread, NULL);
    work->watched = false;
    work->worker_count = 0;
}

struct cli_capture_job *cli_capture_work_job(struct cli_capture_work *work, u32 number)
{
    for (size_t n = 0; n < work->count; n++) {
        struct cli_capture_job *const job = work->jobs[(work->found + n) % work->count];
        if (job->entry.number != number)
            continue;
        work->found += n + 1;
        return job;
    }
    return NULL;
}

void cli_capture_work_free(struct cli_capture_work *work)
{
    if (!work)
        return;
    cli_capture_work_finish(work);
    for (size_t n = 0; n < work->count; n++) {
        ws_text_free(&work->jobs[n]->out);
        ws_text_free(&work->jobs[n]->notes);
        free(work->jobs[n]->line);
        free(work->jobs[n]);
    }
    free(work->jobs);
    ws_text_free(&work->rest);
    pthread_cond_destroy(&work->changed);
    pthread_mutex_destroy(&work->lock);
    free(work);
}
