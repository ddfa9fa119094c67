/* A walk over a file, compared with the trace imported from it. */
#pragma once

#include "import/replay.h"

/* Starts as {.walk, .program, .image, .report}. */
struct sass_check {
    const struct sass_walk *walk;
    const struct sass_program *program;
    const struct ws_image *image; /* of all blocks */
    struct ws_nvbit_report *report;
    struct sass_replay replay;
    u64 block;
    u32 warp; /* of the block */
};

/* Walks over the whole file, and compares its warps with the trace's in report. */
enum ws_status sass_check(struct sass_check *check, struct ws_error *error);
