/* Worked examples from Fung et al., MICRO 2007: the reconvergence stack of Figure 5, the warps of Figure 9. */
#include "oracle/trial.h"
#include "test.h"
#include "worked/states.h"

enum { D = 7 };

static struct ws_machine machine_of(u32 unit)
{
    struct ws_machine machine;
    machine_defaults(&machine);
    machine.icache_size = 0;
    machine.core_warp_size = machine.core_simd_width = 4;
    machine.divergence_unit = unit;
    return machine;
}

/* What the oracle shows of a run. To be freed by oracle_log_free. */
static void run(const struct ws_machine *machine, struct image_build *build, struct oracle_log *log)
{
    u64 counters[WS_COUNTERS];
    struct ws_image *image = image_build_finish(build);
    *log = (struct oracle_log){.want_events = true, .want_states = true, .want_invariants = true};
    assert_int_equal(oracle_run(machine, image, counters, log), WS_STATUS_ok);
    image_free(image);
    image_build_free(build);
}

/* ---- Figure 5: A branches to B (1110) and F (0001), B to C (1000) and D (0110), which meet at E; all meet at G ---- */

enum { FIG5_A, FIG5_F, FIG5_F_END, FIG5_B, FIG5_D, FIG5_D_END, FIG5_C, FIG5_E, FIG5_G };

/* The figure writes the first thread on the left. */
enum { B_MASK = 0x7, C_MASK = 0x1, D_MASK = 0x6, F_MASK = 0x8, ALL = 0xF };

static void figure_5_program(struct image_build *build)
{
    image_build_start(build, 1, 4);
    add_branch(build, FIG5_B, FIG5_G);
    add_alu(build); /* F */
    add_jump(build, FIG5_G);
    add_branch(build, FIG5_C, FIG5_E); /* B */
    add_alu(build);                    /* D */
    add_jump(build, FIG5_E);
    add_alu(build);  /* C */
    add_alu(build);  /* E */
    add_exit(build); /* G */
    for (u32 thread = 0; thread < 4; thread++) {
        add_decision(build, 0, thread, B_MASK >> thread & 1);
        if (B_MASK >> thread & 1)
            add_decision(build, 0, thread, C_MASK >> thread & 1);
    }
}

/* The top of the paper's stack executes. (c) is state 0, with B on top. The branch at B turns it into (d): (i) the entry that was
 * the top waits for E, (ii) D with its mask is above it, (iii) C is on top. (e): when C has reached E, D is on top. */
TEST(figure_5_stack)
{
    const struct ws_machine machine = machine_of(WS_divergence_pdom);
    struct image_build build;
    struct oracle_log log;
    figure_5_program(&build);
    run(&machine, &build, &log);
    const struct oracle_state *const states = log.states;
    expect_state(&states[0], FIG5_B, B_MASK, 2); /* (c) */
    expect_entry(&states[0].stack[0], FIG5_G, FIG5_G, ALL);
    expect_entry(&states[0].stack[1], FIG5_G, FIG5_F, F_MASK);
    expect_state(&states[1], FIG5_C, C_MASK, 4); /* (d) */
    expect_entry(&states[1].stack[0], FIG5_G, FIG5_G, ALL);
    expect_entry(&states[1].stack[1], FIG5_G, FIG5_F, F_MASK);
    expect_entry(&states[1].stack[2], FIG5_E, FIG5_E, B_MASK);
    expect_entry(&states[1].stack[3], FIG5_E, FIG5_D, D_MASK);
    expect_state(&states[2], FIG5_D, D_MASK, 3); /* (e) */
    expect_entry(&states[2].stack[2], FIG5_E, FIG5_E, B_MASK);
    expect_state(&states[3], FIG5_D_END, D_MASK, 3);
    expect_state(&states[4], FIG5_E, B_MASK, 2); /* all of B again */
    expect_state(&states[5], FIG5_F, F_MASK, 1);
    expect_state(&states[6], FIG5_F_END, F_MASK, 1);
    expect_state(&states[7], FIG5_G, ALL, 0);
    assert_int_equal(log.state_count, 9);
    oracle_log_free(&log);
}

/* Figure 5(b): A, B, C, D, E, F, G, one after the other. */
TEST(figure_5_execution)
{
    static const u32 order[][2] = {{FIG5_A, ALL},    {FIG5_B, B_MASK}, {FIG5_C, C_MASK},     {FIG5_D, D_MASK}, {FIG5_D_END, D_MASK},
                                   {FIG5_E, B_MASK}, {FIG5_F, F_MASK}, {FIG5_F_END, F_MASK}, {FIG5_G, ALL}};
    const struct ws_machine machine = machine_of(WS_divergence_pdom);
    struct image_build build;
    struct trial trials[TRIALS];
    figure_5_program(&build);
    trials_run(&machine, &build, trials);
    for (u32 i = 0; i < sizeof order / sizeof *order; i++) {
        expect_issue(trials, 0, order[i][0], 0, D * i);
        expect_lanes(trials, 0, order[i][0], 0, order[i][1]);
    }
    trials_free(trials);
    image_build_free(&build);
}

/* ---- Figure 9: two warps of four meet an if-then-else; threads 0 and 2 of W0 and 1 and 3 of W1 go to A, the others to B ---- */

enum { FIG9_IF, FIG9_B, FIG9_B_END, FIG9_A, FIG9_END, FIG9_WARP = 4, FIG9_ABSENT = ORACLE_NO_THREAD };

static void figure_9_program(struct image_build *build)
{
    image_build_start(build, 1, 2 * FIG9_WARP);
    add_branch(build, FIG9_A, FIG9_END);
    add_alu(build); /* B */
    add_jump(build, FIG9_END);
    add_alu(build);  /* A */
    add_exit(build); /* END */
    for (u32 thread = 0; thread < 2 * FIG9_WARP; thread++)
        add_decision(build, 0, thread, 0xA5u >> thread & 1);
}

/* The packets that issue A and B, in order, by their threads in the block. */
static void expect_warps(const struct oracle_log *log, const u16 (*threads)[FIG9_WARP], const u32 *pcs, u32 warps)
{
    u32 found = 0;
    for (size_t i = 0; i < log->event_count; i++) {
        const struct oracle_event *event = &log->events[i];
        if (event->kind != ORACLE_ISSUE || (event->pc != FIG9_A && event->pc != FIG9_B))
            continue;
        assert_true(found < warps);
        assert_int_equal(event->pc, pcs[found]);
        assert_memory_equal(event->thread, threads[found++], FIG9_WARP * sizeof(u16));
    }
    assert_int_equal(found, warps);
}

/* The top part: each warp issues A and B with two threads. */
TEST(figure_9_without_formation)
{
    static const u16 no = FIG9_ABSENT;
    const u16 threads[][FIG9_WARP] = {{0, no, 2, no}, {no, 1, no, 3}, {no, 1, no, 3}, {0, no, 2, no}};
    static const u32 pcs[] = {FIG9_A, FIG9_A, FIG9_B, FIG9_B};
    const struct ws_machine machine = machine_of(WS_divergence_pdom);
    struct image_build build;
    struct oracle_log log;
    figure_9_program(&build);
    run(&machine, &build, &log);
    expect_warps(&log, threads, pcs, 4); /* numbers in their warps */
    oracle_log_free(&log);
}

/* The bottom part: one warp is formed of those that go to A, one of those that go to B. Majority stays at the branch until both
 * have issued it; in a pipeline of one stage the first is back by then. */
TEST(figure_9_formation)
{
    static const u16 threads[][FIG9_WARP] = {{4, 1, 6, 3}, {0, 5, 2, 7}};
    static const u32 pcs[] = {FIG9_B, FIG9_A};
    struct ws_machine machine = machine_of(WS_divergence_dwf);
    struct image_build build;
    struct oracle_log log;
    machine.schedule_policy = WS_policy_majority;
    machine.dwf_swizzle = WS_dwf_swizzle_none;
    machine.core_depth = 1;
    machine.dwf_stage = 0;
    figure_9_program(&build);
    run(&machine, &build, &log);
    expect_warps(&log, threads, pcs, 2);
    oracle_log_free(&log);
}
