#include "engine/jobs/predecoded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/jobs/predecode.h"

/* All pre-decoded traces together take at most 1 / MEMORY_SHARE of the machine's memory. */
enum { MEMORY_SHARE = 4 };

/* A pre-decoded trace that jobs share. */
struct shared {
    const struct ws_image *image;
    struct ws_predecoding how;
    size_t users; /* jobs that have not ended */
    pthread_mutex_t making;
    bool tried;
    struct ws_image *packets; /* NULL: not built */
};

struct ws_predecoded {
    struct shared *shared, **of_job; /* NULL for a job on its own */
    size_t count;
    pthread_mutex_t lock; /* of users and bytes */
    u64 bytes, most;
};

/* A job that could use a pre-decoded trace. */
struct user {
    const struct ws_image *image;
    struct ws_predecoding how;
    size_t job;
};

static int compare_users(const void *one, const void *other)
{
    const struct user *const a = one, *const b = other;
    if (a->image != b->image)
        return (uintptr_t)a->image < (uintptr_t)b->image ? -1 : 1;
    return memcmp(&a->how, &b->how, sizeof a->how);
}

static u64 bytes_of(const struct ws_image *packets)
{
    return packets->word_count * sizeof *packets->words +
           (u64)packets->blocks * packets->groups_per_block * (WS_LANES / packets->packets) * sizeof *packets->groups;
}

/* Jobs that could use a pre-decoded trace, sorted so that those that could share one are adjacent; NULL without memory. */
static struct user *find_users(const struct ws_job_spec *jobs, size_t count, size_t *found)
{
    struct user *const users = calloc(count + 1, sizeof *users);
    *found = 0;
    for (size_t n = 0; users && n < count; n++) {
        users[*found] = (struct user){.image = jobs[n].image, .job = n};
        *found += !jobs[n].image->packets && ws_predecoding_of(jobs[n].machine, &users[*found].how);
    }
    if (users)
        qsort(users, *found, sizeof *users, compare_users);
    return users;
}

static void share(struct ws_predecoded *predecoded, const struct user *users, size_t found, size_t least)
{
    for (size_t n = 0, same; n < found; n += same) {
        for (same = 1; n + same < found && compare_users(&users[n], &users[n + same]) == 0;)
            same++;
        if (same < least)
            continue;
        struct shared *const shared = &predecoded->shared[predecoded->count++];
        *shared = (struct shared){.image = users[n].image, .how = users[n].how, .users = same};
        pthread_mutex_init(&shared->making, NULL);
        for (size_t user = n; user < n + same; user++)
            predecoded->of_job[users[user].job] = shared;
    }
}

struct ws_predecoded *ws_predecoded_open(const struct ws_job_spec *jobs, size_t count, enum ws_predecode_use use)
{
    const size_t least = use == WS_PREDECODE_ALWAYS ? 1 : 2;
    size_t found;
    if (use == WS_PREDECODE_NEVER || count < least)
        return NULL;
    struct user *const users = find_users(jobs, count, &found);
    struct ws_predecoded *const predecoded = calloc(1, sizeof *predecoded);
    if (users && predecoded) {
        pthread_mutex_init(&predecoded->lock, NULL);
        predecoded->most = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE) / MEMORY_SHARE;
        predecoded->shared = calloc(found + 1, sizeof *predecoded->shared);
        predecoded->of_job = calloc(count, sizeof(struct shared *));
        if (predecoded->shared && predecoded->of_job)
            share(predecoded, users, found, least);
    }
    free(users);
    if (predecoded && predecoded->count > 0)
        return predecoded;
    ws_predecoded_close(predecoded);
    return NULL;
}

/* Builds the pre-decoded trace, with its lock held. Half of the remaining memory is reserved meanwhile, so that concurrent builds
 * have less. */
static void make(struct ws_predecoded *predecoded, struct shared *shared)
{
    pthread_mutex_lock(&predecoded->lock);
    const u64 room = predecoded->most > predecoded->bytes ? (predecoded->most - predecoded->bytes) / 2 : 0;
    predecoded->bytes += room;
    pthread_mutex_unlock(&predecoded->lock);
    ws_predecode(shared->image, &shared->how, room, &shared->packets);
    shared->tried = true;
    pthread_mutex_lock(&predecoded->lock);
    predecoded->bytes += (shared->packets ? bytes_of(shared->packets) : 0) - room;
    pthread_mutex_unlock(&predecoded->lock);
}

const struct ws_image *ws_predecoded_image(struct ws_predecoded *predecoded, const struct ws_job_spec *jobs, size_t job)
{
    struct shared *const shared = predecoded ? predecoded->of_job[job] : NULL;
    if (!shared)
        return jobs[job].image;
    pthread_mutex_lock(&shared->making);
    if (!shared->tried)
        make(predecoded, shared);
    pthread_mutex_unlock(&shared->making);
    return shared->packets ? shared->packets : shared->image;
}

void ws_predecoded_done(struct ws_predecoded *predecoded, size_t job)
{
    struct shared *const shared = predecoded ? predecoded->of_job[job] : NULL;
    if (!shared)
        return;
    pthread_mutex_lock(&predecoded->lock);
    if (--shared->users == 0 && shared->packets) {
        predecoded->bytes -= bytes_of(shared->packets);
        ws_predecoded_free(shared->packets);
        shared->packets = NULL;
    }
    pthread_mutex_unlock(&predecoded->lock);
}

void ws_predecoded_close(struct ws_predecoded *predecoded)
{
    if (!predecoded)
        return;
    for (size_t n = 0; n < predecoded->count; n++) {
        ws_predecoded_free(predecoded->shared[n].packets);
        pthread_mutex_destroy(&predecoded->shared[n].making);
    }
    pthread_mutex_destroy(&predecoded->lock);
    free(predecoded->shared);
    free(predecoded->of_job);
    free(predecoded);
}
