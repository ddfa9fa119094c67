#include "import/read/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/inputs.h"

enum { PACKED_ROOM = 1 << 16, TEXT_ROOM = 2 * SASS_LINE_MOST };

enum ws_status sass_input_fail(const struct sass_input *input, struct ws_error *error, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    for (char *at = reason; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = '?';
    return ws_fail(error, WS_STATUS_bad_input, "%s:%" PRIu64 ": %s", input->path, input->line, reason);
}

/* ---- Unpacking ---- */

static enum ws_status more_packed(struct sass_input *input, struct ws_error *error)
{
    const size_t got = fread(input->buffer, 1, PACKED_ROOM, input->stream);
    if (ferror(input->stream))
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", input->path, strerror(errno));
    input->packed = (ZSTD_inBuffer){.src = input->buffer, .size = got};
    input->taken += got;
    return WS_STATUS_ok;
}

static enum ws_status take_plain(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error)
{
    const size_t left = input->packed.size - input->packed.pos, count = left < room ? left : room;
    memcpy(out, input->buffer + input->packed.pos, count);
    input->packed.pos += count;
    *made = count;
    input->ended = input->packed.size == 0;
    (void)error;
    return WS_STATUS_ok;
}

static enum ws_status take_xz(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error)
{
    const bool last = input->packed.size == 0;
    input->lzma.next_in = input->buffer + input->packed.pos;
    input->lzma.avail_in = input->packed.size - input->packed.pos;
    input->lzma.next_out = (u8 *)out;
    input->lzma.avail_out = room;
    const lzma_ret result = lzma_code(&input->lzma, last ? LZMA_FINISH : LZMA_RUN);
    input->packed.pos = input->packed.size - input->lzma.avail_in;
    *made = room - input->lzma.avail_out;
    input->ended = result == LZMA_STREAM_END;
    if (result == LZMA_OK || result == LZMA_STREAM_END || (result == LZMA_BUF_ERROR && !last))
        return WS_STATUS_ok;
    return sass_input_fail(input, error,
                           last ? "the xz data end too early; copy or record the file again"
                                : "the xz data are damaged; copy or record the file again");
}

static enum ws_status take_zstd(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error)
{
    ZSTD_outBuffer unpacked = {.dst = out, .size = room};
    input->ended = input->packed.size == 0 && input->between;
    if (input->ended)
        return WS_STATUS_ok;
    const size_t result = ZSTD_decompressStream(input->zstd, &unpacked, &input->packed);
    *made = unpacked.pos;
    if (ZSTD_isError(result))
        return sass_input_fail(input, error, "the zstd data are damaged; copy or record the file again");
    input->between = result == 0;
    if (input->packed.size == 0 && !unpacked.pos && !input->between)
        return sass_input_fail(input, error, "the zstd data end too early; copy or record the file again");
    return WS_STATUS_ok;
}

/* Unpacks more data behind text[to]. */
static enum ws_status unpack(struct sass_input *input, struct ws_error *error)
{
    size_t made = 0;
    char *const out = input->text + input->to;
    const size_t room = TEXT_ROOM - input->to;
    if (input->packing != SASS_TRACEZ && input->packed.pos == input->packed.size)
        WS_TRY(more_packed(input, error));
    if (input->packing == SASS_TRACEZ)
        WS_TRY(sass_tracez_take(input, out, room, &made, error));
    else if (input->packing == SASS_PLAIN)
        WS_TRY(take_plain(input, out, room, &made, error));
    else if (input->packing == SASS_XZ)
        WS_TRY(take_xz(input, out, room, &made, error));
    else
        WS_TRY(take_zstd(input, out, room, &made, error));
    XXH3_64bits_update(input->digest, out, made);
    input->to += made;
    return WS_STATUS_ok;
}

/* ---- Opening ---- */

/* Refuses a file whose contents contradict its name. */
static enum ws_status check_name(const struct sass_input *input, struct ws_error *error)
{
    static const char *const suffixes[][2] = {{".xz", "xz"}, {".zst", "zstd"}, {".zstd", "zstd"}};
    const char *const suffix = strrchr(input->path, '.');
    for (size_t n = 0; suffix && n < sizeof suffixes / sizeof *suffixes; n++)
        if (strcmp(suffix, suffixes[n][0]) == 0)
            return ws_fail(error, WS_STATUS_bad_input, "%s: is %s, allowed are data of %s; rename what is not compressed",
                           input->path, input->packed.size ? "something else than its name says" : "empty", suffixes[n][1]);
    return WS_STATUS_ok;
}

static enum ws_status start_unpacking(struct sass_input *input, struct ws_error *error)
{
    static const u8 xz[] = {0xFD, '7', 'z', 'X', 'Z', 0}, zstd[] = {0x28, 0xB5, 0x2F, 0xFD};
    if (input->packed.size >= sizeof xz && memcmp(input->buffer, xz, sizeof xz) == 0) {
        input->packing = SASS_XZ;
        if (lzma_stream_decoder(&input->lzma, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", input->path);
    } else if (input->packed.size >= sizeof zstd && memcmp(input->buffer, zstd, sizeof zstd) == 0) {
        input->packing = SASS_ZSTD;
        input->zstd = ZSTD_createDStream();
        if (!input->zstd)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", input->path);
    } else {
        return check_name(input, error);
    }
    return WS_STATUS_ok;
}

enum ws_status sass_input_open(const char *path, struct sass_input *input, struct ws_error *error)
{
    struct stat about;
    *input = (struct sass_input){.path = path, .lzma = LZMA_STREAM_INIT};
    input->stream = fopen(path, "rb");
    if (!input->stream || fstat(fileno(input->stream), &about) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", path, strerror(errno));
    ws_inputs_note(path);
    input->size = (u64)about.st_size;
    input->buffer = malloc(PACKED_ROOM);
    input->text = malloc(TEXT_ROOM + 1);
    input->digest = XXH3_createState();
    if (!input->buffer || !input->text || !input->digest)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    XXH3_64bits_reset(input->digest);
    if (sass_tracez_names(path)) {
        input->packing = SASS_TRACEZ;
        return sass_tracez_open(input, &input->tracez, error);
    }
    WS_TRY(more_packed(input, error));
    return start_unpacking(input, error);
}

void sass_input_close(struct sass_input *input)
{
    if (input->stream)
        fclose(input->stream);
    lzma_end(&input->lzma);
    ZSTD_freeDStream(input->zstd);
    sass_tracez_close(input->tracez);
    XXH3_freeState(input->digest);
    free(input->buffer);
    free(input->text);
    *input = (struct sass_input){.lzma = LZMA_STREAM_INIT};
}

/* ---- Lines ---- */

/* The end of the line at text[from]: its LF, or the end of the file. */
static enum ws_status find_end(struct sass_input *input, char **end, struct ws_error *error)
{
    size_t seen = 0;
    for (;;) {
        *end = memchr(input->text + input->from + seen, '\n', input->to - input->from - seen);
        if (*end)
            return WS_STATUS_ok;
        *end = input->text + input->to;
        seen = input->to - input->from;
        if (input->ended)
            return WS_STATUS_ok;
        if (seen > SASS_LINE_MOST)
            return sass_input_fail(input, error, "a line of more than %u characters", SASS_LINE_MOST);
        memmove(input->text, input->text + input->from, seen);
        input->from = 0;
        input->to = seen;
        WS_TRY(unpack(input, error));
    }
}

enum ws_status sass_input_line(struct sass_input *input, char **line, size_t *length, struct ws_error *error)
{
    char *end;
    input->line++;
    *line = NULL;
    WS_TRY(find_end(input, &end, error));
    char *const start = input->text + input->from;
    if (end == start && input->ended && input->from == input->to)
        return WS_STATUS_ok;
    const bool newline = end < input->text + input->to;
    input->from = (size_t)(end - input->text) + newline;
    *end = 0;
    *length = (size_t)(end - start);
    if (*length > 0 && start[*length - 1] == '\r')
        start[--*length] = 0;
    *line = start;
    return WS_STATUS_ok;
}

u64 sass_input_digest(const struct sass_input *input)
{
    return XXH3_64bits_digest(input->digest);
}

enum ws_status sass_input_changed(const struct sass_input *input, struct ws_error *error)
{
    return sass_input_fail(input, error, "the file has changed while it was read; run the command again");
}
