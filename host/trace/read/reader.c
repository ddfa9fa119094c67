#include "trace/read/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/inputs.h"
#include "trace/code.h"
#include "trace/launch.h"

static enum ws_status open_file(struct ws_trace *trace, const char *path, struct ws_error *error)
{
    struct stat about;
    trace->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* refuse a pipe instead of waiting for it */
    if (trace->descriptor < 0 || fstat(trace->descriptor, &about) != 0)
        return ws_fail(error, WS_STATUS_no_file, "cannot be read: %s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return ws_fail(error, WS_STATUS_no_file, "is not a regular file");
    ws_inputs_note(path);
    trace->file_bytes = (u64)about.st_size;
    return WS_STATUS_ok;
}

static enum ws_status read_preamble(struct ws_trace *trace, struct ws_error *error)
{
    u8 bytes[WST_PREAMBLE_BYTES];
    if (trace->file_bytes < sizeof bytes)
        return ws_fail(error, WS_STATUS_bad_input, "is not a trace: %" PRIu64 " bytes are less than a trace's preamble",
                       trace->file_bytes);
    WS_TRY(wst_read_at(trace->descriptor, 0, bytes, sizeof bytes, error));
    struct wst_cursor cursor = {.at = bytes, .end = bytes + sizeof bytes};
    if (memcmp(wst_get_block(&cursor, WST_SIGNATURE_BYTES), WST_SIGNATURE, WST_SIGNATURE_BYTES) != 0)
        return ws_fail(error, WS_STATUS_bad_input, "is not a trace: its first %u bytes are not a trace's signature",
                       WST_SIGNATURE_BYTES);
    trace->version = (u32)wst_get(&cursor, 4);
    if (trace->version < WST_FIRST_VERSION || trace->version > WST_VERSION)
        return ws_fail(error, WS_STATUS_bad_input,
                       "is a trace of version %u; this program reads versions %u to %u; build or import it again", trace->version,
                       WST_FIRST_VERSION, WST_VERSION);
    const u32 reserved = (u32)wst_get(&cursor, 4);
    if (reserved != 0)
        return ws_fail(error, WS_STATUS_bad_input, "preamble: byte 12 begins %u, only 0 is allowed", reserved);
    return WS_STATUS_ok;
}

/* Finds the index and the trace's digest in the trailer. */
static enum ws_status read_trailer(struct ws_trace *trace, struct wst_frame *index, struct ws_error *error)
{
    u8 bytes[WST_TRAILER_BYTES];
    if (trace->file_bytes < WST_PREAMBLE_BYTES + sizeof bytes)
        return ws_fail(error, WS_STATUS_bad_input, "ends early, at byte %" PRIu64 ": it has no trailer", trace->file_bytes);
    const u64 at = trace->file_bytes - sizeof bytes;
    WS_TRY(wst_read_at(trace->descriptor, at, bytes, sizeof bytes, error));
    struct wst_cursor cursor = {.at = bytes, .end = bytes + sizeof bytes};
    trace->digest = wst_get(&cursor, 8);
    *index = wst_frame_read(&cursor);
    if (memcmp(wst_get_block(&cursor, WST_SIGNATURE_BYTES), WST_END_SIGNATURE, WST_SIGNATURE_BYTES) != 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "ends early, at byte %" PRIu64 ": its last %u bytes are not a trailer's signature", trace->file_bytes,
                       WST_SIGNATURE_BYTES);
    if (index->packed > at - WST_PREAMBLE_BYTES || index->raw > WST_INDEX_MOST)
        return ws_fail(error, WS_STATUS_bad_input,
                       "trailer: an index of %u bytes, %u unpacked; at most %" PRIu64 " and %u are possible", index->packed,
                       index->raw, at - WST_PREAMBLE_BYTES, WST_INDEX_MOST);
    index->offset = at - index->packed;
    return WS_STATUS_ok;
}

/* Prefixes a failure's message with its origin. */
static enum ws_status within(const char *place, enum ws_status status, struct ws_error *error)
{
    if (status != WS_STATUS_ok)
        ws_fail_in(error, "%s: ", place);
    return status;
}

static enum ws_status read_index(struct ws_trace *trace, struct wst_unpacker *unpacker, struct ws_error *error)
{
    struct wst_frame frame;
    struct wst_cursor contents;
    WS_TRY(read_trailer(trace, &frame, error));
    WS_TRY(within("index", wst_unpack(unpacker, &frame, &contents, error), error));
    WS_TRY(wst_index_read(&contents, trace->version, frame.offset, &trace->index, error));
    if (wst_index_digest(&trace->index, trace->version) != trace->digest)
        return ws_fail(error, WS_STATUS_bad_input, "trailer: the trace's digest is not that of its index");
    return WS_STATUS_ok;
}

static enum ws_status read_launch(struct ws_trace *trace, struct wst_unpacker *unpacker, struct ws_error *error)
{
    struct wst_cursor contents;
    WS_TRY(within("launch", wst_unpack(unpacker, &trace->index.launch, &contents, error), error));
    WS_TRY(within("launch", wst_launch_read(&contents, trace->version, &trace->launch, error), error));
    if (trace->version == WST_CODE_VERSION) {
        WS_TRY(within("code", wst_unpack(unpacker, &trace->index.code, &contents, error), error));
        WS_TRY(within("code", wst_code_read(&contents, &trace->code, &trace->launch, error), error));
    }
    const u64 blocks = wst_blocks(&trace->launch);
    if (trace->index.blocks != blocks)
        return ws_fail(error, WS_STATUS_bad_input, "index: sections of %" PRIu64 " blocks, the launch has %" PRIu64,
                       trace->index.blocks, blocks);
    trace->block_threads = wst_block_threads(&trace->launch);
    return wst_graph_build(&trace->launch, &trace->graph, error);
}

static enum ws_status read_head(struct ws_trace *trace, const char *path, struct ws_error *error)
{
    struct wst_unpacker *unpacker;
    WS_TRY(open_file(trace, path, error));
    WS_TRY(read_preamble(trace, error));
    WS_TRY(wst_unpacker_make(trace->descriptor, &unpacker, error));
    enum ws_status status = read_index(trace, unpacker, error);
    WS_THEN(status, read_launch(trace, unpacker, error));
    wst_unpacker_free(unpacker);
    return status;
}

enum ws_status ws_trace_open(const char *path, struct ws_trace **trace, struct ws_error *error)
{
    *trace = NULL;
    struct ws_trace *const made = calloc(1, sizeof *made);
    char *const name = strdup(path);
    if (!made || !name) {
        free(made);
        free(name);
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    }
    *made = (struct ws_trace){.path = name, .descriptor = -1};
    const enum ws_status status = read_head(made, path, error);
    if (status == WS_STATUS_ok) {
        *trace = made;
        return WS_STATUS_ok;
    }
    ws_fail_in(error, "%s: ", path);
    ws_trace_close(made);
    return status;
}

void ws_trace_close(struct ws_trace *trace)
{
    if (!trace)
        return;
    if (trace->descriptor >= 0)
        close(trace->descriptor);
    wst_graph_free(&trace->graph);
    wst_index_free(&trace->index);
    wst_launch_free(&trace->launch);
    ws_arena_free(&trace->code);
    free(trace->path);
    free(trace);
}

const struct ws_launch *ws_trace_launch(const struct ws_trace *trace)
{
    return &trace->launch;
}

u64 ws_trace_digest(const struct ws_trace *trace)
{
    return trace->digest;
}
