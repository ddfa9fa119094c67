/* What one engine fails, another runs. */
#include <string.h>

#include "warpsweep/engine.h"

bool ws_engine_failed(const struct ws_job_result *result)
{
    switch (result->status) {
    case WS_STATUS_device:
    case WS_STATUS_lost_device:
    case WS_STATUS_compiler:
    case WS_STATUS_mismatch:
    case WS_STATUS_no_memory:
        return true;
    default:
        return false;
    }
}

bool ws_engine_has_next(const struct ws_engine_options *options, const struct ws_engine *engine)
{
    return (!options->engine || strcmp(options->engine, "auto") == 0) && strcmp(ws_engine_name(engine), "native") != 0;
}

enum ws_status ws_engine_open_next(const struct ws_engine_options *options, struct ws_engine **next, struct ws_error *error)
{
    struct ws_engine_options native = *options;
    native.engine = "native";
    native.device = native.lane_form = NULL;
    return ws_engine_open(&native, next, error);
}
