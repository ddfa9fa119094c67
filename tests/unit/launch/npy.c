/* numpy arrays as buffer contents: headers as numpy writes them, errors, and written files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "test.h"
#include "unit/kit/config_files.h"
#include "unit/launch/kit.h"

/* Writes x.npy: a header of 118 bytes of that version, then bytes. */
static void write_npy(u8 version, const char *dictionary, const void *bytes, size_t count)
{
    enum { HEADER = 118 };
    char file[1000];
    const size_t start = version == 1 ? 10 : 12;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (char)version;
    file[7] = 0;
    memset(file + 8, 0, 4);
    file[8] = HEADER;
    memset(file + start, ' ', HEADER);
    memcpy(file + start, dictionary, strlen(dictionary));
    file[start + HEADER - 1] = '\n';
    memcpy(file + start + HEADER, bytes, count);
    EXPECT_OK(ws_file_write("x.npy", file, start + HEADER + count, &error));
}

static const char form[] = "buffers:\n  x: {type: %s, %sfill: {file: x.npy}}\nkernel: k\nglobal: [1]\nlocal: [1]\n";

static void expect(const char *type, u64 bytes, const void *data)
{
    struct launch_kit kit;
    const struct ws_buffer *buffer = NULL;
    char yaml[300];
    snprintf(yaml, sizeof yaml, form, type, "");
    launch_kit_begin(&kit, ".entry k() { ret; }", yaml);
    assert_int_equal(ws_launch_file_buffer(kit.file, "x", &buffer, &kit.error), WS_STATUS_ok);
    assert_int_equal(buffer->bytes, bytes);
    assert_memory_equal(buffer->data, data, bytes);
    launch_kit_end(&kit);
}

static void refused(const char *type, const char *count, const char *message)
{
    char yaml[300], full[600];
    snprintf(yaml, sizeof yaml, form, type, count);
    snprintf(full, sizeof full, "bad.yaml:2: buffers.x.fill.file: found x.npy%s", message);
    launch_kit_refused(yaml, full);
}

TEST(test_read)
{
    const float numbers[] = {1, 2, 3, 4, 5, 6};
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", numbers, sizeof numbers);
    expect("f32", 24, numbers);
    write_npy(2, "{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", numbers, sizeof numbers);
    expect("f32", 24, numbers);
    write_npy(3, "{'shape': (3, 1), 'fortran_order': True, 'descr': '<c8'}", numbers, sizeof numbers);
    expect("f32", 24, numbers);
    write_npy(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "\7", 1);
    expect("u8", 1, "\7");
    write_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", "\1\0", 2);
    expect("u8", 2, "\1\0");
    write_npy(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", "\0\x3C", 2);
    expect("u16", 2, "\0\x3C");
}

TEST(test_refused)
{
    const float numbers[] = {1, 2, 3, 4, 5, 6};
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", numbers, sizeof numbers);
    refused("i32", "", " of type '<f4', allowed is that of i32, little-endian");
    refused("f64", "", " of type '<f4', allowed is that of f64, little-endian");
    refused("f32", "count: 7, ", " with fewer bytes, allowed are exactly 28 (7 elements of f32)");
    refused("f32", "count: 5, ", " with more bytes, allowed are exactly 20 (5 elements of f32)");
    write_npy(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }", numbers, sizeof numbers);
    refused("f32", "", " of type '>f4', allowed is that of f32, little-endian");
    write_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", numbers, sizeof numbers);
    refused("f32", "", " in the order of Fortran, allowed is that of C (numpy.ascontiguousarray)");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }", numbers, sizeof numbers);
    refused("f32", "", " with 24 bytes of elements, which are no array of f32");
    write_npy(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }", numbers, sizeof numbers);
    refused("f32", "", ", an array of structures; allowed are numbers of type f32");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }", numbers, 0);
    refused("f32", "", ", which is empty");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False}", numbers, sizeof numbers);
    refused("f32", "", ", which is no array of numpy: its header has no shape");
    write_npy(9, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", numbers, sizeof numbers);
    refused("f32", "", ", which is no array of numpy: its version is unknown");
    files_write("x.npy", "12345678901234567890");
    refused("f32", "", ", which is no array of numpy: it does not begin like one");
}

/* Written files have numpy's form: the header is a multiple of 64 bytes and ends with a line feed. */
TEST(test_write)
{
    struct ws_error error;
    const double numbers[] = {1.5, -2, 1e300};
    const struct ws_buffer buffer = {.type = "f64", .data = (void *)(uintptr_t)numbers, .bytes = sizeof numbers};
    char *bytes;
    size_t length;
    files_write("x.npy", "no array of numpy");
    assert_int_equal(ws_buffer_write(&buffer, "x.npy", &error), WS_STATUS_bad_input);
    files_write("x.npy", "");
    assert_int_equal(ws_buffer_write(&buffer, "x.npy", &error), WS_STATUS_ok);
    assert_int_equal(ws_file_read("x.npy", 1000, &bytes, &length, &error), WS_STATUS_ok);
    assert_int_equal(length, 128 + sizeof numbers);
    assert_memory_equal(bytes, "\x93NUMPY\1\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } ", 68);
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, numbers, sizeof numbers);
    free(bytes);
    expect("f64", sizeof numbers, numbers);
    files_write("x.bin", "not as many bytes");
    assert_int_equal(ws_buffer_write(&buffer, "x.bin", &error), WS_STATUS_bad_input);
    files_write("x.bin", "as many bytes, 24 of it.");
    assert_int_equal(ws_buffer_write(&buffer, "x.bin", &error), WS_STATUS_bad_input); /* text */
    files_write("x.bin", "as many\1bytes, 24 of it.");
    assert_int_equal(ws_buffer_write(&buffer, "x.bin", &error), WS_STATUS_ok);
    assert_int_equal(ws_file_read("x.bin", 1000, &bytes, &length, &error), WS_STATUS_ok);
    assert_int_equal(length, sizeof numbers);
    assert_memory_equal(bytes, numbers, sizeof numbers);
    free(bytes);
}

/* Narrow numbers: values by their bits, arrays of them, and what a dump holds. */
TEST(test_narrow)
{
    static const struct {
        const char *type, *values;
        u32 bytes;
        u16 bits[4];
    } rows[] = {{"f16", "[1, -2.5, 65504, 6e-8]", 2, {0x3C00, 0xC100, 0x7BFF, 1}},
                {"bf16", "[1, -2.5, 1.0039, 3e38]", 2, {0x3F80, 0xC020, 0x3F80, 0x7F62}},
                {"e4m3", "[1, -2.5, 448, 0.001953125]", 1, {0x38, 0xC2, 0x7E, 1}},
                {"e5m2", "[1, -2.5, 57344, 1.6e-5]", 1, {0x3C, 0xC1, 0x7B, 1}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct launch_kit kit;
        const struct ws_buffer *buffer = NULL;
        char yaml[300], *bytes;
        size_t length;
        float first;
        snprintf(yaml, sizeof yaml, "buffers:\n  x: {type: %s, fill: {values: %s}}\nkernel: k\nglobal: [1]\nlocal: [1]\n",
                 rows[n].type, rows[n].values);
        launch_kit_begin(&kit, ".entry k() { ret; }", yaml);
        assert_int_equal(ws_launch_file_buffer(kit.file, "x", &buffer, &kit.error), WS_STATUS_ok);
        assert_int_equal(buffer->bytes, 4 * rows[n].bytes);
        for (u32 k = 0; k < 4; k++) {
            u16 bits = 0;
            memcpy(&bits, (const u8 *)buffer->data + k * rows[n].bytes, rows[n].bytes);
            assert_int_equal(bits, rows[n].bits[k]);
        }
        files_write("y.npy", "");
        assert_int_equal(ws_buffer_write(buffer, "y.npy", &kit.error), WS_STATUS_ok);
        assert_int_equal(ws_file_read("y.npy", 1000, &bytes, &length, &kit.error), WS_STATUS_ok);
        assert_memory_equal(bytes + 10, n == 0 ? "{'descr': '<f2'" : "{'descr': '<f4'", 15);
        assert_int_equal(length, 128 + (n == 0 ? 8 : 16));
        memcpy(&first, bytes + 132, sizeof first);
        assert_true(n == 0 || (first < -2.4f && first > -2.6f));
        free(bytes);
        assert_string_equal(ws_launch_file_buffer_name(kit.file, 0), "x");
        assert_null(ws_launch_file_buffer_name(kit.file, 1));
        launch_kit_end(&kit);
    }
    const u16 halves[] = {0x3C00, 0x4000};
    write_npy(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", halves, sizeof halves);
    expect("f16", 4, halves);
    refused("bf16", "", " of type '<f2', allowed is that of bf16, little-endian");
    write_npy(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", halves, sizeof halves);
    expect("bf16", 4, halves);
}

TESTS(files_enter, files_leave)
