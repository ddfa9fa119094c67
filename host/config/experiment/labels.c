#include "config/experiment/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Points with equal labels keep their order. */
static int compare_points(const void *left, const void *right)
{
    const struct ws_point *const *const a = left, *const *const b = right;
    const int order = strcmp((*a)->label, (*b)->label);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int compare_label(const void *label, const void *point)
{
    return strcmp(label, (*(const struct ws_point *const *)point)->label);
}

enum ws_status labels_sort(const struct ws_experiment *experiment, struct labels *labels, struct ws_error *error)
{
    labels->count = experiment->point_count;
    labels->point = calloc(labels->count + 1, sizeof *labels->point);
    if (!labels->point)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", experiment->name);
    for (size_t n = 0; n < labels->count; n++)
        labels->point[n] = &experiment->points[n];
    qsort(labels->point, labels->count, sizeof *labels->point, compare_points);
    return WS_STATUS_ok;
}

enum ws_status labels_unique(const struct labels *labels, u32 *line, struct ws_error *error)
{
    for (size_t n = 1; n < labels->count; n++) {
        if (strcmp(labels->point[n - 1]->label, labels->point[n]->label) != 0)
            continue;
        *line = labels->point[n]->line;
        return ws_fail(error, WS_STATUS_bad_input, "two points have the label '%s'; give each its own", labels->point[n]->label);
    }
    return WS_STATUS_ok;
}

static bool has(const struct labels *labels, const char *label)
{
    return bsearch(label, labels->point, labels->count, sizeof *labels->point, compare_label) != NULL;
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

enum ws_status labels_baselines(const struct labels *labels, const struct ws_experiment *experiment, u32 *line,
                                struct ws_error *error)
{
    for (size_t n = 0; n < experiment->point_count; n++) {
        const char *const baseline = experiment->points[n].baseline;
        if (!baseline || has(labels, baseline))
            continue;
        struct ws_nearest nearest = {.word = baseline};
        *line = experiment->points[n].baseline_line;
        for (size_t other = 0; other < labels->count; other++)
            ws_nearest_offer(&nearest, labels->point[other]->label);
        if (nearest.best)
            return ws_fail(error, WS_STATUS_bad_input, "baseline: found '%s', which no point is called (did you mean '%s'?)",
                           baseline, nearest.best);
        return ws_fail(error, WS_STATUS_bad_input, "baseline: found '%s', which no point is called%s", baseline,
                       experiment->skipped > 0 ? "; the constraints may exclude it" : "");
    }
    return WS_STATUS_ok;
}

enum ws_status ws_experiment_check(const struct ws_experiment *experiment, struct ws_error *error)
{
    struct labels labels;
    u32 line;
    if (experiment->point_count == 0 || experiment->trace_count == 0 || experiment->shards == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: an experiment needs a point, a trace and a shard", experiment->name);
    WS_TRY(labels_sort(experiment, &labels, error));
    enum ws_status status = labels_unique(&labels, &line, error);
    WS_THEN(status, labels_baselines(&labels, experiment, &line, error));
    free(labels.point);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "%s: ", experiment->name);
}
