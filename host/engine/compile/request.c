#include "engine/compile/request.h"

#include <time.h>

#include "base/error.h"

static void request_free(struct ws_compile_request *request)
{
    pthread_cond_destroy(&request->end);
    pthread_mutex_destroy(&request->lock);
    request->free(request);
}

static void *work(void *argument)
{
    struct ws_compile_request *const request = argument;
    request->status = request->compile(request, &request->error);
    pthread_mutex_lock(&request->lock);
    request->ended = true;
    const bool abandoned = request->abandoned;
    pthread_cond_signal(&request->end);
    pthread_mutex_unlock(&request->lock);
    if (abandoned)
        request_free(request);
    return NULL;
}

enum ws_status ws_compile_start(struct ws_compile_request *request, struct ws_error *error)
{
    pthread_mutex_init(&request->lock, NULL);
    pthread_cond_init(&request->end, NULL);
    if (pthread_create(&request->worker, NULL, work, request) == 0)
        return WS_STATUS_ok;
    request_free(request);
    return ws_fail(error, WS_STATUS_no_memory, "cannot create a thread for the compiler");
}

bool ws_compile_wait(struct ws_compile_request *request, double seconds)
{
    enum { SECOND = 1000 * 1000 * 1000 }; /* nanoseconds */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const long end = until.tv_nsec + (long)(seconds * SECOND);
    until.tv_sec += end / SECOND;
    until.tv_nsec = end % SECOND;
    pthread_mutex_lock(&request->lock);
    if (!request->ended && seconds > 0)
        pthread_cond_timedwait(&request->end, &request->lock, &until);
    const bool ended = request->ended;
    pthread_mutex_unlock(&request->lock);
    return ended;
}

void ws_compile_close(struct ws_compile_request *request)
{
    if (!request)
        return;
    const pthread_t worker = request->worker;
    pthread_mutex_lock(&request->lock);
    const bool ended = request->ended;
    request->abandoned = !ended;
    pthread_mutex_unlock(&request->lock);
    if (!ended) {
        pthread_detach(worker);
        return;
    }
    pthread_join(worker, NULL);
    request_free(request);
}
