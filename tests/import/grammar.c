/* The grammar of traces of NVBit: each version and each trap of the format, and broken input, which is refused with file, line and
 * reason and leaves nothing. */
#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "unit/trace_container.h"
#include "warpsweep/import.h"

enum { ROOM = 1 << 16 };

static const char file[] = "import_grammar.traceg", trace_file[] = "import_grammar.wst";
static char notes[1024];

static void note(void *context, const char *text)
{
    (void)context;
    snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%s\n", text);
}

/* A file of one warp: lines 1 to 10 are the header, the first record is line 15. */
static void write_text(const char *version, const char *shmem, const char *registers, u32 threads, u32 count, const char *records)
{
    char text[ROOM];
    const int length = snprintf(text, sizeof text,
                                "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (%u,1,1)\n%s%s-binary version = 80\n"
                                "-shmem base_addr = 0x0000700000000000\n-local mem base_addr = 0x0000600000000000\n"
                                "-accelsim tracer version = %s\n#traces format = x\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"
                                "insts = %u\n%s\n#END_TB\n",
                                threads, shmem, registers, version, count, records);
    assert_true(length > 0 && length < ROOM);
    bytes_write(file, (const u8 *)text, (size_t)length);
}

static void write_records(const char *version, u32 threads, u32 count, const char *records)
{
    write_text(version, "-shmem = 4096\n", "-nregs = 16\n", threads, count, records);
}

static enum ws_status import(const struct ws_nvbit_options *options, struct ws_nvbit_report *report, struct ws_error *error)
{
    struct ws_nvbit *nvbit;
    *error = (struct ws_error){.message = "none"};
    notes[0] = 0;
    enum ws_status status = ws_nvbit_open(file, options, &nvbit, error);
    if (status != WS_STATUS_ok)
        return status;
    status = ws_nvbit_write(nvbit, trace_file, report, error);
    ws_nvbit_close(nvbit);
    return status;
}

/* Imports the file, whose warp is replayed as it was recorded; the trace is to be closed. */
static struct ws_trace *imported_with(const struct ws_nvbit_options *options, struct ws_nvbit_report *report)
{
    struct ws_trace *trace;
    struct ws_error error;
    if (import(options, report, &error) != WS_STATUS_ok || ws_trace_open(trace_file, &trace, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    const struct ws_nvbit_replay *const replay = &report->replays[WS_first_path_taken];
    if (replay->missing || replay->added)
        fail_msg("%s", replay->first);
    return trace;
}

static struct ws_trace *imported(void)
{
    const struct ws_nvbit_options options = {.note = note};
    struct ws_nvbit_report report;
    return imported_with(&options, &report);
}

static const struct ws_instruction *instruction(const struct ws_trace *trace, u32 pc)
{
    assert_true(pc < ws_trace_launch(trace)->instructions);
    return &ws_trace_launch(trace)->program[pc];
}

static void expect_registers(const u8 *registers, u32 count, u32 expected_count, const u8 *expected)
{
    assert_int_equal(count, expected_count);
    assert_memory_equal(registers, expected, count);
}

/* ---- What is read ---- */

/* The shortest records of each version. */
static void every_version(void **unused)
{
    static const struct {
        const char *version, *records;
    } cases[] = {{"1.2", "0 0 0 0 0000 ffffffff 0 NOP 0 0\n0 0 0 0 0010 ffffffff 0 EXIT 0 0"},
                 {"2", "0 0 0 0 0000 ffffffff 0 NOP 0 0\n0 0 0 0 0010 ffffffff 0 EXIT 0 0"},
                 {"3", "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0 "},
                 {"4", "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0 "},
                 {"5", "0000 ffffffff 0 NOP 0 0 -1\n0010 ffffffff 0 EXIT 0 0 0 "},
                 {"6", "0000 ffffffff 2 R1 R2 NOP 0 0 0 0 NoVal\n0010 ffffffff 0 EXIT 0 0 0 0 Val 7 "}};
    (void)unused;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        write_records(cases[n].version, 32, 2, cases[n].records);
        struct ws_trace *const trace = imported();
        assert_int_equal(ws_trace_launch(trace)->instructions, 2);
        assert_int_equal(instruction(trace, 1)->class_, WS_CLASS_exit);
        ws_trace_close(trace);
    }
}

/* Differences are one fewer than lanes: the immediate behind them is not one of them. */
static void differences_and_the_immediate(void **unused)
{
    struct ws_trace_info info;
    (void)unused;
    write_records("5", 32, 2, "0000 0000000b 1 R2 LDG.E 1 R4 4 2 0x10000 64 -32 48\n0010 ffffffff 0 EXIT 0 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(info.accesses, 3);
    assert_int_equal(info.footprint_bytes, 96); /* 0x10000, 0x10040, 0x10020 */
    ws_trace_close(trace);
}

/* Records of no lane have addresses of no meaning. */
static void no_lane(void **unused)
{
    struct ws_trace_info info;
    (void)unused;
    write_records("3", 32, 2, "0000 00000000 1 R2 LDG.E 1 R4 4 1 0x0 0\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
    assert_int_equal(info.accesses, 0);
    assert_int_equal(info.guarded_off, 32);
    ws_trace_close(trace);
}

/* Lanes that are missing at one instruction and present at the next were predicated off; lanes that a branch sends elsewhere are
 * not, and meet the others at the post-dominator. */
static void predicated_or_diverged(void **unused)
{
    (void)unused;
    write_records("3", 32, 6,
                  "0000 ffffffff 0 NOP 0 0\n0010 0000ffff 1 R1 MOV 0 0\n0020 000000ff 0 BRA 0 0\n0040 ffffffff 0 NOP 0 0\n"
                  "0050 ffffffff 0 NOP 0 0\n0060 ffffffff 0 EXIT 0 0");
    struct ws_nvbit_report report;
    struct ws_error error;
    assert_int_equal(import(&(struct ws_nvbit_options){0}, &report, &error), WS_STATUS_ok);
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

/* Lanes that leave a loop wait for the others at the exit behind it if they exit together, else not; there the order of paths
 * shows. */
static void exits_together_or_apart(void **unused)
{
    (void)unused;
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
    struct ws_error error;
    assert_int_equal(import(&(struct ws_nvbit_options){0}, &report, &error), WS_STATUS_ok);
    assert_int_equal(ws_trace_open(trace_file, &trace, &error), WS_STATUS_ok);
    assert_int_equal(instruction(trace, 1)->reconverge, WS_PC_NONE);
    ws_trace_close(trace);
    assert_int_equal(ws_nvbit_nearest(&report), WS_first_path_fallthrough);
    assert_string_equal(report.replays[WS_first_path_fallthrough].first, "");
    assert_int_equal(report.replays[WS_first_path_taken].missing, 1);
    assert_int_equal(report.replays[WS_first_path_taken].added, 1);
    assert_string_equal(report.replays[WS_first_path_taken].first,
                        "block 0, warp 0, instruction 2: pc 0020 mask ffff0000 recorded, pc 0000 mask 0000ffff replayed");
}

/* A trace is compared with the file that it was made of, and with no other. */
static void only_its_own_file_is_compared(void **unused)
{
    (void)unused;
    struct ws_nvbit_report report;
    struct ws_nvbit *nvbit;
    struct ws_error error;
    write_records("3", 32, 2, "0000 0000ffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    write_records("3", 32, 2, "0000 000000ff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0");
    assert_int_equal(ws_nvbit_open(file, &(struct ws_nvbit_options){0}, &nvbit, &error), WS_STATUS_ok);
    assert_int_equal(ws_nvbit_check(nvbit, trace, &report, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "import_grammar.traceg: the trace was not made of this file, or by another version");
    ws_nvbit_close(nvbit);
    ws_trace_close(trace);
}

/* A guarded exit is a branch to an exit, a guarded barrier has a branch around it. */
static void guarded_ends_and_barriers(void **unused)
{
    (void)unused;
    write_records("3", 32, 4,
                  "0000 0000ffff 0 BAR.SYNC 0 0\n0010 000000ff 0 EXIT 0 0\n0020 ffffff00 0 NOP 0 0\n0030 ffffff00 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_int_equal(instruction(trace, 0)->class_, WS_CLASS_branch);
    assert_int_equal(instruction(trace, 0)->target, 2);
    assert_int_equal(instruction(trace, 1)->class_, WS_CLASS_barrier);
    assert_int_equal(instruction(trace, 2)->class_, WS_CLASS_branch);
    assert_int_equal(instruction(trace, 2)->target, 5);
    assert_int_equal(instruction(trace, 2)->reconverge, WS_PC_NONE);
    assert_int_equal(instruction(trace, 5)->class_, WS_CLASS_exit);
    ws_trace_close(trace);
}

static void wide_registers(void **unused)
{
    (void)unused;
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

/* One generic load of three memories is one instruction of each. */
static void generic_addresses(void **unused)
{
    struct ws_trace_info info;
    (void)unused;
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

/* Raw records: no groups, and two of LDGSTS, of which the first is dropped. */
static void raw_records(void **unused)
{
    static const char text[] =
        "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
        "-accelsim tracer version = 3\n#traces format = x\n"
        "1 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 0x20000 4\n0 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 "
        "0x0 4\n1 0 0 0 0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 0x10000 4\n0 0 0 0 0000 ffffffff 0 LDGSTS.E 2 "
        "R2 R4 4 1 0x30000 4\n0 0 0 0 0010 ffffffff 0 EXIT 0 0\n1 0 0 0 0010 ffffffff 0 EXIT 0 0\n";
    (void)unused;
    bytes_write(file, (const u8 *)text, sizeof text - 1);
    struct ws_trace *const trace = imported();
    const struct ws_launch *const launch = ws_trace_launch(trace);
    assert_int_equal(launch->segments, 2);
    assert_int_equal(launch->segment[0].base, 0x10000);
    assert_int_equal(launch->segment[1].base, 0x30000);
    ws_trace_close(trace);
}

static void packed_files(void **unused)
{
    struct ws_trace *trace;
    size_t length, packed_length = 0;
    u8 packed[ROOM];
    (void)unused;
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

/* An unknown opcode is told of once, with its count; an access without addresses too. Shared memory that is touched is there. */
static void what_is_noted(void **unused)
{
    (void)unused;
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

/* A tensor instruction of more registers than a trace has room for, and registers where a trace has predicates. */
static void registers_beyond(void **unused)
{
    (void)unused;
    write_records("3", 32, 2, "0000 ffffffff 1 R244 HMMA.16816.F32 3 R8 R16 R250 0\n0010 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported();
    assert_string_equal(notes,
                        "import_grammar.traceg: 4 registers of instructions with more than 4 destinations or 6 sources, or of a "
                        "program with more than 240, make no dependence\n");
    expect_registers(instruction(trace, 0)->dst, instruction(trace, 0)->writes, 4, (const u8[]){6, 7, 8, 9});
    expect_registers(instruction(trace, 0)->src, instruction(trace, 0)->reads, 6, (const u8[]){0, 4, 10, 1, 2, 3});
    ws_trace_close(trace);
}

static void options_replace_the_header(void **unused)
{
    const struct ws_nvbit_options options = {.registers = 40, .shared_bytes = 8192};
    struct ws_nvbit_report report;
    (void)unused;
    write_text("3", "-shmem = x\n", "-nregs = 21955\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    struct ws_trace *const trace = imported_with(&options, &report);
    assert_int_equal(ws_trace_launch(trace)->registers, 40);
    assert_int_equal(ws_trace_launch(trace)->shared_bytes, 8192);
    ws_trace_close(trace);
}

/* ---- What is refused ---- */

static void expect_refused(const struct ws_nvbit_options *options, const char *message)
{
    struct ws_nvbit_report report;
    struct ws_error error;
    remove(trace_file);
    assert_int_equal(import(options, &report, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, message);
    assert_int_not_equal(access(trace_file, F_OK), 0);
}

static void broken_records(void **unused)
{
    static const struct {
        u32 count;
        const char *records, *message;
    } cases[] = {
        {1, "0000 ffffffff 1", "15: found '', allowed is a register, R0 to R255"},
        {1, "0000 ffffffff 0 EXIT", "15: found '', allowed is the number of sources, 0 to 8"},
        {1, "0000 ffffffff 0 EXIT 0", "15: the line ends before the bytes that a lane accesses, 0 to 4096"},
        {1, "0000 ffffffff 0 EXIT 0 0 9", "15: found '9', allowed is the end of the line"},
        {1, "0000 fffffffff 0 EXIT 0 0", "15: found 'fffffffff 0 EXIT 0 0', allowed is a mask of 32 lanes, hexadecimal"},
        {1, "0004 ffffffff 0 EXIT 0 0", "15: found '0004 ffffffff 0 EXIT 0 0'"},
        {1, "0000 ffffffff 1 R256 EXIT 0 0", "15: found 'R256', allowed is a register, R0 to R255"},
        {1, "0000 ffffffff 0 exit 0 0", "15: found 'exit 0 0', allowed is an opcode"},
        {2, "0000 ffffffff 1 R1 LDG 1 R2 4 3 0x0 0\n", "15: found '3 0x0 0', allowed is how addresses are given: 0, 1 or 2"},
        {1, "0000 00000003 1 R1 LDG 1 R2 4 0 0x0", "15: the line ends before an address for each lane of the mask"},
        {1, "0000 00000003 1 R1 LDG 1 R2 4 2 0x0",
         "15: the line ends before a difference of addresses for each lane of the mask but its first"},
        {1, "0000 00000003 1 R1 LDG.64 1 R2 8 1 0x10004 8", "15: address 0x10004 of LDG.64 is no multiple of 8 bytes"},
        {2, "0000 ffffffff 0 EXIT 0 0", "16: found '#END_TB', allowed is a record, as many as 'insts = ...' says"},
        {1, "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0", "15: warp 0 ends, and its lanes ffffffff have not executed EXIT"},
        {0, "", "14: warp 0 has no instructions: its threads never exit"},
        {2, "0000 ffffffff 0 EXIT 0 0\n0010 00000001 0 NOP 0 0", "16: lane 0 of warp 0 goes on after it has executed EXIT"},
        {2, "0010 ffffffff 0 NOP 0 0\n0000 ffffffff 0 EXIT 0 0",
         "16: lane 0 of warp 0 goes back from pc 0010 (NOP), which is no branch"},
        {2, "0000 ffffffff 0 NOP 0 0\n0000 ffffffff 0 EXIT 0 0",
         "16: pc 0000 is '0 EXIT 0' here and '0 NOP 0' before: a function with pcs of its own is called"},
        {1, "0000 ffffffff 0 UTMALDG.2D 0 0", "15: UTMALDG.2D: kernels with tensor memory accesses are not supported"},
    };
    (void)unused;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_nvbit_report report;
        struct ws_error error;
        char expected[256];
        remove(trace_file);
        write_records("3", 32, cases[n].count, cases[n].records);
        snprintf(expected, sizeof expected, "%s:%s", file, cases[n].message);
        assert_int_equal(import(&(struct ws_nvbit_options){0}, &report, &error), WS_STATUS_bad_input);
        if (strncmp(error.message, expected, strlen(expected)) != 0)
            fail_msg("case %zu: %s, expected %s", n, error.message, expected);
        assert_int_not_equal(access(trace_file, F_OK), 0);
    }
}

static void broken_headers(void **unused)
{
    const struct ws_nvbit_options none = {0};
    (void)unused;
    write_text("3", "-shmem = 0\n", "-nregs = 21955\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_grammar.traceg:5: -nregs: found '21955', allowed is 1 to 255; --registers replaces it");
    write_text("3", "", "-nregs = 16\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_grammar.traceg:9: the header has no line '-shmem = ...'; --shared replaces it");
    write_text("7", "-shmem = 0\n", "-nregs = 16\n", 32, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_grammar.traceg:9: -accelsim tracer version: found '7', allowed is 1.2 to 6");
    write_text("3", "-shmem = 0\n", "-nregs = 16\n", 2000, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none,
                   "import_grammar.traceg:3: -block dim: found '(2000,1,1)', allowed is (X,Y,Z), each at least 1, of a block at "
                   "most 1024");
    bytes_write(file, (const u8 *)"-kernel name = k\n", 17);
    expect_refused(&none, "import_grammar.traceg:2: the file ends before its '#traces format' line");
}

static void missing_parts(void **unused)
{
    const struct ws_nvbit_options none = {0}, strict = {.strict = true};
    (void)unused;
    write_records("3", 64, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_grammar.traceg:16: the block ends after 1 of its 2 warps");
    write_records("3", 20, 1, "0000 ffffffff 0 EXIT 0 0");
    expect_refused(&none, "import_grammar.traceg:15: mask ffffffff of warp 0, whose threads are 000fffff");
    write_records("3", 32, 2, "0000 ffffffff 0 FOO 0 0\n0010 ffffffff 0 EXIT 0 0");
    expect_refused(&strict, "import_grammar.traceg:15: opcode FOO is not known");
    bytes_write(file,
                (const u8 *)"\xFD"
                            "7zXZ\0garbage",
                13);
    expect_refused(&none, "import_grammar.traceg:1: the xz data are damaged");
    bytes_write(file, (const u8 *)"\x28\xB5\x2F\xFDgarbage", 11);
    expect_refused(&none, "import_grammar.traceg:1: the zstd data are damaged");
}

static void lists(void **unused)
{
    static const char list[] = "import_grammar.g";
    struct ws_nvbit_list found;
    struct ws_error error;
    (void)unused;
    bytes_write(list, (const u8 *)"MemcpyHtoD,0x10,4\r\n\nkernel-1.traceg.xz\nkernel-2.trace", 54);
    assert_int_equal(ws_nvbit_list_read(list, &found, &error), WS_STATUS_ok);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.files[0], "kernel-1.traceg.xz");
    assert_string_equal(found.files[1], "kernel-2.trace");
    ws_nvbit_list_free(&found);
    bytes_write(list, (const u8 *)"Memset,1\n", 9);
    assert_int_equal(ws_nvbit_list_read(list, &found, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "import_grammar.g:1: found 'Memset,1', allowed are 'kernel...' and 'Memcpy...'");
    ws_nvbit_list_free(&found);
    remove(list);
    struct ws_nvbit *nvbit;
    assert_int_equal(ws_nvbit_open("a.tracez", &(struct ws_nvbit_options){0}, &nvbit, &error), WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "a.tracez: containers of Accel-Sim 2.0 (.tracez) are not supported"));
}

static int clean(void **unused)
{
    (void)unused;
    remove(file);
    remove(trace_file);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version),
        cmocka_unit_test(differences_and_the_immediate),
        cmocka_unit_test(no_lane),
        cmocka_unit_test(predicated_or_diverged),
        cmocka_unit_test(wide_registers),
        cmocka_unit_test(guarded_ends_and_barriers),
        cmocka_unit_test(generic_addresses),
        cmocka_unit_test(raw_records),
        cmocka_unit_test(packed_files),
        cmocka_unit_test(what_is_noted),
        cmocka_unit_test(broken_records),
        cmocka_unit_test(options_replace_the_header),
        cmocka_unit_test(broken_headers),
        cmocka_unit_test(missing_parts),
        cmocka_unit_test(lists),
        cmocka_unit_test(registers_beyond),
        cmocka_unit_test(exits_together_or_apart),
        cmocka_unit_test(only_its_own_file_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
