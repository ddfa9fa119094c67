/* Launches: what a trace file's first frame holds. */
#pragma once

#include "trace/bytes.h"
#include "warpsweep/trace.h"

/* Threads of a block and blocks of the grid; for checked launches. */
u32 wst_block_threads(const struct ws_launch *launch);
u64 wst_blocks(const struct ws_launch *launch);

/* Refuses launches that break the rules of warpsweep/trace.h and shared/instruction.h, or pass the limits of the format. */
enum ws_status wst_launch_check(const struct ws_launch *launch, struct ws_error *error);

/* Refuses self-contradictory program instructions; part of wst_launch_check. */
enum ws_status wst_program_check(const struct ws_launch *launch, struct ws_error *error);

void wst_launch_write(const struct ws_launch *launch, struct wst_bytes *bytes);

/* The oldest version of the format that can represent the launch. */
u32 wst_launch_version(const struct ws_launch *launch);

/* Reads and checks a launch of a version of the format; its strings and arrays are newly allocated and freed by wst_launch_free. */
enum ws_status wst_launch_read(struct wst_cursor *cursor, u32 version, struct ws_launch *launch, struct ws_error *error);
void wst_launch_free(struct ws_launch *launch);
