/* Batches of jobs for a device of limited memory. */
#include "engine/opencl/selftest/synthetic.h"
#include "engine/opencl/batch.h"
#include "test.h"

enum { TASKS = 6 };

struct setting {
    struct ws_image *images[3];
    struct ws_job_spec specs[TASKS];
    struct ws_task tasks[TASKS];
};

/* Two jobs on each of three images, the second one larger than the others. */
static struct setting setting;

static int set_up(void **state)
{
    (void)state;
    for (u32 n = 0; n < 3; n++) {
        const struct ws_synthetic description = {.seed = n, .blocks = n == 1 ? 8 : 1, .block_threads = 64, .loops = 3};
        setting.images[n] = ws_synthetic_new(&description);
        if (!setting.images[n])
            return -1;
    }
    for (u32 n = 0; n < TASKS; n++) {
        setting.specs[n].image = setting.images[n / 2];
        setting.tasks[n].spec = setting.specs[n];
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (u32 n = 0; n < 3; n++)
        ws_synthetic_free(setting.images[n]);
    return 0;
}

TEST(images_are_counted_once)
{
    const struct ws_task *const tasks = setting.tasks;
    assert_true(ws_trace_bytes(tasks, 1) > 0);
    assert_int_equal(ws_trace_bytes(tasks, 1), ws_trace_bytes(tasks, 2));
    assert_true(ws_trace_bytes(tasks + 2, 2) > 4 * ws_trace_bytes(tasks, 2));
    assert_int_equal(ws_trace_bytes(tasks, TASKS),
                     ws_trace_bytes(tasks, 2) + ws_trace_bytes(tasks + 2, 2) + ws_trace_bytes(tasks + 4, 2));
}

TEST(a_batch_takes_what_fits)
{
    const struct ws_task *const tasks = setting.tasks;
    const u64 small = ws_trace_bytes(tasks, 2), both = ws_trace_bytes(tasks, 4);
    assert_int_equal(ws_batch_take(tasks, TASKS, small - 1), 0);
    assert_int_equal(ws_batch_take(tasks, TASKS, small), 2);
    assert_int_equal(ws_batch_take(tasks, TASKS, both - 1), 2);
    assert_int_equal(ws_batch_take(tasks, TASKS, both), 4);
    assert_int_equal(ws_batch_take(tasks, TASKS, 1u << 30), TASKS);
    assert_int_equal(ws_batch_take(tasks + 2, TASKS - 2, small), 0);
}

TEST(limits_shrink_to_one_slot_and_then_to_one_trace)
{
    struct ws_limits limits = {.memory = 1000, .allocation = 1000, .trace = 1u << 30, .slots = 5};
    struct ws_batch batch = {.tasks = setting.tasks, .count = TASKS, .slots = 5};
    assert_true(ws_batch_shrink(&batch, &limits));
    assert_int_equal(limits.slots, 2);
    assert_int_equal(limits.trace, 1u << 30);
    batch.slots = 1;
    assert_true(ws_batch_shrink(&batch, &limits));
    assert_int_equal(limits.trace, ws_trace_bytes(setting.tasks, 1));
    batch.count = ws_batch_take(setting.tasks, TASKS, limits.trace);
    assert_int_equal(batch.count, 2);
    assert_false(ws_batch_shrink(&batch, &limits));
}

/* 2^33 words of times and a small state: no device is involved, so the batch itself must detect this. */
TEST(times_that_do_not_fit_are_no_memory)
{
    const struct ws_engine_watch unwatched = {WS_STRUCT(engine_watch), .context = NULL};
    const struct ws_limits limits = {.memory = 1u << 30, .allocation = 1u << 30, .trace = 1u << 30, .slots = 1};
    struct ws_run run = {.watch = &unwatched, .times = true};
    struct ws_task task = setting.tasks[0];
    struct ws_batch batch;
    task.job.blocks = 1u << 30;
    task.job.plan.warps_per_block = 2;
    task.job.plan.state_words = 1000;
    assert_int_equal(ws_batch_open(&batch, &run, NULL, &task, 1, &limits, NULL), WS_STATUS_no_memory);
    assert_int_equal(batch.slots, 0);
    ws_batch_close(&batch);
}

TESTS(set_up, tear_down)
