/* Warp dispatch (dispatch.md) on random machines and programs: resources are conserved, nothing deadlocks, cases that must equal
 * block dispatch do, and followers of SM dueling follow its leaders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/judge/judge.h"
#include "oracle/allocate.h"
#include "oracle/oracle.h"
#include "test.h"

enum {
    FIRST_SEED = 1,
    CASES = 150,
    IDENTITIES = 50,
    DUELS = 60,
    USUAL_WATCHDOG = 100000,
    PATIENCE = 1000000,
    SHARDS = 4,
    OFTEN = 10,
    SWITCHES = 3 /* cases in which followers switch, at least */
};

/* For a machine on which only a barrier could block a warp for ever. False for one drawn to starve warps until the watchdog ends
 * it: with a patient watchdog it only takes minutes. */
static bool make_case(struct random_case *random_case, u64 seed)
{
    const struct wanted wanted = {.pipeline = seed % 2 ? WS_pipeline_scoreboard : WS_pipeline_barrel,
                                  .divergence = WS_divergence_pdom,
                                  .policy = ANY_POLICY,
                                  .by_warps = true,
                                  .no_named = true};
    random_case_make_of(random_case, seed, &small_size, &wanted);
    struct ws_machine *machine = &random_case->machine;
    const bool starves = machine->core_watchdog < USUAL_WATCHDOG;
    machine->core_watchdog = PATIENCE;
    machine->icache_size = 0;
    machine->divergence_stack_depth = 256;
    if (machine->schedule_promotion == WS_promotion_going)
        machine->schedule_long = WS_long_exact;
    return !starves;
}

static void run(const struct ws_machine *machine, const struct ws_image *image, u64 counters[WS_COUNTERS])
{
    struct oracle_log log = {.want_invariants = true, .want_pending = true};
    const enum ws_status status = oracle_run(machine, image, counters, &log);
    if (status != WS_STATUS_ok) {
        print_machine(machine);
        fail_msg("%s %s", ws_status_name(status), log.violation);
    }
    oracle_log_free(&log);
}

static void expect_same(u64 seed, const u64 counters[WS_COUNTERS], const u64 others[WS_COUNTERS])
{
    for (u32 k = 0; k < WS_COUNTERS; k++)
        if (counters[k] != others[k])
            fail_msg("seed %llu: %s is %llu and %llu", (unsigned long long)seed, counter_name(k), (unsigned long long)counters[k],
                     (unsigned long long)others[k]);
}

static void judge_cases(u32 count, void (*judge)(struct random_case *random_case))
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, count, &small_size);
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        if (make_case(&random_case, cases.first + i))
            judge(&random_case);
        random_case_free(&random_case);
    }
}

/* ---- Conservation ---- */

static u32 counted[WS_COUNTERS];

static u32 warps_of_block(const struct random_case *random_case)
{
    return (random_case->image->block_threads + random_case->machine.core_warp_size - 1) / random_case->machine.core_warp_size;
}

/* Per-warp events add up to the counters. In the scoreboard pipeline a warp ends in the issue step, and is resident in that cycle.
 */
static void expect_sums(const struct random_case *random_case, const struct oracle_log *log, const u64 counters[WS_COUNTERS])
{
    const u64 warps = (u64)random_case->image->blocks * warps_of_block(random_case);
    u64 packets = 0, l1 = 0, constant = 0, texture = 0, time = 0;
    for (u64 n = 0; n < warps; n++) {
        const struct ws_warp_time *const warp = &log->warps[n];
        packets += warp->packets;
        l1 += warp->l1_misses;
        constant += warp->constant_misses;
        texture += warp->texture_misses;
        time += warp->ended - warp->entered;
    }
    if (random_case->machine.core_pipeline == WS_pipeline_scoreboard)
        time += warps;
    assert_int_equal(packets, counters[WS_COUNT_warp_instructions]);
    assert_int_equal(l1, counters[WS_COUNT_l1_misses]);
    assert_int_equal(constant, counters[WS_COUNT_constant_misses]);
    assert_int_equal(texture, counters[WS_COUNT_texture_misses]);
    assert_int_equal(time, counters[WS_COUNT_resident_warps]);
    assert_int_equal(warps, counters[WS_COUNT_warps_done]);
    assert_int_equal(random_case->image->blocks, counters[WS_COUNT_blocks_done]);
}

static void judge_invariants(struct random_case *random_case)
{
    struct oracle_log log = {.want_invariants = true, .want_pending = true};
    u64 counters[WS_COUNTERS];
    const enum ws_status status = oracle_run(&random_case->machine, random_case->image, counters, &log);
    if (status != WS_STATUS_ok) {
        print_machine(&random_case->machine);
        fail_msg("seed %llu: %s %s", (unsigned long long)random_case->seed, ws_status_name(status), log.violation);
    }
    for (u32 i = 0; i < WS_COUNTERS; i++)
        counted[i] += counters[i] > 0;
    expect_sums(random_case, &log, counters);
    assert_true(counters[WS_COUNT_held_warps] >= counters[WS_COUNT_resident_warps]);
    assert_true(counters[WS_COUNT_partial_blocks] == 0 || warps_of_block(random_case) > 1);
    oracle_log_free(&log);
}

TEST(resources_are_conserved)
{
    memset(counted, 0, sizeof counted);
    judge_cases(CASES, judge_invariants);
    assert_true(counted[WS_COUNT_partial_blocks] >= OFTEN);
    assert_true(counted[WS_COUNT_unissued_warps] >= OFTEN);
    assert_true(counted[WS_COUNT_rtru_log] >= OFTEN);
    assert_true(counted[WS_COUNT_rtru_zeros] >= OFTEN);
}

/* ---- Identities ---- */

static void judge_as_blocks(struct random_case *random_case)
{
    struct ws_machine by_warps = random_case->machine, by_blocks;
    u64 counters[WS_COUNTERS], others[WS_COUNTERS];
    by_warps.core_block_warp_unit = by_warps.core_block_register_unit = 1;
    by_warps.dispatch_partial = WS_toggle_off;
    by_warps.dispatch_release = WS_release_block;
    by_warps.dispatch_blocks = 0;
    by_warps.dispatch_slot = WS_dispatch_slot_lowest;
    by_warps.dispatch_stops = WS_stops_growth;
    by_blocks = by_warps;
    by_blocks.core_dispatch = WS_dispatch_block;
    run(&by_warps, random_case->image, counters);
    run(&by_blocks, random_case->image, others);
    expect_same(random_case->seed, counters, others);
}

/* Without partial blocks and early release, it equals block dispatch. */
TEST(whole_blocks_are_blocks)
{
    judge_cases(IDENTITIES, judge_as_blocks);
}

static u32 one_warp;

static void judge_one_warp(struct random_case *random_case)
{
    struct ws_machine by_warps = random_case->machine, by_blocks;
    u64 counters[WS_COUNTERS], others[WS_COUNTERS];
    if (random_case->image->block_threads > by_warps.core_warp_size)
        return;
    by_warps.core_block_warp_unit = by_warps.core_block_register_unit = 1;
    by_warps.dispatch_blocks = 0;
    by_warps.dispatch_slot = WS_dispatch_slot_lowest;
    by_blocks = by_warps;
    by_blocks.core_dispatch = WS_dispatch_block;
    run(&by_warps, random_case->image, counters);
    run(&by_blocks, random_case->image, others);
    expect_same(random_case->seed, counters, others);
    one_warp++;
}

/* The same with blocks of one warp. */
TEST(blocks_of_one_warp_are_blocks)
{
    one_warp = 0;
    judge_cases(CASES, judge_one_warp);
    assert_true(one_warp >= OFTEN);
}

/* Registers for a whole number of blocks, and no other limit: nothing is left for spatial use. */
static void judge_temporal(struct random_case *random_case)
{
    struct ws_machine on = random_case->machine, off;
    u64 counters[WS_COUNTERS], others[WS_COUNTERS];
    const u32 warps = (random_case->image->block_threads + on.core_warp_size - 1) / on.core_warp_size;
    on.core_registers = 0;
    on.core_shared_bytes = 0;
    on.core_blocks = on.core_warps;
    on.core_warps -= on.core_warps % warps;
    on.dispatch_spatial = WS_spatial_on;
    off = on;
    off.dispatch_spatial = WS_spatial_off;
    run(&on, random_case->image, counters);
    run(&off, random_case->image, others);
    expect_same(random_case->seed, counters, others);
}

TEST(without_fragments_spatial_changes_nothing)
{
    judge_cases(IDENTITIES, judge_temporal);
}

/* ---- SM dueling ---- */

static u32 switched;

/* The leader without spatial use has fewer blocks than the others. */
static void judge_dueling(struct random_case *random_case)
{
    const struct ws_image *images[SHARDS];
    struct ws_image other = *random_case->image;
    enum ws_status statuses[SHARDS];
    u64(*counters)[WS_COUNTERS] = oracle_allocate(SHARDS, sizeof *counters), alone[WS_COUNTERS];
    struct ws_machine machine = random_case->machine;
    const u32 warps = (other.block_threads + machine.core_warp_size - 1) / machine.core_warp_size;
    machine.core_register_unit = machine.core_register_parts = 1;
    machine.core_registers = other.registers * machine.core_warp_size * (warps + (warps + 1) / 2);
    machine.dispatch_partial = WS_toggle_on;
    machine.dispatch_least = 1;
    machine.dispatch_threshold = 0;
    machine.dispatch_window = 16 + machine.dispatch_window % 512;
    other.blocks = (other.blocks + 1) / 2;
    for (u32 shard = 0; shard < SHARDS; shard++)
        images[shard] = shard == 1 ? &other : random_case->image;
    machine.dispatch_spatial = WS_spatial_dueling;
    oracle_run_dueling(&machine, images, SHARDS, statuses, counters);
    for (u32 shard = 0; shard < SHARDS; shard++)
        assert_int_equal(statuses[shard], WS_STATUS_ok);
    expect_same(random_case->seed, counters[2], counters[3]);
    switched += memcmp(counters[2], counters[0], sizeof *counters) != 0 && memcmp(counters[2], counters[1], sizeof *counters) != 0;
    run(&machine, random_case->image, alone); /* leads */
    expect_same(random_case->seed, counters[0], alone);
    machine.dispatch_window = 16777216; /* longer than any run */
    oracle_run_dueling(&machine, images, SHARDS, statuses, counters);
    expect_same(random_case->seed, counters[0], counters[2]);
    machine.dispatch_spatial = WS_spatial_off;
    run(&machine, &other, alone);
    expect_same(random_case->seed, counters[1], alone);
    free(counters);
}

TEST(followers_follow)
{
    switched = 0;
    judge_cases(DUELS, judge_dueling);
    if (switched < SWITCHES)
        fail_msg("followers differ from both leaders in %u cases", switched);
}
