/* Variable warp sizing (pipelines.md) on random cases: one slice equals pdom, and gangs that never split equal warps of 32. */
#include <stdlib.h>

#include "differential/judge/judge.h"
#include "oracle/checks/sound.h"
#include "test.h"

enum { FIRST_SEED = 1, CASES = 120, WIDE = 32 };

static void make_case(struct random_case *random_case, u64 seed)
{
    const struct wanted wanted = {.pipeline = WS_pipeline_scoreboard, .divergence = WS_divergence_vws, .policy = ANY_POLICY};
    random_case_make_of(random_case, seed, &small_size, &wanted);
}

/* Fails the test unless both machines have equal counters, some of them scaled. */
static void expect_counters(const struct random_case *random_case, const struct ws_image *image, const struct ws_machine *machine,
                            const struct ws_machine *other, u32 (*times)(const struct ws_machine *machine, u32 counter))
{
    u64 found[WS_COUNTERS], expected[WS_COUNTERS];
    const enum ws_status status = sound_run(other, image, expected);
    assert_int_equal(sound_run(machine, image, found), status);
    for (u32 i = 0; i < WS_COUNTERS && counters_specified(status); i++)
        if (times(machine, i) > 0 && found[i] != times(machine, i) * expected[i]) {
            print_machine(machine);
            fail_msg("seed %llu: %s is %llu, not %u times %llu", (unsigned long long)random_case->seed, counter_name(i),
                     (unsigned long long)found[i], times(machine, i), (unsigned long long)expected[i]);
        }
}

/* ---- One slice ---- */

static u32 once(const struct ws_machine *machine, u32 counter)
{
    (void)machine;
    (void)counter;
    return 1;
}

TEST(one_slice_is_pdom)
{
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        make_case(&random_case, cases.first + i);
        struct ws_machine sliced = random_case.machine, whole;
        sliced.core_warp_size = WIDE;
        sliced.vws_l0 = 0;
        sliced.core_fetches = 1;
        whole = sliced;
        whole.divergence_unit = WS_divergence_pdom;
        expect_counters(&random_case, random_case.image, &sliced, &whole, once);
        random_case_free(&random_case);
    }
}

/* ---- Gangs that never split ---- */

/* All threads of a warp of 32 act like its first one, and barriers for part of a block have whole warps: otherwise only some small
 * warps would reach them (docs/model/, named.count). */
static void follow_the_first(struct image_build *build)
{
    for (u32 pc = 0; pc < build->instructions; pc++)
        if (build->program[pc].class_ == WS_CLASS_barrier && build->program[pc].flags & WS_NAMED)
            build->program[pc].target = (u16)((build->program[pc].target + WIDE - 1) / WIDE * WIDE);
    for (u32 i = 0; i < build->blocks * build->block_threads; i++) {
        const u32 block = i / build->block_threads, thread = i % build->block_threads;
        const struct thread_streams *first = &build->streams[i - thread % WIDE];
        struct thread_streams *streams = &build->streams[i];
        if (thread % WIDE == 0)
            continue;
        streams->decision_count = streams->access_count = 0;
        free(streams->decisions);
        free(streams->accesses);
        streams->decisions = NULL;
        streams->accesses = NULL;
        for (size_t n = 0; n < first->decision_count; n++)
            add_decision(build, block, thread, first->decisions[n]);
        for (size_t n = 0; n < first->access_count; n++)
            add_access(build, block, thread, first->accesses[n]);
    }
}

static bool is_in(u32 counter, u32 first, u32 bins)
{
    return counter >= first && counter < first + bins;
}

/* Counters that small warps count separately; 0: counters that the other machine lacks, or has in other bins. */
static u32 each_member(const struct ws_machine *machine, u32 counter)
{
    static const u32 of_warps[] = {
        WS_COUNT_warp_instructions, WS_COUNT_stall_idle,       WS_COUNT_stall_scoreboard,   WS_COUNT_stall_pipeline,
        WS_COUNT_warps_done,        WS_COUNT_barrier_arrivals, WS_COUNT_buffer_flushes,     WS_COUNT_instructions_fetched,
        WS_COUNT_stack_pushes,      WS_COUNT_stack_pops,       WS_COUNT_divergent_branches, WS_COUNT_uniform_branches,
        WS_COUNT_operand_reads,     WS_COUNT_operand_writes,   WS_COUNT_resident_warps,     WS_COUNT_held_warps,
    };
    if (is_in(counter, WS_COUNT_active_lanes, 33) || is_in(counter, WS_COUNT_gang_issues, 9) || counter == WS_COUNT_gang_fetches)
        return 0;
    for (u32 i = 0; i < sizeof of_warps / sizeof *of_warps; i++)
        if (counter == of_warps[i])
            return WIDE / machine->core_warp_size;
    return is_in(counter, WS_COUNT_warp_class, WS_CLASSES) ? WIDE / machine->core_warp_size : 1;
}

/* One gang a cycle is fetched and issues, like one warp; an instruction of 32 lanes issues at once. */
TEST(whole_gangs_are_wide_warps)
{
    static const u32 gang_policies[] = {
        [WS_policy_gto] = WS_gang_policy_gto, [WS_policy_lrr] = WS_gang_policy_lrr, [WS_policy_lpc] = WS_gang_policy_lpc};
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &small_size);
    u32 compared = 0;
    for (u32 i = 0; i < cases.count; i++) {
        struct random_case random_case;
        make_case(&random_case, cases.first + i);
        struct ws_machine ganged = random_case.machine, wide;
        const u32 members = WIDE / ganged.core_warp_size;
        if (random_case.build.block_threads % WIDE == 0 && members > 1) {
            follow_the_first(&random_case.build);
            struct ws_image *image = image_build_finish(&random_case.build);
            ganged.core_simd_width = WIDE;
            ganged.core_register_parts = ganged.core_block_warp_unit = ganged.core_block_register_unit =
                1; /* of warps, not of threads */
            ganged.vws_gangs = WS_toggle_on;
            ganged.vws_gang_issues = 1;
            if (ganged.vws_gang_policy != WS_gang_policy_bgto && ganged.vws_gang_policy != WS_gang_policy_lgto)
                ganged.vws_gang_policy = gang_policies[ganged.schedule_policy];
            else
                ganged.schedule_policy = WS_policy_gto;
            wide = ganged;
            wide.core_warp_size = WIDE;
            wide.core_warps = ganged.core_warps / members;
            wide.vws_l0 = 0;
            expect_counters(&random_case, image, &ganged, &wide, each_member);
            compared++;
            image_free(image);
        }
        random_case_free(&random_case);
    }
    assert_true(cases.count < CASES || compared >= 10);
}
