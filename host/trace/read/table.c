/* The table of a section: counts for each of its threads. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/read/reader.h"

bool wst_section_has(const struct wst_section *section, const struct wst_blocks *blocks)
{
    const u64 end = section->first_block + section->blocks;
    if (blocks->first >= end)
        return false;
    const u64 before = section->first_block > blocks->first ? section->first_block - blocks->first : 0;
    const u64 next = blocks->first + (before + blocks->step - 1) / blocks->step * blocks->step;
    return next < end && next < blocks->end;
}

static struct wst_tally read_tally(struct wst_cursor *cursor)
{
    struct wst_tally tally = {.instructions = wst_get_varint(cursor)};
    tally.decisions = wst_get_varint(cursor);
    for (u32 space = 1; space < WS_SPACES; space++)
        tally.accesses[space] = wst_get_varint(cursor);
    return tally;
}

/* Deducts a tally's claims from the bytes left in the streams, at least one bit a decision and one byte an access; false when they
 * do not suffice. */
static bool claim(const struct wst_tally *tally, u64 *bits)
{
    u64 left = *bits;
    if (tally->decisions > left)
        return false;
    left -= tally->decisions;
    for (u32 space = 1; space < WS_SPACES; space++) {
        if (tally->accesses[space] > left / 8)
            return false;
        left -= tally->accesses[space] * 8;
    }
    *bits = left;
    return true;
}

static enum ws_status read_tallies(struct wst_cursor *cursor, u64 count, u64 bits, struct wst_tally *tallies,
                                   struct ws_error *error)
{
    for (u64 n = 0; n < count; n++) {
        tallies[n] = read_tally(cursor);
        if (!cursor->bad && !claim(&tallies[n], &bits))
            return ws_fail(error, WS_STATUS_bad_input, "table: thread %" PRIu64 " of the section claims more than its streams hold",
                           n);
    }
    if (cursor->bad || wst_left(cursor))
        return ws_fail(error, WS_STATUS_bad_input, "table: does not have exactly %" PRIu64 " threads", count);
    return WS_STATUS_ok;
}

enum ws_status wst_table_read(const struct ws_trace *trace, const struct wst_section *section, struct wst_unpacker *unpacker,
                              struct wst_tally **tallies, struct ws_error *error)
{
    const struct wst_frame *const frames = &trace->index.frames[section->first_frame];
    const struct wst_frame *const table = &frames[section->frames - 1];
    const u64 count = (u64)section->blocks * trace->block_threads;
    struct wst_cursor cursor;
    *tallies = NULL;
    if (table->raw / WST_TALLY_LEAST_BYTES < count)
        return ws_fail(error, WS_STATUS_bad_input, "table: %u bytes are too few for %" PRIu64 " threads", table->raw, count);
    WS_TRY(wst_unpack(unpacker, table, &cursor, error));
    u64 bits = 0;
    for (u32 n = 0; n + 1 < section->frames; n++)
        bits += (u64)frames[n].raw * 8;
    struct wst_tally *const made = calloc((size_t)count, sizeof *made);
    if (!made)
        return ws_no_memory(error);
    const enum ws_status status = read_tallies(&cursor, count, bits, made, error);
    if (status == WS_STATUS_ok)
        *tallies = made;
    else
        free(made);
    return status;
}

static enum ws_status count_sections(const struct ws_trace *trace, struct wst_unpacker *unpacker, u64 *thread_instructions,
                                     struct ws_error *error)
{
    for (u64 n = 0; n < trace->index.section_count; n++) {
        const struct wst_section *const section = &trace->index.sections[n];
        struct wst_tally *tallies;
        WS_TRY(wst_table_read(trace, section, unpacker, &tallies, error));
        for (u64 thread = 0; thread < (u64)section->blocks * trace->block_threads; thread++)
            *thread_instructions += tallies[thread].instructions;
        free(tallies);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_trace_thread_instructions(const struct ws_trace *trace, u64 *thread_instructions, struct ws_error *error)
{
    struct wst_unpacker *unpacker;
    *thread_instructions = 0;
    WS_TRY(wst_unpacker_make(trace->descriptor, &unpacker, error));
    const enum ws_status status = count_sections(trace, unpacker, thread_instructions, error);
    wst_unpacker_free(unpacker);
    return status;
}
