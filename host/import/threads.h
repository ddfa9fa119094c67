/* The second walk over a file: warps taken apart into the threads of a trace. */
#pragma once

#include "import/replay.h"
#include "model/recorder.h"

/* A thread on its way. */
struct sass_thread {
    u32 at;      /* place that it comes to next */
    u32 waiting; /* place of a transfer with several targets of which it takes one, or of an exit behind which it may continue;
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
    u32 warp, threads; /* the warp, and the mask of its lanes that are threads */
    bool no_memory;
};

/* Walks over the whole file once more and records every thread, in the order of blocks. Fills report but for the counts of
 * instructions. */
enum ws_status sass_threads_write(struct sass_threads *threads, struct ws_error *error);
