/* The second walk over a file: splits warps into the threads of a trace. */
#pragma once

#include "import/replay.h"
#include "model/recorder.h"

/* Position of a thread. */
struct sass_thread {
    u32 at;      /* next place */
    u32 waiting; /* a transfer with several targets whose target is still unknown, or an exit that it may survive;
                    SASS_NONE */
};

struct sass_threads {
    const struct sass_walk *walk;
    const struct sass_program *program;
    struct ws_trace_writer *writer;
    struct ws_nvbit_report *report;
    struct ws_recorder *recorders; /* of the block */
    struct sass_replay replay;
    struct sass_thread lanes[SASS_LANES];
    u64 block;
    u32 warp, threads; /* the warp, and its lanes that are threads */
    bool no_memory;
};

/* Walks over the whole file again and records every thread, in the order of blocks. Fills in report except for the counts of
 * instructions. */
enum ws_status sass_threads_write(struct sass_threads *threads, struct ws_error *error);
