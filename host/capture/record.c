#include "capture/record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/store.h"

enum { LAST_ROUNDS = 500, ROUND_NANOSECONDS = 10000000 }; /* at the end of the program: five seconds */

static struct capture_launch *first, **last = &first; /* in flight, in order */
static u64 under_way;                                 /* bytes */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static u64 bytes_of(const struct capture_launch *launch)
{
    const struct capture_wanted *const wanted = capture_wanted();
    u64 bytes = 0;
    for (u32 n = 0; n < launch->memory_count; n++)
        bytes += launch->memories[n].bytes;
    return wanted && wanted->check ? 2 * bytes : bytes;
}

static void release_reads(struct capture_launch *launch)
{
    for (u32 n = 0; n < launch->read_count; n++)
        capture_driver.clReleaseEvent(launch->reads[n]);
    launch->read_count = 0;
}

/* ---- At the end ---- */

static void store(struct capture_launch *launch)
{
    if (atomic_load(&launch->failed))
        capture_refuse(launch, "the driver could not read its buffers");
    if (launch->reason[0] || !capture_store(launch))
        capture_log(launch->number, "skipped", launch->kernel, launch->reason);
}

void capture_collect(void)
{
    pthread_mutex_lock(&lock);
    for (struct capture_launch **at = &first; *at;) {
        struct capture_launch *const launch = *at;
        if (atomic_load(&launch->left) > 0) {
            at = &launch->next;
            continue;
        }
        *at = launch->next;
        if (last == &launch->next)
            last = at;
        under_way -= bytes_of(launch);
        store(launch);
        capture_launch_free(launch);
    }
    pthread_mutex_unlock(&lock);
}

/* Does not call OpenCL: the driver may be unloaded. */
static void finish(void)
{
    const struct timespec round = {.tv_nsec = ROUND_NANOSECONDS};
    capture_collect();
    for (u32 n = 0; first && n < LAST_ROUNDS; n++) {
        nanosleep(&round, NULL);
        capture_collect();
    }
    for (const struct capture_launch *launch = first; launch; launch = launch->next)
        capture_log(launch->number, "skipped", launch->kernel, "the program ended before it was executed");
}

static void at_end(void)
{
    atexit(finish);
}

/* ---- At the launch ---- */

static void put(struct capture_launch *launch)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, at_end);
    pthread_mutex_lock(&lock);
    launch->next = NULL;
    *last = launch;
    last = &launch->next;
    under_way += bytes_of(launch);
    pthread_mutex_unlock(&lock);
}

static bool has_room(struct capture_launch *launch)
{
    pthread_mutex_lock(&lock);
    const bool room = capture_room(under_way + bytes_of(launch));
    pthread_mutex_unlock(&lock);
    return room ||
           capture_refuse(launch,
                          "its buffers and those recorded before exceed --limit; raise it, or choose launches with --launches");
}

static bool describe(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel, const struct capture_sizes *sizes)
{
    return capture_program(launch, queue, kernel) && capture_sizes(launch, queue, kernel, sizes) &&
           capture_arguments(launch, kernel) && has_room(launch);
}

static bool is_wanted(const struct capture_wanted *wanted, u32 number, cl_kernel kernel)
{
    char name[1024] = "";
    if (number < wanted->first || number > wanted->last)
        return false;
    if (!wanted->kernel)
        return true;
    return capture_driver.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
           strcmp(name, wanted->kernel) == 0;
}

struct capture_launch *capture_begin(cl_command_queue queue, cl_kernel kernel, const struct capture_sizes *sizes, cl_uint count,
                                     const cl_event *events)
{
    const struct capture_wanted *const wanted = capture_wanted();
    if (!wanted)
        return NULL;
    capture_collect();
    const u32 number = capture_next_number();
    struct capture_launch *const launch = is_wanted(wanted, number, kernel) ? calloc(1, sizeof *launch) : NULL;
    if (!launch)
        return NULL;
    launch->number = number;
    const bool described = describe(launch, queue, kernel, sizes);
    if (described && capture_read(launch, queue, count, events, false)) {
        capture_log(number, "begun", launch->kernel, "");
        return launch;
    }
    release_reads(launch);
    if (described) { /* some reads are in flight */
        put(launch);
    } else {
        capture_log(number, "skipped", launch->kernel, launch->reason);
        capture_launch_free(launch);
    }
    return NULL;
}

void capture_enqueued(struct capture_launch *launch, cl_command_queue queue, cl_event done)
{
    release_reads(launch);
    if (capture_wanted()->check && capture_read(launch, queue, 1, &done, true) && launch->read_count > 0)
        /* In an out-of-order queue no later command may write before the buffers are read. */
        capture_driver.clEnqueueBarrierWithWaitList(queue, launch->read_count, launch->reads, NULL);
    release_reads(launch);
    put(launch);
}

void capture_refused(struct capture_launch *launch, cl_int code)
{
    release_reads(launch);
    capture_refuse(launch, "the driver refuses it: error %d", code);
    put(launch);
}
