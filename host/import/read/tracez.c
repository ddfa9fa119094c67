/* Containers of Accel-Sim 2.0 (.tracez), read as text. Layout: the header's text and a zero; bytes of a zstd dictionary (4 bytes),
 * instructions per chunk (4), the dictionary; for each warp its instructions (4), number of chunks (4) and per chunk its bytes (4)
 * and a zstd frame; the index: number of blocks (4), for each its position in grid and cluster (40), number of warps (4), and per
 * warp instructions (4), chunks (4), file offset (8), instructions of each chunk (4); last the offset of the index (8). Numbers are
 * little-endian. Source: Accel-Sim's util/tracer_nvbit/tracer_tool/tracez_format.h and its post-traces-processing. */
#include "import/read/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

/* Index words of a block before those of its warps; bytes of a warp before its chunks, and of the index offset. */
enum { PLACES = 10, WARP_HEAD = 8, TAIL = 8 };

struct sass_tracez {
    const u8 *map;
    size_t size;
    ZSTD_DStream *zstd;
    ZSTD_DDict *dictionary;
    ZSTD_inBuffer piece;             /* next text, or frame with it */
    bool packed;                     /* it is a frame */
    char words[512];                 /* room for a piece */
    size_t index, end;               /* rest of the index */
    size_t chunk;                    /* offset of the next chunk */
    u32 blocks, warps, chunks, warp; /* remaining; number of the next warp */
    bool in_block;
};

bool sass_tracez_names(const char *path)
{
    const char *const suffix = strrchr(path, '.');
    return suffix && strcmp(suffix, ".tracez") == 0;
}

/* A number of some bytes at *at, which is advanced; false if it would pass end. */
static bool number(const struct sass_tracez *tracez, size_t *at, size_t end, u32 bytes, u64 *value)
{
    *value = 0;
    if (*at > end || end - *at < bytes)
        return false;
    for (u32 n = 0; n < bytes; n++)
        *value |= (u64)tracez->map[*at + n] << 8 * n;
    *at += bytes;
    return true;
}

static enum ws_status damaged(const struct sass_input *input, const char *what, struct ws_error *error)
{
    return sass_input_fail(input, error, "the container is damaged: %s; copy or record it again", what);
}

/* ---- Opening ---- */

/* Reads header, dictionary, and the offset of the index. */
static enum ws_status find_parts(const struct sass_input *input, struct sass_tracez *tracez, struct ws_error *error)
{
    u64 dictionary, instructions, index, blocks;
    const u8 *const zero = memchr(tracez->map, 0, tracez->size);
    size_t at = zero ? (size_t)(zero - tracez->map) + 1 : 0, tail = tracez->size - TAIL;
    if (!zero || !number(tracez, &at, tracez->size, 4, &dictionary) || !number(tracez, &at, tracez->size, 4, &instructions))
        return damaged(input, "it ends in its header", error);
    tracez->piece = (ZSTD_inBuffer){.src = tracez->map, .size = (size_t)(zero - tracez->map)};
    if (dictionary > tracez->size - at)
        return damaged(input, "it ends in its dictionary", error);
    if (dictionary && !(tracez->dictionary = ZSTD_createDDict(tracez->map + at, (size_t)dictionary)))
        return damaged(input, "its dictionary is none", error);
    if (tracez->size < TAIL || !number(tracez, &tail, tracez->size, 8, &index) || index > tracez->size - TAIL)
        return damaged(input, "its index lies outside", error);
    tracez->index = (size_t)index;
    tracez->end = tracez->size - TAIL;
    if (!number(tracez, &tracez->index, tracez->end, 4, &blocks))
        return damaged(input, "its index has no blocks", error);
    tracez->blocks = (u32)blocks;
    tracez->zstd = ZSTD_createDStream();
    return tracez->zstd ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", input->path);
}

enum ws_status sass_tracez_open(const struct sass_input *input, struct sass_tracez **tracez, struct ws_error *error)
{
    struct sass_tracez *const made = *tracez = calloc(1, sizeof *made);
    if (!made)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", input->path);
    if (input->size == 0)
        return damaged(input, "it is empty", error);
    void *const map = mmap(NULL, input->size, PROT_READ, MAP_PRIVATE, fileno(input->stream), 0);
    if (map == MAP_FAILED)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", input->path, strerror(errno));
    made->map = map;
    made->size = input->size;
    return find_parts(input, made, error);
}

void sass_tracez_close(struct sass_tracez *tracez)
{
    if (!tracez)
        return;
    if (tracez->map)
        munmap((void *)(uintptr_t)tracez->map, tracez->size);
    ZSTD_freeDStream(tracez->zstd);
    ZSTD_freeDDict(tracez->dictionary);
    free(tracez);
}

/* ---- Pieces ---- */

static void say(struct sass_tracez *tracez, int length)
{
    tracez->packed = false;
    tracez->piece = (ZSTD_inBuffer){.src = tracez->words, .size = (size_t)length};
}

static enum ws_status begin_block(const struct sass_input *input, struct sass_tracez *tracez, struct ws_error *error)
{
    u64 at[PLACES], warps;
    for (u32 n = 0; n < PLACES; n++)
        if (!number(tracez, &tracez->index, tracez->end, 4, &at[n]))
            return damaged(input, "it ends in its index", error);
    if (!number(tracez, &tracez->index, tracez->end, 4, &warps))
        return damaged(input, "it ends in its index", error);
    tracez->blocks--;
    tracez->warps = (u32)warps;
    tracez->warp = 0;
    tracez->in_block = true;
    say(tracez,
        snprintf(tracez->words, sizeof tracez->words,
                 "\n#BEGIN_TB\n\nthread block = %u,%u,%u\ncluster id = %u,%u,%u\ncluster cta = %u,%u,%u\ncluster rank = %u\n",
                 (u32)at[0], (u32)at[1], (u32)at[2], (u32)at[3], (u32)at[4], (u32)at[5], (u32)at[6], (u32)at[7], (u32)at[8],
                 (u32)at[9]));
    return WS_STATUS_ok;
}

static enum ws_status begin_warp(const struct sass_input *input, struct sass_tracez *tracez, struct ws_error *error)
{
    u64 instructions, chunks, place;
    if (!number(tracez, &tracez->index, tracez->end, 4, &instructions) ||
        !number(tracez, &tracez->index, tracez->end, 4, &chunks) || !number(tracez, &tracez->index, tracez->end, 8, &place) ||
        chunks > (tracez->end - tracez->index) / 4)
        return damaged(input, "it ends in its index", error);
    tracez->index += 4 * (size_t)chunks;
    if (place > tracez->size || tracez->size - place < WARP_HEAD)
        return damaged(input, "a warp lies outside", error);
    tracez->chunk = (size_t)place + WARP_HEAD;
    tracez->chunks = (u32)chunks;
    tracez->warps--;
    say(tracez, snprintf(tracez->words, sizeof tracez->words, "\nwarp = %u\ninsts = %u\n", tracez->warp++, (u32)instructions));
    return WS_STATUS_ok;
}

static enum ws_status begin_chunk(struct sass_input *input, struct sass_tracez *tracez, struct ws_error *error)
{
    u64 bytes;
    if (!number(tracez, &tracez->chunk, tracez->size, 4, &bytes) || bytes > tracez->size - tracez->chunk)
        return damaged(input, "a chunk lies outside", error);
    tracez->piece = (ZSTD_inBuffer){.src = tracez->map + tracez->chunk, .size = (size_t)bytes};
    tracez->packed = true;
    tracez->chunk += (size_t)bytes;
    tracez->chunks--;
    input->taken = tracez->chunk;
    ZSTD_DCtx_reset(tracez->zstd, ZSTD_reset_session_only);
    ZSTD_DCtx_refDDict(tracez->zstd, tracez->dictionary);
    return WS_STATUS_ok;
}

static enum ws_status next_piece(struct sass_input *input, struct ws_error *error)
{
    struct sass_tracez *const tracez = input->tracez;
    if (tracez->chunks)
        return begin_chunk(input, tracez, error);
    if (tracez->warps)
        return begin_warp(input, tracez, error);
    if (tracez->in_block) {
        tracez->in_block = false;
        say(tracez, snprintf(tracez->words, sizeof tracez->words, "\n#END_TB\n"));
        return WS_STATUS_ok;
    }
    if (tracez->blocks)
        return begin_block(input, tracez, error);
    input->ended = true;
    return WS_STATUS_ok;
}

/* ---- Text ---- */

/* The lines of a chunk; the last one has no line end. */
static enum ws_status unpack(struct sass_input *input, ZSTD_outBuffer *out, struct ws_error *error)
{
    struct sass_tracez *const tracez = input->tracez;
    const size_t before = out->pos, taken = tracez->piece.pos, result = ZSTD_decompressStream(tracez->zstd, out, &tracez->piece);
    if (ZSTD_isError(result))
        return damaged(input, "a chunk is no frame of zstd", error);
    if (result == 0)
        say(tracez, snprintf(tracez->words, sizeof tracez->words, "\n"));
    else if (out->pos == before && tracez->piece.pos == taken)
        return damaged(input, "a chunk ends too early", error);
    return WS_STATUS_ok;
}

enum ws_status sass_tracez_take(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error)
{
    struct sass_tracez *const tracez = input->tracez;
    ZSTD_outBuffer text = {.dst = out, .size = room};
    if (tracez->packed) {
        WS_TRY(unpack(input, &text, error));
    } else if (tracez->piece.pos == tracez->piece.size) {
        WS_TRY(next_piece(input, error));
    } else {
        ZSTD_inBuffer *const piece = &tracez->piece;
        const size_t left = piece->size - piece->pos, count = left < room ? left : room;
        memcpy(out, (const char *)piece->src + piece->pos, count);
        piece->pos += count;
        text.pos = count;
    }
    *made = text.pos;
    return WS_STATUS_ok;
}
