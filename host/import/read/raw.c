#define _DEFAULT_SOURCE /* madvise */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "import/read/walk.h"

enum { LOOK_UP_EVERY = 1 << 14, PLACES = 4, PLACES_OF_CLUSTERS = 11, MASK = 8, MOST_HELD = 32 << 20, PATH_MOST = 4096 };

/* An entry of the temporary file: this header, the line from the pc on, a zero. */
struct stored {
    u64 line;   /* its number */
    u64 length; /* of the text, including its zero */
};

struct sass_raw {
    u64 warps;    /* of all blocks */
    u64 *start;   /* by warp: its first byte; then the end */
    u64 *records; /* by warp */
    u8 *dropped;  /* by warp: the first record of a pair was read last */
    char *map;    /* the lines, ordered by warp */
    size_t bytes;
    size_t held; /* bytes of them in memory while writing */
};

/* Handles a line of the file. */
struct line {
    u64 warp;         /* of all blocks */
    const char *text; /* from the pc on */
    size_t length;
    bool drop;
};

static enum ws_status no_memory(const struct sass_walk *walk, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", walk->input->path);
}

/* Accounts for touched bytes of the temporary file; above a limit, releases the pages to the file. */
static void hold(const struct sass_raw *raw, size_t *held, u64 bytes)
{
    *held += bytes;
    if (*held < MOST_HELD)
        return;
    madvise(raw->map, raw->bytes, MADV_DONTNEED);
    *held = 0;
}

/* ---- Lines ---- */

/* LDGSTS has a record with its global address and one with its shared address. The first is dropped, as in grouped files. */
static bool drops(struct sass_raw *raw, const struct line *line)
{
    if (!strstr(line->text, " LDGSTS"))
        return false;
    raw->dropped[line->warp] ^= 1;
    return raw->dropped[line->warp];
}

/* Number of fields before the pc: block and warp; from NVBit 1.8 on, in versions 5 and 6, also the position in a cluster, which is
 * not a mask of 8 digits. */
static u32 count_places(const struct sass_header *header, const char *text)
{
    size_t length = 0;
    if (header->version < 5)
        return PLACES;
    for (u32 n = 0; n < PLACES + 2u + header->lines; n++) {
        text += strspn(text, " ");
        length = strcspn(text, " ");
        text += length;
    }
    return length == MASK ? PLACES : PLACES_OF_CLUSTERS;
}

static enum ws_status read_place(const struct sass_walk *walk, struct sass_raw *raw, const char *text, struct line *line,
                                 struct ws_error *error)
{
    const struct sass_header *const header = walk->header;
    const u32 count = count_places(header, text);
    u32 at[PLACES_OF_CLUSTERS];
    const char *const start = text;
    for (u32 n = 0; n < count; n++)
        if (!sass_decimal(&text, &at[n]))
            return sass_input_fail(walk->input, error, "found '%.40s', allowed are %u numbers before the pc: block x, y, z, warp%s",
                                   start, count, count > PLACES ? " and others" : "");
    if (at[0] >= header->grid[0] || at[1] >= header->grid[1] || at[2] >= header->grid[2] || at[3] >= sass_warps(header))
        return sass_input_fail(walk->input, error,
                               "found warp %u of block %u,%u,%u, allowed are %u warps and blocks below %u,%u,%u", at[3], at[0],
                               at[1], at[2], sass_warps(header), header->grid[0], header->grid[1], header->grid[2]);
    line->warp = (((u64)at[2] * header->grid[1] + at[1]) * header->grid[0] + at[0]) * sass_warps(header) + at[3];
    line->text = text;
    line->drop = drops(raw, line);
    return WS_STATUS_ok;
}

/* Calls take for each record of the file. */
static enum ws_status read_all(const struct sass_walk *walk, struct sass_raw *raw,
                               void (*take)(struct sass_raw *raw, u64 number, const struct line *line), struct ws_error *error)
{
    char *text;
    size_t length;
    memset(raw->dropped, 0, raw->warps);
    for (;;) {
        struct line line = {0};
        WS_TRY(sass_input_line(walk->input, &text, &length, error));
        if (!text)
            return WS_STATUS_ok;
        if (!text[strspn(text, " \t")])
            continue;
        WS_TRY(read_place(walk, raw, text, &line, error));
        line.length = length - (size_t)(line.text - text);
        if (!line.drop)
            take(raw, walk->input->line, &line);
        if (walk->input->line % LOOK_UP_EVERY == 0)
            WS_TRY(sass_walk_look_up(walk, error));
    }
}

/* Entries begin at multiples of 8. */
static u64 entry_bytes(const struct line *line)
{
    return sizeof(struct stored) + (line->length + 1 + 7) / 8 * 8;
}

static void count_line(struct sass_raw *raw, u64 number, const struct line *line)
{
    (void)number;
    raw->start[line->warp + 1] += entry_bytes(line);
    raw->records[line->warp]++;
}

static void store_line(struct sass_raw *raw, u64 number, const struct line *line)
{
    const struct stored stored = {.line = number, .length = line->length + 1};
    char *const to = raw->map + raw->start[line->warp];
    if (raw->start[line->warp] + entry_bytes(line) > raw->bytes)
        return; /* the file has grown: the second walk finds too few records */
    hold(raw, &raw->held, entry_bytes(line));
    memcpy(to, &stored, sizeof stored);
    memcpy(to + sizeof stored, line->text, line->length + 1);
    raw->start[line->warp] += entry_bytes(line);
}

/* ---- Grouping ---- */

static enum ws_status check_warps(const struct sass_walk *walk, const struct sass_raw *raw, struct ws_error *error)
{
    const u32 warps = sass_warps(walk->header);
    for (u64 n = 0; n < raw->warps; n++)
        if (raw->records[n] == 0)
            return sass_input_fail(walk->input, error, "the file ends without warp %" PRIu64 " of block %" PRIu64 " of %" PRIu64,
                                   n % warps, n / warps, sass_blocks(walk->header));
    return WS_STATUS_ok;
}

/* Maps an unnamed file in a folder with enough room; NULL with errno on failure. */
static char *map_in(const char *folder, size_t bytes)
{
    char path[PATH_MOST];
    void *map = MAP_FAILED;
    int file = -1;
    errno = ENAMETOOLONG;
    if (snprintf(path, sizeof path, "%s/warpsweep-XXXXXX", folder) < PATH_MOST)
        file = mkstemp(path);
    if (file < 0)
        return NULL;
    unlink(path);
    int cause = posix_fallocate(file, 0, (off_t)bytes);
    if (cause == 0) {
        map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        cause = errno;
    }
    close(file);
    errno = cause;
    return map == MAP_FAILED ? NULL : map;
}

static enum ws_status make_map(const struct sass_walk *walk, struct sass_raw *raw, struct ws_error *error)
{
    const char *const folder = ws_temporary_folder();
    for (u64 n = 0; n < raw->warps; n++)
        raw->start[n + 1] += raw->start[n];
    raw->bytes = raw->start[raw->warps];
    raw->map = map_in(folder, raw->bytes);
    if (!raw->map)
        return ws_fail(error, WS_STATUS_no_file, "%s: no temporary file of %zu bytes in %s: %s", walk->input->path, raw->bytes,
                       folder, strerror(errno));
    return WS_STATUS_ok;
}

static enum ws_status store(const struct sass_walk *walk, struct sass_raw *raw, struct ws_error *error)
{
    struct sass_input input;
    struct sass_header *const header = malloc(sizeof *header);
    struct sass_walk again = *walk;
    again.input = &input;
    again.from += walk->share;
    enum ws_status status = header ? sass_input_open(walk->input->path, &input, error) : no_memory(walk, error);
    if (!header)
        return status;
    WS_THEN(status, sass_header_read(&input, walk->options, header, error));
    WS_THEN(status, read_all(&again, raw, store_line, error));
    sass_input_close(&input);
    free(header);
    for (u64 n = raw->warps; n-- > 1;) /* the start of the next warp is the end of this one */
        raw->start[n] = raw->start[n - 1];
    raw->start[0] = 0;
    return status;
}

enum ws_status sass_raw_group(const struct sass_walk *walk, struct sass_raw **raw, struct ws_error *error)
{
    struct sass_raw *const made = *raw = calloc(1, sizeof *made);
    if (!made)
        return no_memory(walk, error);
    made->warps = sass_blocks(walk->header) * sass_warps(walk->header);
    made->start = calloc(made->warps + 1, sizeof *made->start);
    made->records = calloc(made->warps, sizeof *made->records);
    made->dropped = calloc(made->warps, sizeof *made->dropped);
    if (!made->start || !made->records || !made->dropped)
        return no_memory(walk, error);
    WS_TRY(read_all(walk, made, count_line, error));
    WS_TRY(check_warps(walk, made, error));
    WS_TRY(make_map(walk, made, error));
    return store(walk, made, error);
}

void sass_raw_free(struct sass_raw *raw)
{
    if (!raw)
        return;
    if (raw->map)
        munmap(raw->map, raw->bytes);
    free(raw->start);
    free(raw->records);
    free(raw->dropped);
    free(raw);
}

/* ---- The walk ---- */

static enum ws_status walk_warp(const struct sass_walk *walk, const struct sass_visitor *visitor, u64 number,
                                struct ws_error *error)
{
    const struct sass_raw *const raw = walk->raw;
    const char *at = raw->map + raw->start[number];
    WS_TRY(visitor->warp(visitor->context, (u32)(number % sass_warps(walk->header)), error));
    for (u64 n = 0; n < raw->records[number]; n++) {
        struct stored stored;
        struct sass_record record;
        memcpy(&stored, at, sizeof stored);
        walk->input->line = stored.line;
        WS_TRY(sass_record_read(walk->input, walk->header, walk->code, at + sizeof stored, &record, error));
        WS_TRY(visitor->record(visitor->context, &record, error));
        at += sizeof stored + (stored.length + 7) / 8 * 8;
    }
    WS_TRY(sass_walk_look_up(walk, error));
    return visitor->warp_end(visitor->context, error);
}

enum ws_status sass_walk_raw(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error)
{
    const u32 warps = sass_warps(walk->header);
    size_t held = MOST_HELD;
    for (u64 n = 0; n < walk->raw->warps; n++) {
        hold(walk->raw, &held, walk->raw->start[n + 1] - walk->raw->start[n]);
        if (n % warps == 0)
            WS_TRY(visitor->block(visitor->context, n / warps, error));
        WS_TRY(walk_warp(walk, visitor, n, error));
        if (n % warps == warps - 1)
            WS_TRY(visitor->block_end(visitor->context, error));
    }
    return WS_STATUS_ok;
}

enum ws_status sass_walk(const struct sass_walk *walk, const struct sass_visitor *visitor, struct ws_error *error)
{
    return (walk->raw ? sass_walk_raw : sass_walk_grouped)(walk, visitor, error);
}
