/* Buffers and variables at addresses that the launch file gives: pointers in memory and in arguments are these numbers. */
#include <inttypes.h>
#include <string.h>

#include "test.h"
#include "unit/launch/kit.h"

/* Follows the pointer in the first buffer and adds what the constant says to what is there; counts in a variable; leaves its
 * address. */
static const char ptx[] = ".global .u32 count;\n.const .u32 step;\n"
                          ".entry k(.param .u64 .ptr .global table, .param .u64 .ptr .global raw) {\n"
                          ".reg .u64 %t, %p, %q; .reg .u32 %r, %s;\n"
                          "ld.param.u64 %t, [table]; ld.param.u64 %q, [raw];\n"
                          "ld.global.u64 %p, [%t]; ld.global.u32 %r, [%p]; ld.const.u32 %s, [step];\n"
                          "add.u32 %r, %r, %s; st.global.u32 [%q], %r;\n"
                          "ld.global.u32 %r, [count]; add.u32 %r, %r, 1; st.global.u32 [count], %r;\n"
                          "mov.u64 %p, count; st.global.u64 [%t+8], %p; ret; }\n";

/* 0x300000000008 as bytes, for an argument that is a plain number. */
#define RAW "{array: u8, value: [8, 0, 0, 0, 0, 48, 0, 0]}"

static const char yaml[] = "buffers:\n"
                           "  table: {type: u64, fill: {values: [0x300000000004, 0]}, address: 0x200000000000}\n"
                           "  values: {type: u32, fill: {values: [1, 20, 3]}, address: 0x300000000000}\n"
                           "variables:\n"
                           "  count: {type: u32, fill: {values: [7]}, address: 0x100000000}\n"
                           "  step: {type: u32, fill: {values: [5]}, address: 0x400000000000}\n"
                           "launches:\n"
                           "  - {kernel: k, global: [1], local: [1], arguments: [{buffer: table}, " RAW "]}\n"
                           "  - {kernel: k, global: [1], local: [1], arguments: [{buffer: table}, " RAW "]}\n";

TEST(test_pointers)
{
    struct launch_kit kit;
    struct ws_ndrange *launch;
    u64 table[2];
    launch_kit_begin(&kit, ptx, yaml);
    if (launch_kit_run(&kit) != WS_STATUS_ok)
        fail_msg("%s", kit.error.message);
    assert_memory_equal(launch_kit_buffer(&kit, "values"), ((const u32[]){1, 20, 25}), 12);
    memcpy(table, launch_kit_buffer(&kit, "table"), sizeof table);
    assert_int_equal(table[0], UINT64_C(0x300000000004));
    assert_int_equal(table[1], UINT64_C(0x100000000));
    assert_int_equal(ws_launch_file_next(kit.file, &launch, &kit.error), WS_STATUS_ok);
    launch_kit_end(&kit);
}

/* ---- A placed variable is its data ---- */

struct seen {
    u64 addresses[16];
    u32 count;
};

static void touch(void *context, u64 address)
{
    struct seen *const seen = context;
    seen->addresses[seen->count++ % 16] = address;
}

static bool has(const struct seen *seen, u64 address)
{
    for (u32 n = 0; n < seen->count; n++)
        if (seen->addresses[n] == address)
            return true;
    return false;
}

TEST(test_touched)
{
    struct launch_kit kit;
    struct ws_ndrange *launch;
    struct ws_frontend_options options;
    struct seen seen = {.count = 0};
    u32 count;
    ws_frontend_defaults(&options);
    launch_kit_begin(&kit, ptx, yaml);
    assert_int_equal(ws_launch_file_next(kit.file, &launch, &kit.error), WS_STATUS_ok);
    launch->touch = touch;
    launch->context = &seen;
    if (ws_execute(kit.program, &options, launch, NULL, NULL, &kit.error) != WS_STATUS_ok)
        fail_msg("%s", kit.error.message);
    memcpy(&count, launch->initial[0].data, sizeof count);
    assert_int_equal(count, 8);
    assert_true(has(&seen, UINT64_C(0x200000000000)) && has(&seen, UINT64_C(0x300000000000)));
    assert_true(has(&seen, UINT64_C(0x100000000)) && has(&seen, UINT64_C(0x400000000000)));
    launch_kit_end(&kit);
}

TEST(test_variables)
{
    struct launch_kit kit;
    struct ws_variable_info info;
    u32 count = 1, step = 1;
    const struct ws_buffer buffers[] = {{.data = &count, .bytes = 4}, {.data = &step, .bytes = 4}};
    launch_kit_begin(&kit, ptx, yaml);
    assert_true(ws_program_variable(kit.program, 0, &info));
    assert_string_equal(info.name, "count");
    assert_int_equal(info.bytes, 4);
    assert_false(info.constant);
    assert_true(ws_program_variable(kit.program, 1, &info) && info.constant);
    assert_false(ws_program_variable(kit.program, 2, &info));
    assert_true(ws_program_initial(kit.program, buffers));
    assert_int_equal(count + step, 0);
    launch_kit_end(&kit);
}

/* A variable that holds the address of another receives it. */
TEST(test_addresses_of_variables)
{
    struct launch_kit kit;
    u32 a[4];
    u64 p;
    const struct ws_buffer buffers[] = {{.data = a, .bytes = 16, .address = 0x5000}, {.data = &p, .bytes = 8, .address = 0x6000}};
    launch_kit_begin(&kit, ".global .u32 a[4] = {1, 2, 3, 4};\n.global .u64 p = a+8;\n.entry k() { ret; }",
                     "kernel: k\nglobal: [1]\nlocal: [1]\n");
    assert_true(ws_program_initial(kit.program, buffers));
    assert_int_equal(a[3], 4);
    assert_int_equal(p, 0x5008);
    launch_kit_end(&kit);
}

/* ---- Refused ---- */

TEST(test_overlap)
{
    struct launch_kit kit;
    launch_kit_begin(&kit, ".entry k() { ret; }",
                     "buffers:\n  a: {type: u8, count: 16, address: 0x1000}\n  b: {type: u8, count: 16, address: 0x100f}\n"
                     "kernel: k\nglobal: [1]\nlocal: [1]\n");
    assert_int_equal(launch_kit_run(&kit), WS_STATUS_bad_input);
    assert_string_equal(kit.error.message, "kernel k: b at address 0x100f overlaps a at 0x1000");
    launch_kit_end(&kit);
    launch_kit_refused("buffers:\n  a: {type: u8, count: 16, address: 0}\nkernel: k\nglobal: [1]\nlocal: [1]\n",
                       "bad.yaml:2: buffers.a.address: found '0', allowed is a whole number from 1 to 281474976710655");
}
