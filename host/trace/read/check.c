/* Whether a file is damaged. */
#include "base/error.h"
#include "trace/read/reader.h"

static enum ws_status check_frames(const struct ws_trace *trace, struct ws_error *error)
{
    struct wst_unpacker *unpacker;
    WS_TRY(wst_unpacker_make(trace->descriptor, &unpacker, error));
    enum ws_status status = WS_STATUS_ok;
    for (u64 n = 0; n < trace->index.frame_count && status == WS_STATUS_ok; n++)
        status = wst_frame_check(unpacker, &trace->index.frames[n], error);
    wst_unpacker_free(unpacker);
    return status;
}

enum ws_status ws_trace_check(const char *path, struct ws_error *error)
{
    struct ws_trace *trace;
    WS_TRY(ws_trace_open(path, &trace, error));
    const enum ws_status status = check_frames(trace, error);
    if (status != WS_STATUS_ok)
        ws_fail_in(error, "%s: ", path);
    ws_trace_close(trace);
    return status;
}
