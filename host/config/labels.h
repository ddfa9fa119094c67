/* Labels of points. */
#ifndef WS_CONFIG_LABELS_H
#define WS_CONFIG_LABELS_H

#include "warpsweep/experiment.h"

/* All labels of an experiment, sorted; label is to be freed. */
struct labels {
    const char **label;
    size_t count;
};
enum ws_status labels_sort(const struct ws_experiment *experiment, struct labels *labels, struct ws_error *error);

/* Refuses a label that two points have. */
enum ws_status labels_unique(const struct labels *labels, struct ws_error *error);

/* Points of variations whose baseline is a point of their variation get its whole label. */
enum ws_status labels_complete(const struct labels *labels, const struct ws_experiment *experiment, struct ws_error *error);

/* Refuses a baseline that no point is called. */
enum ws_status labels_baselines(const struct labels *labels, const struct ws_experiment *experiment, struct ws_error *error);

#endif
