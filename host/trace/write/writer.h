/* A trace writer: writer.c opens and closes it, recorder.c encodes threads, section.c fills frames. */
#pragma once

#include "base/output.h"
#include "model/recorder.h"
#include "trace/format.h"
#include "trace/index.h"
#include "trace/predict.h"

/* A thread of the block being recorded, up to its last encoding. */
struct wst_thread {
    u32 node; /* of the graph */
    struct wst_tally tally;
};

struct ws_trace_writer {
    struct ws_output output;
    u64 offset; /* bytes written */
    struct wst_packer *packer;
    struct wst_index index;
    struct wst_graph graph;
    struct wst_predictors predictors;
    u32 version; /* of the format */
    u32 block_threads, instructions;
    u64 blocks;
    /* the block being recorded */
    struct ws_recorder *recorders;
    struct wst_thread *threads;
    u64 *decisions, *accesses;       /* buffers of all recorders */
    u64 decision_words, access_room; /* of each */
    u64 block;
    bool recording;
    /* the section being filled */
    struct wst_bytes residuals; /* of the chunk being encoded */
    struct wst_bytes streams;   /* chunks of the next frame */
    struct wst_bytes table;     /* tallies of the section's threads */
    u64 section_bytes;          /* of chunks in frames already written */
    u32 section_blocks;
    bool (*go_on)(void *context); /* NULL is never asked */
    void *context;                /* of go_on */
    /* the first failure; nothing is written after it */
    enum ws_status failure;
    struct ws_error error;
};

/* Appends bytes to the file. */
enum ws_status wst_write(struct ws_trace_writer *writer, const void *data, size_t length, struct ws_error *error);

/* Compresses and writes a frame. */
enum ws_status wst_write_frame(struct ws_trace_writer *writer, const struct wst_bytes *contents, struct wst_frame *frame,
                               struct ws_error *error);

/* Keeps a full recorder's contents in its spool and empties it; false when out of memory (spool.c). */
bool wst_spool_more(struct ws_recorder *recorder);

/* Adds the tallies of the recorded block to its section, and ends the section when it is large enough. */
enum ws_status wst_section_add_block(struct ws_trace_writer *writer, struct ws_error *error);

/* Writes the collected chunks as a frame, once they are large enough. */
enum ws_status wst_section_spill(struct ws_trace_writer *writer, struct ws_error *error);

/* Ends a section that has blocks. */
enum ws_status wst_section_end(struct ws_trace_writer *writer, struct ws_error *error);
