/* Runs that are interrupted while a driver compiles. Its calls are wrapped: the compiler waits until released. */
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "engine/opencl/selftest/synthetic.h"
#include "test.h"
#include "warpsweep/engine.h"

enum { JOBS = 2, LONGEST_WAIT = 20 /* seconds, to end a failing test */ };

/* The compiler of large warps. */
static struct {
    atomic_bool holds, compiling, gave_up;
    sem_t go, freed; /* the latter: a context was released */
} slow;

int32_t __wrap_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);
int32_t __real_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);
int32_t __wrap_clReleaseContext(void *context);
int32_t __real_clReleaseContext(void *context);

int32_t __wrap_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data)
{
    struct timespec until;
    if (atomic_load(&slow.holds) && strstr(options, "-D WS_PATH_lwm=1")) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += LONGEST_WAIT;
        atomic_store(&slow.compiling, true);
        if (sem_timedwait(&slow.go, &until) != 0)
            atomic_store(&slow.gave_up, true);
    }
    return __real_clBuildProgram(program, devices, list, options, notify, data);
}

int32_t __wrap_clReleaseContext(void *context)
{
    const int32_t code = __real_clReleaseContext(context);
    sem_post(&slow.freed);
    return code;
}

/* ---- An engine, and two jobs of two variants ---- */

static struct ws_machine machines[JOBS];
static struct ws_job_spec jobs[JOBS];
static struct ws_image *image;

static int set_up(void **state)
{
    const struct ws_synthetic description = {.blocks = 4, .block_threads = 64, .loops = 5, .scattered = 20};
    (void)state;
    image = ws_synthetic_new(&description);
    for (size_t n = 0; n < JOBS; n++) {
        ws_machine_defaults(&machines[n]);
        jobs[n] = (struct ws_job_spec){.machine = &machines[n], .image = image};
    }
    machines[1].divergence_unit = WS_divergence_lwm;
    machines[1].core_warp_size = 64;
    sem_init(&slow.go, 0, 0);
    sem_init(&slow.freed, 0, 0);
    return image ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    ws_synthetic_free(image);
    return 0;
}

static bool until_it_compiles(void *context, size_t done, size_t count, u64 warp_instructions)
{
    (void)context;
    (void)done;
    (void)count;
    (void)warp_instructions;
    return !atomic_load(&slow.compiling);
}

/* An engine whose interrupted run still compiles for the second job. */
static struct ws_engine *open_interrupted(void)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu"};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .progress = until_it_compiles};
    struct ws_job_result results[JOBS];
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    atomic_store(&slow.compiling, false);
    atomic_store(&slow.holds, true);
    EXPECT_ERROR(ws_engine_run(engine, jobs, JOBS, results, &watch, &error), WS_STATUS_interrupted,
                 "interrupted with 1 of 2 jobs done");
    assert_int_equal(results[0].status, WS_STATUS_ok);
    assert_int_equal(results[1].status, WS_STATUS_interrupted);
    ws_job_result_free(&results[1]);
    assert_false(atomic_load(&slow.gave_up));
    atomic_store(&slow.holds, false);
    return engine;
}

/* ---- Tests ---- */

TEST(an_interrupted_run_does_not_wait_for_the_compiler)
{
    struct ws_engine *const engine = open_interrupted();
    struct ws_job_result results[JOBS];
    sem_post(&slow.go);
    assert_int_equal(ws_engine_run(engine, jobs, JOBS, results, NULL, NULL), WS_STATUS_ok); /* the next one does */
    for (size_t n = 0; n < JOBS; n++)
        assert_int_equal(results[n].status, WS_STATUS_ok);
    ws_engine_close(engine);
    sem_wait(&slow.freed);
}

TEST(an_engine_that_compiles_is_freed_once_it_is_done)
{
    struct ws_engine *const engine = open_interrupted();
    ws_engine_close(engine);
    assert_int_not_equal(sem_trywait(&slow.freed), 0);
    sem_post(&slow.go);
    sem_wait(&slow.freed);
}

TESTS(set_up, tear_down)
