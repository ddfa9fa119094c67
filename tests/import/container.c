#include "import/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { CHUNK = 3, PACKED_ROOM = 1 << 16, LEVEL = 3 };

static const char words[] = "ffffffff 1 R4 IADD3 2 R5 R255 0 0 0 NoVal\n00000000 0 EXIT 0 0 0 0 NoVal\n";

struct packing {
    FILE *stream, *index;
    const char *at, *end;
    ZSTD_CCtx *context;
    ZSTD_CDict *dictionary;
    u32 blocks;
    bool failed;
};

static void put(FILE *stream, u64 value, u32 bytes)
{
    for (u32 n = 0; n < bytes; n++)
        fputc((int)(value >> 8 * n & 0xFF), stream);
}

/* Whether the input at packing->at begins with text. */
static bool is(const struct packing *packing, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(packing->end - packing->at) >= length && memcmp(packing->at, text, length) == 0;
}

static void skip_line(struct packing *packing)
{
    const char *const line = memchr(packing->at, '\n', (size_t)(packing->end - packing->at));
    packing->at = line ? line + 1 : packing->end;
}

static void skip_to(struct packing *packing, const char *text)
{
    while (packing->at < packing->end && !is(packing, text))
        skip_line(packing);
    packing->failed |= packing->at == packing->end;
}

/* The numbers after the '=' of a line. */
static void put_numbers(struct packing *packing, const char *text)
{
    skip_to(packing, text);
    for (const char *at = packing->at + strlen(text); !packing->failed && *at >= '0' && *at <= '9';) {
        char *next;
        put(packing->index, strtoul(at, &next, 10), 4);
        at = next + (*next == ',');
    }
}

static void put_chunk(struct packing *packing, u32 records)
{
    static char packed[PACKED_ROOM];
    const char *const first = packing->at;
    for (u32 n = 0; n < records; n++)
        skip_line(packing);
    const size_t length = (size_t)(packing->at - first) - (packing->at > first);
    const size_t size = packing->dictionary
                            ? ZSTD_compress_usingCDict(packing->context, packed, sizeof packed, first, length, packing->dictionary)
                            : ZSTD_compressCCtx(packing->context, packed, sizeof packed, first, length, LEVEL);
    packing->failed |= ZSTD_isError(size);
    put(packing->stream, size, 4);
    fwrite(packed, 1, packing->failed ? 0 : size, packing->stream);
}

static void put_warp(struct packing *packing)
{
    skip_to(packing, "insts = ");
    const u32 records = packing->failed ? 0 : (u32)strtoul(packing->at + strlen("insts = "), NULL, 10);
    const u32 chunks = (records + CHUNK - 1) / CHUNK;
    put(packing->index, records, 4);
    put(packing->index, chunks, 4);
    put(packing->index, (u64)ftell(packing->stream), 8);
    put(packing->stream, records, 4);
    put(packing->stream, chunks, 4);
    skip_line(packing);
    for (u32 n = 0; n < chunks && !packing->failed; n++) {
        const u32 left = records - n * CHUNK, count = left < CHUNK ? left : CHUNK;
        put(packing->index, count, 4);
        put_chunk(packing, count);
    }
}

static u32 count_warps(const struct packing *packing)
{
    struct packing ahead = *packing;
    u32 warps = 0;
    for (; ahead.at < ahead.end && !is(&ahead, "#END_TB"); skip_line(&ahead))
        warps += is(&ahead, "warp = ");
    return warps;
}

static void put_block(struct packing *packing)
{
    static const char *const places[] = {"thread block = ", "cluster id = ", "cluster cta = ", "cluster rank = "};
    for (size_t n = 0; n < sizeof places / sizeof *places; n++)
        put_numbers(packing, places[n]);
    const u32 warps = count_warps(packing);
    put(packing->index, warps, 4);
    for (u32 n = 0; n < warps && !packing->failed; n++)
        put_warp(packing);
    skip_to(packing, "#END_TB");
    skip_line(packing);
    packing->blocks++;
}

static void put_all(struct packing *packing, bool dictionary)
{
    const char *const start = packing->at;
    skip_to(packing, "#BEGIN_TB");
    while (packing->at > start && packing->at[-1] == '\n' && packing->at[-2] == '\n')
        packing->at--; /* an empty line before a block is not part of the header */
    fwrite(start, 1, (size_t)(packing->at - start), packing->stream);
    put(packing->stream, 0, 1);
    put(packing->stream, dictionary ? sizeof words : 0, 4);
    put(packing->stream, CHUNK, 4);
    fwrite(words, 1, dictionary ? sizeof words : 0, packing->stream);
    while (!packing->failed) {
        put_block(packing);
        while (packing->at < packing->end && *packing->at == '\n')
            skip_line(packing);
        if (packing->at == packing->end)
            break;
    }
}

u8 *made_container(const char *text, size_t length, bool dictionary, size_t *size)
{
    char *made = NULL, *index = NULL;
    size_t indexed = 0;
    struct packing packing = {.at = text, .end = text + length, .context = ZSTD_createCCtx()};
    packing.stream = open_memstream(&made, size);
    packing.index = open_memstream(&index, &indexed);
    packing.dictionary = dictionary ? ZSTD_createCDict(words, sizeof words, LEVEL) : NULL;
    put_all(&packing, dictionary);
    fclose(packing.index);
    const u64 place = (u64)ftell(packing.stream);
    put(packing.stream, packing.blocks, 4);
    fwrite(index, 1, indexed, packing.stream);
    put(packing.stream, place, 8);
    fclose(packing.stream);
    free(index);
    ZSTD_freeCDict(packing.dictionary);
    ZSTD_freeCCtx(packing.context);
    if (!packing.failed)
        return (u8 *)made;
    free(made);
    return NULL;
}
