#include "unit/trace/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "test.h"

u8 *bytes_read(const char *file, size_t *length)
{
    FILE *const stream = fopen(file, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    *length = (size_t)ftell(stream);
    rewind(stream);
    u8 *const bytes = malloc(*length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *length, stream), *length);
    fclose(stream);
    return bytes;
}

void bytes_write(const char *file, const u8 *bytes, size_t length)
{
    remove(file); /* some file systems keep a file in place when it is truncated and rewritten */
    FILE *const stream = fopen(file, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static u64 number(const u8 *at, u32 width)
{
    u64 value = 0;
    for (u32 n = width; n-- > 0;)
        value = value << 8 | at[n];
    return value;
}

static u8 *put_number(u8 *at, u64 value, u32 width)
{
    for (u32 n = 0; n < width; n++)
        *at++ = (u8)(value >> (8 * n));
    return at;
}

static u8 *unpack(const u8 *packed, u32 packed_length, u32 length)
{
    u8 *const raw = malloc((size_t)length + 1);
    assert_non_null(raw);
    assert_int_equal(ZSTD_decompress(raw, length, packed, packed_length), length);
    return raw;
}

/* Extracts a frame, whose entry is at entry and whose bytes are at packed. Returns the place behind those. */
static const u8 *take(struct container *container, u32 frame, const u8 *entry, const u8 *packed)
{
    const u32 packed_length = (u32)number(entry, 4), length = (u32)number(entry + 4, 4);
    container->frame[frame].data = unpack(packed, packed_length, length);
    container->frame[frame].length = length;
    return packed + packed_length;
}

/* The same with the next one. */
static const u8 *take_next(struct container *container, const u8 *entry, const u8 *packed)
{
    assert_true(container->frames < CONTAINER_FRAMES);
    return take(container, container->frames++, entry, packed);
}

void container_read(const char *file, struct container *container)
{
    size_t length;
    u8 *const bytes = bytes_read(file, &length);
    const u8 *const trailer = bytes + length - 40;
    const u32 packed = (u32)number(trailer + 8, 4), raw = (u32)number(trailer + 12, 4);
    u8 *const index = unpack(trailer - packed, packed, raw);
    *container = (struct container){.version = (u32)number(bytes + 8, 4)};
    const u8 *at = take_next(container, index, bytes + 16), *entry = index + 24;
    if (container->version == 6) {
        at = take(container, CONTAINER_CODE, entry, at);
        entry += 24;
    }
    while (entry < index + raw) {
        const u32 blocks = (u32)number(entry, 4), frames = (u32)number(entry + 4, 4);
        assert_true(container->sections < CONTAINER_SECTIONS);
        container->section[container->sections].blocks = blocks;
        container->section[container->sections++].frames = frames;
        entry += 8;
        for (u32 n = 0; n < frames; n++, entry += 24)
            at = take_next(container, entry, at);
    }
    assert_ptr_equal(at, trailer - packed);
    free(index);
    free(bytes);
}

static u64 chain(u64 digest, u64 value)
{
    u8 bytes[16];
    put_number(put_number(bytes, digest, 8), value, 8);
    return XXH3_64bits(bytes, sizeof bytes);
}

/* Packs a frame to *to, which is advanced; writes its index entry and adds to the digest; returns the place behind the entry. */
static u8 *give(const u8 *raw, u32 length, u8 **to, u8 *entry, u64 *digest)
{
    const size_t packed = ZSTD_compress(*to, ZSTD_compressBound(length), raw, length, 1);
    assert_false(ZSTD_isError(packed));
    const u64 contents = XXH3_64bits(raw, length);
    entry = put_number(put_number(put_number(entry, packed, 4), length, 4), contents, 8);
    entry = put_number(entry, XXH3_64bits(*to, packed), 8);
    *to += packed;
    *digest = chain(*digest, contents);
    return entry;
}

void container_write(const char *file, const struct container *container)
{
    size_t room = 65536 + ZSTD_compressBound(container->frame[CONTAINER_CODE].length);
    for (u32 n = 0; n < container->frames; n++)
        room += ZSTD_compressBound(container->frame[n].length);
    u8 *const bytes = malloc(room), index[8192], *entry = index;
    assert_non_null(bytes);
    memcpy(bytes, "\x89WST\r\n\x1a\n", 8);
    put_number(put_number(bytes + 8, container->version, 4), 0, 4);
    u8 *at = bytes + 16;
    u64 digest = container->version;
    u32 frame = 0;
    entry = give(container->frame[frame].data, container->frame[frame].length, &at, entry, &digest);
    frame++;
    if (container->version == 6)
        entry = give(container->frame[CONTAINER_CODE].data, container->frame[CONTAINER_CODE].length, &at, entry, &digest);
    for (u32 n = 0; n < container->sections; n++) {
        const u32 blocks = container->section[n].blocks, frames = container->section[n].frames;
        digest = chain(digest, (u64)frames << 32 | blocks);
        entry = put_number(put_number(entry, blocks, 4), frames, 4);
        for (u32 f = 0; f < frames; f++, frame++)
            entry = give(container->frame[frame].data, container->frame[frame].length, &at, entry, &digest);
    }
    u8 trailer[32];
    u64 unused = 0;
    put_number(trailer, digest, 8);
    give(index, (u32)(entry - index), &at, trailer + 8, &unused);
    memcpy(at, trailer, sizeof trailer);
    at += sizeof trailer;
    memcpy(at, "WST.END\n", 8);
    bytes_write(file, bytes, (size_t)(at + 8 - bytes));
    free(bytes);
}

void container_set(struct container *container, u32 frame, const void *data, u32 length)
{
    u8 *const copy = malloc((size_t)length + 1);
    assert_non_null(copy);
    memcpy(copy, data, length);
    free(container->frame[frame].data);
    container->frame[frame].data = copy;
    container->frame[frame].length = length;
}

void container_free(struct container *container)
{
    for (u32 n = 0; n < container->frames; n++)
        free(container->frame[n].data);
    free(container->frame[CONTAINER_CODE].data);
    *container = (struct container){0};
}
