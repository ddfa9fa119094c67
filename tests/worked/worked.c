/* Worked examples from Narasiman et al., MICRO 2011: Figures 3, 6 and 7, and thread block compaction (section 5). The figures'
 * pictures decide what the masks are where the text does not; here they are chosen to fit the text. */
#include "oracle/trial.h"
#include "test.h"
#include "worked/states.h"

static struct ws_machine plain_machine(void)
{
    struct ws_machine machine;
    machine_defaults(&machine);
    machine.icache_size = 0;
    return machine;
}

/* ---- Figure 3: four threads, A branches to B (1011) or C (0100), both lead to D ---- */

enum { A = 0, C = 2, B = 4, D = 6, B_MASK = 0xB, C_MASK = 0x4, ALL = 0xF };

static void figure_3_program(struct image_build *build)
{
    image_build_start(build, 1, 4);
    add_alu(build); /* A */
    add_branch(build, B, D);
    add_alu(build); /* C */
    add_jump(build, D);
    add_alu(build); /* B */
    add_alu(build);
    add_exit(build); /* D */
    for (u32 thread = 0; thread < 4; thread++)
        add_decision(build, 0, thread, B_MASK >> thread & 1);
}

/* The stack after each instruction: empty in A; join and divergent entry while B runs; the join entry while C runs; empty in D. */
TEST(figure_3_stack)
{
    const struct ws_machine machine = plain_machine();
    struct image_build build;
    struct oracle_log log = {.want_states = true};
    u64 counters[WS_COUNTERS];
    figure_3_program(&build);
    struct ws_image *image = image_build_finish(&build);
    assert_int_equal(oracle_run(&machine, image, counters, &log), WS_STATUS_ok);
    const struct oracle_state *states = log.states;
    expect_state(&states[0], A + 1, ALL, 0);
    expect_state(&states[1], B, B_MASK, 2);
    expect_entry(&states[1].stack[0], D, D, ALL);
    expect_entry(&states[1].stack[1], D, C, C_MASK);
    expect_state(&states[2], B + 1, B_MASK, 2);
    expect_state(&states[3], C, C_MASK, 1);
    expect_entry(&states[3].stack[0], D, D, ALL);
    expect_state(&states[4], C + 1, C_MASK, 1);
    expect_state(&states[5], D, ALL, 0);
    assert_int_equal(log.state_count, 7);
    oracle_log_free(&log);
    image_free(image);
    image_build_free(&build);
}

/* The same by what issues: every block once, with its threads, one instruction every seven cycles. */
TEST(figure_3_execution)
{
    static const u32 order[][2] = {{A, ALL}, {A + 1, ALL}, {B, B_MASK}, {B + 1, B_MASK}, {C, C_MASK}, {C + 1, C_MASK}, {D, ALL}};
    const struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    figure_3_program(&build);
    trials_run(&machine, &build, trials);
    for (u32 i = 0; i < 7; i++) {
        expect_issue(trials, 0, order[i][0], 0, 7 * i);
        expect_lanes(trials, 0, order[i][0], 0, order[i][1]);
    }
    expect_count(trials, WS_COUNT_stack_pushes, 2);
    expect_count(trials, WS_COUNT_stack_pops, 2);
    expect_count(trials, WS_COUNT_stack_deepest, 2);
    trials_free(trials);
    image_build_free(&build);
}

/* ---- Figure 6: a large warp of 8 rows and 4 columns becomes four sub-warps ---- */

enum { ROWS = 8, COLUMNS = 4, DIVERGENT = 2, SUB_WARPS = 4 };
static const u8 figure_6_mask[ROWS][COLUMNS + 1] = {"1011", "0101", "1010", "0110", "0101", "1000", "0011", "1000"};
/* The lowest row left in each column, cycle by cycle; -1 where a column is used up. */
static const int figure_6_rows[SUB_WARPS][COLUMNS] = {{0, 1, 0, 0}, {2, 3, 2, 1}, {5, 4, 3, 4}, {7, -1, 6, 6}};

/* Threads of the columns beyond the fourth take the other path: of 32 columns, the figure's four execute DIVERGENT. */
static void figure_6_program(struct image_build *build)
{
    image_build_start(build, 1, ROWS * 32);
    add_branch(build, DIVERGENT, 3);
    add_jump(build, 3);
    add_alu(build); /* DIVERGENT */
    add_exit(build);
    for (u32 thread = 0; thread < ROWS * 32; thread++)
        add_decision(build, 0, thread, thread % 32 < COLUMNS && figure_6_mask[thread / 32][thread % 32] == '1');
}

static void expect_threads(const struct oracle_event *event, const int rows[COLUMNS])
{
    for (u32 column = 0; column < WS_LANES; column++)
        if (column < COLUMNS && rows[column] >= 0)
            assert_int_equal(event->thread[column], rows[column] * 32 + (int)column);
        else
            assert_int_equal(event->thread[column], ORACLE_NO_THREAD);
}

TEST(figure_6_sub_warps)
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct oracle_log log = {.want_events = true};
    u64 counters[WS_COUNTERS];
    machine.divergence_unit = WS_divergence_lwm;
    machine.core_warp_size = ROWS * 32;
    machine.core_warps = 4;
    figure_6_program(&build);
    struct ws_image *image = image_build_finish(&build);
    assert_int_equal(oracle_run(&machine, image, counters, &log), WS_STATUS_ok);
    u32 found = 0;
    for (size_t i = 0; i < log.event_count; i++)
        if (log.events[i].kind == ORACLE_ISSUE && log.events[i].pc == DIVERGENT) {
            assert_true(found < SUB_WARPS);
            expect_threads(&log.events[i], figure_6_rows[found++]);
        }
    assert_int_equal(found, SUB_WARPS);
    oracle_log_free(&log);
    image_free(image);
    image_build_free(&build);
}

/* The branch takes 8 sub-warps at 0 to 7 and completes at 14; four sub-warps in successive cycles, three of them full. */
TEST(figure_6_cycles)
{
    static const u32 lanes[SUB_WARPS] = {0xF, 0xF, 0xF, 0xD};
    struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    machine.divergence_unit = WS_divergence_lwm;
    machine.core_warp_size = ROWS * 32;
    machine.core_warps = 4;
    figure_6_program(&build);
    trials_run(&machine, &build, trials);
    for (u32 i = 0; i < SUB_WARPS; i++) {
        expect_issue(trials, 0, DIVERGENT, i, 14 + i);
        expect_lanes(trials, 0, DIVERGENT, i, lanes[i]);
    }
    trials_free(trials);
    image_build_free(&build);
}

/* "The baseline processor would form eight different warps." */
TEST(figure_6_baseline)
{
    const struct ws_machine machine = plain_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    figure_6_program(&build);
    trials_run(&machine, &build, trials);
    for (u32 warp = 0; warp < ROWS; warp++)
        for (u32 i = 0; i < TRIALS; i++)
            issue_cycle(&trials[i], warp, DIVERGENT, 0);
    trials_free(trials);
    image_build_free(&build);
}

/* ---- Thread block compaction (section 5): two warps of four, a uniform branch, then one that parts both ---- */

enum { TBC_WARP = 4, TBC_UNIFORM = 0, TBC_DIVERGENT = 1, TBC_ELSE = 2, TBC_THEN = 4, TBC_MEET = 6, TBC_THEN_MASK = 0xA5 };

static void compaction_program(struct image_build *build)
{
    image_build_start(build, 1, 2 * TBC_WARP);
    add_branch(build, TBC_DIVERGENT, TBC_DIVERGENT);
    add_branch(build, TBC_THEN, TBC_MEET);
    add_alu(build); /* TBC_ELSE */
    add_jump(build, TBC_MEET);
    add_alu(build); /* TBC_THEN */
    add_alu(build);
    add_exit(build); /* TBC_MEET */
    for (u32 thread = 0; thread < 2 * TBC_WARP; thread++) {
        add_decision(build, 0, thread, true);
        add_decision(build, 0, thread, TBC_THEN_MASK >> thread & 1);
    }
}

static struct ws_machine compacting_machine(void)
{
    struct ws_machine machine = plain_machine();
    machine.divergence_unit = WS_divergence_tbc;
    machine.core_warp_size = TBC_WARP;
    machine.divergence_compaction_block = 2 * TBC_WARP;
    return machine;
}

/* The second warp completes the branches at 8 and 16. The uniform one lets both continue as they are. After the other the compactor
 * makes one full warp of each path's threads, at 17 and, when the first path has met, at 32; the original warps are back at 47
 * and 48. */
TEST(compaction_cycles)
{
    static const struct {
        u32 warp, pc;
        u64 cycle;
    } issues[] = {{0, TBC_UNIFORM, 0},   {1, TBC_UNIFORM, 1}, {0, TBC_DIVERGENT, 8}, {1, TBC_DIVERGENT, 9}, {0, TBC_THEN, 17},
                  {0, TBC_THEN + 1, 24}, {0, TBC_ELSE, 32},   {0, TBC_ELSE + 1, 39}, {0, TBC_MEET, 47},     {1, TBC_MEET, 48}};
    const struct ws_machine machine = compacting_machine();
    struct image_build build;
    struct trial trials[TRIALS];
    compaction_program(&build);
    trials_run(&machine, &build, trials);
    for (size_t i = 0; i < sizeof issues / sizeof *issues; i++) {
        expect_issue(trials, issues[i].warp, issues[i].pc, 0, issues[i].cycle);
        expect_lanes(trials, issues[i].warp, issues[i].pc, 0, 0xF);
    }
    expect_count(trials, WS_COUNT_cycles, 55);
    expect_count(trials, WS_COUNT_warp_instructions, 10);
    expect_count(trials, WS_COUNT_uniform_branches, 1);
    expect_count(trials, WS_COUNT_divergent_branches, 1);
    expect_count(trials, WS_COUNT_compactions, 3);
    expect_count(trials, WS_COUNT_warps_formed, 4);
    expect_count(trials, WS_COUNT_stack_pushes, 2);
    expect_count(trials, WS_COUNT_stack_pops, 2);
    trials_free(trials);
    image_build_free(&build);
}

static void expect_lane_threads(const struct oracle_log *log, u32 warp, u32 pc, const u16 threads[TBC_WARP])
{
    for (size_t i = 0; i < log->event_count; i++)
        if (log->events[i].kind == ORACLE_ISSUE && log->events[i].warp == warp && log->events[i].pc == pc) {
            assert_memory_equal(log->events[i].thread, threads, TBC_WARP * sizeof *threads);
            return;
        }
    fail();
}

/* A thread keeps its lane; of two in a lane the one of the first warp comes first. */
TEST(compaction_by_lane)
{
    static const u16 then[TBC_WARP] = {0, 5, 2, 7}, other[TBC_WARP] = {4, 1, 6, 3};
    static const u16 original[2][TBC_WARP] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const struct ws_machine machine = compacting_machine();
    struct image_build build;
    struct oracle_log log = {.want_events = true};
    u64 counters[WS_COUNTERS];
    compaction_program(&build);
    struct ws_image *image = image_build_finish(&build);
    assert_int_equal(oracle_run(&machine, image, counters, &log), WS_STATUS_ok);
    expect_lane_threads(&log, 0, TBC_THEN, then);
    expect_lane_threads(&log, 0, TBC_ELSE, other);
    for (u32 warp = 0; warp < 2; warp++) {
        expect_lane_threads(&log, warp, TBC_DIVERGENT, original[warp]);
        expect_lane_threads(&log, warp, TBC_MEET, original[warp]);
    }
    oracle_log_free(&log);
    image_free(image);
    image_build_free(&build);
}

/* ---- Figure 7: 16 warps compute, load, compute; in one group or in two of eight ---- */

enum { WARPS = 16, COMPUTE = 20, MEMORY = 301, PIPELINE = 7 };

/* A row and bank for every warp, and a bus of a line a cycle: every load takes 300 + 1 cycles, whatever the others do. */
static void run_figure_7(u32 policy, struct trial trials[TRIALS])
{
    struct ws_machine machine = plain_machine();
    struct image_build build;
    machine.core_warps = WARPS;
    machine.schedule_policy = policy;
    machine.schedule_fetch_group = 8;
    machine.dram_banks = 32;
    machine.dram_mapping = WS_mapping_plain;
    machine.dram_bandwidth = 128000;
    image_build_start(&build, 1, WARPS * 32);
    for (u32 i = 0; i < COMPUTE; i++)
        add_alu(&build);
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    for (u32 i = 0; i < COMPUTE; i++)
        add_alu(&build);
    add_exit(&build);
    for (u32 thread = 0; thread < WARPS * 32; thread++)
        add_access(&build, 0, thread, thread / 32 * 128);
    trials_run(&machine, &build, trials);
    image_build_free(&build);
}

/* All warps load at 16 C + w, and nothing issues until the first returns 301 cycles later: 301 - 16 idle cycles, and D - 1 at
 * the end. */
TEST(figure_7_round_robin)
{
    struct trial trials[TRIALS];
    run_figure_7(WS_policy_rr, trials);
    for (u32 warp = 0; warp < WARPS; warp++) {
        expect_issue(trials, warp, COMPUTE, 0, WARPS * COMPUTE + warp);
        expect_issue(trials, warp, COMPUTE + 1, 0, WARPS * COMPUTE + warp + MEMORY);
    }
    expect_count(trials, WS_COUNT_stall_scoreboard, MEMORY - WARPS + PIPELINE - 1);
    expect_count(trials, WS_COUNT_cycles, 2 * WARPS * (COMPUTE + 1) + MEMORY - WARPS + PIPELINE - 1);
    trials_free(trials);
}

/* Group 0 loads at 8 C + w, group 1 computes meanwhile and loads at 8 C + 8 + 8 C + w; group 0 is back at 8 C + 301 and computes
 * until group 1 is back: 8 C idle cycles fewer. The top group changes when group 0 waits, when group 0 is back, and when it has
 * ended. */
TEST(figure_7_two_level)
{
    struct trial trials[TRIALS];
    run_figure_7(WS_policy_two_level, trials);
    for (u32 warp = 0; warp < 8; warp++) {
        expect_issue(trials, warp, COMPUTE, 0, 8 * COMPUTE + warp);
        expect_issue(trials, 8 + warp, COMPUTE, 0, 8 * COMPUTE + 8 + 8 * COMPUTE + warp);
        expect_issue(trials, warp, COMPUTE + 1, 0, 8 * COMPUTE + warp + MEMORY);
    }
    expect_count(trials, WS_COUNT_stall_scoreboard, MEMORY - WARPS + PIPELINE - 1 - 8 * COMPUTE);
    expect_count(trials, WS_COUNT_cycles, 2 * WARPS * (COMPUTE + 1) + MEMORY - WARPS + PIPELINE - 1 - 8 * COMPUTE);
    expect_count(trials, WS_COUNT_group_switches, 3);
    trials_free(trials);
}
