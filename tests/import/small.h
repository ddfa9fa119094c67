/* Small files of one warp, and their import. */
#pragma once

#include "warpsweep/import.h"

enum { ROOM = 1 << 16 };

/* Defined by the test: the imported file, and the resulting trace. */
extern const char file[], trace_file[];

/* Notes of the last import. */
extern char notes[1024];
void note(void *context, const char *text);

/* A file of one warp: lines 1 to 10 are the header, the first record is line 15. */
void write_text(const char *version, const char *shmem, const char *registers, u32 threads, u32 count, const char *records);
void write_records(const char *version, u32 threads, u32 count, const char *records);

enum ws_status import(const struct ws_nvbit_options *options, struct ws_nvbit_report *report, struct ws_error *error);

/* Imports the file, whose replay must equal its records; the trace is to be closed. */
struct ws_trace *imported_with(const struct ws_nvbit_options *options, struct ws_nvbit_report *report);
struct ws_trace *imported(void);

const struct ws_instruction *instruction(const struct ws_trace *trace, u32 pc);
void expect_registers(const u8 *registers, u32 count, u32 expected_count, const u8 *expected);

/* The import fails with the message and leaves no file. */
void expect_refused(const struct ws_nvbit_options *options, const char *message);
