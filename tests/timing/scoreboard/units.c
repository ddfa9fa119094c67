/* SP units, SFU and tensor unit of the scoreboard pipeline: docs/model/pipelines.md, "Units". Without sources an instruction
 * that issues at t starts at t + 3, and its results are there latency + 2 cycles later. The first two instructions are valid at 2,
 * the next two cycles after the second has issued. */
#include <string.h>

#include "test.h"
#include "timing/scene.h"

/* A class and kind, the field of its latency and that of its interval. */
struct timed_kind {
    u32 class_, kind;
    size_t latency, interval;
};

#define TIMED(class_, kind, name)                                                                                                  \
    {                                                                                                                              \
        WS_CLASS_##class_, WS_KIND_##kind, offsetof(struct ws_machine, latency_##name),                                            \
            offsetof(struct ws_machine, interval_##name)                                                                           \
    }

static const struct timed_kind timed_kinds[] = {
    TIMED(int, add, int_add),        TIMED(int, minmax, int_minmax),   TIMED(int, mul, int_mul),
    TIMED(int, mad, int_mad),        TIMED(int, div, int_div),         TIMED(int, other, other),
    TIMED(fp32, add, fp32_add),      TIMED(fp32, minmax, fp32_minmax), TIMED(fp32, mul, fp32_mul),
    TIMED(fp32, mad, fp32_mad),      TIMED(fp32, div, fp32_div),       TIMED(fp32, fma, other),
    TIMED(fp32, other, other),       TIMED(fp64, add, fp64_add),       TIMED(fp64, minmax, fp64_minmax),
    TIMED(fp64, mul, fp64_mul),      TIMED(fp64, mad, fp64_mad),       TIMED(fp64, div, fp64_div),
    TIMED(fp64, div_fp64, fp64_div), TIMED(fp64, fma, other),          TIMED(fp64, other, other),
    TIMED(sfu, other, sfu),          TIMED(sfu, div, fp32_div),        TIMED(sfu, div_fp64, fp64_div),
    TIMED(tensor, other, tensor),
};

enum { TIMED_KINDS = sizeof timed_kinds / sizeof *timed_kinds };

static void set_field(struct ws_machine *machine, size_t offset, u32 value)
{
    *(u32 *)(void *)((char *)machine + offset) = value;
}

/* All latencies and intervals 1. */
static void level_kinds(struct ws_machine *machine)
{
    for (u32 n = 0; n < TIMED_KINDS; n++) {
        set_field(machine, timed_kinds[n].latency, 1);
        set_field(machine, timed_kinds[n].interval, 1);
    }
}

/* The one latency that is 30: results at 2 + 3 + 30 + 2 = 37. The exit is in the buffer two cycles later. */
TIMING_TEST(a_latency_is_that_of_class_and_kind)
{
    for (u32 n = 0; n < TIMED_KINDS; n++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        level_kinds(&scene.machine);
        set_field(&scene.machine, timed_kinds[n].latency, 30);
        OP(&scene, .class_ = timed_kinds[n].class_, .kind = timed_kinds[n].kind, .dst = {1});
        OP(&scene, .src = {1});
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 37, 39);
        scene_end(&scene);
    }
}

/* The one interval that is 20: the first starts at 5 and keeps its unit until 25. The second starts at 25, and its results are
 * available at 28. One SP unit. */
TIMING_TEST(an_interval_is_that_of_class_and_kind)
{
    for (u32 n = 0; n < TIMED_KINDS; n++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        level_kinds(&scene.machine);
        scene.machine.unit_sp = 1;
        set_field(&scene.machine, timed_kinds[n].interval, 20);
        OP(&scene, .class_ = timed_kinds[n].class_, .kind = timed_kinds[n].kind, .dst = {1});
        OP(&scene, .class_ = timed_kinds[n].class_, .kind = timed_kinds[n].kind, .dst = {2});
        OP(&scene, .src = {2});
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 3, 28, 29);
        scene_end(&scene);
    }
}

/* The branch, which has a source and which all pass by, starts at 6 and keeps the SP unit until 26; the addition has its results at
 * 26
 * + 1 + 2. */
SCENE_TEST(a_branch_keeps_an_sp_unit, 1, 32)
{
    level_kinds(&scene->machine);
    scene->machine.unit_sp = 1;
    scene->machine.interval_other = 20;
    add_branch(&scene->build, 1, 1);
    OP(scene, .kind = WS_KIND_add, .dst = {2});
    OP(scene, .kind = WS_KIND_add, .src = {2});
    add_end(scene);
    decide(scene, 0, 0, false);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 29, 30);
}

/* With unit.fma = mad the latency of mad is that of fma, of each class. */
TIMING_TEST(fused_multiply_adds_take_as_long_as_their_class_says)
{
    static const struct timed_kind rows[] = {TIMED(int, fma, int_mad), TIMED(fp32, fma, fp32_mad), TIMED(fp64, fma, fp64_mad)};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        level_kinds(&scene.machine);
        scene.machine.unit_int_mul = WS_int_mul_sp;
        scene.machine.unit_fma = WS_fma_as_mad;
        set_field(&scene.machine, rows[n].latency, 30);
        set_field(&scene.machine, rows[n].interval, 9);
        OP(&scene, .class_ = rows[n].class_, .kind = rows[n].kind, .dst = {1});
        OP(&scene, .src = {1});
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 37, 39);
        scene_end(&scene);
    }
}

/* Two of a kind, and room for one that has not started: where it is the SFU that they go to, the second issues when the first
 * starts, at 5. */
TIMING_TEST(an_instruction_goes_to_its_unit)
{
    static const struct {
        u32 class_, kind, int_mul;
        bool sfu;
    } rows[] = {
        {WS_CLASS_int, WS_KIND_mul, WS_int_mul_sfu, true},     {WS_CLASS_int, WS_KIND_mad, WS_int_mul_sfu, true},
        {WS_CLASS_int, WS_KIND_mul, WS_int_mul_sp, false},     {WS_CLASS_int, WS_KIND_mad, WS_int_mul_sp, false},
        {WS_CLASS_int, WS_KIND_div, WS_int_mul_sp, true},      {WS_CLASS_int, WS_KIND_add, WS_int_mul_sfu, false},
        {WS_CLASS_int, WS_KIND_minmax, WS_int_mul_sfu, false}, {WS_CLASS_fp32, WS_KIND_mul, WS_int_mul_sfu, false},
        {WS_CLASS_fp32, WS_KIND_mad, WS_int_mul_sfu, false},   {WS_CLASS_fp32, WS_KIND_div, WS_int_mul_sfu, true},
        {WS_CLASS_fp64, WS_KIND_mul, WS_int_mul_sfu, false},   {WS_CLASS_fp64, WS_KIND_div_fp64, WS_int_mul_sfu, true},
        {WS_CLASS_sfu, WS_KIND_other, WS_int_mul_sfu, true},   {WS_CLASS_sfu, WS_KIND_div, WS_int_mul_sfu, true},
    };
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        level_kinds(&scene.machine);
        scene.machine.unit_sfu_queue = 1;
        scene.machine.unit_int_mul = rows[n].int_mul;
        OP(&scene, .class_ = rows[n].class_, .kind = rows[n].kind, .dst = {1});
        OP(&scene, .class_ = rows[n].class_, .kind = rows[n].kind, .dst = {2});
        add_end(&scene);
        scene_run(&scene);
        if (rows[n].sfu)
            EXPECT_ISSUES(&scene, 0, 2, 5, 7);
        else
            EXPECT_ISSUES(&scene, 0, 2, 3, 5);
        scene_end(&scene);
    }
}

/* Moves keep their unit 20 cycles. They start at 5 and 6, each in a unit of its own, and at 25 and 26, when these are free: results
 * at 28 and 29. */
SCENE_TEST(two_sp_units_start_two_instructions, 1, 32)
{
    scene->machine.interval_other = 20;
    for (u32 dst = 1; dst <= 4; dst++)
        add_move(scene, dst);
    OP(scene, .kind = WS_KIND_add, .src = {3});
    OP(scene, .kind = WS_KIND_add, .src = {4});
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 6, 28, 29, 31);
}

/* Two ports, a warp each, and one SP unit, which a move keeps 20 cycles. Of its own: moves start at 5 and 25, the results of the
 * second are there at 28. Shared: those of warp 0 start at 5 and 45, those of warp 1 at 25 and 65. */
static void run_moves_of_ports(u32 owner, u32 used_by_0, u32 used_by_1)
{
    struct scene scene;
    scene_start(&scene, 1, 64);
    scene.machine.core_issue_ports = scene.machine.core_fetches = 2;
    scene.machine.unit_owner = owner;
    scene.machine.unit_sp = 1;
    scene.machine.interval_other = 20;
    add_move(&scene, 1);
    add_move(&scene, 2);
    add_use(&scene, 2);
    add_end(&scene);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 3, used_by_0, used_by_0 + 1);
    EXPECT_ISSUES(&scene, 1, 2, 3, used_by_1, used_by_1 + 1);
    scene_end(&scene);
}

TIMING_TEST(ports_have_sp_units_of_their_own)
{
    run_moves_of_ports(WS_unit_owner_port, 28, 28);
}

TIMING_TEST(ports_share_an_sp_unit)
{
    run_moves_of_ports(WS_unit_owner_sm, 48, 68);
}

/* Room for one that has not started in the SFU and in the tensor unit: the second of two products issues when the first starts, at
 * 5, one behind a special function at once. */
TIMING_TEST(products_of_matrices_have_a_unit_of_their_own)
{
    for (u32 product = 0; product < 2; product++) {
        struct scene scene;
        scene_start(&scene, 1, 32);
        level_kinds(&scene.machine);
        scene.machine.unit_sfu_queue = scene.machine.unit_tensor_queue = 1;
        OP(&scene, .class_ = product ? WS_CLASS_tensor : WS_CLASS_sfu, .dst = {1});
        OP(&scene, .class_ = WS_CLASS_tensor, .dst = {2});
        add_end(&scene);
        scene_run(&scene);
        EXPECT(&scene, tensor_operations, product ? 64 : 32);
        if (product)
            EXPECT_ISSUES(&scene, 0, 2, 5, 7);
        else
            EXPECT_ISSUES(&scene, 0, 2, 3, 5);
        scene_end(&scene);
    }
}

/* Two ports, a warp each, and room for one instruction that has not started in the SFU. Of its own: the second of both issues when
 * the first starts, at 5. Shared: port 0 comes first at 5, too, and warp 1 begins at 8. */
static void run_sfu_of_ports(u32 owner, u32 begins, u32 lost)
{
    struct scene scene;
    scene_start(&scene, 1, 64);
    level_kinds(&scene.machine);
    scene.machine.core_issue_ports = scene.machine.core_fetches = 2;
    scene.machine.unit_owner = owner;
    scene.machine.unit_sfu_queue = 1;
    OP(&scene, .class_ = WS_CLASS_sfu, .dst = {1});
    OP(&scene, .class_ = WS_CLASS_sfu, .dst = {2});
    add_end(&scene);
    scene_run(&scene);
    EXPECT_ISSUES(&scene, 0, 2, 5, 7);
    EXPECT_ISSUES(&scene, 1, begins, begins + 3, begins + 5);
    EXPECT(&scene, stall_pipeline, lost);
    scene_end(&scene);
}

TIMING_TEST(ports_have_an_sfu_of_their_own)
{
    run_sfu_of_ports(WS_unit_owner_port, 2, 2 + 2);
}

TIMING_TEST(ports_share_an_sfu)
{
    run_sfu_of_ports(WS_unit_owner_sm, 8, 2 + 6 + 2);
}

/* The first has six sources and starts at 2 + 3 + 6 = 11; the second has its operands at 6, yet starts not before 11: results
 * at 14. One that goes to the SFU does not wait for it: 5 + 3 + 8 + 2. */
SCENE_TEST(units_of_a_kind_start_in_order, 1, 32)
{
    OP(scene, .dst = {1}, .src = {10, 11, 12, 13, 14, 15});
    add_move(scene, 2);
    OP(scene, .class_ = WS_CLASS_sfu, .dst = {3});
    add_use(scene, 2);
    add_use(scene, 3);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 14, 18, 19);
}

/* A source costs 3 cycles, the collectors 5, a result 9: at 2 + 5 + 3n + 1 + 9. */
TIMING_TEST(each_source_has_its_cost)
{
    static const u8 sources[] = {2, 3, 4, 5, 6, 7};
    for (u32 n = 0; n <= sizeof sources; n++) {
        struct scene scene;
        struct op op = {.dst = {1}};
        scene_start(&scene, 1, 32);
        scene.machine.unit_collect = 5;
        scene.machine.unit_operand = 3;
        scene.machine.unit_writeback = 9;
        memcpy(op.src, sources, n);
        scene_op(&scene, &op);
        add_use(&scene, 1);
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 17 + 3 * n, 19 + 3 * n);
        scene_end(&scene);
    }
}

/* Nothing costs anything but the latency of 1: the result of 2 is there at 3. */
SCENE_TEST(collectors_and_writeback_may_be_free, 1, 32)
{
    scene->machine.unit_collect = scene->machine.unit_operand = scene->machine.unit_writeback = 0;
    add_move(scene, 1);
    add_use(scene, 1);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5);
}

/* Room for two that have not started. The moves start every 10 cycles: 5, 15, 25. At 5 the first has, so that the third issues; the
 * fourth issues when the second starts, at 15, the exit, valid at 17, when the third starts. The fourth starts at 35 and has its
 * results at 38. */
SCENE_TEST(a_full_queue_of_the_sp_units_stalls, 1, 32)
{
    scene->machine.unit_sp = 1;
    scene->machine.unit_sp_queue = 2;
    scene->machine.interval_other = 10;
    for (u32 dst = 1; dst <= 4; dst++)
        add_move(scene, dst);
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 3, 5, 15, 25);
    expect_slots(scene, "ii00i0 ppppppppp 0i pppppppp 0");
    EXPECT(scene, stall_pipeline, 9 + 8);
}

/* Room for one: the second issues when the first starts, at 5, and starts at 13, eight cycles after the first, with its results at
 * 13
 * + 8 + 2. The exit goes to an SP unit and does not wait; the warp retires when the results are there. */
SCENE_TEST(a_full_queue_of_the_sfu_stalls, 1, 32)
{
    scene->machine.unit_sfu_queue = 1;
    OP(scene, .class_ = WS_CLASS_sfu, .dst = {1});
    OP(scene, .class_ = WS_CLASS_sfu, .dst = {2});
    add_end(scene);
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 5, 7);
    expect_slots(scene, "ii0pp0i0 iiiiiiiiiiiiiii");
    EXPECT_COUNTS(scene->trials, IS(cycles, 23), IS(stall_pipeline, 2));
}

/* A warp of 32 enters 8 lanes in 4 cycles, one of 16 in 2: intervals of 2 become 8 and 4, latencies stay. The second move starts at
 * 5
 * + that. */
TIMING_TEST(few_lanes_multiply_intervals)
{
    for (u32 threads = 16; threads <= 32; threads *= 2) {
        struct scene scene;
        scene_start(&scene, 1, threads);
        scene.machine.core_warp_size = threads;
        scene.machine.core_simd_width = 8;
        scene.machine.unit_sp = 1;
        scene.machine.interval_other = 2;
        add_move(&scene, 1);
        add_move(&scene, 2);
        add_use(&scene, 2);
        add_end(&scene);
        scene_run(&scene);
        EXPECT_ISSUES(&scene, 0, 2, 3, 5 + 2 * threads / 8 + 3, 5 + 2 * threads / 8 + 4);
        scene_end(&scene);
    }
}
