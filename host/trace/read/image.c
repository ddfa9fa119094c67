/* Traces laid out for simulation, as shared/image.h describes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/read/decode.h"
#include "trace/operands.h"

/* Words of the largest image: 16 GiB. */
#define WORDS_MOST (1ull << 32)

enum { WORDS_ALIGNMENT = 64 };

_Static_assert(WS_CLASSES *WS_KINDS <= 256, "an operation is a byte");

/* An image being built. */
struct builder {
    const struct ws_trace *trace;
    const struct wst_blocks *blocks;
    u32 spaces, groups_per_block;
    struct ws_group *groups;
    u64 group_count, group_room;
    u32 *words;
    u64 word_count, instructions;
    struct ws_instruction *program; /* and the operands behind it */
};

static struct ws_group *next_group(struct builder *builder)
{
    if (builder->group_count == builder->group_room) {
        const u64 room = builder->group_room ? builder->group_room * 2 : 64;
        struct ws_group *const groups = realloc(builder->groups, (size_t)room * sizeof *groups);
        if (!groups)
            return NULL;
        builder->groups = groups;
        builder->group_room = room;
    }
    return &builder->groups[builder->group_count++];
}

/* Gives each group room for its longest streams. */
static enum ws_status lay_out_group(struct builder *builder, const struct wst_tally *tallies, u32 threads, struct ws_error *error)
{
    u64 decisions = 0, accesses = 0;
    for (u32 n = 0; n < threads; n++) {
        const u64 kept = wst_kept(&tallies[n], builder->spaces);
        decisions = tallies[n].decisions > decisions ? tallies[n].decisions : decisions;
        accesses = kept > accesses ? kept : accesses;
        builder->instructions += tallies[n].instructions;
    }
    struct ws_group *const group = next_group(builder);
    if (!group)
        return ws_no_memory(error);
    group->decisions = builder->word_count;
    group->accesses = group->decisions + (decisions / 32 + (decisions % 32 != 0)) * WS_LANES;
    builder->word_count = group->accesses + accesses * WS_LANES;
    if (builder->word_count > WORDS_MOST)
        return ws_fail(error, WS_STATUS_bad_input, "more than %" PRIu64 " words in one image; load it in shards", (u64)WORDS_MOST);
    return WS_STATUS_ok;
}

static enum ws_status lay_out_block(struct builder *builder, const struct wst_tally *tallies, struct ws_error *error)
{
    const u32 threads = builder->trace->block_threads;
    for (u32 first = 0; first < threads; first += WS_LANES)
        WS_TRY(lay_out_group(builder, tallies + first, ws_min(threads - first, WS_LANES), error));
    return WS_STATUS_ok;
}

static enum ws_status lay_out_section(struct builder *builder, const struct wst_section *section, const struct wst_tally *tallies,
                                      struct ws_error *error)
{
    for (u32 n = 0; n < section->blocks; n++)
        if (wst_has_block(builder->blocks, section->first_block + n))
            WS_TRY(lay_out_block(builder, tallies + (size_t)n * builder->trace->block_threads, error));
    return WS_STATUS_ok;
}

/* Visits each section that has wanted blocks: lays it out, or decodes it into its place. */
static enum ws_status visit_sections(struct builder *builder, struct wst_decoder *decoder, bool decode, struct ws_error *error)
{
    const struct wst_index *const index = &builder->trace->index;
    enum ws_status status = WS_STATUS_ok;
    for (u64 n = 0; status == WS_STATUS_ok && n < index->section_count; n++) {
        const struct wst_section *const section = &index->sections[n];
        struct wst_tally *tallies;
        if (!wst_section_has(section, builder->blocks))
            continue;
        WS_TRY(wst_table_read(builder->trace, section, decoder->unpacker, &tallies, error));
        decoder->section = section;
        decoder->tallies = tallies;
        status = decode ? wst_decode_section(decoder, error) : lay_out_section(builder, section, tallies, error);
        free(tallies);
    }
    return status;
}

static enum ws_status make_words(struct builder *builder, struct ws_error *error)
{
    const size_t bytes = (size_t)builder->word_count * sizeof *builder->words;
    void *words = NULL;
    if (posix_memalign(&words, WORDS_ALIGNMENT, bytes ? bytes : WORDS_ALIGNMENT) != 0)
        return ws_fail(error, WS_STATUS_no_memory, "an image of %zu bytes: out of memory", bytes);
    memset(words, 0, bytes);
    builder->words = words;
    return WS_STATUS_ok;
}

static enum ws_status copy_program(struct builder *builder, struct ws_error *error)
{
    const struct ws_launch *const launch = &builder->trace->launch;
    builder->program = calloc(1, WS_PROGRAM_BYTES(launch->instructions));
    if (!builder->program)
        return ws_no_memory(error);
    for (u32 pc = 0; pc < launch->instructions; pc++) {
        builder->program[pc] = launch->program[pc];
        const u32 space = launch->program[pc].space;
        if (space != WS_SPACE_none && (builder->spaces >> space & 1u))
            builder->program[pc].flags |= WS_ADDRESSED;
        ws_instruction_complete(&builder->program[pc]);
    }
    wst_operands(builder->program, launch->instructions, launch->code);
    return WS_STATUS_ok;
}

static enum ws_status build(struct builder *builder, struct ws_error *error)
{
    struct wst_decoder decoder;
    WS_TRY(copy_program(builder, error));
    WS_TRY(wst_decoder_make(builder->trace, builder->blocks, builder->spaces, &decoder, error));
    enum ws_status status = visit_sections(builder, &decoder, false, error);
    WS_THEN(status, make_words(builder, error));
    if (status == WS_STATUS_ok) {
        decoder.groups = builder->groups;
        decoder.groups_per_block = builder->groups_per_block;
        decoder.words = builder->words;
        status = visit_sections(builder, &decoder, true, error);
    }
    wst_decoder_free(&decoder);
    return status;
}

static struct ws_image *finish(const struct builder *builder)
{
    struct ws_image *const image = calloc(1, sizeof *image);
    if (!image)
        return NULL;
    const struct ws_launch *const launch = &builder->trace->launch;
    image->instructions = launch->instructions;
    image->blocks = (u32)(builder->group_count / builder->groups_per_block);
    image->block_threads = builder->trace->block_threads;
    image->groups_per_block = builder->groups_per_block;
    image->registers = launch->given_registers ? launch->given_registers : launch->registers;
    image->shared_bytes = launch->shared_bytes;
    image->thread_instructions = builder->instructions;
    image->program = builder->program;
    image->operands = ws_operands_behind(builder->program, image->instructions);
    image->groups = builder->groups;
    image->words = builder->words;
    image->word_count = builder->word_count;
    return image;
}

enum ws_status wst_image_load(const struct ws_trace *trace, const struct wst_blocks *blocks, u32 spaces, struct ws_image **image,
                              struct ws_error *error)
{
    struct builder builder = {
        .trace = trace, .blocks = blocks, .spaces = spaces, .groups_per_block = (trace->block_threads + WS_LANES - 1) / WS_LANES};
    enum ws_status status = build(&builder, error);
    *image = status == WS_STATUS_ok ? finish(&builder) : NULL;
    if (status == WS_STATUS_ok && !*image)
        status = ws_no_memory(error);
    if (status == WS_STATUS_ok)
        return status;
    free(builder.program);
    free(builder.groups);
    free(builder.words);
    return status;
}

enum ws_status ws_image_load(struct ws_trace *trace, u32 shard, u32 of, u32 spaces, struct ws_image **image, struct ws_error *error)
{
    const struct wst_blocks blocks = {.first = shard, .end = trace->index.blocks, .step = of};
    *image = NULL;
    if (!of || shard >= of)
        return ws_fail(error, WS_STATUS_usage, "%s: shard %u of %u: shards are numbered from 0", trace->path, shard, of);
    if (blocks.first >= blocks.end)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: shard %u of %u has no block: the trace has %" PRIu64 "; take no more shards than that", trace->path,
                       shard, of, blocks.end);
    const enum ws_status status = wst_image_load(trace, &blocks, spaces, image, error);
    if (status != WS_STATUS_ok) {
        ws_fail_in(error, "%s: ", trace->path);
        return status;
    }
    (*image)->digest = wst_chain(trace->digest, (u64)of << 32 | shard);
    return status;
}

enum ws_status ws_image_load_first(struct ws_trace *trace, u64 blocks, u32 spaces, struct ws_image **image, struct ws_error *error)
{
    const u64 end = blocks < trace->index.blocks ? blocks : trace->index.blocks;
    const struct wst_blocks first = {.end = end ? end : 1, .step = 1};
    *image = NULL;
    if (wst_image_load(trace, &first, spaces, image, error) != WS_STATUS_ok)
        return ws_fail_in(error, "%s: ", trace->path);
    (*image)->digest = wst_chain(trace->digest, wst_chain(first.end, 0));
    return WS_STATUS_ok;
}

/* An image's arrays are const for its users only. */
static void release(const void *data)
{
    free((void *)(uintptr_t)data);
}

void ws_image_free(struct ws_image *image)
{
    if (!image)
        return;
    release(image->program);
    release(image->groups);
    release(image->words);
    free(image);
}
