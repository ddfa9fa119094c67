#include "import/small.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "unit/trace/container.h"

char notes[1024];

void note(void *context, const char *text)
{
    (void)context;
    snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%s\n", text);
}

void write_text(const char *version, const char *shmem, const char *registers, u32 threads, u32 count, const char *records)
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

void write_records(const char *version, u32 threads, u32 count, const char *records)
{
    write_text(version, "-shmem = 4096\n", "-nregs = 16\n", threads, count, records);
}

enum ws_status import(const struct ws_nvbit_options *options, struct ws_nvbit_report *report, struct ws_error *error)
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

struct ws_trace *imported_with(const struct ws_nvbit_options *options, struct ws_nvbit_report *report)
{
    struct ws_trace *trace;
    EXPECT_OK(import(options, report, &error));
    EXPECT_OK(ws_trace_open(trace_file, &trace, &error));
    const struct ws_nvbit_replay *const replay = &report->replays[WS_first_path_taken];
    if (replay->missing || replay->added)
        fail_msg("%s", replay->first);
    return trace;
}

struct ws_trace *imported(void)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .note = note};
    struct ws_nvbit_report report;
    return imported_with(&options, &report);
}

const struct ws_instruction *instruction(const struct ws_trace *trace, u32 pc)
{
    assert_true(pc < ws_trace_launch(trace)->instructions);
    return &ws_trace_launch(trace)->program[pc];
}

void expect_registers(const u8 *registers, u32 count, u32 expected_count, const u8 *expected)
{
    assert_int_equal(count, expected_count);
    assert_memory_equal(registers, expected, count);
}

void expect_refused(const struct ws_nvbit_options *options, const char *message)
{
    struct ws_nvbit_report report;
    remove(trace_file);
    EXPECT_ERROR(import(options, &report, &error), WS_STATUS_bad_input, message);
    assert_int_not_equal(access(trace_file, F_OK), 0);
}
