#include "trace/frame.h"

#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"

/* Streams are small numbers: higher levels cost more time than their saved bytes are worth (bench/trace_speed). */
enum { LEVEL = 1 };

struct wst_packer {
    ZSTD_CCtx *context;
    struct wst_bytes packed;
};

enum ws_status wst_packer_make(struct wst_packer **packer, struct ws_error *error)
{
    *packer = calloc(1, sizeof **packer);
    ZSTD_CCtx *const context = *packer ? ZSTD_createCCtx() : NULL;
    if (!context) {
        free(*packer);
        *packer = NULL;
        return ws_no_memory(error);
    }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    (*packer)->context = context;
    return WS_STATUS_ok;
}

void wst_packer_free(struct wst_packer *packer)
{
    if (!packer)
        return;
    ZSTD_freeCCtx(packer->context);
    wst_bytes_free(&packer->packed);
    free(packer);
}

enum ws_status wst_pack(struct wst_packer *packer, const u8 *raw, size_t length, const u8 **packed, struct wst_frame *frame,
                        struct ws_error *error)
{
    const size_t bound = ZSTD_compressBound(length);
    packer->packed.length = 0;
    if (!wst_bytes_reserve(&packer->packed, bound))
        return ws_no_memory(error);
    const size_t done = ZSTD_compress2(packer->context, packer->packed.data, bound, raw, length);
    if (ZSTD_isError(done))
        return ws_fail(error, WS_STATUS_internal, "compression failed: %s", ZSTD_getErrorName(done));
    *packed = packer->packed.data;
    *frame = (struct wst_frame){
        .packed = (u32)done, .raw = (u32)length, .digest = XXH3_64bits(raw, length), .packed_digest = XXH3_64bits(*packed, done)};
    return WS_STATUS_ok;
}
