/* The grammar of NVBit traces: each version and each special case of the format. */
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "import/container.h"
#include "import/small.h"
#include "test.h"
#include "unit/trace/container.h"

const char file[] = "import_grammar.traceg", trace_file[] = "import_grammar.wst";

/* The shortest records of each version. */
TEST(every_version)
{
    static const struct {
        const char *version, *records;
    } cases[] = {{"1.2", "0 0 0 0 0000 ffffffff 0 NOP 0 0\n0 0 0 0 0010 ffffffff 0 EXIT 0 0"},
                 {"2", "0 0 0 0 0000 ffffffff 0 NOP 0 0\n0 0 0 0 0010 ffffffff 0 EXIT 0 0"},
                 {"3", "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0 "},
                 {"4", "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0 "},
                 {"5", "0000 ffffffff 0 NOP 0 0 -1\n0010 ffffffff 0 EXIT 0 0 0 "},
                 {"5", "0000 ffffffff 0 NOP 0 0 -1 18446744073709551615 \n0010 ffffffff 0 EXIT 0 0 0 0 "},
                 {"6", "0000 ffffffff 2 R1 R2 NOP 0 0 0 0 NoVal\n0010 ffffffff 0 EXIT 0 0 0 0 Val 7 "}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        write_records(cases[n].version, 32, 2, cases[n].records);
        struct ws_trace *const trace = imported();
        assert_int_equal(ws_trace_launch(trace)->instructions, 2);
        assert_int_equal(instruction(trace, 1)->class_, WS_CLASS_exit);
        ws_trace_close(trace);
    }
}

/* There is one difference fewer than lanes: the following immediate is not one of them. */
TEST(differences_and_the_immediate)
{
    struct ws_trace_info info;
    write_records("5", 32, 2, "0000 0000000b 1 R2 LDG.E 1 R4 4 2 0x10000 64 -32 48\n0010 ffffffff 0 EXIT 0 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(info.accesses, 3);
    assert_int_equal(info.footprint_bytes, 96); /* 0x10000, 0x10040, 0x10020 */
    ws_trace_close(trace);
}

/* Addresses of records without lanes are meaningless. */
TEST(no_lane)
{
    struct ws_trace_info info;
    write_records("3", 32, 2, "0000 00000000 1 R2 LDG.E 1 R4 4 1 0x0 0\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(info.accesses, 0);
    assert_int_equal(info.guarded_off, 32);
    ws_trace_close(trace);
}

/* Lanes missing at one instruction and present at the next were predicated off; lanes that a branch sends elsewhere were not, and
 * reconverge at the post-dominator. */
TEST(predicated_or_diverged)
{
    write_records("3", 32, 6,
                  "0000 ffffffff 0 NOP 0 0\n0010 0000ffff 1 R1 MOV 0 0\n0020 000000ff 0 BRA 0 0\n0040 ffffffff 0 NOP 0 0\n"
                  "0050 ffffffff 0 NOP 0 0\n0060 ffffffff 0 EXIT 0 0");
    struct ws_nvbit_report report;
    EXPECT_OK(import(&(struct ws_nvbit_options){WS_STRUCT(nvbit_options)}, &report, &error));
    write_records("3", 32, 7,
                  "0000 ffffffff 0 NOP 0 0\n0010 0000ffff 1 R1 MOV 0 0\n0020 000000ff 0 BRA 0 0\n0030 ffffff00 0 NOP 0 0\n"
                  "0040 ffffffff 0 NOP 0 0\n0050 ffffffff 0 NOP 0 0\n0060 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(instruction(trace, 1)->flags, WS_GUARDED);
    assert_int_equal(instruction(trace, 2)->class_, WS_CLASS_branch);
    assert_int_equal(instruction(trace, 2)->target, 4);
    assert_int_equal(instruction(trace, 2)->reconverge, 4);
    for (u32 pc = 3; pc < 6; pc++)
        assert_int_equal(instruction(trace, pc)->flags, 0);
    ws_trace_close(trace);
}

/* Lanes that leave a loop wait for the others at the following exit if they exit together; otherwise the order of paths shows
 * there. */
TEST(exits_together_or_apart)
{
    write_records("3", 32, 5,
                  "0000 ffffffff 0 NOP 0 0\n0010 0000ffff 0 BRA 0 0\n0000 0000ffff 0 NOP 0 0\n0010 00000000 0 BRA 0 0\n"
                  "0020 ffffffff 0 EXIT 0 0");
    struct ws_trace *trace = imported();
    assert_int_equal(instruction(trace, 1)->reconverge, 2);
    ws_trace_close(trace);
    write_records("3", 32, 6,
                  "0000 ffffffff 0 NOP 0 0\n0010 0000ffff 0 BRA 0 0\n0020 ffff0000 0 EXIT 0 0\n0000 0000ffff 0 NOP 0 0\n"
                  "0010 00000000 0 BRA 0 0\n0020 0000ffff 0 EXIT 0 0");
    struct ws_nvbit_report report;
    EXPECT_OK(import(&(struct ws_nvbit_options){WS_STRUCT(nvbit_options)}, &report, &error));
    EXPECT_OK(ws_trace_open(trace_file, &trace, &error));
    assert_int_equal(instruction(trace, 1)->reconverge, WS_PC_NONE);
    ws_trace_close(trace);
    assert_int_equal(ws_nvbit_nearest(&report), WS_first_path_fallthrough);
    assert_string_equal(report.replays[WS_first_path_fallthrough].first, "");
    assert_int_equal(report.replays[WS_first_path_taken].missing, 1);
    assert_int_equal(report.replays[WS_first_path_taken].added, 1);
    assert_string_equal(report.replays[WS_first_path_taken].first,
                        "block 0, warp 0, instruction 2: pc 0020 mask ffff0000 recorded, pc 0000 mask 0000ffff replayed");
}

/* A trace is compared with its source file only. */
TEST(only_its_own_file_is_compared)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options)};
    struct ws_nvbit_report report;
    struct ws_nvbit *nvbit;
    write_records("3", 32, 2, "0000 0000ffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    write_records("3", 32, 2, "0000 000000ff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0");
    EXPECT_OK(ws_nvbit_open(file, &options, &nvbit, &error));
    EXPECT_ERROR(ws_nvbit_check(nvbit, trace, &report, &error), WS_STATUS_bad_input,
                 "import_grammar.traceg: the trace was not made from this file, or by another version; import it again");
    ws_nvbit_close(nvbit);
    ws_trace_close(trace);
}

/* A guarded exit is one instruction, a guarded barrier has a branch around it. */
TEST(guarded_ends_and_barriers)
{
    write_records("3", 32, 4,
                  "0000 0000ffff 0 BAR.SYNC 0 0\n0010 000000ff 0 EXIT 0 0\n0020 ffffff00 0 NOP 0 0\n0030 ffffff00 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(instruction(trace, 0)->class_, WS_CLASS_branch);
    assert_int_equal(instruction(trace, 0)->target, 2);
    assert_int_equal(instruction(trace, 1)->class_, WS_CLASS_barrier);
    assert_int_equal(instruction(trace, 2)->class_, WS_CLASS_exit);
    assert_int_equal(instruction(trace, 2)->flags, WS_GUARDED);
    assert_int_equal(instruction(trace, 3)->flags, 0);
    assert_int_equal(instruction(trace, 4)->class_, WS_CLASS_exit);
    assert_int_equal(instruction(trace, 4)->flags, 0);
    assert_int_equal(ws_trace_launch(trace)->instructions, 5);
    ws_trace_close(trace);
}

/* After a guarded exit as the last instruction, threads end nevertheless; branches reconverge past guarded exits. */
TEST(ends_behind_guarded_exits)
{
    write_records("3", 64, 4,
                  "0000 ffffffff 0 NOP 0 0\n0010 00ffffff 0 BRA 0 0\n0020 0f000000 0 EXIT 0 0\n0030 f0ffffff 0 EXIT 0 0\n"
                  "warp = 1\ninsts = 4\n0000 ffffffff 0 NOP 0 0\n0010 00000000 0 BRA 0 0\n0020 ffff0000 0 EXIT 0 0\n"
                  "0030 0000ffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(instruction(trace, 1)->class_, WS_CLASS_branch);
    assert_int_equal(instruction(trace, 1)->reconverge, 3);
    ws_trace_close(trace);
}

/* The lanes that continue, not the exit's mask, decide. */
TEST(goes_on_behind_exits)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .note = note};
    struct ws_nvbit_report report;
    struct ws_trace_info info;
    write_records("3", 32, 5,
                  "0000 ffffffff 0 NOP 0 0\n0010 0000ffff 0 EXIT 0 0\n0020 000000ff 1 R2 LDG.E 1 R4 4 1 0x10000 4\n"
                  "0030 ffff0000 0 NOP 0 0\n0040 ffff00ff 0 EXIT 0 0");
    struct ws_trace *const trace = imported_with(&options, &report);
    assert_string_equal(notes,
                        "import_grammar.traceg:16: EXIT at pc 0010: 8 threads continue after it; their guard counts as false\n");
    assert_int_equal(report.thread_instructions, 32 + 16 + 8 + 16 + 24);
    assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(instruction(trace, 1)->flags, WS_GUARDED);
    assert_int_equal(info.class_instructions[WS_CLASS_exit], 32 + 24);
    assert_int_equal(info.accesses, 8);
    ws_trace_close(trace);
}

/* Uniform registers follow those of a thread; UR63 is always zero. of an address only a thread's own register is wide. */
TEST(uniform_registers)
{
    write_records("6", 32, 5,
                  "0000 ffffffff 1 UR4 ULDC.64 0 0 0 0 NoVal\n0010 ffffffff 1 R6 IMAD 3 R6 UR4 R3 0 0 0 NoVal\n"
                  "0020 ffffffff 1 UR8 UMOV 1 UR63 0 7 0 NoVal\n0030 ffffffff 1 R9 LDG.E 2 R2 UR4 4 1 0x10000 4 0 0 NoVal\n"
                  "0040 ffffffff 0 EXIT 0 0 0 0 NoVal");
    struct ws_trace *const trace = imported();
    expect_registers(instruction(trace, 0)->dst, instruction(trace, 0)->writes, 2, (const u8[]){10, 11});
    expect_registers(instruction(trace, 1)->src, instruction(trace, 1)->reads, 3, (const u8[]){6, 10, 3});
    expect_registers(instruction(trace, 2)->dst, instruction(trace, 2)->writes, 1, (const u8[]){12});
    assert_int_equal(instruction(trace, 2)->reads, 0);
    expect_registers(instruction(trace, 3)->src, instruction(trace, 3)->reads, 3, (const u8[]){2, 10, 3});
    ws_trace_close(trace);
}

/* NVBit 1.8: positions of blocks in clusters, in grouped and raw files, of versions 5 and 6, with and without source lines. */
TEST(clusters)
{
    static const char grouped[] = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
                                  "-accelsim tracer version = 5\n#traces format = x\n#BEGIN_TB\nthread block = 0,0,0\n"
                                  "cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n\nwarp = 0\ninsts = 1\n"
                                  "0000 ffffffff 0 EXIT 0 0 0 0\n\n#END_TB\n";
    static const struct {
        const char *head, *places;
    } raw[] = {{"-accelsim tracer version = 5\n", "0 0 0 0 "},
               {"-accelsim tracer version = 5\n", "0 0 0 0 1 2 3 4 5 6 7 "},
               {"-accelsim tracer version = 6\n", "0 0 0 0 "},
               {"-accelsim tracer version = 6\n-enable lineinfo = 1\n", "0 0 0 0 12345678 0 0 0 0 0 0 99 "},
               {"-accelsim tracer version = 5\n-enable lineinfo = 1\n", "0 0 0 0 12345678 "}};
    bytes_write(file, (const u8 *)grouped, sizeof grouped - 1);
    ws_trace_close(imported());
    for (size_t n = 0; n < sizeof raw / sizeof *raw; n++) {
        char text[ROOM];
        const int length = snprintf(text, sizeof text,
                                    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n%s"
                                    "#traces format = x\n%s0000 ffffffff 0 EXIT 0 0 0 0 NoVal\n",
                                    raw[n].head, raw[n].places);
        char *const noval = strstr(text, " NoVal");
        if (strstr(text, "version = 5"))
            memset(noval, ' ', strlen(" NoVal"));
        bytes_write(file, (const u8 *)text, (size_t)length);
        ws_trace_close(imported());
    }
}

TEST(wide_registers)
{
    write_records("3", 32, 6,
                  "0000 ffffffff 1 R12 LDG.E.128 1 R2 16 1 0x10000 16\n0010 ffffffff 0 STG.E.64 2 R2 R8 8 1 0x10000 8\n"
                  "0020 ffffffff 1 R4 DFMA 3 R6 R255 R8 0\n0030 ffffffff 1 R10 IMAD.WIDE 3 R1 R2 R4 0\n"
                  "0040 ffffffff 1 R255 FADD 2 R255 R0 0\n0050 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    expect_registers(instruction(trace, 0)->dst, instruction(trace, 0)->writes, 4, (const u8[]){12, 13, 14, 15});
    expect_registers(instruction(trace, 0)->src, instruction(trace, 0)->reads, 2, (const u8[]){2, 3});
    expect_registers(instruction(trace, 1)->src, instruction(trace, 1)->reads, 4, (const u8[]){2, 8, 3, 9});
    expect_registers(instruction(trace, 2)->dst, instruction(trace, 2)->writes, 2, (const u8[]){4, 5});
    expect_registers(instruction(trace, 2)->src, instruction(trace, 2)->reads, 4, (const u8[]){6, 8, 7, 9});
    expect_registers(instruction(trace, 3)->src, instruction(trace, 3)->reads, 4, (const u8[]){1, 2, 4, 5});
    assert_int_equal(instruction(trace, 4)->writes, 0);
    expect_registers(instruction(trace, 4)->src, instruction(trace, 4)->reads, 1, (const u8[]){0});
    ws_trace_close(trace);
}

/* One generic load of three spaces becomes one instruction for each. */
TEST(generic_addresses)
{
    struct ws_trace_info info;
    write_records("3", 32, 2, "0000 00000007 1 R2 LD.E 1 R4 4 0 0x700000000010 0x600000000020 0x10000\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    static const u8 spaces[] = {WS_SPACE_global, WS_SPACE_shared, WS_SPACE_local};
    for (u32 n = 0; n < 3; n++) {
        assert_int_equal(instruction(trace, n)->space, spaces[n]);
        assert_int_equal(instruction(trace, n)->flags, WS_GUARDED);
    }
    assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(info.accesses, 3);
    ws_trace_close(trace);
}

/* Raw records: no groups, and two records of LDGSTS, of which the first is dropped. */
TEST(raw_records)
{
    static const char text[] =
        "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
        "-accelsim tracer version = 3\n#traces format = x\n"
        "1 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 0x20000 4\n0 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 "
        "0x0 4\n1 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 0x10000 4\n0 0 0 0 0000 ffffffff 0 LDGSTS.E 2 "
        "R2 R4 4 1 0x30000 4\n0 0 0 0 0010 ffffffff 0 EXIT 0 0\n1 0 0 0 0010 ffffffff 0 EXIT 0 0\n";
    bytes_write(file, (const u8 *)text, sizeof text - 1);
    struct ws_trace *const trace = imported();
    const struct ws_launch *const launch = ws_trace_launch(trace);
    assert_int_equal(launch->segments, 2);
    assert_int_equal(launch->segment[0].base, 0x10000);
    assert_int_equal(launch->segment[1].base, 0x30000);
    ws_trace_close(trace);
}

TEST(packed_files)
{
    struct ws_trace *trace;
    size_t length, packed_length = 0;
    u8 packed[ROOM];
    write_records("3", 20, 2, "0000 000fffff 0 NOP 0 0\n0010 000fffff 0 EXIT 0 0");
    u8 *const text = bytes_read(file, &length);
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, text, length, packed, &packed_length, sizeof packed),
                     LZMA_OK);
    bytes_write(file, packed, packed_length);
    trace = imported();
    const u64 digest = ws_trace_digest(trace);
    ws_trace_close(trace);
    packed_length = ZSTD_compress(packed, sizeof packed, text, length, 3);
    bytes_write(file, packed, packed_length);
    trace = imported();
    assert_int_equal(ws_trace_digest(trace), digest);
    ws_trace_close(trace);
    free(text);
}

/* A container equals its text, with the same line numbers. A damaged container is refused wherever it is cut off. */
TEST(containers)
{
    static const char text[] = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 16\n"
                               "-accelsim tracer version = 5\n#traces format = x\n\n#BEGIN_TB\n\nthread block = 0,0,0\n"
                               "cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n\nwarp = 0\ninsts = 5\n"
                               "0000 ffffffff 0 NOP 0 0 0 0\n0010 ffffffff 0 NOP 0 0 0 0\n0020 ffffffff 0 NOP 0 0 0 0\n"
                               "0030 ffffffff 0 NOP 0 0 0 0\n0040 ffffffff 0 EXIT 0 0 0 0\n\nwarp = 1\ninsts = 1\n"
                               "0050 ffffffff 0 EXIT 0 0 0 0 9\n\n#END_TB\n";
    static const char container[] = "import_grammar.tracez";
    struct ws_nvbit *nvbit;
    struct ws_nvbit_report report;
    struct ws_error error;
    size_t size;
    u8 *const bytes = made_container(text, sizeof text - 1, true, &size);
    assert_non_null(bytes);
    for (size_t length = 0; length <= size; length++) {
        bytes_write(container, bytes, length);
        enum ws_status status = ws_nvbit_open(container, &(struct ws_nvbit_options){WS_STRUCT(nvbit_options)}, &nvbit, &error);
        if (status == WS_STATUS_ok)
            status = ws_nvbit_write(nvbit, trace_file, &report, &error);
        ws_nvbit_close(status == WS_STATUS_ok || nvbit ? nvbit : NULL);
        assert_int_equal(status, WS_STATUS_bad_input);
        assert_non_null(strstr(error.message, length < size
                                                  ? "import_grammar.tracez:"
                                                  : "import_grammar.tracez:26: found '9', allowed is the end of the line"));
    }
    free(bytes);
    remove(container);
}

/* An unknown opcode is reported once, with its count; so is an access without addresses. Accessed shared memory exists. */
TEST(what_is_noted)
{
    write_records("3", 32, 5,
                  "0000 ffffffff 0 FOO.A 0 0\n0010 ffffffff 0 FOO.B 0 0\n0020 ffffffff 1 R1 LDC 0 0\n"
                  "0030 00000001 1 R1 LDS 1 R2 4 1 0x2000 0\n0040 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_string_equal(notes, "import_grammar.traceg:15: FOO is not known: 2 warp instructions are taken as int\n"
                               "import_grammar.traceg:17: LDC has no addresses: 1 warp instructions are taken as int\n"
                               "import_grammar.traceg: the header gives a block 4096 bytes of shared memory, and its threads touch "
                               "8196, which are taken\n");
    assert_int_equal(instruction(trace, 0)->class_, WS_CLASS_int);
    assert_int_equal(instruction(trace, 2)->class_, WS_CLASS_int);
    assert_int_equal(ws_trace_launch(trace)->shared_bytes, 8196);
    ws_trace_close(trace);
}

/* A tensor instruction with more registers than a trace has room for, and registers in place of predicates. */
TEST(registers_beyond)
{
    write_records("3", 32, 2, "0000 ffffffff 1 R244 HMMA.16816.F32 3 R8 R16 R250 0\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_string_equal(notes,
                        "import_grammar.traceg: 4 registers of instructions with more than 4 destinations or 6 sources, or of a "
                        "program with more than 240, make no dependence\n");
    expect_registers(instruction(trace, 0)->dst, instruction(trace, 0)->writes, 4, (const u8[]){6, 7, 8, 9});
    expect_registers(instruction(trace, 0)->src, instruction(trace, 0)->reads, 6, (const u8[]){0, 4, 10, 1, 2, 3});
    ws_trace_close(trace);
}

TEST(options_replace_the_header)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .registers = 40, .shared_bytes = 8192,
                                             .replaces_shared = true};
    struct ws_nvbit_report report;
    write_text("3", "-shmem = x\n", "-nregs = 21955\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported_with(&options, &report);
    assert_int_equal(ws_trace_launch(trace)->registers, 40);
    assert_int_equal(ws_trace_launch(trace)->shared_bytes, 8192);
    ws_trace_close(trace);
    const struct ws_nvbit_options nothing = {WS_STRUCT(nvbit_options), .registers = 40, .shared_bytes = 0, .replaces_shared = true};
    struct ws_trace *const other = imported_with(&nothing, &report);
    assert_int_equal(ws_trace_launch(other)->shared_bytes, 0);
    ws_trace_close(other);
}

static int clean(void **unused)
{
    (void)unused;
    remove(file);
    remove(trace_file);
    return 0;
}

TESTS(NULL, clean)
