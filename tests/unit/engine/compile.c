/* Compile workers: waiting, failing, and closing a request while its compiler runs. */
#include <semaphore.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/compile/request.h"
#include "test.h"

enum { NO_TIME = 0, LONG_TIME = 60 };

/* A compiler that runs until told to end. */
struct request {
    struct ws_compile_request common;
    sem_t *end, *freed;
};

static enum ws_status compile(struct ws_compile_request *request, struct ws_error *error)
{
    while (sem_wait(((struct request *)request)->end) != 0)
        ;
    return ws_fail(error, WS_STATUS_compiler, "no such register");
}

static void request_free(struct ws_compile_request *request)
{
    sem_post(((struct request *)request)->freed);
    free(request);
}

static struct ws_compile_request *start(sem_t *end, sem_t *freed)
{
    struct request *const request = calloc(1, sizeof *request);
    assert_non_null(request);
    sem_init(end, 0, 0);
    sem_init(freed, 0, 0);
    *request = (struct request){.common = {.compile = compile, .free = request_free}, .end = end, .freed = freed};
    assert_int_equal(ws_compile_start(&request->common, NULL), WS_STATUS_ok);
    return &request->common;
}

TEST(a_request_ends_with_what_its_compiler_returns)
{
    sem_t end, freed;
    struct ws_compile_request *const request = start(&end, &freed);
    assert_false(ws_compile_wait(request, NO_TIME));
    assert_false(ws_compile_wait(request, 0.01));
    sem_post(&end);
    assert_true(ws_compile_wait(request, LONG_TIME));
    assert_true(ws_compile_wait(request, NO_TIME));
    assert_int_equal(request->status, WS_STATUS_compiler);
    assert_string_equal(request->error.message, "no such register");
    assert_int_not_equal(sem_trywait(&freed), 0);
    ws_compile_close(request);
    assert_int_equal(sem_trywait(&freed), 0);
}

TEST(a_request_closed_early_is_freed_when_its_compiler_ends)
{
    sem_t end, freed;
    ws_compile_close(start(&end, &freed));
    assert_int_not_equal(sem_trywait(&freed), 0);
    sem_post(&end);
    while (sem_wait(&freed) != 0)
        ;
    ws_compile_close(NULL);
}
