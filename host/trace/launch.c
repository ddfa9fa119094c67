#include "trace/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/code.h"
#include "trace/format.h"

u32 wst_block_threads(const struct ws_launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

u64 wst_blocks(const struct ws_launch *launch)
{
    return (u64)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* x * y * z, or 0 when that is 0 or more than most. */
static u64 volume(const u32 size[3], u64 most)
{
    u64 product = 1;
    for (u32 n = 0; n < 3; n++) {
        if (!size[n] || product > most / size[n])
            return 0;
        product *= size[n];
    }
    return product;
}

static enum ws_status check_extent(const char *what, const u32 size[3], u64 most, struct ws_error *error)
{
    if (volume(size, most))
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "%s of %u x %u x %u: from 1 to %" PRIu64 " in all are allowed", what, size[0],
                   size[1], size[2], most);
}

static enum ws_status check_text(const char *what, const char *text, struct ws_error *error)
{
    const size_t length = text ? strlen(text) : 0;
    if (text && length <= WST_TEXT_MOST)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "name of the %s has %zu bytes: at most %u are allowed, none is not", what, length,
                   WST_TEXT_MOST);
}

static enum ws_status check_segments(const struct ws_launch *launch, struct ws_error *error)
{
    u64 end = 0;
    for (u32 n = 0; n < launch->segments; n++) {
        const struct ws_segment *const segment = &launch->segment[n];
        const char *what = NULL;
        if (segment->base % WST_SEGMENT_ALIGNMENT)
            what = "does not begin at a multiple of 64 KB";
        else if (segment->bytes > UINT64_MAX - segment->base)
            what = "passes the end of the address space";
        else if (segment->base < end || (n && segment->base == launch->segment[n - 1].base))
            what = "overlaps the one before or lies below it";
        if (what)
            return ws_fail(error, WS_STATUS_bad_input, "segment %u (address 0x%" PRIx64 ", %" PRIu64 " bytes) %s", n, segment->base,
                           segment->bytes, what);
        end = segment->base + segment->bytes;
    }
    return WS_STATUS_ok;
}

/* Whether it needs version 7. */
static bool is_of_7(const struct ws_instruction *instruction)
{
    return instruction->flags & (WS_BYPASS | WS_ASYNC | WS_AWAITS);
}

enum ws_status wst_launch_check(const struct ws_launch *launch, struct ws_error *error)
{
    WS_TRY(check_text("kernel", launch->kernel, error));
    WS_TRY(check_text("source", launch->source, error));
    WS_TRY(check_extent("grid", launch->grid, WST_BLOCKS_MOST, error));
    WS_TRY(check_extent("block", launch->block, WST_THREADS_MOST, error));
    if (!launch->instructions || launch->instructions > WST_INSTRUCTIONS_MOST)
        return ws_fail(error, WS_STATUS_bad_input, "program of %u instructions: from 1 to %u are allowed", launch->instructions,
                       WST_INSTRUCTIONS_MOST);
    if (launch->segments > WST_SEGMENTS_MOST)
        return ws_fail(error, WS_STATUS_bad_input, "%u segments: at most %u are allowed", launch->segments, WST_SEGMENTS_MOST);
    if (launch->lockstep > WST_THREADS_MOST)
        return ws_fail(error, WS_STATUS_bad_input, "warps of %u threads: at most %u are allowed", launch->lockstep,
                       WST_THREADS_MOST);
    WS_TRY(wst_program_check(launch, error));
    if (launch->code)
        WS_TRY(wst_code_check(launch, error));
    for (u32 n = 0; launch->code && n < launch->instructions; n++)
        if (is_of_7(&launch->program[n]))
            return ws_fail(error, WS_STATUS_bad_input,
                           "instruction %u has flags 0x%x: machine code has cache operators and copies in its text alone", n,
                           launch->program[n].flags);
    return check_segments(launch, error);
}

static void write_instruction(const struct ws_instruction *instruction, struct wst_bytes *bytes)
{
    wst_put(bytes, instruction->class_, 1);
    wst_put(bytes, instruction->space, 1);
    wst_put(bytes, instruction->flags, 1);
    wst_put(bytes, instruction->bytes, 1);
    wst_put(bytes, instruction->target, 2);
    wst_put(bytes, instruction->reconverge, 2);
    wst_put_block(bytes, instruction->dst, sizeof instruction->dst);
    wst_put_block(bytes, instruction->src, sizeof instruction->src);
    wst_put(bytes, instruction->reads, 1);
    wst_put(bytes, instruction->writes, 1);
    wst_put(bytes, instruction->kind, 1);
    wst_put(bytes, instruction->line, 4);
}

/* Whether it needs a version above 4. */
static bool is_of_5(const struct ws_instruction *instruction)
{
    return instruction->class_ == WS_CLASS_tensor || (instruction->flags & WS_NAMED);
}

u32 wst_launch_version(const struct ws_launch *launch)
{
    u32 version = launch->given_registers ? WST_GIVEN_VERSION : WST_PLAIN_VERSION;
    if (launch->code)
        return WST_CODE_VERSION;
    for (u32 n = 0; n < launch->instructions; n++) {
        if (is_of_7(&launch->program[n]))
            return WST_ASYNC_VERSION;
        if (is_of_5(&launch->program[n]))
            version = WST_NAMED_VERSION;
    }
    return version;
}

void wst_launch_write(const struct ws_launch *launch, struct wst_bytes *bytes)
{
    for (u32 n = 0; n < 3; n++)
        wst_put(bytes, launch->grid[n], 4);
    for (u32 n = 0; n < 3; n++)
        wst_put(bytes, launch->block[n], 4);
    wst_put(bytes, launch->registers, 4);
    wst_put(bytes, launch->shared_bytes, 4);
    wst_put(bytes, launch->instructions, 4);
    wst_put(bytes, launch->segments, 4);
    wst_put(bytes, launch->lockstep, 4);
    if (wst_launch_version(launch) >= WST_GIVEN_VERSION)
        wst_put(bytes, launch->given_registers, 4);
    wst_put(bytes, launch->digest, 8);
    wst_put_text(bytes, launch->kernel, 2);
    wst_put_text(bytes, launch->source, 2);
    for (u32 n = 0; n < launch->instructions; n++)
        write_instruction(&launch->program[n], bytes);
    for (u32 n = 0; n < launch->segments; n++) {
        wst_put(bytes, launch->segment[n].base, 8);
        wst_put(bytes, launch->segment[n].bytes, 8);
    }
}

/* The readers below return false when out of memory; invalid data sets the cursor's bad. */

static bool read_text(struct wst_cursor *cursor, const char **text)
{
    const u64 length = wst_get(cursor, 2);
    const u8 *const from = wst_get_block(cursor, length);
    if (!from || memchr(from, 0, length)) {
        cursor->bad = true;
        return true;
    }
    char *const copy = malloc(length + 1);
    if (!copy)
        return false;
    memcpy(copy, from, length);
    copy[length] = 0;
    *text = copy;
    return true;
}

static struct ws_instruction read_instruction(struct wst_cursor *cursor, u32 version)
{
    struct ws_instruction instruction = {0};
    instruction.class_ = (u8)wst_get(cursor, 1);
    instruction.space = (u8)wst_get(cursor, 1);
    instruction.flags = (u8)wst_get(cursor, 1);
    instruction.bytes = (u8)wst_get(cursor, 1);
    instruction.target = (u16)wst_get(cursor, 2);
    instruction.reconverge = (u16)wst_get(cursor, 2);
    for (u32 n = 0; n < sizeof instruction.dst; n++)
        instruction.dst[n] = (u8)wst_get(cursor, 1);
    for (u32 n = 0; n < sizeof instruction.src; n++)
        instruction.src[n] = (u8)wst_get(cursor, 1);
    instruction.reads = (u8)wst_get(cursor, 1);
    instruction.writes = (u8)wst_get(cursor, 1);
    instruction.kind = version == 1 ? WS_KIND_other : (u8)wst_get(cursor, 1);
    instruction.line = (u32)wst_get(cursor, 4);
    return instruction;
}

static bool read_program(struct wst_cursor *cursor, u32 version, struct ws_launch *launch)
{
    cursor->bad |= !launch->instructions || wst_left(cursor) / WST_INSTRUCTION_BYTES(version) < launch->instructions;
    if (cursor->bad)
        return true;
    struct ws_instruction *const program = calloc(launch->instructions, sizeof *program);
    launch->program = program;
    for (u32 n = 0; program && n < launch->instructions; n++)
        program[n] = read_instruction(cursor, version);
    return program != NULL;
}

static bool read_segments(struct wst_cursor *cursor, struct ws_launch *launch)
{
    cursor->bad |= wst_left(cursor) != (u64)launch->segments * WST_SEGMENT_BYTES;
    if (cursor->bad)
        return true;
    struct ws_segment *const segment = calloc(launch->segments + 1u, sizeof *segment);
    launch->segment = segment;
    for (u32 n = 0; segment && n < launch->segments; n++) {
        segment[n].base = wst_get(cursor, 8);
        segment[n].bytes = wst_get(cursor, 8);
    }
    return segment != NULL;
}

static bool read_all(struct wst_cursor *cursor, u32 version, struct ws_launch *launch)
{
    for (u32 n = 0; n < 3; n++)
        launch->grid[n] = (u32)wst_get(cursor, 4);
    for (u32 n = 0; n < 3; n++)
        launch->block[n] = (u32)wst_get(cursor, 4);
    launch->registers = (u32)wst_get(cursor, 4);
    launch->shared_bytes = (u32)wst_get(cursor, 4);
    launch->instructions = (u32)wst_get(cursor, 4);
    launch->segments = (u32)wst_get(cursor, 4);
    launch->lockstep = version < 3 ? 0 : (u32)wst_get(cursor, 4);
    launch->given_registers = version < WST_GIVEN_VERSION ? 0 : (u32)wst_get(cursor, 4);
    launch->digest = wst_get(cursor, 8);
    return read_text(cursor, &launch->kernel) && read_text(cursor, &launch->source) && read_program(cursor, version, launch) &&
           read_segments(cursor, launch);
}

enum ws_status wst_launch_read(struct wst_cursor *cursor, u32 version, struct ws_launch *launch, struct ws_error *error)
{
    *launch = (struct ws_launch){0};
    enum ws_status status = WS_STATUS_ok;
    if (!read_all(cursor, version, launch))
        status = ws_no_memory(error);
    else if (cursor->bad)
        status = ws_fail(error, WS_STATUS_bad_input, "its parts do not fill its frame exactly");
    else
        status = wst_launch_check(launch, error);
    const u32 needed = status == WS_STATUS_ok ? wst_launch_version(launch) : 0;
    if (needed >= WST_NAMED_VERSION && version < needed)
        status = ws_fail(error, WS_STATUS_bad_input, "a file of version %u has instructions of version %u", version, needed);
    if (status != WS_STATUS_ok)
        wst_launch_free(launch);
    return status;
}

/* Strings and arrays are const for users only. */
static void release(const void *data)
{
    free((void *)(uintptr_t)data);
}

void wst_launch_free(struct ws_launch *launch)
{
    release(launch->kernel);
    release(launch->source);
    release(launch->program);
    release(launch->segment);
    *launch = (struct ws_launch){0};
}
