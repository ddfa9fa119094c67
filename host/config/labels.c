#include "config/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static int compare_labels(const void *left, const void *right)
{
    const char *const *const a = left, *const *const b = right;
    return strcmp(*a, *b);
}

enum ws_status labels_sort(const struct ws_experiment *experiment, struct labels *labels, struct ws_error *error)
{
    labels->count = experiment->point_count;
    labels->label = calloc(labels->count + 1, sizeof *labels->label);
    if (!labels->label)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", experiment->name);
    for (size_t n = 0; n < labels->count; n++)
        labels->label[n] = experiment->points[n].label;
    qsort(labels->label, labels->count, sizeof *labels->label, compare_labels);
    return WS_STATUS_ok;
}

enum ws_status labels_unique(const struct labels *labels, struct ws_error *error)
{
    for (size_t n = 1; n < labels->count; n++)
        if (strcmp(labels->label[n - 1], labels->label[n]) == 0)
            return ws_fail(error, WS_STATUS_bad_input, "two points have the label '%s'", labels->label[n]);
    return WS_STATUS_ok;
}

static bool has(const struct labels *labels, const char *label)
{
    return bsearch(&label, labels->label, labels->count, sizeof *labels->label, compare_labels) != NULL;
}

enum ws_status labels_complete(const struct labels *labels, const struct ws_experiment *experiment, struct ws_error *error)
{
    for (size_t n = 0; n < experiment->point_count; n++) {
        struct ws_point *const point = &experiment->points[n];
        struct ws_text full = {0};
        if (!point->baseline || !*point->variation)
            continue;
        ws_text_add(&full, "%s: %s", point->variation, point->baseline);
        if (full.failed)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", experiment->name);
        if (has(labels, full.data)) {
            free(point->baseline);
            point->baseline = full.data;
        } else {
            ws_text_free(&full);
        }
    }
    return WS_STATUS_ok;
}

enum ws_status labels_baselines(const struct labels *labels, const struct ws_experiment *experiment, struct ws_error *error)
{
    for (size_t n = 0; n < experiment->point_count; n++) {
        const char *const baseline = experiment->points[n].baseline;
        if (!baseline || has(labels, baseline))
            continue;
        struct ws_nearest nearest = {.word = baseline};
        for (size_t other = 0; other < labels->count; other++)
            ws_nearest_offer(&nearest, labels->label[other]);
        if (nearest.best)
            return ws_fail(error, WS_STATUS_bad_input, "baseline: found '%s', which no point is called (did you mean '%s'?)",
                           baseline, nearest.best);
        return ws_fail(error, WS_STATUS_bad_input, "baseline: found '%s', which no point is called%s", baseline,
                       experiment->skipped > 0 ? "; the constraints may have left it out" : "");
    }
    return WS_STATUS_ok;
}

enum ws_status ws_experiment_check(const struct ws_experiment *experiment, struct ws_error *error)
{
    struct labels labels;
    if (experiment->point_count == 0 || experiment->trace_count == 0 || experiment->shards == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: an experiment needs a point, a trace and a shard", experiment->name);
    WS_TRY(labels_sort(experiment, &labels, error));
    enum ws_status status = labels_unique(&labels, error);
    if (status == WS_STATUS_ok)
        status = labels_baselines(&labels, experiment, error);
    free(labels.label);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "%s: ", experiment->name);
}
