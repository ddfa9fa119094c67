/* Statistics of a trace, from one walk over its warps of 32 threads. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/stack.h"
#include "model/streams.h"
#include "trace/read/footprint.h"
#include "trace/read/reader.h"

#define LINE_GRANULES (128u / WS_GRANULE_BYTES)

struct counting {
    const struct ws_image *image; /* of one section, with global accesses */
    struct ws_trace_info *info;
    struct ws_pc_count *by_pc; /* or NULL */
    struct wst_footprint footprint;
    u64 warp_instructions, warp_accesses, lines;
};

/* 32 threads in execution. */
struct warp {
    struct ws_streams streams;
    struct ws_stack stack;
};

/* Adds a line to those seen so far unless it is among them; returns the new count. */
static u32 add_line(u32 *lines, u32 count, u32 line)
{
    for (u32 n = count; n-- > 0;)
        if (lines[n] == line)
            return count;
    lines[count] = line;
    return count + 1;
}

static bool access_memory(struct counting *counting, const struct warp *warp, u32 class_, const u32 *access, u32 mask)
{
    u32 lines[WS_LANES], count = 0;
    for (u32 left = mask; left; left &= left - 1) {
        const u32 granule = ws_global_granule(class_, access[ws_ctz(left)]);
        if (!wst_footprint_add(&counting->footprint, granule))
            return false;
        count = add_line(lines, count, granule / LINE_GRANULES);
    }
    counting->warp_accesses += mask ? 1 : 0;
    counting->lines += count;
    if (counting->by_pc) {
        counting->by_pc[warp->stack.pc].accesses += mask ? 1 : 0;
        counting->by_pc[warp->stack.pc].lines += count;
    }
    return true;
}

/* Executes the warp's next instruction. */
static enum ws_status step(struct counting *counting, struct warp *warp, struct ws_error *error)
{
    const struct ws_instruction *const instruction = &counting->image->program[warp->stack.pc];
    const u32 active = warp->stack.mask, threads = ws_popcount(active);
    const bool guarded = (instruction->flags & WS_GUARDED) != 0;
    u32 access[WS_LANES];
    const u32 decided = ws_streams_take(&warp->streams, instruction, active, access);
    counting->warp_instructions++;
    if (counting->by_pc) {
        counting->by_pc[warp->stack.pc].warp_instructions++;
        counting->by_pc[warp->stack.pc].thread_instructions += threads;
    }
    counting->info->thread_instructions += threads;
    counting->info->class_instructions[instruction->class_] += threads;
    counting->info->guarded += guarded ? threads : 0;
    counting->info->guarded_off += guarded ? ws_popcount(active & ~decided) : 0;
    if ((instruction->flags & WS_ADDRESSED) && !access_memory(counting, warp, instruction->class_, access, decided))
        return ws_no_memory(error);
    if (!ws_stack_advance(&warp->stack, instruction, decided))
        return ws_fail(error, WS_STATUS_internal, "a reconvergence stack of more than %u entries", WS_STACK_MOST);
    return WS_STATUS_ok;
}

static enum ws_status walk_image(struct counting *counting, struct ws_error *error)
{
    const struct ws_image *const image = counting->image;
    for (u32 block = 0; block < image->blocks; block++)
        for (u32 first = 0; first < image->block_threads; first += WS_LANES) {
            struct warp warp = {.streams = ws_streams_of(image, block, first),
                                .stack = {.mask = ws_bits_below(ws_min(image->block_threads - first, WS_LANES))}};
            while (warp.stack.mask)
                WS_TRY(step(counting, &warp, error));
        }
    return WS_STATUS_ok;
}

static void add_tallies(const struct wst_tally *tallies, u64 count, struct ws_trace_info *info)
{
    for (u64 n = 0; n < count; n++) {
        info->decisions += tallies[n].decisions;
        for (u32 space = 1; space < WS_SPACES; space++)
            info->accesses += tallies[n].accesses[space];
    }
}

static enum ws_status count_section(struct ws_trace *trace, const struct wst_section *section, struct wst_unpacker *unpacker,
                                    struct counting *counting, struct ws_error *error)
{
    const struct wst_blocks blocks = {.first = section->first_block, .end = section->first_block + section->blocks, .step = 1};
    struct wst_tally *tallies;
    struct ws_image *image;
    WS_TRY(wst_table_read(trace, section, unpacker, &tallies, error));
    add_tallies(tallies, (u64)section->blocks * trace->block_threads, counting->info);
    free(tallies);
    WS_TRY(wst_image_load(trace, &blocks, 1u << WS_SPACE_global, &image, error));
    counting->image = image;
    const enum ws_status status = walk_image(counting, error);
    ws_image_free(image);
    return status;
}

static double ratio(u64 dividend, u64 divisor)
{
    return divisor ? (double)dividend / (double)divisor : (double)NAN;
}

static void derive(const struct ws_trace *trace, const struct counting *counting, struct ws_trace_info *info)
{
    info->blocks = trace->index.blocks;
    info->threads = info->blocks * trace->block_threads;
    info->file_bytes = trace->file_bytes;
    info->footprint_bytes = counting->footprint.granules * WS_GRANULE_BYTES;
    info->bytes_per_instruction = ratio(info->file_bytes, info->thread_instructions);
    info->mean_active_lanes = ratio(info->thread_instructions, counting->warp_instructions);
    info->lines_per_access = ratio(counting->lines, counting->warp_accesses);
}

enum ws_status ws_trace_info(struct ws_trace *trace, struct ws_trace_info *info, struct ws_pc_count *by_pc, struct ws_error *error)
{
    struct counting counting = {.info = info, .by_pc = by_pc};
    struct wst_unpacker *unpacker;
    *info = (struct ws_trace_info){0};
    for (u32 pc = 0; by_pc && pc < trace->launch.instructions; pc++)
        by_pc[pc] = (struct ws_pc_count){0};
    WS_TRY(wst_unpacker_make(trace->descriptor, &unpacker, error));
    enum ws_status status = WS_STATUS_ok;
    for (u64 n = 0; status == WS_STATUS_ok && n < trace->index.section_count; n++)
        status = count_section(trace, &trace->index.sections[n], unpacker, &counting, error);
    if (status == WS_STATUS_ok)
        derive(trace, &counting, info);
    else
        ws_fail_in(error, "%s: ", trace->path);
    wst_footprint_free(&counting.footprint);
    wst_unpacker_free(unpacker);
    return status;
}
