/* More warps than bits in a machine word, and warps of few threads: small programs whose issue cycles follow from docs/model/ by
 * hand. N is the number of warps, all resident from cycle 0, D = 7 the depth. If N >= 22, only the named slots stall. */
#include <stdio.h>

#include "test.h"
#include "timing/timing.h"

enum { DEPTH = 7, COMPACTED = 8 /* warps of a compaction block and of a fetch group */ };

/* Warps of a machine and the blocks that fill them. */
static const struct shape {
    const char *name;
    u32 unit, warp_size, warps, blocks;
} shapes[] = {
    {"pdom 32x32", WS_divergence_pdom, 32, 32, 1}, {"pdom 48x32", WS_divergence_pdom, 32, 48, 3},
    {"pdom 64x32", WS_divergence_pdom, 32, 64, 2}, {"pdom 64x16", WS_divergence_pdom, 16, 64, 1},
    {"pdom 128x8", WS_divergence_pdom, 8, 128, 1}, {"pdom 256x4", WS_divergence_pdom, 4, 256, 1},
    {"tbc 32x32", WS_divergence_tbc, 32, 32, 1},   {"tbc 48x32", WS_divergence_tbc, 32, 48, 3},
    {"tbc 64x32", WS_divergence_tbc, 32, 64, 2},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct ws_machine machine_of(const struct shape *shape)
{
    struct ws_machine machine;
    machine_defaults(&machine);
    machine.icache_size = 0;
    machine.divergence_unit = shape->unit;
    machine.divergence_compaction_block = COMPACTED * shape->warp_size;
    machine.core_warp_size = shape->warp_size;
    machine.core_warps = shape->warps;
    machine.schedule_fetch_group = COMPACTED;
    EXPECT_OK(ws_machine_check(&machine, &error));
    return machine;
}

static void start(const struct shape *shape, struct image_build *build)
{
    image_build_start(build, shape->blocks, shape->warps / shape->blocks * shape->warp_size);
}

/* Runs the program and checks what holds for every program: all blocks and warps end, and this many cycles have no issue. */
static void finish(const struct ws_machine *machine, struct image_build *build, u64 lost, struct trial trials[TRIALS])
{
    trials_run(machine, build, trials);
    for (u32 n = 0; n < TRIALS; n++)
        assert_int_equal(trials[n].status, WS_STATUS_ok);
    EXPECT_COUNTS(trials, IS(blocks_done, build->blocks), IS(warps_done, machine->core_warps), IS(stall_scoreboard, lost),
                  IS(cycles, trials[0].counters[WS_COUNT_warp_instructions] + lost));
}

static void done(struct image_build *build, struct trial trials[TRIALS])
{
    trials_free(trials);
    image_build_free(build);
}

/* ---- Three instructions in a row: the schedulers ---- */

enum { INSTRUCTIONS = 3 };

static void in_a_row(const struct shape *shape, u32 policy, u64 lost, u64 (*cycle)(u32 warps, u32 warp, u32 pc))
{
    struct ws_machine machine = machine_of(shape);
    struct image_build build;
    struct trial trials[TRIALS];
    machine.schedule_policy = policy;
    start(shape, &build);
    add_alu(&build);
    add_alu(&build);
    add_exit(&build);
    finish(&machine, &build, lost, trials);
    for (u32 warp = 0; warp < shape->warps; warp++)
        for (u32 pc = 0; pc < INSTRUCTIONS; pc++)
            expect_issue(trials, warp, pc, 0, cycle(shape->warps, warp, pc));
    EXPECT_COUNTS(trials, IS(warp_instructions, INSTRUCTIONS * shape->warps),
                  IS(thread_instructions, INSTRUCTIONS * shape->warps * shape->warp_size));
    expect_count(trials, WS_COUNT_active_lanes + shape->warp_size, INSTRUCTIONS * shape->warps);
    expect_count(trials, WS_COUNT_group_switches, policy == WS_policy_two_level ? shape->warps / COMPACTED - 1 : 0);
    done(&build, trials);
}

/* Every warp in turn. */
static u64 cycle_of_rr(u32 warps, u32 warp, u32 pc)
{
    return warps * pc + warp;
}

static void round_robin(void **state)
{
    in_a_row(*state, WS_policy_rr, DEPTH - 1, cycle_of_rr);
}

/* Groups of eight in turn: more than D, so the group's first warp is ready again when its last has issued. */
static u64 cycle_of_two_level(u32 warps, u32 warp, u32 pc)
{
    (void)warps;
    return COMPACTED * (INSTRUCTIONS * (warp / COMPACTED) + pc) + warp % COMPACTED;
}

static void two_level(void **state)
{
    in_a_row(*state, WS_policy_two_level, DEPTH - 1, cycle_of_two_level);
}

/* The sticky warp and the D - 1 after it take turns until they end, in the same cycles. */
static u64 cycle_of_srr(u32 warps, u32 warp, u32 pc)
{
    (void)warps;
    return DEPTH * (INSTRUCTIONS * (warp / DEPTH) + pc) + warp % DEPTH;
}

/* The last N mod D warps leave empty slots behind them, twice between their instructions and once at the end. */
static void sticky(void **state)
{
    const struct shape *shape = *state;
    const u32 last = shape->warps % DEPTH;
    in_a_row(shape, WS_policy_srr, (INSTRUCTIONS - 1) * (DEPTH - last) + DEPTH - 1, cycle_of_srr);
}

/* ---- A barrier ---- */

/* The last warp's barrier issues at 2N - 1 and completes at 2N + D - 1. A single block waits for that. Of several, the first has
 * been released when the last one's barriers have issued, and the last is released before its turn comes. */
static void barrier(void **state)
{
    const struct shape *shape = *state;
    const u32 wait = shape->blocks == 1 ? DEPTH - 1 : 0;
    const struct ws_machine machine = machine_of(shape);
    struct image_build build;
    struct trial trials[TRIALS];
    start(shape, &build);
    add_alu(&build);
    add_barrier(&build);
    add_alu(&build);
    add_exit(&build);
    finish(&machine, &build, wait + DEPTH - 1, trials);
    for (u32 warp = 0; warp < shape->warps; warp++)
        for (u32 pc = 0; pc < 4; pc++)
            expect_issue(trials, warp, pc, 0, shape->warps * pc + warp + (pc < 2 ? 0 : wait));
    EXPECT_COUNTS(trials, IS(barrier_arrivals, shape->warps), IS(barrier_releases, shape->blocks));
    done(&build, trials);
}

/* ---- A line that every warp waits for ---- */

/* Warp w requests it at w. The line arrives at 304 (docs/model/memory.md: a conflict, 300, and a burst, 4); then every warp exits.
 */
static void one_line(void **state)
{
    enum { COMES = 304 };
    const struct shape *shape = *state;
    const struct ws_machine machine = machine_of(shape);
    struct image_build build;
    struct trial trials[TRIALS];
    start(shape, &build);
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_exit(&build);
    for (u32 block = 0; block < build.blocks; block++)
        for (u32 thread = 0; thread < build.block_threads; thread++)
            add_access(&build, block, thread, 0);
    finish(&machine, &build, COMES - shape->warps + DEPTH - 1, trials);
    for (u32 warp = 0; warp < shape->warps; warp++)
        expect_issue(trials, warp, 1, 0, COMES + warp);
    EXPECT_COUNTS(trials, IS(l1_misses, shape->warps), IS(l1_merges, shape->warps - 1), IS(dram_reads, 1), IS(mshrs_most, 1));
    done(&build, trials);
}

/* ---- A branch that splits every warp in halves ---- */

enum { BRANCH, ELSE, ELSE_JUMP, THEN, MEET };

/* In even warps the odd threads take it, in odd warps the even ones. */
static void halves(const struct shape *shape, struct image_build *build)
{
    start(shape, build);
    add_branch(build, THEN, MEET);
    add_alu(build); /* ELSE */
    add_jump(build, MEET);
    add_alu(build);  /* THEN */
    add_exit(build); /* MEET */
    for (u32 block = 0; block < build->blocks; block++)
        for (u32 thread = 0; thread < build->block_threads; thread++)
            add_decision(build, block, thread, (thread ^ thread / shape->warp_size) & 1);
}

/* Each warp runs one half, then the other: five rounds of N. */
static void halves_apart(const struct shape *shape, const struct trial trials[TRIALS])
{
    static const u32 order[] = {BRANCH, THEN, ELSE, ELSE_JUMP, MEET};
    const u32 odd = 0xAAAAAAAAu >> (32 - shape->warp_size);
    for (u32 warp = 0; warp < shape->warps; warp++) {
        for (u32 n = 0; n < 5; n++)
            expect_issue(trials, warp, order[n], 0, shape->warps * n + warp);
        expect_lanes(trials, warp, THEN, 0, warp % 2 ? odd >> 1 : odd);
    }
    EXPECT_COUNTS(trials, IS(divergent_branches, shape->warps), IS(stack_pushes, 2 * shape->warps),
                  IS(stack_pops, 2 * shape->warps));
    expect_count(trials, WS_COUNT_active_lanes + shape->warp_size / 2, 3 * shape->warps);
    expect_count(trials, WS_COUNT_active_lanes + shape->warp_size, 2 * shape->warps);
}

/* Eight warps of a compaction block run each half as four full warps: three rounds of N / 2 between two of N. Compaction block g
 * advances at 8g + 14, N + 4g + 10 and 2N + 4g + 10. The single compactor then takes four, four and eight cycles, and is done
 * before the warps' turn. */
static void halves_together(const struct shape *shape, const struct trial trials[TRIALS])
{
    static const u32 order[] = {THEN, ELSE, ELSE_JUMP};
    const u32 n = shape->warps, groups = n / COMPACTED;
    for (u32 warp = 0; warp < n; warp++) {
        EXPECT_ISSUED(trials, {warp, BRANCH, 0, warp}, {warp, MEET, 0, n / 2 * 5 + warp});
        const u32 k = warp % COMPACTED;
        for (u32 i = 0; i < 3 && k < COMPACTED / 2; i++) {
            expect_issue(trials, warp, order[i], 0, n + n / 2 * i + warp / COMPACTED * (COMPACTED / 2) + k);
            expect_lanes(trials, warp, order[i], 0, UINT32_MAX);
        }
    }
    EXPECT_COUNTS(trials, IS(divergent_branches, groups), IS(compactions, 3 * groups), IS(warps_formed, 2 * n),
                  IS(stack_pushes, 2 * groups), IS(stack_pops, 2 * groups));
    expect_count(trials, WS_COUNT_active_lanes + shape->warp_size, n / 2 * 7);
}

static void diverged(void **state)
{
    const struct shape *shape = *state;
    const struct ws_machine machine = machine_of(shape);
    struct image_build build;
    struct trial trials[TRIALS];
    halves(shape, &build);
    finish(&machine, &build, DEPTH - 1, trials);
    (shape->unit == WS_divergence_tbc ? halves_together : halves_apart)(shape, trials);
    done(&build, trials);
}

/* Every program on every configuration. */
__attribute__((constructor)) static void add_many_warps(void)
{
    static const struct {
        const char *name;
        void (*test)(void **state);
    } programs[] = {{"round robin", round_robin}, {"two-level", two_level}, {"sticky", sticky},
                    {"a barrier", barrier},       {"one line", one_line},   {"halves", diverged}};
    enum { PROGRAMS = sizeof programs / sizeof *programs };
    static char names[PROGRAMS * SHAPES][60];
    for (size_t n = 0; n < PROGRAMS * SHAPES; n++) {
        const struct shape *shape = &shapes[n / PROGRAMS];
        snprintf(names[n], sizeof names[n], "many warps: %s, %s", shape->name, programs[n % PROGRAMS].name);
        test_add((struct CMUnitTest){names[n], programs[n % PROGRAMS].test, NULL, NULL, (void *)(uintptr_t)shape});
    }
}
