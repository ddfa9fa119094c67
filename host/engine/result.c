#include <stdlib.h>

#include "warpsweep/engine.h"

const char *ws_job_reason(const struct ws_job_result *result)
{
    return result->reason ? result->reason : ws_status_text(result->status);
}

void ws_job_result_free(struct ws_job_result *result)
{
    free(result->times);
    free(result->order);
    free(result->reason);
    result->times = NULL;
    result->warps = NULL;
    result->order = NULL;
    result->reason = NULL;
}
