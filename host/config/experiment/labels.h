/* Labels of points. */
#pragma once

#include "warpsweep/experiment.h"

/* All labels of an experiment with its points, sorted; the caller frees point. */
struct labels {
    const struct ws_point **point;
    size_t count;
};
enum ws_status labels_sort(const struct ws_experiment *experiment, struct labels *labels, struct ws_error *error);

/* Refuses duplicate labels; *line: line of the second. */
enum ws_status labels_unique(const struct labels *labels, u32 *line, struct ws_error *error);

/* Expands baselines that name a point of the same variation to its full label. */
enum ws_status labels_complete(const struct labels *labels, const struct ws_experiment *experiment, struct ws_error *error);

/* Refuses a baseline without a point of that label; *line: line of its name. */
enum ws_status labels_baselines(const struct labels *labels, const struct ws_experiment *experiment, u32 *line,
                                struct ws_error *error);
