#include "engine/native/specialize.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/events.h"
#include "engine/fixed.h"
#include "engine/native/object.h"
#include "engine/variant.h"

/* What is there for a row. */
enum state {
    STATE_unsought,
    STATE_absent,
    STATE_compiling,
    STATE_unproved,
    STATE_proving,
    STATE_proved,
    STATE_refused /* it cannot be compiled, or has miscounted */
};

struct special {
    struct ws_fixed fixed;
    enum state state;
    _Atomic(ws_native_slice *) slice; /* proved */
    ws_native_slice *candidate;
    u32 version;             /* of what is fixed */
    size_t to_come, ended;   /* jobs: of this call, of all calls */
    double seconds;          /* of threads with the row's own kernel */
    struct ws_error failure; /* why there is none though there must be one */
};

struct ws_specials {
    enum ws_specialize_use use;
    double worth;
    pthread_mutex_t lock; /* of all below but slice */
    bool compiling, abandoned;
    struct special *of_row;
    void **opened; /* objects */
    size_t opened_count;
};

/* Something to compile. */
struct order {
    struct ws_specials *specials;
    u32 version; /* of what is fixed */
    struct ws_native_object object;
};

static void specials_free(struct ws_specials *specials)
{
    for (size_t n = 0; n < specials->opened_count; n++)
        dlclose(specials->opened[n]);
    pthread_mutex_destroy(&specials->lock);
    free(specials->opened);
    free(specials->of_row);
    free(specials);
}

struct ws_specials *ws_specials_open(enum ws_specialize_use use, double worth)
{
    if (use == WS_SPECIALIZE_NEVER || !ws_native_flags_suit())
        return NULL;
    struct ws_specials *const specials = calloc(1, sizeof *specials);
    struct special *const of_row = calloc(WS_NATIVE_ROWS, sizeof *of_row);
    if (!specials || !of_row) {
        free(specials);
        free(of_row);
        return NULL;
    }
    pthread_mutex_init(&specials->lock, NULL);
    specials->use = use;
    specials->worth = worth;
    specials->of_row = of_row;
    return specials;
}

void ws_specials_close(struct ws_specials *specials)
{
    if (!specials)
        return;
    pthread_mutex_lock(&specials->lock);
    const bool busy = specials->abandoned = specials->compiling;
    pthread_mutex_unlock(&specials->lock);
    if (!busy)
        specials_free(specials);
}

/* ---- What is fixed ---- */

static struct special *special_of(struct ws_specials *specials, const struct ws_native_row *row)
{
    return &specials->of_row[ws_native_row_number(row)];
}

/* A job of a machine comes, which the row may be for. */
static void add(struct ws_specials *specials, const struct ws_machine *machine, u32 recorded, bool known)
{
    struct special *const special = special_of(specials, ws_native_row_of(machine));
    special->to_come++;
    if (known || !ws_fixed_add(&special->fixed, machine, recorded))
        return;
    special->version++;
    special->state = STATE_unsought;
    atomic_store(&special->slice, NULL);
}

void ws_specials_begin(struct ws_specials *specials, const struct ws_job_spec *jobs, size_t count, bool times,
                       const struct ws_engine_watch *watch)
{
    const struct ws_machine *last = NULL;
    u32 recorded = 0;
    if (!specials)
        return;
    pthread_mutex_lock(&specials->lock);
    for (u32 n = 0; n < WS_NATIVE_ROWS; n++)
        specials->of_row[n].to_come = 0;
    for (size_t n = 0; n < count; n++) {
        const bool known = jobs[n].machine == last;
        if (!known && ws_machine_check(jobs[n].machine, NULL) != WS_STATUS_ok)
            continue;
        last = jobs[n].machine;
        recorded = ws_events_wanted(last, times, watch);
        add(specials, last, recorded, known);
        if (!ws_variant_replays(last))
            continue;
        struct ws_machine replaying = *last;
        replaying.divergence_unit = WS_divergence_replay;
        add(specials, &replaying, recorded, known);
    }
    pthread_mutex_unlock(&specials->lock);
}

/* ---- The compiler ---- */

static void order_free(struct order *order)
{
    ws_native_object_free(&order->object);
    free(order);
}

/* What is to be compiled for a row; NULL without memory or a cache. With the lock held. */
static struct order *order_of(struct ws_specials *specials, const struct ws_native_row *row)
{
    const struct special *const special = special_of(specials, row);
    struct order *const order = calloc(1, sizeof *order);
    if (!order)
        return NULL;
    *order = (struct order){.specials = specials, .version = special->version};
    if (ws_native_object_init(&order->object, row, ws_fixed_text(&special->fixed), false))
        return order;
    order_free(order);
    return NULL;
}

/* Takes the object of an order, if there is one. With the lock held. */
static bool take(const struct order *order)
{
    struct ws_specials *const specials = order->specials;
    struct special *const special = special_of(specials, order->object.row);
    void **const more = realloc(specials->opened, (specials->opened_count + 1) * sizeof *more);
    specials->opened = more ? more : specials->opened;
    void *const handle = more ? ws_native_object_open(&order->object, &special->candidate) : NULL;
    if (!handle)
        return false;
    specials->opened[specials->opened_count++] = handle;
    special->state = STATE_unproved;
    return true;
}

/* In a thread of its own. */
static void *work(void *argument)
{
    struct order *const order = argument;
    struct ws_specials *const specials = order->specials;
    struct special *const special = special_of(specials, order->object.row);
    const bool made = ws_native_object_make(&order->object, NULL) == WS_STATUS_ok;
    pthread_mutex_lock(&specials->lock);
    specials->compiling = false;
    const bool abandoned = specials->abandoned;
    if (!abandoned && special->version == order->version && !(made && take(order)))
        special->state = STATE_refused;
    pthread_mutex_unlock(&specials->lock);
    if (abandoned)
        specials_free(specials);
    order_free(order);
    return NULL;
}

/* Sets the compiler going. With the lock held. */
static void start(struct ws_specials *specials, const struct ws_native_row *row)
{
    struct order *const order = order_of(specials, row);
    pthread_t thread;
    special_of(specials, row)->state = STATE_refused;
    if (!order)
        return;
    if (pthread_create(&thread, NULL, work, order) != 0) {
        order_free(order);
        return;
    }
    pthread_detach(thread);
    special_of(specials, row)->state = STATE_compiling;
    specials->compiling = true;
}

/* ---- Jobs ---- */

/* Looks for the row's kernel, and where it must be there makes it. With the lock held. */
static enum ws_status seek(struct ws_specials *specials, const struct ws_native_row *row, struct ws_error *error)
{
    struct special *const special = special_of(specials, row);
    struct order *const order = order_of(specials, row);
    special->state = order ? STATE_absent : STATE_refused;
    if (!order)
        return ws_fail(error, WS_STATUS_compiler, "no memory, or no folder for a cache");
    enum ws_status status = WS_STATUS_ok;
    if (!take(order) && specials->use == WS_SPECIALIZE_ALWAYS) {
        special->state = STATE_refused;
        status = ws_native_object_make(&order->object, error);
        if (status == WS_STATUS_ok && !take(order))
            status = ws_fail(error, WS_STATUS_compiler, "%s cannot be loaded", order->object.path);
    }
    order_free(order);
    return status;
}

enum ws_status ws_specials_await(struct ws_specials *specials, const struct ws_native_row *row, struct ws_error *error)
{
    if (!specials)
        return WS_STATUS_ok;
    struct special *const special = special_of(specials, row);
    pthread_mutex_lock(&specials->lock);
    if (special->state == STATE_unsought && seek(specials, row, &special->failure) == WS_STATUS_ok)
        special->failure.status = WS_STATUS_ok;
    const struct ws_error failure = special->failure;
    pthread_mutex_unlock(&specials->lock);
    return specials->use == WS_SPECIALIZE_ALWAYS && failure.status != WS_STATUS_ok
               ? ws_fail(error, failure.status, "compiling kernels for the machine: %s", failure.message)
               : WS_STATUS_ok;
}

/* Whether the jobs of a row, those that come included, take long enough. */
static bool pays(const struct ws_specials *specials, const struct special *special)
{
    const double jobs = special->ended == 0 ? 1 : (double)special->ended;
    return special->seconds + special->seconds / jobs * (double)special->to_come >= specials->worth;
}

/* A slice has taken so long with the row's own kernel. */
static void note(struct ws_specials *specials, const struct ws_native_row *row, double seconds)
{
    struct special *const special = special_of(specials, row);
    pthread_mutex_lock(&specials->lock);
    special->seconds += seconds;
    if (special->state == STATE_absent && !specials->compiling && pays(specials, special))
        start(specials, row);
    pthread_mutex_unlock(&specials->lock);
}

/* Hands out a kernel that is to be proved, to one thread. */
static ws_native_slice *to_prove(struct ws_specials *specials, struct special *special)
{
    ws_native_slice *candidate = NULL;
    pthread_mutex_lock(&specials->lock);
    if (special->state == STATE_unproved) {
        special->state = STATE_proving;
        candidate = special->candidate;
    }
    pthread_mutex_unlock(&specials->lock);
    return candidate;
}

/* Does a slice both ways, and uses the candidate from now on if both leave the same state. */
static void prove(struct ws_specials *specials, const struct ws_native_row *row, ws_native_slice *candidate,
                  const struct ws_job *job, const struct ws_native_parts *parts, u32 slice)
{
    struct special *const special = special_of(specials, row);
    struct ws_native_parts other = *parts;
    const size_t bytes = job->plan.state_words * sizeof *other.state;
    other.state = malloc(bytes);
    if (other.state) {
        memcpy(other.state, parts->state, bytes);
        candidate(job, &other, slice);
    }
    ws_native_slice_of(row)(job, parts, slice);
    const bool same = other.state && memcmp(other.state, parts->state, bytes) == 0;
    free(other.state);
    pthread_mutex_lock(&specials->lock);
    special->state = same ? STATE_proved : STATE_refused;
    atomic_store(&special->slice, same ? candidate : NULL);
    pthread_mutex_unlock(&specials->lock);
}

void ws_specials_advance(struct ws_specials *specials, const struct ws_native_row *row, const struct ws_job *job,
                         const struct ws_native_parts *parts, u32 slice)
{
    struct special *const special = specials ? special_of(specials, row) : NULL;
    ws_native_slice *const proved = special ? atomic_load(&special->slice) : NULL;
    if (proved || !special) {
        (proved ? proved : ws_native_slice_of(row))(job, parts, slice);
        return;
    }
    const bool recorded = job->recorded != 0 || job->times != WS_NO_RECORDS; /* beside the state */
    ws_native_slice *const candidate = recorded ? NULL : to_prove(specials, special);
    const double began = ws_seconds_now();
    if (candidate)
        prove(specials, row, candidate, job, parts, slice);
    else
        ws_native_slice_of(row)(job, parts, slice);
    note(specials, row, ws_seconds_now() - began);
}

void ws_specials_ended(struct ws_specials *specials, const struct ws_native_row *row)
{
    if (!specials)
        return;
    struct special *const special = special_of(specials, row);
    pthread_mutex_lock(&specials->lock);
    special->ended++;
    special->to_come -= special->to_come > 0;
    pthread_mutex_unlock(&specials->lock);
}

u32 ws_specials_count(struct ws_specials *specials)
{
    u32 count = 0;
    for (u32 n = 0; specials && n < WS_NATIVE_ROWS; n++)
        count += atomic_load(&specials->of_row[n].slice) != NULL;
    return count;
}
