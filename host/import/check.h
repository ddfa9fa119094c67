/* The walk over a file that is compared with the trace that was made of it. */
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

/* Walks over the whole file and fills the replays of report with those of the trace. */
enum ws_status sass_check(struct sass_check *check, struct ws_error *error);
