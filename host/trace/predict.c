#include "trace/predict.h"

#include <stdlib.h>

#include "base/error.h"

enum ws_status wst_predictors_make(const struct wst_graph *graph, u32 threads, struct wst_predictors *predictors,
                                   struct ws_error *error)
{
    *predictors = (struct wst_predictors){.slots = graph->slots};
    predictors->threads = calloc((size_t)threads * graph->slots, sizeof *predictors->threads);
    predictors->shared = calloc(graph->slots, sizeof *predictors->shared);
    if (predictors->threads && predictors->shared)
        return WS_STATUS_ok;
    wst_predictors_free(predictors);
    return ws_no_memory(error);
}

void wst_predictors_free(struct wst_predictors *predictors)
{
    free(predictors->threads);
    free(predictors->shared);
    *predictors = (struct wst_predictors){0};
}
