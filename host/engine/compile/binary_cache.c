#include "engine/compile/binary_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/folder.h"

enum { MOST_BYTES = 1 << 28 };

struct header {
    char magic[8];
    struct ws_binary_key key;
    u64 length; /* of the binary, which follows */
    u64 result;
    u64 digest; /* of the header before it and the binary */
};

static const char magic[8] = "wsbinary";

struct ws_binary_key ws_binary_key(const char *const *texts, size_t count)
{
    struct ws_binary_key key = {0, 0};
    for (size_t n = 0; n < count; n++) { /* each text by itself, so that moving a character between two of them shows */
        const XXH128_hash_t digest = XXH3_128bits_withSeed(texts[n], strlen(texts[n]), key.low ^ key.high ^ n);
        key.low = key.low * 31 + digest.low64;
        key.high = key.high * 31 + digest.high64;
    }
    return key;
}

/* Path of a key's file, to be freed; NULL when there is no cache. */
static char *path_of(struct ws_binary_key key)
{
    char *folder;
    if (ws_cache_folder("programs", &folder, NULL) != WS_STATUS_ok)
        return NULL;
    const size_t room = strlen(folder) + 64;
    char *const path = malloc(room);
    if (path)
        snprintf(path, room, "%s/%016llx%016llx.bin", folder, (unsigned long long)key.high, (unsigned long long)key.low);
    free(folder);
    return path;
}

static u64 digest_of(const struct header *header, const void *binary, size_t length)
{
    return XXH3_64bits_withSeed(binary, length, XXH3_64bits(header, offsetof(struct header, digest)));
}

static bool whole(const struct header *header, struct ws_binary_key key, const char *file, size_t length)
{
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->key.low == key.low && header->key.high == key.high &&
           header->length == length - sizeof *header && header->result <= WS_SELF_TEST_failed &&
           header->digest == digest_of(header, file + sizeof *header, header->length);
}

bool ws_binary_fetch(struct ws_binary_key key, void **binary, size_t *length, enum ws_self_test_result *result)
{
    struct header header;
    char *file = NULL;
    size_t bytes = 0;
    char *const path = path_of(key);
    *binary = NULL;
    const bool read = path && ws_file_read(path, MOST_BYTES, &file, &bytes, NULL) == WS_STATUS_ok && bytes > sizeof header;
    free(path);
    if (read)
        memcpy(&header, file, sizeof header);
    if (!read || !whole(&header, key, file, bytes)) {
        free(file);
        return false;
    }
    *length = bytes - sizeof header;
    *result = (enum ws_self_test_result)header.result;
    memmove(file, file + sizeof header, *length);
    file[*length] = '\0';
    *binary = file;
    return true;
}

bool ws_binary_keep(struct ws_binary_key key, const void *binary, size_t length, enum ws_self_test_result result)
{
    struct header header = {.key = key, .length = length, .result = result};
    if (length > MOST_BYTES - sizeof header)
        return false;
    memcpy(header.magic, magic, sizeof magic);
    header.digest = digest_of(&header, binary, length);
    char *const path = path_of(key), *const file = malloc(sizeof header + length);
    bool kept = path && file;
    if (kept) {
        memcpy(file, &header, sizeof header);
        memcpy(file + sizeof header, binary, length);
        kept = ws_file_write(path, file, sizeof header + length, NULL) == WS_STATUS_ok;
    }
    free(path);
    free(file);
    return kept;
}
