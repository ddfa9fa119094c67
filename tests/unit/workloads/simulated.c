/* Blocks other than one of 1024 threads, traced and simulated: every counter by the oracle and by the native engine. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oracle/trial.h"
#include "unit/workloads/rows.h"

enum { MOST_OVERRIDES = 5 };

static const struct {
    struct {
        const char *key, *value;
    } overrides[MOST_OVERRIDES];
    u32 warps; /* of a block of 48 threads */
} machines[] = {
    {.warps = 2},
    {{{"core.blocks", "1"}, {"schedule.policy", "two_level"}}, 2},
    {{{"core.warp_size", "8"}, {"schedule.policy", "srr"}}, 6},
    {{{"core.warp_size", "4"}, {"core.simd_width", "4"}}, 12},
    {{{"divergence.unit", "lwm"}, {"core.warp_size", "64"}, {"core.warps", "4"}}, 1},
    {{{"divergence.unit", "tbc"}, {"core.warp_size", "16"}, {"divergence.compaction_block", "32"}}, 3},
};

enum { MACHINES = sizeof machines / sizeof *machines, BLOCKS = 5, THREADS = 48 };

static struct ws_machine make_machine(size_t n)
{
    struct ws_machine_file file;
    EXPECT_OK(ws_machine_load("narasiman2011", &file, &error));
    for (size_t i = 0; i < MOST_OVERRIDES && machines[n].overrides[i].key; i++)
        EXPECT_OK(ws_machine_set(&file.machine, machines[n].overrides[i].key, machines[n].overrides[i].value, &error));
    EXPECT_OK(ws_machine_check(&file.machine, &error));
    return file.machine;
}

static struct ws_image *make_image(const struct ws_workload *workload, u32 spaces, u64 *instructions)
{
    static const u32 block[] = {12, 4, 1}, grid[] = {1, 5, 1};
    char path[] = "workload-XXXXXX";
    struct ws_frontend_options options;
    struct ws_trace *trace;
    struct ws_image *image;
    close(mkstemp(path));
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_workload_trace(workload, WS_SIZE_TINY, 0, &options, path, instructions, &error));
    EXPECT_OK(ws_trace_open(path, &trace, &error));
    EXPECT_OK(ws_image_load(trace, 0, 1, spaces, &image, &error));
    assert_memory_equal(ws_trace_launch(trace)->block, block, sizeof block);
    assert_memory_equal(ws_trace_launch(trace)->grid, grid, sizeof grid);
    ws_trace_close(trace);
    unlink(path);
    return image;
}

static void test_simulated(void **state)
{
    u64 instructions;
    const struct ws_machine first = make_machine(0);
    struct ws_image *const image = make_image(*state, ws_machine_spaces(&first), &instructions);
    assert_int_equal(image->blocks, BLOCKS);
    assert_int_equal(image->block_threads, THREADS);
    for (size_t n = 0; n < MACHINES; n++) {
        const struct ws_machine machine = make_machine(n);
        struct trial trials[TRIALS];
        trials_run_image(&machine, image, trials);
        expect_count(trials, WS_COUNT_blocks_done, BLOCKS);
        expect_count(trials, WS_COUNT_warps_done, BLOCKS * machines[n].warps);
        expect_count(trials, WS_COUNT_thread_instructions, instructions);
        assert_int_equal(trials[0].status, WS_STATUS_ok);
        assert_int_equal(trials[1].status, WS_STATUS_ok);
        trials_free(trials);
    }
    ws_image_free(image);
}

int main(void)
{
    static struct workload_rows rows;
    workload_rows_add(&rows, "simulated", test_simulated);
    return workload_rows_run(&rows, "workloads_simulated");
}
