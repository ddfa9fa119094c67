/* Orders of blocks in results match events of kind order, whether or not a watch takes events. */
#include <stdlib.h>
#include <string.h>

#include "engine/opencl/selftest/synthetic.h"
#include "test.h"
#include "warpsweep/engine.h"

enum { BLOCKS = 9, RESIDENT = 3, MOST = 4096 };

static struct ws_machine machine;
static struct ws_image *image;

/* Events received by a watch. */
static struct ws_block_place seen[MOST];
static size_t seen_count;

static void on_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    (void)context;
    (void)job;
    if (event->kind != WS_EVENT_order)
        return;
    assert_true(seen_count < MOST);
    seen[seen_count++] = (struct ws_block_place){.cycle = event->cycle, .place = event->place, .block = event->block};
}

static void simulate(bool times, const struct ws_engine_watch *watch, struct ws_job_result *result)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 1, .quantum = 300,
                                              .times = times};
    const struct ws_job_spec job = {.machine = &machine, .image = image};
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    EXPECT_OK(ws_engine_run(engine, &job, 1, result, watch, &error));
    ws_engine_close(engine);
    assert_int_equal(result->status, WS_STATUS_ok);
}

static int set_up(void **state)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = BLOCKS, .block_threads = 100, .loops = 8, .scattered = 20};
    (void)state;
    ws_machine_defaults(&machine);
    machine.core_blocks = RESIDENT;
    machine.schedule_policy = WS_policy_pro;
    machine.pro_threshold = 50;
    seen_count = 0;
    image = ws_synthetic_new(&description);
    return image ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    ws_synthetic_free(image);
    return 0;
}

/* Sorts are complete and in the order of cycles: ranks from 0 on, of resident blocks, each once. */
static void assert_sorts(const struct ws_job_result *result)
{
    for (size_t n = 0, first = 0; n < result->order_count; n++) {
        const struct ws_block_place *const place = &result->order[n];
        const struct ws_block_time *const time = &result->times[place->block];
        if (n > 0 && place->cycle != place[-1].cycle)
            first = n;
        assert_true(n == 0 || place->cycle >= place[-1].cycle);
        assert_int_equal(place->place, n - first);
        assert_true(place->place < RESIDENT);
        assert_true(time->entered <= place->cycle && place->cycle < time->ended);
        for (size_t k = first; k < n; k++)
            assert_int_not_equal(result->order[k].block, place->block);
    }
}

TEST_WITH(orders_are_those_of_the_events, set_up, tear_down)
{
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .event = on_event};
    struct ws_job_result alone, watched;
    simulate(true, NULL, &alone);
    simulate(true, &watch, &watched);
    assert_true(alone.order_count > 3 * RESIDENT);
    assert_sorts(&alone);
    assert_int_equal(watched.order_count, alone.order_count);
    assert_int_equal(seen_count, alone.order_count);
    assert_memory_equal(alone.counters, watched.counters, sizeof alone.counters);
    assert_memory_equal(alone.order, watched.order, alone.order_count * sizeof *alone.order);
    assert_memory_equal(alone.order, seen, alone.order_count * sizeof *alone.order);
    ws_job_result_free(&alone);
    ws_job_result_free(&watched);
    assert_null(alone.order);
}

TEST_WITH(none_where_nobody_asks_or_sorts, set_up, tear_down)
{
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .event = on_event};
    struct ws_job_result result;
    simulate(false, &watch, &result);
    assert_null(result.order);
    assert_true(seen_count > 0);
    ws_job_result_free(&result);
    machine.schedule_policy = WS_policy_rr;
    simulate(true, NULL, &result);
    assert_null(result.order);
    assert_int_equal(result.order_count, 0);
    ws_job_result_free(&result);
}
