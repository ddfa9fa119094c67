/* Fat binaries: a header, then images, each after a header of its own. All numbers are little-endian. Sources:
 * n-eiling/cuda-fatbin-decompression, and fat binaries made by nvcc 13.0 for programs of this project. */
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"
#include "sass/file/images.h"

/* The header: magic number (32 bits), version (16), bytes of the header (16), bytes after it (64). */
enum { HEAD_BYTES = 16, HEAD_HEADER = 6, HEAD_SIZE = 8 };
#define MAGIC 0xBA55ED50u

/* An image's header. Kinds are 1 (PTX) and 2 (cubin). ENTRY_SIZE is the number of stored bytes with padding. */
enum {
    ENTRY_KIND = 0,
    ENTRY_HEADER = 4,
    ENTRY_SIZE = 8,
    ENTRY_COMPRESSED = 16,
    ENTRY_ARCHITECTURE = 28,
    ENTRY_FLAGS = 40,
    ENTRY_UNPACKED = 56,
    ENTRY_BYTES = 64
};
enum { KIND_PTX = 1, KIND_CUBIN = 2, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
#define MOST_UNPACKED (UINT64_C(512) << 20)

static u64 number(const struct ws_sass_binary *file, size_t at, u32 bytes)
{
    u64 value = 0;
    for (u32 n = 0; n < bytes; n++)
        value |= (u64)(u8)file->data[at + n] << 8 * n;
    return value;
}

static enum ws_status damaged(const struct ws_sass_binary *file, size_t at, const char *what, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_bad_input, "%s: the fat binary at byte %zu is damaged: %s", file->name, at, what);
}

enum ws_status ws_sass_entry_add(struct ws_sass_binary *file, struct ws_sass_entry entry, struct ws_error *error)
{
    struct ws_sass_entry *const grown = ws_arena_grow(&file->arena, file->entries, file->count, &file->room, sizeof *grown);
    if (!grown)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", file->name);
    file->entries = grown;
    grown[file->count++] = entry;
    return WS_STATUS_ok;
}

/* Adds the image at *at, and advances *at past it. end: the end of the fat binary. */
static enum ws_status read_entry(struct ws_sass_binary *file, size_t *at, size_t end, struct ws_error *error)
{
    if (end - *at < ENTRY_BYTES)
        return damaged(file, *at, "it ends in the header of an image", error);
    const u64 header = number(file, *at + ENTRY_HEADER, 4), size = number(file, *at + ENTRY_SIZE, 8);
    const u64 flags = number(file, *at + ENTRY_FLAGS, 8), kind = number(file, *at + ENTRY_KIND, 2);
    if (header < ENTRY_BYTES || header > end - *at || size > end - *at - header)
        return damaged(file, *at, "an image is longer than the rest of it", error);
    const bool packed = flags & (FLAG_LZ4 | FLAG_ZSTD);
    const u64 stored = packed ? number(file, *at + ENTRY_COMPRESSED, 4) : size;
    const u64 bytes = packed ? number(file, *at + ENTRY_UNPACKED, 8) : size;
    if (stored > size || bytes > MOST_UNPACKED)
        return damaged(file, *at, "a compressed image exceeds its entry, or 512 MB", error);
    const struct ws_sass_entry entry = {.image = {.kind = kind == KIND_PTX     ? WS_SASS_PTX
                                                          : kind == KIND_CUBIN ? WS_SASS_CUBIN
                                                                               : WS_SASS_OTHER,
                                                  .architecture = (u32)number(file, *at + ENTRY_ARCHITECTURE, 4),
                                                  .compression = flags & FLAG_ZSTD  ? "zstd"
                                                                 : flags & FLAG_LZ4 ? "lz4"
                                                                                    : "none",
                                                  .stored = stored,
                                                  .bytes = bytes},
                                        .kind = (u32)kind,
                                        .stored = (const u8 *)file->data + *at + header};
    *at += header + size;
    return ws_sass_entry_add(file, entry, error);
}

enum ws_status ws_sass_fatbin_read(struct ws_sass_binary *file, size_t offset, size_t length, struct ws_error *error)
{
    const size_t end = offset + length;
    size_t at = offset;
    while (end - at >= HEAD_BYTES) {
        if (number(file, at, 4) == 0) { /* padding */
            at += 4;
            continue;
        }
        const u64 header = number(file, at + HEAD_HEADER, 2), size = number(file, at + HEAD_SIZE, 8);
        if (number(file, at, 4) != MAGIC)
            return damaged(file, at, "found no magic number (0xBA55ED50)", error);
        if (header < HEAD_BYTES || header > end - at || size > end - at - header)
            return damaged(file, at, "its size exceeds the file or section", error);
        size_t entry = at + header;
        at += header + size;
        while (entry < at)
            WS_TRY(read_entry(file, &entry, at, error));
    }
    return WS_STATUS_ok;
}

/* ---- Compression ---- */

static bool unpack(const struct ws_sass_entry *entry, char *bytes)
{
    const struct ws_sass_image *const image = &entry->image;
    if (strcmp(image->compression, "none") == 0)
        memcpy(bytes, entry->stored, image->bytes);
    else if (strcmp(image->compression, "zstd") == 0)
        return ZSTD_decompress(bytes, image->bytes, entry->stored, image->stored) == image->bytes;
    else
        return image->stored <= INT32_MAX &&
               LZ4_decompress_safe((const char *)entry->stored, bytes, (int)image->stored, (int)image->bytes) == (int)image->bytes;
    return true;
}

enum ws_status ws_sass_entry_unpack(const struct ws_sass_binary *file, const struct ws_sass_entry *entry, char **bytes,
                                    struct ws_error *error)
{
    *bytes = calloc(1, entry->image.bytes + 1);
    if (!*bytes)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", file->name);
    if (unpack(entry, *bytes))
        return WS_STATUS_ok;
    free(*bytes);
    *bytes = NULL;
    return ws_fail(error, WS_STATUS_bad_input, "%s: image %zu (%s) does not decompress to its %llu bytes", file->name,
                   (size_t)(entry - file->entries), entry->image.compression, (unsigned long long)entry->image.bytes);
}
