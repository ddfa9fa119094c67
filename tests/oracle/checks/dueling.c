/* SM dueling (dispatch.md) worked out by hand. */
#include "oracle/image_build.h"
#include "oracle/oracle.h"
#include "test.h"

enum { SHARDS = 3, WINDOW = 16, REGISTERS = 24 };

/* The machine of tests/timing/warps.c, with places for 42 warps, 40 of them in whole blocks. A warp in slot s issues at s + 2. */
static struct ws_machine dueling_machine(void)
{
    struct ws_machine machine;
    machine_defaults(&machine);
    machine.core_pipeline = WS_pipeline_scoreboard;
    machine.schedule_policy = WS_policy_lrr;
    machine.icache_size = 0;
    machine.core_warps = 48;
    machine.core_blocks = 8;
    machine.core_registers = 32768;
    machine.core_dispatch = WS_dispatch_warp;
    machine.dispatch_spatial = WS_spatial_dueling;
    machine.dispatch_window = WINDOW;
    return machine;
}

/* Warps that exit. */
static struct ws_image *exits(u32 blocks, u32 threads)
{
    struct image_build build;
    image_build_start(&build, blocks, threads);
    build.registers = REGISTERS;
    add_exit(&build);
    struct ws_image *image = image_build_finish(&build);
    image_build_free(&build);
    return image;
}

/* The follower has 7 blocks of 8 warps. With spatial use, unissued warps wait for 61 cycles in all, as in the timing test; the last
 * one enters at 16, when 41 places are in use. If spatial use stops after window 1, it waits for two more cycles, until 18. */
static void expect_follower(const struct ws_image *on, const struct ws_image *off, u64 unissued)
{
    const struct ws_machine machine = dueling_machine();
    struct ws_image *follower = exits(7, 256);
    const struct ws_image *const images[SHARDS] = {on, off, follower};
    enum ws_status statuses[SHARDS];
    u64 counters[SHARDS][WS_COUNTERS];
    oracle_run_dueling(&machine, images, SHARDS, statuses, counters);
    for (u32 shard = 0; shard < SHARDS; shard++)
        assert_int_equal(statuses[shard], WS_STATUS_ok);
    assert_int_equal(counters[2][WS_COUNT_unissued_warps], unissued);
    image_free(follower);
}

/* Blocks of 16 threads also issue one warp a cycle, but half as many thread instructions. */
TEST(the_better_leader_decides)
{
    struct ws_image *many = exits(40, 32), *few = exits(40, 16), *one = exits(1, 256);
    expect_follower(many, few, 61);
    expect_follower(few, many, 63);
    expect_follower(many, many, 61);
    expect_follower(one, many, 61); /* ends at 10, before window 0 does */
    expect_follower(few, one, 61);
    image_free(many);
    image_free(few);
    image_free(one);
}
