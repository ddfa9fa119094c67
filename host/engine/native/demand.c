/* General kernels that are not compiled in: the compiler of the build compiles them when a job first needs them, optimized ones for
 * its scheduler alone. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/compile/fixed.h"
#include "engine/compile/quick.h"
#include "engine/native/object.h"

enum { SCHEDULERS = 64 }; /* values of schedule.policy are below */
#define POLICY(name, value, doc) _Static_assert((value) < SCHEDULERS, #name);
#define POOL_POLICY              POLICY
#include "shared/policies.def"

/* The kernel of a row for a scheduler. */
struct kernel {
    pthread_mutex_t lock; /* held while it is loaded */
    _Atomic(ws_native_quantum *) quantum;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct kernel kernels[WS_NATIVE_ROWS][SCHEDULERS];

static void init_locks(void)
{
    for (u32 row = 0; row < WS_NATIVE_ROWS; row++)
        for (u32 scheduler = 0; scheduler < SCHEDULERS; scheduler++)
            pthread_mutex_init(&kernels[row][scheduler].lock, NULL);
}

/* A quick kernel is one file for all schedulers, so one lock. */
static struct kernel *kernel_of(const struct ws_native_row *row, u32 scheduler)
{
    return &kernels[ws_native_row_number(row)][ws_compiles_quickly() ? 0 : scheduler];
}

/* Loads the kernel, which stays loaded. Quick ones are for all schedulers. */
static enum ws_status load(const struct ws_native_row *row, u32 scheduler, bool compiles, struct ws_error *error)
{
    const bool quick = ws_compiles_quickly();
    struct ws_native_object object;
    enum ws_status status =
        ws_native_object_init(&object, row, quick ? calloc(1, 1) : ws_fixed_scheduler_text(scheduler), quick, error);
    if (status == WS_STATUS_ok && compiles)
        status = ws_native_object_load(&object, error);
    else if (status == WS_STATUS_ok)
        ws_native_object_look_up(&object);
    atomic_store(&kernel_of(row, scheduler)->quantum, object.quantum);
    object.handle = NULL;
    ws_native_object_free(&object);
    if (status == WS_STATUS_ok || status == WS_STATUS_interrupted)
        return status;
    return ws_fail_in(error,
                      "compiling the kernels of '%s %s' (this needs a C compiler; WARPSWEEP_CC names it): ", row->pipeline_name,
                      row->path_name);
}

static enum ws_status load_once(const struct ws_native_row *row, u32 scheduler, bool compiles, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    pthread_once(&once, init_locks);
    pthread_mutex_lock(&kernel_of(row, scheduler)->lock);
    if (!ws_native_quantum_of(row, scheduler))
        status = load(row, scheduler, compiles, error);
    pthread_mutex_unlock(&kernel_of(row, scheduler)->lock);
    return status;
}

bool ws_native_quantum_find(const struct ws_native_row *row, u32 scheduler)
{
    load_once(row, scheduler, false, NULL);
    return ws_native_quantum_of(row, scheduler) != NULL;
}

enum ws_status ws_native_quantum_need(const struct ws_native_row *row, u32 scheduler, struct ws_error *error)
{
    return load_once(row, scheduler, true, error);
}

ws_native_quantum *ws_native_quantum_of(const struct ws_native_row *row, u32 scheduler)
{
    ws_native_quantum *const built = ws_native_flags_suit() && row->suited ? row->suited : row->base;
    return built ? built : atomic_load(&kernel_of(row, scheduler)->quantum);
}
