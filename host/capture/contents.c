#include "capture/contents.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/file.h"
#include "capture/store.h"

enum ws_status capture_contents(const char *folder, const char *suffix, const void *bytes, size_t length, struct ws_text *name,
                                struct ws_error *error)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, length);
    struct ws_text path = {0};
    struct stat about;
    const size_t start = name->length;
    ws_text_add(name, "%s/%016" PRIx64 "%016" PRIx64 "%s", folder, (u64)hash.high64, (u64)hash.low64, suffix);
    ws_text_add(&path, "%s/%s", capture_wanted()->folder, name->failed ? "" : name->data + start);
    enum ws_status status = path.failed ? ws_no_memory(error) : WS_STATUS_ok;
    if (status == WS_STATUS_ok && (stat(path.data, &about) != 0 || (u64)about.st_size != length)) {
        status = ws_file_write(path.data, bytes, length, error);
        capture_stored(status == WS_STATUS_ok ? length : 0);
    }
    ws_text_free(&path);
    return status;
}

/* ---- Numbers ---- */

void capture_number(struct ws_text *out, const char *element, const unsigned char *bytes, size_t size)
{
    u64 bits = 0;
    memcpy(&bits, bytes, size);
    if (element[0] == 'u') {
        ws_text_add(out, "%" PRIu64, bits);
    } else if (element[0] == 'i') {
        const size_t shift = 64 - 8 * size;
        ws_text_add(out, "%" PRId64, (int64_t)(bits << shift) >> shift);
    } else if (size == sizeof(float)) {
        float value;
        memcpy(&value, bytes, sizeof value);
        ws_text_add(out, "%.9g", (double)value);
    } else {
        double value;
        memcpy(&value, bytes, sizeof value);
        ws_text_add(out, "%.17g", value);
    }
}

bool capture_is_finite(const char *element, const unsigned char *bytes, size_t size)
{
    u64 bits = 0;
    memcpy(&bits, bytes, size);
    const u64 exponent = size == sizeof(float) ? 0x7f800000u : 0x7ff0000000000000u;
    return element[0] != 'f' || (bits & exponent) != exponent;
}
