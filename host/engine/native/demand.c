/* General kernels that are not compiled in: the compiler of the build compiles them when a job first needs them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/compile/quick.h"
#include "engine/native/object.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock[WS_NATIVE_ROWS]; /* held while a row's kernel is loaded */
static _Atomic(ws_native_quantum *) loaded[WS_NATIVE_ROWS];

static void init_locks(void)
{
    for (u32 n = 0; n < WS_NATIVE_ROWS; n++)
        pthread_mutex_init(&lock[n], NULL);
}

/* Loads the row's kernel, which stays loaded. */
static enum ws_status load(const struct ws_native_row *row, bool compiles, struct ws_error *error)
{
    struct ws_native_object object;
    enum ws_status status = ws_native_object_init(&object, row, calloc(1, 1), ws_compiles_quickly(), error);
    if (status == WS_STATUS_ok && compiles)
        status = ws_native_object_load(&object, error);
    else if (status == WS_STATUS_ok)
        ws_native_object_look_up(&object);
    atomic_store(&loaded[ws_native_row_number(row)], object.quantum);
    object.handle = NULL;
    ws_native_object_free(&object);
    if (status == WS_STATUS_ok || status == WS_STATUS_interrupted)
        return status;
    return ws_fail_in(error,
                      "compiling the kernels of '%s %s' (this needs a C compiler; WARPSWEEP_CC names it): ", row->pipeline_name,
                      row->path_name);
}

static enum ws_status load_once(const struct ws_native_row *row, bool compiles, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    pthread_once(&once, init_locks);
    pthread_mutex_lock(&lock[ws_native_row_number(row)]);
    if (!ws_native_quantum_of(row))
        status = load(row, compiles, error);
    pthread_mutex_unlock(&lock[ws_native_row_number(row)]);
    return status;
}

bool ws_native_quantum_find(const struct ws_native_row *row)
{
    load_once(row, false, NULL);
    return ws_native_quantum_of(row) != NULL;
}

enum ws_status ws_native_quantum_need(const struct ws_native_row *row, struct ws_error *error)
{
    return load_once(row, true, error);
}

ws_native_quantum *ws_native_quantum_of(const struct ws_native_row *row)
{
    ws_native_quantum *const built = ws_native_flags_suit() && row->suited ? row->suited : row->base;
    return built ? built : atomic_load(&loaded[ws_native_row_number(row)]);
}
