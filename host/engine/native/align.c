#include "engine/native/align.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/native/processor.h"

ws_native_align ws_native_align_base;
#ifdef WS_NATIVE_AVX2
ws_native_align ws_native_align_avx2;
#endif

/* State shared by the threads of a batch. */
struct aligners {
    const struct ws_align_batch *batch;
    ws_native_align *align;
    pthread_mutex_t lock; /* protects next */
    size_t next;
};

static ws_native_align *align_function(void)
{
#ifdef WS_NATIVE_AVX2
    if (ws_has_avx2_and_bits())
        return ws_native_align_avx2;
#endif
    return ws_native_align_base;
}

static void *work(void *argument)
{
    struct aligners *const aligners = argument;
    const struct ws_align_batch *const batch = aligners->batch;
    for (;;) {
        pthread_mutex_lock(&aligners->lock);
        const size_t n = aligners->next++;
        pthread_mutex_unlock(&aligners->lock);
        if (n >= batch->count)
            return NULL;
        aligners->align(&batch->tasks[n], batch, batch->rows, &batch->scores[n]);
    }
}

enum ws_status ws_native_align_run(u32 threads, const struct ws_align_batch *batch, struct ws_error *error)
{
    struct aligners aligners = {.batch = batch, .align = align_function()};
    pthread_t *const helpers = calloc(threads, sizeof *helpers);
    u32 started = 0;
    if (!helpers)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u threads", threads);
    pthread_mutex_init(&aligners.lock, NULL);
    while (started + 1 < threads && started + 1 < batch->count && pthread_create(&helpers[started], NULL, work, &aligners) == 0)
        started++;
    work(&aligners);
    for (u32 n = 0; n < started; n++)
        pthread_join(helpers[n], NULL);
    pthread_mutex_destroy(&aligners.lock);
    free(helpers);
    return WS_STATUS_ok;
}
