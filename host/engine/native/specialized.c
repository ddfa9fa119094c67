#include "engine/native/specialized.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/compile/request.h"
#include "engine/compile/specialize.h"
#include "engine/events.h"
#include "engine/native/object.h"
#include "engine/variant.h"

/* The specialized kernel of a row. */
struct kernel {
    struct ws_specialized common;
    _Atomic(ws_native_quantum *) quantum; /* verified */
    ws_native_quantum *candidate;         /* unverified, or being verified */
    struct ws_error failure;              /* with WS_SPECIALIZE_ALWAYS: why there is none */
};

struct request {
    struct ws_compile_request common;
    struct ws_native_object object;
    u32 version; /* of what is fixed */
};

struct ws_native_specialized {
    enum ws_specialize_use use;
    double worth;
    pthread_mutex_t lock;    /* of all below but quantum */
    struct request *running; /* in the background; or NULL */
    struct kernel *of_row;
    void **opened; /* objects */
    size_t opened_count;
};

struct ws_native_specialized *ws_native_specialized_open(enum ws_specialize_use use, double worth)
{
    if (use == WS_SPECIALIZE_NEVER || !ws_native_flags_suit())
        return NULL;
    struct ws_native_specialized *const kernels = calloc(1, sizeof *kernels);
    struct kernel *const of_row = calloc(WS_NATIVE_ROWS, sizeof *of_row);
    if (!kernels || !of_row) {
        free(kernels);
        free(of_row);
        return NULL;
    }
    pthread_mutex_init(&kernels->lock, NULL);
    kernels->use = use;
    kernels->worth = worth;
    kernels->of_row = of_row;
    return kernels;
}

void ws_native_specialized_close(struct ws_native_specialized *kernels)
{
    if (!kernels)
        return;
    if (kernels->running)
        ws_compile_close(&kernels->running->common);
    for (size_t n = 0; n < kernels->opened_count; n++)
        dlclose(kernels->opened[n]);
    pthread_mutex_destroy(&kernels->lock);
    free(kernels->opened);
    free(kernels->of_row);
    free(kernels);
}

/* ---- What is fixed ---- */

static struct kernel *kernel_of(struct ws_native_specialized *kernels, const struct ws_native_row *row)
{
    return &kernels->of_row[ws_native_row_number(row)];
}

/* Counts a job that is to come; known: the previous one had the same machine. */
static void add(struct ws_native_specialized *kernels, const struct ws_machine *machine, u32 recorded, bool known)
{
    struct kernel *const kernel = kernel_of(kernels, ws_native_row_of(machine));
    kernel->common.coming++;
    if (!known && ws_specialized_add(&kernel->common, machine, recorded))
        atomic_store(&kernel->quantum, NULL);
}

void ws_native_specialized_begin(struct ws_native_specialized *kernels, const struct ws_job_spec *jobs, size_t count, bool times,
                                 const struct ws_engine_watch *watch)
{
    const struct ws_machine *last = NULL;
    u32 recorded = 0;
    if (!kernels)
        return;
    pthread_mutex_lock(&kernels->lock);
    for (u32 n = 0; n < WS_NATIVE_ROWS; n++)
        kernels->of_row[n].common.coming = 0;
    for (size_t n = 0; n < count; n++) {
        const bool known = jobs[n].machine == last;
        if (!known && ws_machine_check(jobs[n].machine, NULL) != WS_STATUS_ok)
            continue;
        last = jobs[n].machine;
        recorded = ws_events_wanted(last, times, watch);
        add(kernels, last, recorded, known);
        if (!ws_variant_predecoded(last))
            continue;
        struct ws_machine replaying = *last;
        replaying.divergence_unit = WS_divergence_predecoded;
        add(kernels, &replaying, recorded, known);
    }
    pthread_mutex_unlock(&kernels->lock);
}

/* ---- Requests ---- */

static enum ws_status compile(struct ws_compile_request *request, struct ws_error *error)
{
    return ws_native_object_load(&((struct request *)request)->object, error);
}

static void request_free(struct ws_compile_request *request)
{
    ws_native_object_free(&((struct request *)request)->object);
    free(request);
}

/* A request for the row's kernel, with the lock held. */
static enum ws_status request_new(struct ws_native_specialized *kernels, const struct ws_native_row *row, struct request **request,
                                  struct ws_error *error)
{
    const struct kernel *const kernel = kernel_of(kernels, row);
    *request = calloc(1, sizeof **request);
    if (!*request)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory compiling kernels");
    **request = (struct request){.common = {.compile = compile, .free = request_free}, .version = kernel->common.version};
    const enum ws_status status =
        ws_native_object_init(&(*request)->object, row, ws_fixed_text(&kernel->common.fixed), false, error);
    if (status != WS_STATUS_ok)
        request_free(&(*request)->common);
    return status;
}

/* Takes over the object of a request, if it was loaded. With the lock held. */
static void take_over(struct ws_native_specialized *kernels, struct request *request)
{
    struct kernel *const kernel = kernel_of(kernels, request->object.row);
    void **const more = realloc(kernels->opened, (kernels->opened_count + 1) * sizeof *more);
    kernels->opened = more ? more : kernels->opened;
    kernel->common.state = WS_SPECIALIZED_refused;
    if (!more || !request->object.handle)
        return;
    kernels->opened[kernels->opened_count++] = request->object.handle;
    request->object.handle = NULL;
    kernel->candidate = request->object.quantum;
    kernel->common.state = WS_SPECIALIZED_unverified;
}

/* Starts the compiler in the background. With the lock held. */
static void start(struct ws_native_specialized *kernels, const struct ws_native_row *row)
{
    struct kernel *const kernel = kernel_of(kernels, row);
    struct request *request;
    kernel->common.state = WS_SPECIALIZED_refused;
    if (request_new(kernels, row, &request, NULL) != WS_STATUS_ok || ws_compile_start(&request->common, NULL) != WS_STATUS_ok)
        return;
    kernel->common.state = WS_SPECIALIZED_compiling;
    kernels->running = request;
}

/* Takes over what the compiler has finished, unless less is fixed by now. With the lock held. */
static void finish(struct ws_native_specialized *kernels)
{
    struct request *const request = kernels->running;
    if (!request || !ws_compile_wait(&request->common, 0))
        return;
    if (kernel_of(kernels, request->object.row)->common.version == request->version)
        take_over(kernels, request);
    ws_compile_close(&request->common);
    kernels->running = NULL;
}

/* ---- Jobs ---- */

/* Looks up the row's kernel; compiles it if it is required. With the lock held. */
static enum ws_status look_up(struct ws_native_specialized *kernels, const struct ws_native_row *row, struct ws_error *error)
{
    struct kernel *const kernel = kernel_of(kernels, row);
    const bool required = kernels->use == WS_SPECIALIZE_ALWAYS;
    struct request *request;
    kernel->common.state = WS_SPECIALIZED_refused;
    WS_TRY(request_new(kernels, row, &request, error));
    enum ws_status status = WS_STATUS_ok;
    if (required)
        status = ws_native_object_load(&request->object, error);
    else
        ws_native_object_look_up(&request->object);
    if (request->object.handle || required)
        take_over(kernels, request);
    else
        kernel->common.state = WS_SPECIALIZED_absent;
    request_free(&request->common);
    return status;
}

enum ws_status ws_native_specialized_prepare(struct ws_native_specialized *kernels, const struct ws_native_row *row,
                                             struct ws_error *error)
{
    if (!kernels)
        return WS_STATUS_ok;
    struct kernel *const kernel = kernel_of(kernels, row);
    pthread_mutex_lock(&kernels->lock);
    if (kernel->common.state == WS_SPECIALIZED_unknown && look_up(kernels, row, &kernel->failure) == WS_STATUS_ok)
        kernel->failure.status = WS_STATUS_ok;
    const struct ws_error failure = kernel->failure;
    pthread_mutex_unlock(&kernels->lock);
    return kernels->use == WS_SPECIALIZE_ALWAYS && failure.status != WS_STATUS_ok
               ? ws_fail(error, failure.status, "compiling kernels for the machine: %s", failure.message)
               : WS_STATUS_ok;
}

/* Adds the time of a quantum in the general kernel. */
static void add_time(struct ws_native_specialized *kernels, const struct ws_native_row *row, double seconds)
{
    struct ws_specialized *const common = &kernel_of(kernels, row)->common;
    pthread_mutex_lock(&kernels->lock);
    finish(kernels);
    common->seconds += seconds;
    if (common->state == WS_SPECIALIZED_absent && !kernels->running && ws_specialized_pays(common, kernels->worth))
        start(kernels, row);
    pthread_mutex_unlock(&kernels->lock);
}

/* Claims an unverified kernel for one thread; NULL if there is none. */
static ws_native_quantum *to_verify(struct ws_native_specialized *kernels, struct kernel *kernel)
{
    ws_native_quantum *candidate = NULL;
    pthread_mutex_lock(&kernels->lock);
    if (kernel->common.state == WS_SPECIALIZED_unverified) {
        kernel->common.state = WS_SPECIALIZED_verifying;
        candidate = kernel->candidate;
    }
    pthread_mutex_unlock(&kernels->lock);
    return candidate;
}

/* Simulates a quantum with both kernels. The candidate is used from then on if both leave the same state. */
static void verify(struct ws_native_specialized *kernels, const struct ws_native_row *row, ws_native_quantum *candidate,
                   const struct ws_job *job, const struct ws_native_parts *parts, u32 quantum)
{
    struct kernel *const kernel = kernel_of(kernels, row);
    struct ws_native_parts other = *parts;
    const size_t bytes = job->plan.state_words * sizeof *other.state;
    other.state = malloc(bytes);
    if (other.state) {
        memcpy(other.state, parts->state, bytes);
        candidate(job, &other, quantum);
    }
    ws_native_quantum_of(row, job->machine.schedule_policy)(job, parts, quantum);
    const bool same = other.state && memcmp(other.state, parts->state, bytes) == 0;
    free(other.state);
    pthread_mutex_lock(&kernels->lock);
    kernel->common.state = same ? WS_SPECIALIZED_verified : WS_SPECIALIZED_refused;
    atomic_store(&kernel->quantum, same ? candidate : NULL);
    pthread_mutex_unlock(&kernels->lock);
}

void ws_native_specialized_advance(struct ws_native_specialized *kernels, const struct ws_native_row *row, const struct ws_job *job,
                                   const struct ws_native_parts *parts, u32 quantum)
{
    struct kernel *const kernel = kernels ? kernel_of(kernels, row) : NULL;
    ws_native_quantum *const verified = kernel ? atomic_load(&kernel->quantum) : NULL;
    if (verified || !kernel) {
        (verified ? verified : ws_native_quantum_of(row, job->machine.schedule_policy))(job, parts, quantum);
        return;
    }
    const bool recorded = job->recorded != 0 || job->times != WS_NO_RECORDS; /* beside the state */
    ws_native_quantum *const candidate = recorded ? NULL : to_verify(kernels, kernel);
    const double began = ws_seconds_now();
    if (candidate)
        verify(kernels, row, candidate, job, parts, quantum);
    else
        ws_native_quantum_of(row, job->machine.schedule_policy)(job, parts, quantum);
    add_time(kernels, row, ws_seconds_now() - began);
}

void ws_native_specialized_ended(struct ws_native_specialized *kernels, const struct ws_native_row *row)
{
    if (!kernels)
        return;
    struct kernel *const kernel = kernel_of(kernels, row);
    pthread_mutex_lock(&kernels->lock);
    kernel->common.ended++;
    kernel->common.coming -= kernel->common.coming > 0;
    pthread_mutex_unlock(&kernels->lock);
}

u32 ws_native_specialized_count(struct ws_native_specialized *kernels)
{
    u32 count = 0;
    for (u32 n = 0; kernels && n < WS_NATIVE_ROWS; n++)
        count += atomic_load(&kernels->of_row[n].quantum) != NULL;
    return count;
}
