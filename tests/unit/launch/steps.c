/* Sequences of launches: state kept between them, loops and their ends, host actions in between. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/config_files.h"
#include "unit/launch/kit.h"

/* append: log[log[0] + 1] = value; log[0]++. move: to[i] = from[i] + 1. half: x[0] /= 2. */
static const char ptx[] =
    ".entry append(.param .u64 append_param_0, .param .u32 append_param_1) {\n.reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [append_param_0]; ld.param.u32 %r1, [append_param_1]; ld.global.u32 %r2, [%d1];\n"
    "add.u32 %r2, %r2, 1; st.global.u32 [%d1], %r2; mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2;\n"
    "st.global.u32 [%d3], %r1; ret; }\n"
    ".entry move(.param .u64 move_param_0, .param .u64 move_param_1) {\n.reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [move_param_0]; ld.param.u64 %d2, [move_param_1]; ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1;\n"
    "st.global.u32 [%d2], %r1; ret; }\n"
    ".entry count(.param .u64 count_param_0) {\n.reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [count_param_0]; red.global.add.u32 [%d1], 1; ret; }\n"
    ".entry half(.param .u64 half_param_0) {\n.reg .f32 %f<3>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [half_param_0]; ld.global.f32 %f1, [%d1]; mul.f32 %f2, %f1, 0f3F000000; st.global.f32 [%d1], %f2; ret; }\n";

#define BUFFERS                                                                                                                    \
    "buffers:\n  log: {type: u32, count: 64}\n  a: {type: u32, count: 1}\n  b: {type: u32, count: 1}\n"                            \
    "  x: {type: f32, fill: {values: [1]}}\n"
#define ONE            "global: [1], local: [1], arguments: "
#define APPEND(value)  "{kernel: append, " ONE "[{buffer: log}, {scalar: u32, value: " value "}]}"
#define MOVE(from, to) "{kernel: move, " ONE "[{buffer: " from "}, {buffer: " to "}]}"

static void run(struct launch_kit *kit, const char *launches)
{
    char yaml[4000];
    snprintf(yaml, sizeof yaml, BUFFERS "launches:\n%s", launches);
    launch_kit_begin(kit, ptx, yaml);
    if (launch_kit_run(kit) != WS_STATUS_ok)
        fail_msg("%s", kit->error.message);
}

/* Values that launches append, in their order. */
static void expect_log(const char *launches, const u32 *expected, u32 count)
{
    struct launch_kit kit;
    run(&kit, launches);
    const u32 *const found = launch_kit_buffer(&kit, "log");
    assert_int_equal(found[0], count);
    assert_memory_equal(found + 1, expected, count * sizeof *expected);
    assert_int_equal(kit.launches, count);
    assert_true(ws_launch_file_is_sequence(kit.file));
    launch_kit_end(&kit);
}

#define LOG(launches, ...) expect_log(launches, (const u32[]){__VA_ARGS__}, sizeof((const u32[]){__VA_ARGS__}) / sizeof(u32))

TEST(test_order)
{
    LOG("  - " APPEND("7") "\n  - " APPEND("8") "\n", 7, 8);
    LOG("  - repeat: 2\n    launches: [" APPEND("1") ", " APPEND("2") "]\n  - " APPEND("3") "\n", 1, 2, 1, 2, 3);
    LOG("  - repeat: 2\n    launches:\n    - " APPEND("1") "\n    - {repeat: 3, launches: [" APPEND("2") "]}\n", 1, 2, 2, 2, 1, 2,
        2, 2);
}

TEST(test_values_that_change)
{
    LOG("  - {repeat: 4, launches: [" APPEND("{start: 10, plus: -3}") "]}\n", 10, 7, 4, 1);
    LOG("  - {repeat: 4, launches: [" APPEND("{start: 1, times: 2}") "]}\n", 1, 2, 4, 8);
    LOG("  - repeat: 2\n    launches:\n    - " APPEND("{start: 5, plus: 1}") "\n    - {repeat: 2, launches: [" APPEND(
            "{start: 0, plus: 1}") "]}\n",
        5, 0, 1, 6, 0, 1);
}

/* Threads of each launch: a counts them with atomics. */
TEST(test_sizes_that_change)
{
    struct launch_kit kit;
    run(&kit, "  - repeat: 4\n    launches: [{kernel: count, global: [{start: 8, plus: -2}, {start: 1, times: 3}], local: [2], "
              "arguments: [{buffer: a}]}]\n");
    assert_int_equal(*(const u32 *)launch_kit_buffer(&kit, "a"), 8 * 1 + 6 * 3 + 4 * 9 + 2 * 27);
    launch_kit_end(&kit);
    launch_kit_begin(&kit, ptx,
                     BUFFERS "launches:\n  - repeat: 5\n    launches: [{kernel: count, global: [{start: 8, plus: -2}], local: [2], "
                             "arguments: [{buffer: a}]}]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message,
                        "kit.yaml:8: launches[0].launches[0].global[0]: round 4 of the loop leaves the range from 1 to 2147483647");
    launch_kit_end(&kit);
    launch_kit_begin(&kit, ptx,
                     BUFFERS "launches:\n  - repeat: 5\n    launches: [{kernel: count, global: [{start: 8, plus: 3}], local: [4], "
                             "arguments: [{buffer: a}]}]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message,
                        "kit.yaml:8: launches[0].launches[0].global[0]: found 11 in x, allowed is a multiple of the local size 4");
    launch_kit_end(&kit);
}

/* Each launch counts in a or b; the swap makes the next one read the last result. */
TEST(test_swap)
{
    struct launch_kit kit;
    run(&kit, "  - repeat: 5\n    launches: [" MOVE("a", "b") ", {swap: [a, b]}]\n");
    assert_int_equal(*(const u32 *)launch_kit_buffer(&kit, "a"), 5);
    assert_int_equal(*(const u32 *)launch_kit_buffer(&kit, "b"), 4);
    launch_kit_end(&kit);
}

TEST(test_until)
{
    struct launch_kit kit;
    run(&kit, "  - until: {buffer: log, index: 0, equals: 9}\n    launches: [" APPEND("1") "]\n");
    assert_int_equal(kit.launches, 9);
    launch_kit_end(&kit);
    run(&kit, "  - until: {buffer: x, below: 0.1}\n    launches: [{kernel: half, " ONE "[{buffer: x}]}]\n");
    assert_int_equal(kit.launches, 4);
    launch_kit_end(&kit);
    run(&kit, "  - until: {buffer: a, above: 2}\n    launches: [" MOVE("a", "a") "]\n");
    assert_int_equal(kit.launches, 3);
    launch_kit_end(&kit);
    run(&kit, "  - until: {buffer: a, above: 2}\n    repeat: 2\n    launches: [" MOVE("a", "a") "]\n");
    assert_int_equal(kit.launches, 2);
    launch_kit_end(&kit);
}

/* The host sets a to 20 in each round, including the first. */
TEST(test_write)
{
    struct launch_kit kit;
    run(&kit, "  - repeat: 3\n    launches: [{write: a, fill: {constant: 20}}, " MOVE("a", "a") ", " MOVE("a", "b") "]\n");
    assert_int_equal(*(const u32 *)launch_kit_buffer(&kit, "a"), 21);
    assert_int_equal(*(const u32 *)launch_kit_buffer(&kit, "b"), 22);
    launch_kit_end(&kit);
}

TEST(test_never_ends)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, ptx, BUFFERS "launches:\n  - until: {buffer: b, above: 2}\n    launches: [" MOVE("a", "a") "]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(
        kit.error.message,
        "kit.yaml:7: launches[0]: the loop has not ended after 100000 rounds; check until, or bound the loop by repeat");
    launch_kit_end(&kit);
    launch_kit_begin(&kit, ptx, BUFFERS "launches:\n  - {repeat: 40, launches: [" APPEND("{start: 1, times: 2}") "]}\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_int_equal(kit.launches, 32);
    assert_string_equal(
        kit.error.message,
        "kit.yaml:7: launches[0].launches[0].arguments[1].value: round 32 of the loop leaves the range from 0 to 4294967295");
    launch_kit_end(&kit);
}

TEST(test_refused)
{
    static const char *const cases[][2] = {
        {"  []\n", "bad.yaml:6: launches: found no launches, allowed is at least 1"},
        {"  - {name: k}\n", "bad.yaml:7: launches[0]: one of the keys kernel, launches, write, swap is missing"},
        {"  - {launches: [" APPEND("1") "]}\n", "bad.yaml:7: launches[0]: one of the keys repeat, until is missing"},
        {"  - {repeat: 0, launches: [" APPEND("1") "]}\n",
         "bad.yaml:7: launches[0].repeat: found '0', allowed is a whole number from 1 to 100000"},
        {"  - {repeat: 2, launches: [{swap: [a, b]}]}\n",
         "bad.yaml:7: launches[0]: found a loop without a launch, allowed is at least one"},
        {"  - {swap: [a, log]}\n",
         "bad.yaml:7: launches[0].swap: found a of 4 bytes of u32 and log of 256 bytes of u32, allowed are two alike"},
        {"  - {swap: [a]}\n", "bad.yaml:7: launches[0].swap: found 1 buffers, allowed are 2"},
        {"  - {write: a, fill: {values: [1, 2]}}\n", "bad.yaml:7: launches[0].fill.values: found 2 values, allowed are exactly 1"},
        {"  - {write: null, fill: zero}\n",
         "bad.yaml:7: launches[0].write: found 'null', allowed are the file's buffers: log, a, b, x"},
        {"  - {until: {buffer: a, equals: 1, below: 2}, launches: [" APPEND("1") "]}\n",
         "bad.yaml:7: launches[0].until: found 2 of the keys equals, below, above, allowed is one"},
        {"  - {until: {buffer: x, equals: 1}, launches: [" APPEND("1") "]}\n",
         "bad.yaml:7: launches[0].until.equals: found equals for a buffer of f32, allowed are below, above"},
        {"  - {until: {buffer: a, index: 1, equals: 1}, launches: [" APPEND("1") "]}\n",
         "bad.yaml:7: launches[0].until.index: found '1', allowed is a whole number from 0 to 0"},
    };
    for (u32 n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[2000];
        snprintf(text, sizeof text, BUFFERS "launches:\n%s", cases[n][0]);
        launch_kit_refused(text, cases[n][1]);
    }
}

TESTS(files_enter, files_leave)
