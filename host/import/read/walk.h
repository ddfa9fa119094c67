/* All records of a file, by block and warp. */
#pragma once

#include "import/read/record.h"

/* Consumer of the records. A function that fails ends the walk. Every block comes in order with all its warps; a missing one is an
 * error. */
struct sass_visitor {
    enum ws_status (*block)(void *context, u64 index, struct ws_error *error);
    enum ws_status (*warp)(void *context, u32 warp, struct ws_error *error);
    enum ws_status (*record)(void *context, const struct sass_record *record, struct ws_error *error);
    enum ws_status (*warp_end)(void *context, struct ws_error *error);
    enum ws_status (*block_end)(void *context, struct ws_error *error);
    void *context;
};

struct sass_raw;

/* A walk over a file whose header has been read. */
struct sass_walk {
    struct sass_input *input;
    const struct sass_header *header;
    const struct ws_nvbit_options *options;
    struct sass_code *code;
    const struct sass_raw *raw; /* sorted records of a file without groups; NULL: they are grouped */
    double from, share;         /* shares of the whole work: before this walk; this walk */
};

/* Reports progress; WS_STATUS_interrupted if the user interrupts. */
enum ws_status sass_walk_look_up(const struct sass_walk *walk, struct ws_error *error);

/* Walks over the file if its records are grouped by block and warp, else over walk->raw. */
enum ws_status sass_walk(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error);

/* Blocks in "#BEGIN_TB ... #END_TB" (.traceg); the last line read is the one before. */
enum ws_status sass_walk_grouped(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error);

/* Sorts the records of a .trace, which are in order of arrival at the tracer, by block and warp. Reads the file twice, and keeps
 * its lines in a temporary file in TMPDIR or /tmp. walk->input is at the end of the header, and is read to the end. *raw is to be
 * freed, even after a failure. */
enum ws_status sass_raw_group(const struct sass_walk *walk, struct sass_raw **raw, struct ws_error *error);
void sass_raw_free(struct sass_raw *raw);
enum ws_status sass_walk_raw(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error);
