/* Filling frames and sections of a trace being written. */
#include "trace/write/writer.h"

#include "base/error.h"

enum {
    SPILL_BYTES = 1 << 20,          /* a frame is written once its chunks have this many bytes */
    SECTION_STREAM_BYTES = 1 << 18, /* a section ends after the block that brings its chunks, */
    SECTION_TABLE_BYTES = 1 << 16   /* or its table, to this many */
};

enum ws_status wst_write_frame(struct ws_trace_writer *writer, const struct wst_bytes *contents, struct wst_frame *frame,
                               struct ws_error *error)
{
    const u8 *packed;
    if (contents->failed)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", writer->output.path);
    const u64 offset = writer->offset;
    WS_TRY(wst_pack(writer->packer, contents->data, contents->length, &packed, frame, error));
    frame->offset = offset;
    return wst_write(writer, packed, frame->packed, error);
}

static enum ws_status write_and_empty(struct ws_trace_writer *writer, struct wst_bytes *contents, struct ws_error *error)
{
    struct wst_frame frame;
    WS_TRY(wst_write_frame(writer, contents, &frame, error));
    contents->length = 0;
    return wst_index_add_frame(&writer->index, &frame, error);
}

enum ws_status wst_section_spill(struct ws_trace_writer *writer, struct ws_error *error)
{
    if (writer->streams.length < SPILL_BYTES)
        return WS_STATUS_ok;
    writer->section_bytes += writer->streams.length;
    return write_and_empty(writer, &writer->streams, error);
}

enum ws_status wst_section_end(struct ws_trace_writer *writer, struct ws_error *error)
{
    if (!writer->section_blocks)
        return WS_STATUS_ok;
    if (writer->streams.length)
        WS_TRY(write_and_empty(writer, &writer->streams, error));
    WS_TRY(write_and_empty(writer, &writer->table, error));
    WS_TRY(wst_index_end_section(&writer->index, writer->section_blocks, error));
    writer->section_blocks = 0;
    writer->section_bytes = 0;
    return WS_STATUS_ok;
}

static void add_tally(struct wst_bytes *table, const struct wst_tally *tally)
{
    wst_put_varint(table, tally->instructions);
    wst_put_varint(table, tally->decisions);
    for (u32 space = 1; space < WS_SPACES; space++)
        wst_put_varint(table, tally->accesses[space]);
}

enum ws_status wst_section_add_block(struct ws_trace_writer *writer, struct ws_error *error)
{
    for (u32 thread = 0; thread < writer->block_threads; thread++)
        add_tally(&writer->table, &writer->threads[thread].tally);
    writer->section_blocks++;
    if (writer->section_bytes + writer->streams.length >= SECTION_STREAM_BYTES || writer->table.length >= SECTION_TABLE_BYTES)
        return wst_section_end(writer, error);
    return WS_STATUS_ok;
}
