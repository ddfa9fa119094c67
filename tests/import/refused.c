/* Malformed NVBit traces are refused with file, line and reason, and leave no file; for lists, skipped and refused lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/small.h"
#include "test.h"
#include "unit/trace/container.h"

const char file[] = "import_refused.traceg", trace_file[] = "import_refused.wst";

TEST(broken_records)
{
    static const struct {
        u32 count;
        const char *records, *message;
    } cases[] = {
        {1, "0000 ffffffff 1", "15: found '', allowed is a register, R0 to R255 or UR0 to UR63"},
        {1, "0000 ffffffff 0 EXIT", "15: found '', allowed is the number of sources, 0 to 8"},
        {1, "0000 ffffffff 0 EXIT 0", "15: the line ends before the bytes that a lane accesses, 0 to 4096"},
        {1, "0000 ffffffff 0 EXIT 0 0 9", "15: found '9', allowed is the end of the line"},
        {1, "0000 fffffffff 0 EXIT 0 0", "15: found 'fffffffff 0 EXIT 0 0', allowed is a mask of 32 lanes, hexadecimal"},
        {1, "0004 ffffffff 0 EXIT 0 0", "15: found '0004 ffffffff 0 EXIT 0 0'"},
        {1, "0000 ffffffff 1 R256 EXIT 0 0", "15: found 'R256', allowed is a register, R0 to R255 or UR0 to UR63"},
        {1, "0000 ffffffff 1 UR64 EXIT 0 0", "15: found 'UR64', allowed is a register, R0 to R255 or UR0 to UR63"},
        {1, "0000 ffffffff 1 U4 EXIT 0 0", "15: found 'U4', allowed is a register, R0 to R255 or UR0 to UR63"},
        {1, "0000 ffffffff 1 UR EXIT 0 0", "15: found 'UR', allowed is a register, R0 to R255 or UR0 to UR63"},
        {1, "0000 ffffffff 0 exit 0 0", "15: found 'exit 0 0', allowed is an opcode"},
        {2, "0000 ffffffff 1 R1 LDG 1 R2 4 3 0x0 0\n", "15: found '3 0x0 0', allowed is how addresses are given: 0, 1 or 2"},
        {1, "0000 00000003 1 R1 LDG 1 R2 4 0 0x0", "15: the line ends before an address for each lane of the mask"},
        {1, "0000 00000003 1 R1 LDG 1 R2 4 2 0x0",
         "15: the line ends before a difference of addresses for each lane of the mask but its first"},
        {1, "0000 00000003 1 R1 LDG.64 1 R2 8 1 0x10004 8", "15: address 0x10004 of LDG.64 is no multiple of 8 bytes"},
        {2, "0000 ffffffff 0 EXIT 0 0", "16: found '#END_TB', allowed is record 2 of the 2 that line 14 says"},
        {1, "0000 ffffffff 0 EXIT 0 0\n0010 ffffffff 0 EXIT 0 0",
         "16: found '0010 ffffffff 0 EXIT 0 0' after all 1 records that line 14 says, allowed is 'warp = NUMBER' or '#END_TB'"},
        {1, "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0", "15: warp 0 ends, and its lanes ffffffff have not executed EXIT"},
        {0, "", "14: warp 0 has no instructions: its threads never exit"},
        {2, "0000 ffffffff 0 EXIT 0 0\n0010 00000001 0 NOP 0 0", "16: warp 0 ends, and its lanes 00000001 have not executed EXIT"},
        {3, "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0\n0000 00000001 0 NOP 0 0",
         "17: lane 0 of warp 0 goes back from pc 0010 (EXIT), which is no branch"},
        {2, "0010 ffffffff 0 NOP 0 0\n0000 ffffffff 0 EXIT 0 0",
         "16: lane 0 of warp 0 goes back from pc 0010 (NOP), which is no branch"},
        {2, "0000 ffffffff 0 NOP 0 0\n0000 ffffffff 0 EXIT 0 0",
         "16: pc 0000 is '0 EXIT 0' here and '0 NOP 0' before: a function with pcs of its own is called"},
        {1, "0000 ffffffff 0 UTMALDG.2D 0 0", "15: UTMALDG.2D: kernels with tensor memory accesses are not supported"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_nvbit_report report;
        struct ws_error error;
        char expected[256];
        remove(trace_file);
        write_records("3", 32, cases[n].count, cases[n].records);
        snprintf(expected, sizeof expected, "%s:%s", file, cases[n].message);
        assert_int_equal(import(&(struct ws_nvbit_options){WS_STRUCT(nvbit_options)}, &report, &error), WS_STATUS_bad_input);
        if (strncmp(error.message, expected, strlen(expected)) != 0)
            fail_msg("case %zu: %s, expected %s", n, error.message, expected);
        assert_int_not_equal(access(trace_file, F_OK), 0);
    }
}

/* Behind the addresses. */
TEST(broken_ends)
{
    static const struct {
        const char *version, *record, *message;
    } cases[] = {{"5", "0000 ffffffff 0 EXIT 0 0", "the line ends before an immediate"},
                 {"5", "0000 ffffffff 0 EXIT 0 0 x", "found 'x', allowed is an immediate"},
                 {"5", "0000 ffffffff 0 EXIT 0 0 0 x", "found 'x', allowed is the end of the line"},
                 {"5", "0000 ffffffff 0 EXIT 0 0 0 0 NoVal", "found 'NoVal', allowed is the end of the line"},
                 {"6", "0000 ffffffff 0 EXIT 0 0 0", "the line ends before a second immediate, Val or NoVal"},
                 {"6", "0000 ffffffff 0 EXIT 0 0 0 0", "the line ends before Val or NoVal"},
                 {"6", "0000 ffffffff 0 EXIT 0 0 0 0 0", "found '0', allowed is Val or NoVal"},
                 {"6", "0000 ffffffff 0 EXIT 0 0 0 0 Value", "found 'Value', allowed is Val or NoVal"},
                 {"6", "0000 ffffffff 0 EXIT 0 0 0 0 NoVal 1", "found '1', allowed is the end of the line"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char expected[256];
        write_records(cases[n].version, 32, 1, cases[n].record);
        snprintf(expected, sizeof expected, "%s:15: %s", file, cases[n].message);
        expect_refused(&(struct ws_nvbit_options){WS_STRUCT(nvbit_options)}, expected);
    }
}

TEST(broken_headers)
{
    const struct ws_nvbit_options none = {WS_STRUCT(nvbit_options)};
    write_text("3", "-shmem = 0\n", "-nregs = 21955\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_refused.traceg:5: -nregs: found '21955', allowed is 1 to 255; --registers replaces it");
    write_text("3", "", "-nregs = 16\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_refused.traceg:9: the header has no line '-shmem = ...'; --shared replaces it");
    write_text("7", "-shmem = 0\n", "-nregs = 16\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_refused.traceg:9: -accelsim tracer version: found '7', allowed is 1.2 to 6");
    write_text("0", "-shmem = 0\n", "-nregs = 16\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_refused.traceg:9: -accelsim tracer version: found '0', allowed is 1.2 to 6");
    write_text("3", "-shmem = 0\n", "-nregs = 16\n", 2000, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none,
                   "import_refused.traceg:3: -block dim: found '(2000,1,1)', allowed is (X,Y,Z), each at least 1, of a block at "
                   "most 1024");
    bytes_write(file, (const u8 *)"-kernel name = k\n", 17);
    expect_refused(&none, "import_refused.traceg:2: the file ends before its '#traces format' line; record it again");
}

TEST(missing_parts)
{
    const struct ws_nvbit_options none = {WS_STRUCT(nvbit_options)}, strict = {WS_STRUCT(nvbit_options), .strict = true};
    write_records("3", 64, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_refused.traceg:16: the block ends after 1 of its 2 warps");
    write_records("3", 20, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_refused.traceg:15: mask ffffffff of warp 0, whose threads are 000fffff");
    write_records("3", 32, 2, "0000 ffffffff 0 FOO 0 0\n0010 ffffffff 0 EXIT 0 0");
    expect_refused(&strict, "import_refused.traceg:15: opcode FOO is unknown; leave out --strict to import it as int");
    bytes_write(file,
                (const u8 *)"\xFD"
                            "7zXZ\0garbage",
                13);
    expect_refused(&none, "import_refused.traceg:1: the xz data are damaged; copy or record the file again");
    bytes_write(file, (const u8 *)"\x28\xB5\x2F\xFDgarbage", 11);
    expect_refused(&none, "import_refused.traceg:1: the zstd data are damaged; copy or record the file again");
}

/* Names that contradict the contents. */
TEST(names_that_are_wrong)
{
    static const struct {
        const char *name, *text, *message;
    } cases[] = {
        {"k.traceg.xz", "-kernel", "is something else than its name says, allowed are data of xz; rename what is not compressed"},
        {"k.traceg.xz", "", "is empty, allowed are data of xz; rename what is not compressed"},
        {"k.traceg.zst", "-kernel",
         "is something else than its name says, allowed are data of zstd; rename what is not compressed"}};
    const struct ws_nvbit_options none = {WS_STRUCT(nvbit_options)};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_nvbit *nvbit;
        struct ws_error error;
        char expected[256];
        bytes_write(cases[n].name, (const u8 *)cases[n].text, strlen(cases[n].text));
        snprintf(expected, sizeof expected, "%s: %s", cases[n].name, cases[n].message);
        assert_int_equal(ws_nvbit_open(cases[n].name, &none, &nvbit, &error), WS_STATUS_bad_input);
        assert_string_equal(error.message, expected);
        remove(cases[n].name);
    }
}

TEST(lists)
{
    static const char list[] = "import_refused.g";
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .note = note};
    struct ws_nvbit_list found;
    bytes_write(list, (const u8 *)"MemcpyHtoD,0x10,4\r\n\nkernel-1.traceg.xz\nkernel-2.trace", 54);
    bytes_write("kernel-1.traceg.xz", (const u8 *)"-", 1);
    remove("kernel-2.trace");
    EXPECT_ERROR(ws_nvbit_list_read(list, &options, &found, &error), WS_STATUS_bad_input,
                 "import_refused.g:4: names kernel-2.trace, which cannot be read: No such file or directory");
    ws_nvbit_list_free(&found);
    bytes_write("kernel-1.traceg", (const u8 *)"-", 1);
    bytes_write("kernel-2.trace", (const u8 *)"-", 1);
    EXPECT_OK(ws_nvbit_list_read(list, &options, &found, &error));
    assert_int_equal(found.count, 2);
    assert_string_equal(found.files[0], "kernel-1.traceg.xz");
    assert_string_equal(found.files[1], "kernel-2.trace");
    ws_nvbit_list_free(&found);
    static const char others[] = "cudaMalloc,0x00007fb50a800000,8000000\nMemcpyDtoH,0x10,4\nkernel-1.traceg\ncudaFree,0x10\n"
                                 "MemsetD8,1\nKernel-2.traceg\n";
    notes[0] = 0;
    bytes_write(list, (const u8 *)others, sizeof others - 1);
    EXPECT_OK(ws_nvbit_list_read(list, &options, &found, &error));
    assert_int_equal(found.count, 1);
    assert_string_equal(notes,
                        "import_refused.g:5: 'MemsetD8,1' is skipped: it names no kernel and is no call of the runtime\n"
                        "import_refused.g:6: 'Kernel-2.traceg' is skipped: it names no kernel and is no call of the runtime\n");
    ws_nvbit_list_free(&found);
    bytes_write(list, (const u8 *)"kernel-1\n", 9);
    EXPECT_ERROR(ws_nvbit_list_read(list, &options, &found, &error), WS_STATUS_bad_input,
                 "import_refused.g:1: found 'kernel-1', allowed is the name of a .traceg, .trace or .tracez");
    ws_nvbit_list_free(&found);
    remove(list);
    remove("kernel-1.traceg");
    remove("kernel-1.traceg.xz");
    remove("kernel-2.trace");
}

static int clean(void **unused)
{
    (void)unused;
    remove(file);
    remove(trace_file);
    return 0;
}

TESTS(NULL, clean)
