#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "import/read/walk.h"

enum { LOOK_UP_EVERY = 1 << 14 };

/* Where the walk is. */
struct place {
    const struct sass_walk *walk;
    const struct sass_visitor *visitor;
    struct ws_error *error;
    char *line; /* NULL: end of file */
    size_t length;
    u64 blocks;  /* so far */
    u32 warp;    /* records so far, in the block */
    u64 said;    /* line of the last 'insts = ...' */
    u32 records; /* that it says */
};

enum ws_status sass_walk_look_up(const struct sass_walk *walk, struct ws_error *error)
{
    const struct ws_nvbit_options *const options = walk->options;
    const struct sass_input *const input = walk->input;
    if (options->progress && input->size)
        options->progress(options->context, input->path, walk->from + walk->share * (double)input->taken / (double)input->size);
    if (options->go_on && !options->go_on(options->context))
        return ws_fail(error, WS_STATUS_interrupted, "%s: interrupted, nothing is written", input->path);
    return WS_STATUS_ok;
}

static enum ws_status next(struct place *place)
{
    return sass_input_line(place->walk->input, &place->line, &place->length, place->error);
}

/* The next line that is not empty. */
static enum ws_status next_words(struct place *place)
{
    do
        WS_TRY(next(place));
    while (place->line && !place->line[strspn(place->line, " \t")]);
    return WS_STATUS_ok;
}

static enum ws_status refuse(const struct place *place, const char *allowed)
{
    if (!place->line)
        return sass_input_fail(place->walk->input, place->error, "the file ends before %s; record it again", allowed);
    return sass_input_fail(place->walk->input, place->error, "found '%.40s', allowed is %s", place->line, allowed);
}

/* Parses "KEY = NUMBER", with nothing after it. */
static bool read_value(const struct place *place, const char *key, u32 *number)
{
    const size_t length = strlen(key);
    const char *at = place->line ? place->line + length : "";
    return place->line && strncmp(place->line, key, length) == 0 && sass_decimal(&at, number) && !at[strspn(at, " ")];
}

/* In the first versions each record repeats block and warp. */
static enum ws_status skip_place(const struct place *place, const char **at)
{
    u32 number;
    for (u32 n = 0; n < 4; n++)
        if (!sass_decimal(at, &number))
            return sass_input_fail(place->walk->input, place->error,
                                   "found '%.40s', allowed are block x, y, z and warp before the pc in version %u", *at,
                                   place->walk->header->version);
    return WS_STATUS_ok;
}

/* The line is not a record: the warp has fewer records than announced. */
static enum ws_status refuse_record(const struct place *place, u32 number)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "record %" PRIu32 " of the %" PRIu32 " that line %" PRIu64 " says", number, place->records,
             place->said);
    return refuse(place, allowed);
}

/* The line does not start a warp: the previous one may have more records than announced. */
static enum ws_status refuse_warp(const struct place *place)
{
    if (place->warp == 0 || !place->line || place->line[0] == '#' || place->line[0] == 'w')
        return refuse(place, place->warp == 0 ? "'warp = NUMBER'" : "'warp = NUMBER' or '#END_TB'");
    return sass_input_fail(place->walk->input, place->error,
                           "found '%.40s' after all %" PRIu32 " records that line %" PRIu64
                           " says, allowed is 'warp = NUMBER' or '#END_TB'",
                           place->line, place->records, place->said);
}

static enum ws_status walk_record(struct place *place, u32 number)
{
    struct sass_record record;
    const struct sass_walk *const walk = place->walk;
    if (!place->line || !place->line[strspn(place->line, " \t")] || place->line[0] == '#' || place->line[0] == 'w')
        return refuse_record(place, number);
    const char *at = place->line;
    if (walk->header->version < 3)
        WS_TRY(skip_place(place, &at));
    WS_TRY(sass_record_read(walk->input, walk->header, walk->code, at, &record, place->error));
    if (walk->input->line % LOOK_UP_EVERY == 0)
        WS_TRY(sass_walk_look_up(walk, place->error));
    return place->visitor->record(place->visitor->context, &record, place->error);
}

static enum ws_status walk_warp(struct place *place)
{
    u32 warp;
    const struct sass_input *const input = place->walk->input;
    const u32 warps = sass_warps(place->walk->header);
    if (!read_value(place, "warp =", &warp))
        return refuse_warp(place);
    if (warp != place->warp || warp >= warps)
        return sass_input_fail(input, place->error, "found warp %u, allowed is %u, of %u in a block", warp, place->warp, warps);
    WS_TRY(next_words(place));
    if (!read_value(place, "insts =", &place->records))
        return refuse(place, "'insts = NUMBER'");
    place->said = input->line;
    if (place->records == 0)
        return sass_input_fail(input, place->error, "warp %u has no instructions: its threads never exit", warp);
    WS_TRY(place->visitor->warp(place->visitor->context, warp, place->error));
    for (u32 n = 0; n < place->records; n++) {
        WS_TRY(next(place));
        WS_TRY(walk_record(place, n + 1));
    }
    place->warp++;
    WS_TRY(place->visitor->warp_end(place->visitor->context, place->error));
    return next_words(place);
}

static enum ws_status check_block(const struct place *place)
{
    const struct sass_header *const header = place->walk->header;
    u32 at[3];
    int end = 0;
    const bool sound = place->line && sscanf(place->line, "thread block = %9u,%9u,%9u%n", &at[0], &at[1], &at[2], &end) == 3;
    if (!sound || place->line[end + (int)strspn(place->line + end, " ")])
        return refuse(place, "'thread block = X,Y,Z'");
    const u64 expected = place->blocks, index = ((u64)at[2] * header->grid[1] + at[1]) * header->grid[0] + at[0];
    const bool inside = at[0] < header->grid[0] && at[1] < header->grid[1] && at[2] < header->grid[2];
    if (inside && index == expected)
        return WS_STATUS_ok;
    return sass_input_fail(place->walk->input, place->error,
                           "found block %u,%u,%u, allowed is %" PRIu64 ",%" PRIu64 ",%" PRIu64 " of a grid of %u,%u,%u", at[0],
                           at[1], at[2], expected % header->grid[0], expected / header->grid[0] % header->grid[1],
                           expected / header->grid[0] / header->grid[1], header->grid[0], header->grid[1], header->grid[2]);
}

static enum ws_status walk_block(struct place *place)
{
    const struct sass_walk *const walk = place->walk;
    if (strcmp(place->line, "#BEGIN_TB") != 0)
        return refuse(place, "'#BEGIN_TB'");
    WS_TRY(next_words(place));
    WS_TRY(check_block(place));
    WS_TRY(place->visitor->block(place->visitor->context, place->blocks, place->error));
    do /* NVBit 1.8 gives the position of the block in a cluster: id, cta, rank */
        WS_TRY(next_words(place));
    while (place->line && strncmp(place->line, "cluster ", 8) == 0);
    place->warp = 0;
    while (place->line && strcmp(place->line, "#END_TB") != 0)
        WS_TRY(walk_warp(place));
    if (!place->line)
        return refuse(place, "'#END_TB'");
    if (place->warp < sass_warps(walk->header))
        return sass_input_fail(walk->input, place->error, "the block ends after %u of its %u warps", place->warp,
                               sass_warps(walk->header));
    place->blocks++;
    WS_TRY(place->visitor->block_end(place->visitor->context, place->error));
    return next_words(place);
}

enum ws_status sass_walk_grouped(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error)
{
    struct place place = {.walk = walk, .visitor = visitor, .error = error};
    const u64 blocks = sass_blocks(walk->header);
    WS_TRY(next_words(&place));
    while (place.line) {
        if (place.blocks == blocks)
            return sass_input_fail(walk->input, error, "more than the %" PRIu64 " blocks of the grid", blocks);
        WS_TRY(walk_block(&place));
    }
    if (place.blocks < blocks)
        return sass_input_fail(walk->input, error, "the file ends after %" PRIu64 " of %" PRIu64 " blocks; record it again",
                               place.blocks, blocks);
    return sass_walk_look_up(walk, error);
}
