/* The row's own kernels that are not compiled in: by the compiler of the build when a job first needs them, quickly. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>

#include "base/error.h"
#include "base/text.h"
#include "engine/native/object.h"
#include "engine/native/rows.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end = PTHREAD_COND_INITIALIZER;
static bool compiling[WS_NATIVE_ROWS];
static _Atomic(ws_native_slice *) compiled[WS_NATIVE_ROWS];

/* Makes the object unless another process has, for which it waits meanwhile. */
static enum ws_status make(const struct ws_native_object *object, ws_native_slice **slice, struct ws_error *error)
{
    struct ws_text name = {0};
    ws_text_add(&name, "%s.lock", object->path);
    const int file = name.failed ? -1 : open(name.data, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        (void)!lockf(file, F_LOCK, 0); /* without a lock both make it: a waste, no fault */
    enum ws_status status = WS_STATUS_ok;
    if (!ws_native_object_open(object, slice)) {
        status = ws_native_object_make(object, error);
        if (status == WS_STATUS_ok && !ws_native_object_open(object, slice))
            status = ws_fail(error, WS_STATUS_compiler, "%s cannot be loaded", object->path);
    }
    if (file >= 0) {
        unlink(name.data);
        close(file);
    }
    ws_text_free(&name);
    return status;
}

/* Opens the row's kernel, and where it is not there makes it if wanted. It stays open. */
static enum ws_status demand(const struct ws_native_row *row, bool makes, struct ws_error *error)
{
    struct ws_native_object object;
    ws_native_slice *slice = NULL;
    enum ws_status status = WS_STATUS_ok;
    if (!ws_native_object_init(&object, row, calloc(1, 1), true))
        status = ws_fail(error, WS_STATUS_compiler, "no memory, or no folder for a cache");
    else if (!ws_native_object_open(&object, &slice) && makes)
        status = make(&object, &slice, error);
    atomic_store(&compiled[ws_native_row_number(row)], slice);
    if (status != WS_STATUS_ok && status != WS_STATUS_interrupted)
        ws_fail_in(error, "compiling the kernels of '%s %s' (this needs a C compiler; WARPSWEEP_CC names it): ", row->pipeline_name,
                   row->path_name);
    ws_native_object_free(&object);
    return status;
}

static enum ws_status seek(const struct ws_native_row *row, bool makes, struct ws_error *error)
{
    bool *const busy = &compiling[ws_native_row_number(row)];
    enum ws_status status = WS_STATUS_ok;
    pthread_mutex_lock(&lock);
    while (*busy)
        pthread_cond_wait(&end, &lock);
    if (!ws_native_slice_of(row)) {
        *busy = true;
        pthread_mutex_unlock(&lock);
        status = demand(row, makes, error);
        pthread_mutex_lock(&lock);
        *busy = false;
        pthread_cond_broadcast(&end);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

bool ws_native_slice_find(const struct ws_native_row *row)
{
    seek(row, false, NULL);
    return ws_native_slice_of(row) != NULL;
}

enum ws_status ws_native_slice_need(const struct ws_native_row *row, struct ws_error *error)
{
    return seek(row, true, error);
}

ws_native_slice *ws_native_slice_of(const struct ws_native_row *row)
{
    ws_native_slice *const built = ws_native_flags_suit() && row->suited ? row->suited : row->base;
    return built ? built : atomic_load(&compiled[ws_native_row_number(row)]);
}
