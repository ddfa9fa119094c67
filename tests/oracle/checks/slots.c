/* Machines larger than the engines support: up to 256 warp slots and block slots, blocks of more than 1024 threads. */
#include "differential/judge/judge.h"
#include "oracle/checks/sound.h"
#include "oracle/trial.h"
#include "test.h"

enum { SLOTS = 256, DEPTH = 7, FIRST_SEED = 1, CASES = 60 };

/* All blocks are resident from cycle 0 on; with more warps than stages each cycle issues: w warps of i instructions take w * i - 1
 * + D cycles. */
static void expect_full_pipeline(u32 unit, u32 warp_size, u32 blocks, u32 block_threads)
{
    const u32 warps = SLOTS, instructions = 5;
    struct ws_machine machine;
    struct image_build build;
    u64 counters[WS_COUNTERS];
    machine_defaults(&machine);
    machine.icache_size = 0;
    machine.core_warps = SLOTS;
    machine.core_blocks = SLOTS;
    machine.core_warp_size = warp_size;
    machine.divergence_unit = unit;
    machine.divergence_compaction_block = 4 * warp_size;
    image_build_start(&build, blocks, block_threads);
    for (u32 i = 1; i < instructions; i++)
        add_alu(&build);
    add_exit(&build);
    struct ws_image *image = image_build_finish(&build);
    assert_int_equal(sound_run(&machine, image, counters), WS_STATUS_ok);
    assert_int_equal(counters[WS_COUNT_cycles], warps * instructions - 1 + DEPTH);
    assert_int_equal(counters[WS_COUNT_warp_instructions], warps * instructions);
    assert_int_equal(counters[WS_COUNT_warps_done], warps);
    assert_int_equal(counters[WS_COUNT_blocks_done], blocks);
    image_free(image);
    image_build_free(&build);
}

TEST(all_slots_issue)
{
    expect_full_pipeline(WS_divergence_pdom, 4, SLOTS, 4);
    expect_full_pipeline(WS_divergence_pdom, 8, 1, 8 * SLOTS);
    expect_full_pipeline(WS_divergence_pdom, 32, 4, 64 * 32);
    expect_full_pipeline(WS_divergence_lwm, 32, 8, 1024);
    expect_full_pipeline(WS_divergence_tbc, 4, 64, 16);
    expect_full_pipeline(WS_divergence_tbc, 16, 1, 16 * SLOTS);
}

/* Slots of a block with this many warps: small warps take whole sets (docs/model/, vws.sets). */
static u32 slots_of(const struct ws_machine *machine, u32 warps)
{
    const u32 set = machine->divergence_unit == WS_divergence_vws ? 32 / machine->core_warp_size : 1;
    return (warps + set - 1) / set * set;
}

/* Unused slots change nothing: round robin skips them. */
TEST(free_slots_change_nothing)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    u32 compared = 0;
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        random_case_make(&random_case, cases.first + i, &cases.size);
        struct ws_machine small = random_case.machine, large;
        const u32 warps = (random_case.image->block_threads + small.core_warp_size - 1) / small.core_warp_size;
        u64 counters[WS_COUNTERS], others[WS_COUNTERS];
        small.core_blocks = random_case.image->blocks;
        small.core_warps = small.core_blocks * slots_of(&small, warps);
        small.core_registers = small.core_shared_bytes = 0;
        if (small.divergence_unit == WS_divergence_vws)
            small.schedule_policy = (cases.first + i) % 2 ? WS_policy_gto : WS_policy_lrr;
        else if (small.divergence_unit != WS_divergence_dwf && small.divergence_unit != WS_divergence_mimd)
            small.schedule_policy = (cases.first + i) % 2 ? WS_policy_srr : WS_policy_rr;
        large = small;
        large.core_blocks = large.core_warps = SLOTS;
        if (small.core_warps <= SLOTS) {
            const enum ws_status status = sound_run(&small, random_case.image, counters);
            assert_int_equal(sound_run(&large, random_case.image, others), status);
            for (u32 k = 0; k < WS_COUNTERS && counters_specified(status); k++)
                if (counters[k] != others[k]) {
                    print_machine(&small);
                    fail_msg("seed %llu: %s is %llu and %llu", (unsigned long long)random_case.seed, counter_name(k),
                             (unsigned long long)counters[k], (unsigned long long)others[k]);
                }
            compared++;
        }
        random_case_free(&random_case);
    }
    assert_true(compared > 0);
}
