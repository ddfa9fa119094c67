/* The deepest stack that a warp can need, on the bundled machines: docs/model/divergence.md. */
#include "test.h"
#include "timing/scene.h"
#include "warpsweep/machine.h"

enum { LEVEL = 3 }; /* instructions: a branch, the else side, a jump to the join */

/* Nested if-else: at each level the highest remaining thread takes the else side, the others enter the next level. Both sides
 * reconverge after it. */
static void nest(struct image_build *build, u32 threads)
{
    const u32 levels = threads - 1, last = LEVEL * levels;
    for (u32 level = 0; level < levels; level++) {
        const u32 join = last + levels - level;
        add_branch(build, LEVEL * (level + 1), join);
        add_alu(build);
        add_jump(build, join);
    }
    for (u32 level = 0; level <= levels; level++)
        add_alu(build);
    add_exit(build);
    for (u32 level = 0; level < levels; level++)
        for (u32 thread = 0; thread < threads - level; thread++)
            add_decision(build, 0, thread, thread < threads - level - 1);
}

static void expect_deepest(struct ws_machine *machine, const char *name)
{
    struct image_build build;
    struct trial trials[TRIALS];
    const u32 deepest = 2 * (machine->core_warp_size - 1);
    machine->divergence_first_path = WS_first_path_lane;
    image_build_start(&build, 1, machine->core_warp_size);
    nest(&build, machine->core_warp_size);
    trials_run(machine, &build, trials);
    for (u32 i = 0; i < TRIALS; i++)
        if (trials[i].status != WS_STATUS_ok)
            fail_msg("%s: %s ends with status %d", name, trials[i].who, (int)trials[i].status);
    expect_count(trials, WS_COUNT_stack_deepest, deepest);
    trials_free(trials);
    image_build_free(&build);
}

/* Two entries for each of 31 branches. */
TIMING_TEST(bundled_machines_have_the_deepest_stack)
{
    struct ws_machine machine = plain_machine();
    struct ws_machine_file file;
    size_t count;
    const struct ws_machine_row *const machines = ws_machines(&count);
    expect_deepest(&machine, "the default");
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(ws_machine_load(machines[n].name, &file, NULL), WS_STATUS_ok);
        expect_deepest(&file.machine, machines[n].name);
    }
}
