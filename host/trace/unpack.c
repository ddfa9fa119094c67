#include "trace/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"

struct wst_unpacker {
    ZSTD_DCtx *context;
    struct wst_bytes packed, raw;
    int descriptor; /* not owned */
};

enum ws_status wst_unpacker_make(int descriptor, struct wst_unpacker **unpacker, struct ws_error *error)
{
    *unpacker = calloc(1, sizeof **unpacker);
    ZSTD_DCtx *const context = *unpacker ? ZSTD_createDCtx() : NULL;
    if (!context) {
        free(*unpacker);
        *unpacker = NULL;
        return ws_no_memory(error);
    }
    (*unpacker)->context = context;
    (*unpacker)->descriptor = descriptor;
    return WS_STATUS_ok;
}

void wst_unpacker_free(struct wst_unpacker *unpacker)
{
    if (!unpacker)
        return;
    ZSTD_freeDCtx(unpacker->context);
    wst_bytes_free(&unpacker->packed);
    wst_bytes_free(&unpacker->raw);
    free(unpacker);
}

enum ws_status wst_read_at(int descriptor, u64 offset, u8 *to, size_t length, struct ws_error *error)
{
    while (length) {
        const ssize_t got = pread(descriptor, to, length, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return ws_fail(error, WS_STATUS_no_file, "cannot be read at byte %" PRIu64 ": %s", offset, strerror(errno));
        if (got == 0)
            return ws_fail(error, WS_STATUS_bad_input, "ends at byte %" PRIu64 ", %zu bytes early", offset, length);
        to += got;
        offset += (u64)got;
        length -= (size_t)got;
    }
    return WS_STATUS_ok;
}

enum ws_status wst_frame_check(struct wst_unpacker *unpacker, const struct wst_frame *frame, struct ws_error *error)
{
    unpacker->packed.length = 0;
    if (!wst_bytes_reserve(&unpacker->packed, frame->packed))
        return ws_no_memory(error);
    WS_TRY(wst_read_at(unpacker->descriptor, frame->offset, unpacker->packed.data, frame->packed, error));
    if (XXH3_64bits(unpacker->packed.data, frame->packed) != frame->packed_digest)
        return ws_fail(error, WS_STATUS_bad_input, "frame at byte %" PRIu64 " is damaged: its digest differs", frame->offset);
    return WS_STATUS_ok;
}

enum ws_status wst_unpack(struct wst_unpacker *unpacker, const struct wst_frame *frame, struct wst_cursor *contents,
                          struct ws_error *error)
{
    unpacker->raw.length = 0;
    if (!wst_bytes_reserve(&unpacker->raw, (size_t)frame->raw + 1))
        return ws_no_memory(error);
    WS_TRY(wst_frame_check(unpacker, frame, error));
    const size_t done =
        ZSTD_decompressDCtx(unpacker->context, unpacker->raw.data, frame->raw, unpacker->packed.data, frame->packed);
    if (ZSTD_isError(done))
        return ws_fail(error, WS_STATUS_bad_input, "frame at byte %" PRIu64 " cannot be unpacked: %s", frame->offset,
                       ZSTD_getErrorName(done));
    if (done != frame->raw)
        return ws_fail(error, WS_STATUS_bad_input, "frame at byte %" PRIu64 " holds %zu bytes, not %u", frame->offset, done,
                       frame->raw);
    if (XXH3_64bits(unpacker->raw.data, done) != frame->digest)
        return ws_fail(error, WS_STATUS_bad_input, "frame at byte %" PRIu64 ": the digest of its contents differs", frame->offset);
    *contents = (struct wst_cursor){.at = unpacker->raw.data, .end = unpacker->raw.data + done};
    return WS_STATUS_ok;
}
