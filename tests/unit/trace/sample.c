#include "unit/trace/sample.h"

#include "model/recorder.h"
#include "test.h"

const struct ws_instruction sample_program[SAMPLE_INSTRUCTIONS] = {
    {.class_ = WS_CLASS_int, .kind = WS_KIND_mad, .flags = WS_GUARDED, .line = 3},
    {.class_ = WS_CLASS_load, .space = WS_SPACE_global, .bytes = 4, .line = 4},
    {.class_ = WS_CLASS_branch, .target = 1, .reconverge = 3, .line = 5},
    {.class_ = WS_CLASS_store, .space = WS_SPACE_shared, .bytes = 8, .line = 6},
    {.class_ = WS_CLASS_jump, .target = 5, .line = 7},
    {.class_ = WS_CLASS_exit, .line = 8},
};

static const struct ws_segment segments[] = {{.base = 0x10000, .bytes = 4096}, {.base = 0x40000, .bytes = 100}};

const struct ws_launch sample_launch = {.kernel = "sample",
                                        .source = "by hand",
                                        .grid = {2, 1, 1},
                                        .block = {2, 1, 1},
                                        .registers = 4,
                                        .lockstep = 32,
                                        .shared_bytes = 64,
                                        .instructions = SAMPLE_INSTRUCTIONS,
                                        .program = sample_program,
                                        .segments = 2,
                                        .segment = segments,
                                        .digest = 0x0123456789ABCDEFull};

static const char *const files[] = {"k.cu"};

static const struct ws_machine_operand operands[] = {
    {WS_CODE_guard, WS_SASS_P, WS_CODE_NO_SLOT, 1, 3, 0},
    {WS_CODE_source, WS_SASS_BANK, WS_CODE_NO_SLOT, 2, 4, 0x160},
};

static const struct ws_machine_instruction instructions[SAMPLE_INSTRUCTIONS] = {
    {.offset = 0x10,
     .control = 0x1FFFF1,
     .ptx_line = 7,
     .file = 1,
     .operand_count = 2,
     .operands = operands,
     .text = "IMA",
     .ptx = "ad"},
    {.offset = 0x20, .control = 0x7E2, .text = "LDG", .ptx = ""},
    {.offset = 0x30, .control = 0x7E5, .text = "BRA", .ptx = ""},
    {.offset = 0x40, .control = 0x7E1, .text = "STS", .ptx = ""},
    {.offset = 0x50, .control = 0x7E5, .text = "BRA", .ptx = ""},
    {.offset = WS_CODE_NO_OFFSET, .control = WS_CODE_NO_CONTROL, .text = "", .ptx = ""},
};

const struct ws_machine_code sample_code = {.architecture = 86,
                                            .compiler = "cc 1",
                                            .file_count = 1,
                                            .files = files,
                                            .instruction_count = SAMPLE_INSTRUCTIONS,
                                            .instructions = instructions};

static void record(struct ws_recorder *recorder, u32 block, u32 thread)
{
    assert_true(ws_record_decision(recorder, block));
    for (u32 turn = 0; turn < 3 + thread; turn++) {
        assert_true(ws_record_access(recorder, 0x10000 + 64 * thread + 4 * turn));
        assert_true(ws_record_decision(recorder, turn + 1 < 3 + thread));
    }
    assert_true(ws_record_access(recorder, 8 * thread));
}

static void write_launch(const char *file, const struct ws_launch *launch)
{
    struct ws_trace_writer *writer;
    assert_int_equal(ws_trace_writer_open(file, launch, &writer, NULL), WS_STATUS_ok);
    for (u32 block = 0; block < 2; block++) {
        struct ws_recorder *const recorders = ws_recorders_begin(writer, block);
        assert_non_null(recorders);
        record(&recorders[0], block, 0);
        record(&recorders[1], block, 1);
        assert_int_equal(ws_recorders_end(writer, NULL, NULL), WS_STATUS_ok);
    }
    assert_int_equal(ws_trace_writer_close(writer, NULL), WS_STATUS_ok);
}

void sample_write(const char *file)
{
    write_launch(file, &sample_launch);
}

void sample_write_code(const char *file)
{
    struct ws_launch launch = sample_launch;
    launch.code = &sample_code;
    write_launch(file, &launch);
}

void sample_write_given(const char *file, u32 registers)
{
    struct ws_launch launch = sample_launch;
    launch.given_registers = registers;
    write_launch(file, &launch);
}

void sample_write_program(const char *file, const struct ws_instruction *program)
{
    struct ws_launch launch = sample_launch;
    launch.program = program;
    write_launch(file, &launch);
}
