/* Labels of points. */
#pragma once

#include "warpsweep/experiment.h"

/* All labels of an experiment, as its points sorted by them; the caller frees point. */
struct labels {
    const struct ws_point **point;
    size_t count;
};
enum ws_status labels_sort(const struct ws_experiment *experiment, struct labels *labels, struct ws_error *error);

/* Refuses duplicate labels; *line is that of the second. */
enum ws_status labels_unique(const struct labels *labels, u32 *line, struct ws_error *error);

/* Replaces baselines that name a point of the same variation by its full label. */
enum ws_status labels_complete(const struct labels *labels, const struct ws_experiment *experiment, struct ws_error *error);

/* Refuses a baseline that is no point's label; *line is where it is named. */
enum ws_status labels_baselines(const struct labels *labels, const struct ws_experiment *experiment, u32 *line,
                                struct ws_error *error);
