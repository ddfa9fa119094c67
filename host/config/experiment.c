#include "warpsweep/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/bundled.h"
#include "config/draft.h"

enum { MOST_SHARDS = 65536 };

static enum ws_status out_of_memory(const struct ws_yaml *node, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", node->file);
}

/* Copies a text; an optional key that is not there leaves NULL. */
static enum ws_status copy_text(const struct ws_yaml *node, char **copy, struct ws_error *error)
{
    const char *text;
    if (!node)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_text(node, &text, error));
    *copy = strdup(text);
    return *copy ? WS_STATUS_ok : out_of_memory(node, error);
}

/* Copies the name of a file; a relative one counts from the folder of the experiment's file. */
static enum ws_status copy_path(const struct ws_yaml *node, const char *name, char **path, struct ws_error *error)
{
    const char *const slash = strrchr(node->file, '/');
    const int folder = slash && *name != '/' ? (int)(slash - node->file) + 1 : 0;
    struct ws_text text = {0};
    ws_text_add(&text, "%.*s%s", folder, node->file, name);
    if (text.failed) {
        ws_text_free(&text);
        return out_of_memory(node, error);
    }
    *path = text.data;
    return WS_STATUS_ok;
}

static enum ws_status load_machine(const struct ws_yaml *node, struct ws_experiment *experiment, struct draft *base,
                                   struct ws_error *error)
{
    const char *name;
    char *path = NULL;
    struct ws_machine_file file;
    WS_TRY(ws_yaml_text(node, &name, error));
    const bool bundled = config_is_bundled(BUNDLED_MACHINE, name);
    if (!bundled)
        WS_TRY(copy_path(node, name, &path, error));
    enum ws_status status = ws_machine_load(bundled ? name : path, &file, error);
    free(path);
    if (status != WS_STATUS_ok)
        return ws_fail_in(error, "%s:%u: machine: ", node->file, node->line);
    base->machine = file.machine;
    experiment->machine = strdup(file.name);
    return experiment->machine ? WS_STATUS_ok : out_of_memory(node, error);
}

/* What has a slash or ends in .wst is a file, everything else a bundled workload. */
static bool is_trace_file(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length >= 4 && strcmp(name + length - 4, ".wst") == 0);
}

static enum ws_status read_trace(const struct ws_yaml *node, char **trace, struct ws_error *error)
{
    const char *name;
    WS_TRY(ws_yaml_text(node, &name, error));
    for (const struct ws_yaml *other = node->parent->first; other != node; other = other->next) {
        if (strcmp(other->text, name) == 0)
            return ws_yaml_fail(node, error, "found '%s', which the list has already", name);
    }
    return is_trace_file(name) ? copy_path(node, name, trace, error) : copy_text(node, trace, error);
}

static enum ws_status read_traces(const struct ws_yaml *node, struct ws_experiment *experiment, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(node, WS_YAML_SEQUENCE, error));
    if (!node->first)
        return ws_yaml_fail(node, error, "an experiment needs at least one trace");
    experiment->traces = calloc(node->count, sizeof *experiment->traces);
    if (!experiment->traces)
        return out_of_memory(node, error);
    for (const struct ws_yaml *item = node->first; item; item = item->next)
        WS_TRY(read_trace(item, &experiment->traces[experiment->trace_count++], error));
    return WS_STATUS_ok;
}

static enum ws_status read_point(const struct ws_yaml *node, const struct draft *base, struct ws_experiment *experiment,
                                 struct ws_error *error)
{
    static const char *const keys[] = {"label", "set", NULL};
    const struct ws_yaml *label;
    const char *text;
    struct draft draft = *base;
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "label", &label, error));
    WS_TRY(ws_yaml_text(label, &text, error));
    WS_TRY(draft_set_all(&draft, ws_yaml_get(node, "set"), error));
    return draft_append(&draft, text, node, experiment, error);
}

static enum ws_status read_points(const struct ws_yaml *root, const struct draft *base, struct ws_experiment *experiment,
                                  struct ws_error *error)
{
    const struct ws_yaml *const points = ws_yaml_get(root, "points");
    if (points) {
        WS_TRY(ws_yaml_expect(points, WS_YAML_SEQUENCE, error));
        for (const struct ws_yaml *item = points->first; item; item = item->next)
            WS_TRY(read_point(item, base, experiment, error));
    }
    WS_TRY(grid_append(base, ws_yaml_get(root, "axes"), experiment, error));
    return experiment->point_count > 0 ? WS_STATUS_ok : ws_yaml_fail(root, error, "an experiment needs points or axes");
}

static int compare_labels(const void *left, const void *right)
{
    const char *const *const a = left, *const *const b = right;
    return strcmp(*a, *b);
}

/* Refuses a label that two points have, and a baseline that none has. */
static enum ws_status check_labels(const struct ws_yaml *root, const struct ws_experiment *experiment, struct ws_error *error)
{
    const char **const labels = calloc(experiment->point_count, sizeof *labels);
    if (!labels)
        return out_of_memory(root, error);
    for (size_t n = 0; n < experiment->point_count; n++)
        labels[n] = experiment->points[n].label;
    qsort(labels, experiment->point_count, sizeof *labels, compare_labels);
    const char *twin = NULL;
    for (size_t n = 1; n < experiment->point_count && !twin; n++)
        twin = strcmp(labels[n - 1], labels[n]) == 0 ? labels[n] : NULL;
    const char *const baseline = experiment->baseline;
    const bool known = !baseline || bsearch(&baseline, labels, experiment->point_count, sizeof *labels, compare_labels);
    struct ws_nearest nearest = {.word = baseline};
    for (size_t n = 0; n < experiment->point_count && !known; n++)
        ws_nearest_offer(&nearest, labels[n]);
    free(labels);
    if (twin)
        return ws_yaml_fail(root, error, "two points have the label '%s'", twin);
    if (!known && nearest.best)
        return ws_yaml_fail(ws_yaml_get(root, "baseline"), error, "found '%s', which no point is called (did you mean '%s'?)",
                            baseline, nearest.best);
    return known ? WS_STATUS_ok
                 : ws_yaml_fail(ws_yaml_get(root, "baseline"), error, "found '%s', which no point is called", baseline);
}

static enum ws_status read_about(const struct ws_yaml *node, const struct ws_yaml *root, struct ws_experiment *experiment,
                                 struct ws_error *error)
{
    if (node)
        return copy_text(node, &experiment->about, error);
    experiment->about = strdup("");
    return experiment->about ? WS_STATUS_ok : out_of_memory(root, error);
}

static enum ws_status read_experiment(const struct ws_yaml *root, struct ws_experiment *experiment, struct ws_error *error)
{
    static const char *const keys[] = {"name", "about", "machine", "set", "traces", "shards", "baseline", "points", "axes", NULL};
    const struct ws_yaml *name, *machine, *traces;
    struct draft base = {0};
    uint64_t shards = 1;
    WS_TRY(ws_yaml_expect_keys(root, keys, error));
    WS_TRY(ws_yaml_need(root, "name", &name, error));
    WS_TRY(ws_yaml_need(root, "machine", &machine, error));
    WS_TRY(ws_yaml_need(root, "traces", &traces, error));
    WS_TRY(copy_text(name, &experiment->name, error));
    if (strpbrk(name->text, "/\\"))
        return ws_yaml_fail(name, error, "found '%s', allowed is what can name a file in a folder: no slashes", name->text);
    WS_TRY(read_about(ws_yaml_get(root, "about"), root, experiment, error));
    WS_TRY(copy_text(ws_yaml_get(root, "baseline"), &experiment->baseline, error));
    WS_TRY(load_machine(machine, experiment, &base, error));
    WS_TRY(draft_set_all(&base, ws_yaml_get(root, "set"), error));
    WS_TRY(read_traces(traces, experiment, error));
    if (ws_yaml_get(root, "shards"))
        WS_TRY(ws_yaml_unsigned(ws_yaml_get(root, "shards"), 1, MOST_SHARDS, &shards, error));
    experiment->shards = (u32)shards;
    WS_TRY(read_points(root, &base, experiment, error));
    return check_labels(root, experiment, error);
}

enum ws_status ws_experiment_load(const char *file_or_name, struct ws_experiment **experiment, struct ws_error *error)
{
    *experiment = NULL;
    struct ws_yaml *root;
    WS_TRY(config_load_yaml(BUNDLED_EXPERIMENT, file_or_name, &root, error));
    struct ws_experiment *made = calloc(1, sizeof *made);
    const enum ws_status status = made ? read_experiment(root, made, error) : out_of_memory(root, error);
    ws_yaml_free(root);
    if (status != WS_STATUS_ok) {
        ws_experiment_free(made);
        return status;
    }
    *experiment = made;
    return WS_STATUS_ok;
}

void ws_experiment_free(struct ws_experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t n = 0; n < experiment->point_count; n++) {
        free(experiment->points[n].label);
        free(experiment->points[n].overrides);
    }
    for (size_t n = 0; n < experiment->trace_count; n++)
        free(experiment->traces[n]);
    free(experiment->points);
    free(experiment->traces);
    free(experiment->name);
    free(experiment->about);
    free(experiment->machine);
    free(experiment->baseline);
    free(experiment);
}
