/* Machine code of a program: the code frame of a trace file. */
#pragma once

#include "base/arena.h"
#include "trace/bytes.h"
#include "warpsweep/trace.h"

/* Refuses code that breaks the rules of warpsweep/code.h. */
enum ws_status wst_code_check(const struct ws_launch *launch, struct ws_error *error);

void wst_code_write(const struct ws_launch *launch, struct wst_bytes *bytes);

/* Reads and checks the code of a launch, after the launch itself, into the arena. */
enum ws_status wst_code_read(struct wst_cursor *cursor, struct ws_arena *arena, struct ws_launch *launch, struct ws_error *error);
