/* All records of a file, block after block and warp after warp. */
#pragma once

#include "import/read/record.h"

/* What is done with them. A function that fails ends the walk. Every block comes, in order, with all its warps; what the file lacks
 * is an error. */
struct sass_visitor {
    enum ws_status (*block)(void *context, u64 index, struct ws_error *error);
    enum ws_status (*warp)(void *context, u32 warp, struct ws_error *error);
    enum ws_status (*record)(void *context, const struct sass_record *record, struct ws_error *error);
    enum ws_status (*warp_end)(void *context, struct ws_error *error);
    enum ws_status (*block_end)(void *context, struct ws_error *error);
    void *context;
};

struct sass_raw;

/* A walk over a file whose header is read. */
struct sass_walk {
    struct sass_input *input;
    const struct sass_header *header;
    const struct ws_nvbit_options *options;
    struct sass_code *code;
    const struct sass_raw *raw; /* records of a file that has them in disorder; NULL: they are grouped */
    double from, share;         /* of the whole work: what is done before the walk, what the walk is */
};

/* Reports progress; WS_STATUS_interrupted if the user interrupts. */
enum ws_status sass_walk_look_up(const struct sass_walk *walk, struct ws_error *error);

/* Walks over the file: over records that are grouped by block and warp, or over those of walk->raw. */
enum ws_status sass_walk(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error);

/* Blocks in "#BEGIN_TB ... #END_TB" (.traceg); the line read last is the one before. */
enum ws_status sass_walk_grouped(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error);

/* Records of a .trace, which has them in the order in which they reached the tracer, by block and warp. Reads the file twice and
 * keeps the lines in a temporary file, in TMPDIR or /tmp. walk->input is at the end of the header, and is read to its end. *raw is
 * to be freed, also after a failure. */
enum ws_status sass_raw_group(const struct sass_walk *walk, struct sass_raw **raw, struct ws_error *error);
void sass_raw_free(struct sass_raw *raw);
enum ws_status sass_walk_raw(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error);
