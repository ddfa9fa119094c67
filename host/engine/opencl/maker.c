
#include <time.h>

#include "base/error.h"
#include "engine/opencl/opencl.h"

enum { PAUSE = 50 * 1000 * 1000, SECOND = 1000 * 1000 * 1000 }; /* nanoseconds */

void ws_maker_open(struct ws_maker *maker)
{
    pthread_mutex_init(&maker->lock, NULL);
    pthread_cond_init(&maker->end, NULL);
}

static void *make(void *argument)
{
    struct ws_opencl *const opencl = argument;
    struct ws_maker *const maker = &opencl->maker;
    struct ws_error error = {.message = ""};
    const enum ws_status status = maker->special ? ws_opencl_special(opencl, maker->variant, &maker->machine, &error)
                                                 : ws_opencl_program(opencl, maker->variant, &error);
    pthread_mutex_lock(&maker->lock);
    maker->status = status;
    maker->error = error;
    maker->ended = true;
    const bool abandoned = maker->abandoned;
    pthread_cond_signal(&maker->end);
    pthread_mutex_unlock(&maker->lock);
    if (abandoned)
        ws_opencl_free(opencl);
    return NULL;
}

/* Waits a moment; returns whether the thread is done. */
static bool wait_a_moment(struct ws_maker *maker)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PAUSE;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    pthread_mutex_lock(&maker->lock);
    if (!maker->ended)
        pthread_cond_timedwait(&maker->end, &maker->lock, &until);
    const bool ended = maker->ended;
    pthread_mutex_unlock(&maker->lock);
    return ended;
}

static enum ws_status wait_for_end(struct ws_opencl *opencl, const struct ws_run *run, struct ws_error *error)
{
    struct ws_maker *const maker = &opencl->maker;
    while (!wait_a_moment(maker))
        WS_TRY(ws_run_progress(run, error));
    pthread_join(maker->thread, NULL);
    maker->running = false;
    if (maker->status == WS_STATUS_ok && !maker->special)
        ws_opencl_mention(opencl, maker->variant);
    return WS_STATUS_ok;
}

/* Makes what the maker is set to. */
static enum ws_status make_beside(struct ws_opencl *opencl, const struct ws_run *run, struct ws_error *error)
{
    struct ws_maker *const maker = &opencl->maker;
    maker->ended = false;
    if (pthread_create(&maker->thread, NULL, make, opencl) != 0)
        return ws_fail(error, WS_STATUS_no_memory, "no thread can be made for the compiler");
    maker->running = true;
    WS_TRY(wait_for_end(opencl, run, error));
    return maker->status == WS_STATUS_ok ? maker->status : ws_fail(error, maker->status, "%s", maker->error.message);
}

enum ws_status ws_maker_program(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, struct ws_error *error)
{
    struct ws_maker *const maker = &opencl->maker;
    if (maker->running)
        WS_TRY(wait_for_end(opencl, run, error));
    if (opencl->programs[variant].program)
        return WS_STATUS_ok;
    maker->variant = variant;
    maker->special = false;
    return make_beside(opencl, run, error);
}

enum ws_status ws_maker_special(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, const struct ws_machine *machine,
                                struct ws_error *error)
{
    opencl->maker.variant = variant; /* ws_maker_program has waited for what ran before */
    opencl->maker.special = true;
    opencl->maker.machine = *machine;
    return make_beside(opencl, run, error);
}

bool ws_maker_close(struct ws_maker *maker)
{
    if (!maker->running)
        return true;
    pthread_mutex_lock(&maker->lock);
    const bool abandoned = maker->abandoned = !maker->ended;
    pthread_mutex_unlock(&maker->lock);
    if (abandoned)
        pthread_detach(maker->thread);
    else
        pthread_join(maker->thread, NULL);
    return !abandoned;
}
