/* Background compilation. A compile worker is a thread that serves one request. No compiler call can be interrupted, so a worker
 * keeps running when its request is closed; request and worker then end together. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "warpsweep/status.h"

/* First member of an engine's own request, which owns all that its compilation needs. */
struct ws_compile_request {
    enum ws_status (*compile)(struct ws_compile_request *request, struct ws_error *error); /* in the worker */
    void (*free)(struct ws_compile_request *request);
    enum ws_status status; /* of the compilation; this and error may be read once it has ended */
    struct ws_error error;
    pthread_t worker;
    pthread_mutex_t lock; /* of the rest */
    pthread_cond_t end;
    bool ended, abandoned;
};

/* Starts the worker of a request with compile and free set, from the heap. Frees the request on failure (WS_STATUS_no_memory). */
enum ws_status ws_compile_start(struct ws_compile_request *request, struct ws_error *error);

/* True if the compilation has ended. Waits for the end up to the given time. */
bool ws_compile_wait(struct ws_compile_request *request, double seconds);

/* Frees the request, if need be once the compilation has ended; NULL is ignored. */
void ws_compile_close(struct ws_compile_request *request);
