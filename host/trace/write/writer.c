#include "trace/write/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/code.h"
#include "trace/launch.h"

enum {
    BUFFERS_BYTES = 16 << 20, /* access buffers of all threads together, as far as LEAST_ACCESSES allows */
    MOST_ACCESSES = 1024,     /* in a thread's buffer */
    LEAST_ACCESSES = 32,
    DECISION_WORDS = 32 /* of 64 bits in a thread's buffer */
};

static enum ws_status make_buffers(struct ws_trace_writer *writer, struct ws_error *error)
{
    const u32 threads = writer->block_threads;
    const u32 share = (u32)(BUFFERS_BYTES / sizeof *writer->accesses) / threads;
    writer->access_room = ws_max(LEAST_ACCESSES, ws_min(share, MOST_ACCESSES));
    writer->decision_words = DECISION_WORDS;
    writer->recorders = calloc(threads, sizeof *writer->recorders);
    writer->threads = calloc(threads, sizeof *writer->threads);
    writer->decisions = calloc(threads * writer->decision_words, sizeof *writer->decisions);
    writer->accesses = calloc(threads * writer->access_room, sizeof *writer->accesses);
    if (!writer->recorders || !writer->threads || !writer->decisions || !writer->accesses)
        return ws_no_memory(error);
    return WS_STATUS_ok;
}

enum ws_status wst_write(struct ws_trace_writer *writer, const void *data, size_t length, struct ws_error *error)
{
    if (fwrite(data, 1, length, writer->output.stream) < length)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", writer->output.path, strerror(errno));
    writer->offset += length;
    return WS_STATUS_ok;
}

static enum ws_status write_preamble(struct ws_trace_writer *writer, const struct ws_launch *launch, struct ws_error *error)
{
    struct wst_bytes bytes = {0};
    wst_put_block(&bytes, WST_SIGNATURE, WST_SIGNATURE_BYTES);
    wst_put(&bytes, writer->version, 4);
    wst_put(&bytes, 0, 4);
    enum ws_status status = bytes.failed ? ws_no_memory(error) : wst_write(writer, bytes.data, bytes.length, error);
    bytes.length = 0;
    wst_launch_write(launch, &bytes);
    WS_THEN(status, wst_write_frame(writer, &bytes, &writer->index.launch, error));
    bytes.length = 0;
    if (launch->code) {
        wst_code_write(launch, &bytes);
        WS_THEN(status, wst_write_frame(writer, &bytes, &writer->index.code, error));
    }
    wst_bytes_free(&bytes);
    return status;
}

static enum ws_status fill_in(struct ws_trace_writer *writer, const struct ws_launch *launch, struct ws_error *error)
{
    writer->block_threads = wst_block_threads(launch);
    writer->blocks = wst_blocks(launch);
    writer->instructions = launch->instructions;
    writer->version = wst_launch_version(launch);
    WS_TRY(wst_packer_make(&writer->packer, error));
    WS_TRY(wst_graph_build(launch, &writer->graph, error));
    WS_TRY(wst_predictors_make(&writer->graph, writer->block_threads, &writer->predictors, error));
    WS_TRY(make_buffers(writer, error));
    return write_preamble(writer, launch, error);
}

enum ws_status ws_trace_writer_open(const char *path, const struct ws_launch *launch, struct ws_trace_writer **writer,
                                    struct ws_error *error)
{
    *writer = NULL;
    enum ws_status status = wst_launch_check(launch, error);
    if (status != WS_STATUS_ok) {
        ws_fail_in(error, "%s: ", path);
        return status;
    }
    struct ws_trace_writer *const made = calloc(1, sizeof *made);
    if (!made)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    status = ws_output_open(&made->output, path, WS_OUTPUT_trace, error);
    WS_THEN(status, fill_in(made, launch, error));
    if (status == WS_STATUS_ok)
        *writer = made;
    else
        ws_trace_writer_drop(made);
    return status;
}

void ws_trace_writer_watch(struct ws_trace_writer *writer, bool (*go_on)(void *context), void *context)
{
    writer->go_on = go_on;
    writer->context = context;
}

static enum ws_status write_trailer(struct ws_trace_writer *writer, const struct wst_frame *index, struct ws_error *error)
{
    struct wst_bytes bytes = {0};
    wst_put(&bytes, wst_index_digest(&writer->index, writer->version), 8);
    wst_frame_write(index, &bytes);
    wst_put_block(&bytes, WST_END_SIGNATURE, WST_SIGNATURE_BYTES);
    const enum ws_status status = bytes.failed ? ws_no_memory(error) : wst_write(writer, bytes.data, bytes.length, error);
    wst_bytes_free(&bytes);
    return status;
}

static enum ws_status finish(struct ws_trace_writer *writer, struct ws_error *error)
{
    if (writer->failure != WS_STATUS_ok)
        return ws_fail(error, writer->failure, "%s", writer->error.message);
    if (writer->recording || writer->index.blocks + writer->section_blocks != writer->blocks)
        return ws_fail(error, WS_STATUS_bad_trace, "%s: closed after %" PRIu64 " of %" PRIu64 " blocks", writer->output.path,
                       writer->index.blocks + writer->section_blocks, writer->blocks);
    WS_TRY(wst_section_end(writer, error));
    struct wst_bytes bytes = {0};
    struct wst_frame frame = {0};
    wst_index_write(&writer->index, writer->version, &bytes);
    enum ws_status status = WS_STATUS_ok;
    if (bytes.length > WST_INDEX_MOST)
        status = ws_fail(error, WS_STATUS_bad_trace, "%s: more frames than its index may hold", writer->output.path);
    else
        status = wst_write_frame(writer, &bytes, &frame, error);
    wst_bytes_free(&bytes);
    WS_THEN(status, write_trailer(writer, &frame, error));
    return status;
}

static void release(struct ws_trace_writer *writer)
{
    wst_packer_free(writer->packer);
    wst_index_free(&writer->index);
    wst_graph_free(&writer->graph);
    wst_predictors_free(&writer->predictors);
    free(writer->recorders);
    free(writer->threads);
    free(writer->decisions);
    free(writer->accesses);
    wst_bytes_free(&writer->residuals);
    wst_bytes_free(&writer->streams);
    wst_bytes_free(&writer->table);
    free(writer);
}

enum ws_status ws_trace_writer_close(struct ws_trace_writer *writer, struct ws_error *error)
{
    const enum ws_status status = finish(writer, error);
    const enum ws_status closed = ws_output_close(&writer->output, status == WS_STATUS_ok, error);
    release(writer);
    return status == WS_STATUS_ok ? closed : status;
}

void ws_trace_writer_drop(struct ws_trace_writer *writer)
{
    if (!writer)
        return;
    ws_output_close(&writer->output, false, NULL);
    release(writer);
}
