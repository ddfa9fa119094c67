/* Launch files: meaning of valid ones, and the message for every kind of invalid one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/frontend.h"

enum { SEED = 5 };

typedef int8_t i8;
typedef int16_t i16;
typedef int64_t i64;
typedef float f32;
typedef double f64;

static struct ws_error error;

/* Launch files that a test has loaded. */
static struct ws_launch_file *loaded[8];
static u32 loaded_count;

/* The first launch of a file. */
static struct ws_ndrange *load_seeded(const char *text, u64 seed)
{
    struct ws_ndrange *launch = NULL;
    files_write("launch.yaml", text);
    if (ws_launch_file_load("launch.yaml", seed, &loaded[loaded_count], &error) != WS_STATUS_ok ||
        ws_launch_file_next(loaded[loaded_count++], &launch, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    assert_non_null(launch);
    return launch;
}

static struct ws_ndrange *load(const char *text)
{
    return load_seeded(text, SEED);
}

static void release(void)
{
    while (loaded_count > 0)
        ws_launch_file_free(loaded[--loaded_count]);
}

TEST(test_range)
{
    struct ws_ndrange *const launch = load("kernel: add\nglobal: [64, 0x8]\nlocal: [16, 4]\n");
    const u32 global[] = {64, 8, 1}, local[] = {16, 4, 1};
    assert_string_equal(launch->kernel, "add");
    assert_string_equal(launch->source, "launch.yaml");
    assert_memory_equal(launch->global, global, sizeof global);
    assert_memory_equal(launch->local, local, sizeof local);
    assert_int_equal(launch->argument_count, 0);
    assert_int_equal(launch->registers, 0);
    release();
}

TEST(test_registers)
{
    const struct ws_ndrange *const launch = load("kernel: add\nglobal: [64]\nlocal: [16]\nregisters: 24\n");
    assert_int_equal(launch->registers, 24);
    release();
}

/* One argument between fixed lines; it stands in line 5. */
static void make_text(char *text, size_t room, const char *argument)
{
    snprintf(text, room, "kernel: add\nglobal: [4]\nlocal: [4]\narguments:\n  - %s\n", argument);
}

static void expect_argument(const char *argument, enum ws_argument_kind kind, const void *data, u64 bytes)
{
    char text[1000];
    make_text(text, sizeof text, argument);
    struct ws_ndrange *const launch = load(text);
    assert_int_equal(launch->argument_count, 1);
    assert_int_equal(launch->arguments[0].kind, kind);
    assert_int_equal(launch->arguments[0].bytes, bytes);
    if (data)
        assert_memory_equal(launch->arguments[0].data, data, bytes);
    else
        assert_null(launch->arguments[0].data);
    release();
}

#define SCALAR(type, text, number)                                                                                                 \
    expect_argument("{scalar: " #type ", value: " text "}", WS_ARGUMENT_SCALAR, &(const type){number}, sizeof(type))

TEST(test_scalars)
{
    SCALAR(i8, "-128", -128);
    SCALAR(u8, "255", 255);
    SCALAR(i16, "-32768", INT16_MIN);
    SCALAR(u16, "0xffff", UINT16_MAX);
    SCALAR(i32, "-2147483648", INT32_MIN);
    SCALAR(u32, "4294967295", UINT32_MAX);
    SCALAR(i64, "-9223372036854775808", INT64_MIN);
    SCALAR(u64, "18446744073709551615", UINT64_MAX);
    SCALAR(f32, "0.1", 0.1f);
    SCALAR(f64, "-1e300", -1e300);
}

TEST(test_fills)
{
    files_write("data.bin", "abcdefgh");
    expect_argument("{buffer: u32, count: 2}", WS_ARGUMENT_BUFFER, (const u32[]){0, 0}, 8);
    expect_argument("{buffer: u32, count: 2, fill: zero}", WS_ARGUMENT_BUFFER, (const u32[]){0, 0}, 8);
    expect_argument("{buffer: f32, count: 3, fill: iota}", WS_ARGUMENT_BUFFER, (const float[]){0, 1, 2}, 12);
    expect_argument("{buffer: i16, count: 3, fill: iota}", WS_ARGUMENT_BUFFER, (const int16_t[]){0, 1, 2}, 6);
    expect_argument("{buffer: f64, count: 2, fill: {constant: 2.5}}", WS_ARGUMENT_BUFFER, (const double[]){2.5, 2.5}, 16);
    expect_argument("{buffer: i8, count: 2, fill: {constant: -3}}", WS_ARGUMENT_BUFFER, (const int8_t[]){-3, -3}, 2);
    expect_argument("{buffer: u16, count: 4, fill: {file: data.bin}}", WS_ARGUMENT_BUFFER, "abcdefgh", 8);
    expect_argument("{name: tile, shared: 4096}", WS_ARGUMENT_SHARED, NULL, 4096);
}

static void *random_buffer(const char *type, u32 count, const char *fill, u64 seed, struct ws_ndrange **launch)
{
    char text[1000];
    snprintf(text, sizeof text,
             "kernel: k\nglobal: [1]\nlocal: [1]\narguments:\n  - {buffer: %s, count: %u, fill: {random: {%s}}}\n", type, count,
             fill);
    *launch = load_seeded(text, seed);
    return (*launch)->arguments[0].data;
}

/* All values of a small range occur about equally often, and no others. */
TEST(test_random_integers)
{
    enum { COUNT = 8000, VALUES = 8 };
    struct ws_ndrange *launch;
    u32 seen[VALUES] = {0};
    const i32 *const values = random_buffer("i32", COUNT, "low: -3, high: 4", SEED, &launch);
    for (u32 n = 0; n < COUNT; n++) {
        assert_in_range(values[n] + 3, 0, VALUES - 1);
        seen[values[n] + 3]++;
    }
    for (u32 n = 0; n < VALUES; n++)
        assert_in_range(seen[n], COUNT / VALUES - 150, COUNT / VALUES + 150);
    release();
}

TEST(test_random_reals)
{
    enum { COUNT = 8000 };
    struct ws_ndrange *launch;
    double sum = 0;
    const float *const values = random_buffer("f32", COUNT, "low: -1, high: 3", SEED, &launch);
    for (u32 n = 0; n < COUNT; n++) {
        assert_true(values[n] >= -1 && values[n] <= 3);
        sum += (double)values[n];
    }
    assert_true(sum / COUNT > 0.9 && sum / COUNT < 1.1);
    release();
}

/* The whole range of 64 bits; an explicit seed overrides the launch's. */
TEST(test_seeds)
{
    static const char *const range = "low: 0, high: 18446744073709551615", *const own = "low: 0, high: 0xffffffffffffffff, seed: 9";
    struct ws_ndrange *a, *b, *c, *d;
    const u64 *const first = random_buffer("u64", 4, range, 1, &a), *const other = random_buffer("u64", 4, range, 2, &b);
    const u64 *const fixed = random_buffer("u64", 4, own, 1, &c), *const same = random_buffer("u64", 4, own, 2, &d);
    assert_memory_not_equal(first, other, 32);
    assert_memory_equal(fixed, same, 32);
    release();
}

static void expect_refused(const char *text, const char *message)
{
    struct ws_launch_file *file = NULL;
    files_write("bad.yaml", text);
    assert_int_equal(ws_launch_file_load("bad.yaml", SEED, &file, &error), WS_STATUS_bad_input);
    assert_null(file);
    assert_string_equal(error.message, message);
}

TEST(test_bad_files)
{
    static const char *const cases[][2] = {
        {"kernel: k\nglobal: [4]\n", "bad.yaml:1: the key 'local' is missing"},
        {"global: [4]\nlocal: [4]\n", "bad.yaml:1: the key 'kernel' is missing"},
        {"kernel: k\nglobal: [4]\nlocal: [4]\nargument: []\n",
         "bad.yaml:4: argument: unknown key 'argument', allowed are options, buffers, variables, kernel, global, local, registers, "
         "offset, shared, cluster, arguments, launches (did you mean 'arguments'?)"},
        {"kernel: k\nglobal: [4]\nlocal: [4]\nregisters: 0\n",
         "bad.yaml:4: registers: found '0', allowed is a whole number from 1 to 1024"},
        {"kernel: k\nglobal: [4]\nlocal: [4]\nregisters: 1025\n",
         "bad.yaml:4: registers: found '1025', allowed is a whole number from 1 to 1024"},
        {"kernel: k\nglobal: 4\nlocal: [4]\n", "bad.yaml:2: global: found '4', allowed is a list"},
        {"kernel: k\nglobal: [1, 1, 1, 1]\nlocal: [4]\n", "bad.yaml:2: global: found 4 sizes, allowed are 1 to 3 (x, y, z)"},
        {"kernel: k\nglobal: [0]\nlocal: [4]\n",
         "bad.yaml:2: global[0]: found '0', allowed is a whole number from 1 to 2147483647"},
        {"kernel: k\nglobal: [4, 6]\nlocal: [4, 4]\n",
         "bad.yaml:2: global: found 6 in y, allowed is a multiple of the local size 4"},
        {"kernel: k\nglobal: [4]\nlocal: [4]\narguments: 3\n", "bad.yaml:4: arguments: found '3', allowed is a list"},
    };
    for (u32 n = 0; n < sizeof cases / sizeof cases[0]; n++)
        expect_refused(cases[n][0], cases[n][1]);
}

TEST(test_bad_arguments)
{
    static const char *const cases[][2] = {
        {"7", "arguments[0]: found '7', allowed is a mapping of keys to values"},
        {"{name: a}", "arguments[0]: one of the keys scalar, vector, array, struct, buffer, image, sampler, shared is missing"},
        {"{scalar: i33, value: 1}", "arguments[0].scalar: found 'i33', allowed are i8, u8, i16, u16, i32, u32, i64, u64, e4m3, "
                                    "e5m2, f16, bf16, f32, f64 (did you "
                                    "mean 'i32'?)"},
        {"{scalar: i32}", "arguments[0]: the key 'value' is missing"},
        {"{scalar: u8, value: 256}", "arguments[0].value: found '256', allowed is a whole number from 0 to 255"},
        {"{scalar: i8, value: -129}", "arguments[0].value: found '-129', allowed is a whole number from -128 to 127"},
        {"{scalar: f32, value: 1e39}", "arguments[0].value: found '1e39', allowed is a number within the range of f32"},
        {"{scalar: i32, value: 1, fill: zero}", "arguments[0].fill: unknown key 'fill', allowed are name, scalar, value"},
        {"{buffer: f32}", "arguments[0]: the key 'count' is missing"},
        {"{buffer: f64, count: 2147483649}",
         "arguments[0].count: found '2147483649', allowed is a whole number from 1 to 2147483648"},
        {"{buffer: f32, count: 2, fill: ones}", "arguments[0].fill: found 'ones', allowed are zero, iota"},
        {"{buffer: f32, count: 2, fill: {}}", "arguments[0].fill: found 0 keys, allowed is one of constant, random, values, file"},
        {"{buffer: f32, count: 2, fill: {constant: 1, file: x}}",
         "arguments[0].fill: found 2 keys, allowed is one of constant, random, values, file"},
        {"{buffer: i32, count: 2, fill: {random: {low: 3}}}", "arguments[0].fill.random: the key 'high' is missing"},
        {"{buffer: i32, count: 2, fill: {random: {low: 3, high: -3}}}",
         "arguments[0].fill.random.high: found '-3', allowed is at least low, which is 3"},
        {"{buffer: f32, count: 2, fill: {random: {low: 0.5, high: 0}}}",
         "arguments[0].fill.random.high: found '0', allowed is at least low, which is 0.5"},
        {"{buffer: u16, count: 3, fill: {file: data.bin}}",
         "arguments[0].fill.file: found data.bin with more bytes, allowed are exactly 6 (3 elements of u16)"},
        {"{buffer: u16, count: 5, fill: {file: data.bin}}",
         "arguments[0].fill.file: found data.bin with fewer bytes, allowed are exactly 10 (5 elements of u16)"},
        {"{image: 2d, size: [4, 4], order: rgba}", "arguments[0]: the key 'format' is missing"},
        {"{image: photo}", "arguments[0].image: found 'photo', allowed are 1d, 1d_array, 1d_buffer, 2d, 2d_array, 3d"},
        {"{image: 2d, size: [4], order: rgba, format: u8}", "arguments[0].size: found 1 sizes, an image of 2d has 2"},
        {"{image: 3d, size: [4, 4, 0], order: rgba, format: u8}",
         "arguments[0].size[2]: found '0', allowed is a whole number from 1 to 134217728"},
        {"{image: 2d, size: [100000, 100000], order: rgba, format: f32}",
         "arguments[0].size: found an image of more than 17179869184 bytes, allowed are at most as many"},
        {"{image: 2d, size: [2, 2], order: r, format: u8, fill: {values: [1]}}",
         "arguments[0].fill.values: found 1 values, allowed are exactly 4"},
        {"{image: 2d, size: [2, 2], order: r, format: u8, count: 4}",
         "arguments[0].count: unknown key 'count', allowed are name, image, size, order, format, fill, sampler"},
        {"{sampler: {coordinates: texels, address: repeat, filter: linear}}",
         "arguments[0].sampler.address: found 'repeat', which needs coordinates: normalised"},
        {"{sampler: {coordinates: texels, address: clamp}}", "arguments[0].sampler: the key 'filter' is missing"},
        {"{shared: 0}", "arguments[0].shared: found '0', allowed is a whole number from 1 to 1048576"},
    };
    files_write("data.bin", "abcdefgh");
    for (u32 n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[1000], message[1000];
        make_text(text, sizeof text, cases[n][0]);
        snprintf(message, sizeof message, "bad.yaml:5: %s", cases[n][1]);
        expect_refused(text, message);
    }
}

TEST(test_missing_files)
{
    struct ws_launch_file *file = NULL;
    char text[1000];
    assert_int_equal(ws_launch_file_load("none.yaml", SEED, &file, &error), WS_STATUS_no_file);
    assert_string_equal(error.message, "none.yaml: cannot be read: No such file or directory");
    make_text(text, sizeof text, "{buffer: u8, count: 3, fill: {file: none.bin}}");
    files_write("bad.yaml", text);
    assert_int_equal(ws_launch_file_load("bad.yaml", SEED, &file, &error), WS_STATUS_no_file);
    assert_string_equal(error.message, "bad.yaml:5: none.bin: cannot be read: No such file or directory");
    assert_null(file);
}

TESTS(files_enter, files_leave)
