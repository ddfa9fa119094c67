#include "warpsweep/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/bundled.h"
#include "config/experiment/draft.h"
#include "config/experiment/labels.h"
#include "config/experiment/traces.h"

enum { MOST_SHARDS = 65536 };

/* A missing optional key gives NULL; the text stays in the node. */
static enum ws_status optional_template(const struct ws_yaml *root, const char *key, const struct ws_yaml **node,
                                        struct ws_error *error)
{
    const char *text;
    *node = ws_yaml_get(root, key);
    return ws_yaml_optional_text(*node, &text, error);
}

static enum ws_status copy_text(const struct ws_yaml *node, const char *text, char **copy, struct ws_error *error)
{
    *copy = strdup(text);
    return *copy ? WS_STATUS_ok : ws_yaml_no_memory(node, error);
}

/* ---- Machines ---- */

/* Adds a machine's name to those of the experiment, once. */
static enum ws_status note_machine(const struct ws_yaml *node, const char *name, struct ws_experiment *experiment,
                                   struct ws_error *error)
{
    struct ws_text names = {0};
    const char *const before = experiment->machine ? experiment->machine : "";
    const char *const there = strstr(before, name);
    if (there && (there == before || there[-1] == ' ') && (!there[strlen(name)] || there[strlen(name)] == ','))
        return WS_STATUS_ok;
    ws_text_add(&names, "%s%s%s", before, *before ? ", " : "", name);
    if (names.failed)
        return ws_yaml_no_memory(node, error);
    free(experiment->machine);
    experiment->machine = names.data;
    return WS_STATUS_ok;
}

/* Loads the machine named by a node and keeps its name in file. */
enum ws_status config_load_machine(const struct ws_yaml *node, struct ws_machine_file *file, struct ws_experiment *experiment,
                                   struct ws_error *error)
{
    const char *name;
    char *path = NULL;
    WS_TRY(ws_yaml_text(node, &name, error));
    const bool bundled = config_is_bundled(BUNDLED_MACHINE, name);
    if (!bundled)
        WS_TRY(traces_path(node, name, &path, error));
    enum ws_status status = ws_machine_load(bundled ? name : path, file, error);
    free(path);
    if (status != WS_STATUS_ok) {
        if (node->line > 0)
            ws_fail_in(error, "machine: ");
        return ws_yaml_at(node, error);
    }
    return note_machine(node, file->name, experiment, error);
}

/* ---- Points: of every machine, in every variation ---- */

static enum ws_status append_points(const struct ws_yaml *root, const struct draft *base, const struct expansion *expansion,
                                    struct ws_error *error)
{
    WS_TRY(list_append(base, ws_yaml_get(root, "points"), expansion, error));
    WS_TRY(table_append(base, ws_yaml_get(root, "table"), expansion, error));
    WS_TRY(grid_append(base, ws_yaml_get(root, "axes"), expansion, error));
    return sample_append(base, ws_yaml_get(root, "sample"), expansion, error);
}

/* Points in one variation: its machine, settings and front-end options apply before those of points. */
static enum ws_status append_variation(const struct ws_yaml *root, const struct ws_yaml *node, const struct draft *base,
                                       const char *machine, const struct expansion *expansion, struct ws_error *error)
{
    static const char *const keys[] = {"label", "machine", "set", "frontend", NULL};
    const struct ws_yaml *label;
    const char *text;
    struct ws_machine_file file;
    struct ws_text name = {0};
    struct expansion within = *expansion;
    struct draft draft = *base;
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "label", &label, error));
    WS_TRY(ws_yaml_text(label, &text, error));
    if (ws_yaml_get(node, "machine")) {
        if (machine)
            return ws_yaml_fail(node, error, "a variation has no machine where the experiment lists machines");
        WS_TRY(config_load_machine(ws_yaml_get(node, "machine"), &file, expansion->experiment, error));
        draft.machine = file.machine;
        WS_TRY(draft_set_all(&draft, ws_yaml_get(root, "set"), error));
    }
    WS_TRY(draft_set_all(&draft, ws_yaml_get(node, "set"), error));
    WS_TRY(draft_set_frontend(&draft, ws_yaml_get(node, "frontend"), error));
    ws_text_add(&name, "%s%s%s", machine ? machine : "", machine ? ", " : "", text);
    within.variation = name.data;
    const enum ws_status status = name.failed ? ws_yaml_no_memory(node, error) : append_points(root, &draft, &within, error);
    ws_text_free(&name);
    return status;
}

/* Points of one machine. name is NULL for a single one. */
static enum ws_status append_machine(const struct ws_yaml *root, const struct ws_machine *machine, const char *name,
                                     struct expansion *expansion, struct ws_error *error)
{
    const struct ws_yaml *const variations = ws_yaml_get(root, "variations");
    struct draft base = {.machine = *machine};
    WS_TRY(draft_set_all(&base, ws_yaml_get(root, "set"), error));
    WS_TRY(draft_set_frontend(&base, ws_yaml_get(root, "frontend"), error));
    expansion->variation = name;
    if (!variations)
        return append_points(root, &base, expansion, error);
    WS_TRY(ws_yaml_expect(variations, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *node = variations->first; node; node = node->next)
        WS_TRY(append_variation(root, node, &base, name, expansion, error));
    return WS_STATUS_ok;
}

/* The key machine gives one; machines lists several, treated like variations. */
static enum ws_status append_all(const struct ws_yaml *root, struct expansion *expansion, struct ws_error *error)
{
    const struct ws_yaml *const several = ws_yaml_get(root, "machines"), *one;
    struct ws_machine_file file;
    if (!several) {
        WS_TRY(ws_yaml_need(root, "machine", &one, error));
        WS_TRY(config_load_machine(one, &file, expansion->experiment, error));
        return append_machine(root, &file.machine, NULL, expansion, error);
    }
    if (ws_yaml_get(root, "machine"))
        return ws_yaml_fail(several, error, "an experiment has a machine or machines, not both");
    WS_TRY(ws_yaml_expect(several, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *node = several->first; node; node = node->next) {
        WS_TRY(config_load_machine(node, &file, expansion->experiment, error));
        WS_TRY(append_machine(root, &file.machine, file.name, expansion, error));
    }
    return WS_STATUS_ok;
}

/* Resolves baselines to labels; refuses duplicate labels and unknown baselines. */
static enum ws_status check_labels(const struct ws_yaml *root, const struct ws_experiment *experiment, struct ws_error *error)
{
    struct labels labels;
    u32 line = 0;
    WS_TRY(labels_sort(experiment, &labels, error));
    enum ws_status status = labels_unique(&labels, &line, error);
    WS_THEN(status, labels_complete(&labels, experiment, error));
    WS_THEN(status, labels_baselines(&labels, experiment, &line, error));
    free(labels.point);
    return status == WS_STATUS_ok ? status : ws_yaml_at(&(struct ws_yaml){.file = root->file, .line = line}, error);
}

static enum ws_status read_points(const struct ws_yaml *root, struct ws_experiment *experiment, struct ws_error *error)
{
    static const char *const sources[] = {"points", "table", "axes", "sample"};
    struct expansion expansion = {.experiment = experiment, .constraints = ws_yaml_get(root, "constraints")};
    size_t given = 0;
    for (size_t n = 0; n < sizeof sources / sizeof *sources; n++)
        given += ws_yaml_get(root, sources[n]) != NULL;
    expansion.alone = given == 1;
    if (expansion.constraints)
        WS_TRY(ws_yaml_expect(expansion.constraints, WS_YAML_SEQUENCE, error));
    WS_TRY(optional_template(root, "baseline", &expansion.baseline, error));
    WS_TRY(optional_template(root, "label", &expansion.label, error));
    WS_TRY(append_all(root, &expansion, error));
    if (experiment->point_count > 0)
        return check_labels(root, experiment, error);
    return experiment->skipped > 0 ? ws_yaml_fail(expansion.constraints, error, "the constraints exclude all %zu points; relax one",
                                                  experiment->skipped)
                                   : ws_yaml_fail(root, error, "an experiment needs points, axes, a table or a sample");
}

enum ws_status config_read_head(const struct ws_yaml *root, struct ws_experiment *experiment, struct ws_error *error)
{
    const struct ws_yaml *name, *traces;
    const char *about;
    const struct ws_yaml *const sample = ws_yaml_get(root, "sampled_shards");
    uint64_t shards = 1, sampled = 0;
    WS_TRY(ws_yaml_need(root, "name", &name, error));
    WS_TRY(ws_yaml_need(root, "traces", &traces, error));
    WS_TRY(ws_yaml_expect(name, WS_YAML_SCALAR, error));
    WS_TRY(copy_text(name, name->text, &experiment->name, error));
    if (root->line > 0)
        WS_TRY(copy_text(root, root->file, &experiment->file, error));
    if (!*name->text || strpbrk(name->text, "/\\"))
        return ws_yaml_fail(name, error, "found '%s', allowed is what can name a file in a folder: no slashes", name->text);
    WS_TRY(ws_yaml_optional_text(ws_yaml_get(root, "about"), &about, error));
    WS_TRY(copy_text(root, about ? about : "", &experiment->about, error));
    if (ws_yaml_get(root, "shards"))
        WS_TRY(ws_yaml_unsigned(ws_yaml_get(root, "shards"), 1, MOST_SHARDS, &shards, error));
    if (sample && shards == 1)
        return ws_yaml_fail(sample, error, "there is 1 shard, the whole trace; set shards, the number of SMs");
    if (sample)
        WS_TRY(ws_yaml_unsigned(sample, 1, shards, &sampled, error));
    experiment->shards = (u32)shards;
    experiment->sampled = (u32)sampled;
    return traces_read(traces, experiment, error);
}

static enum ws_status read_experiment(const struct ws_yaml *root, struct ws_experiment *experiment, struct ws_error *error)
{
    static const char *const keys[] = {"name",   "about",       "machine",        "machines", "set",    "frontend", "variations",
                                       "traces", "shards",      "sampled_shards", "baseline", "points", "table",    "axes",
                                       "sample", "constraints", "label",          "times",    NULL};
    WS_TRY(ws_yaml_expect_keys(root, keys, error));
    WS_TRY(config_read_head(root, experiment, error));
    if (ws_yaml_get(root, "times"))
        WS_TRY(ws_yaml_bool(ws_yaml_get(root, "times"), &experiment->times, error));
    return read_points(root, experiment, error);
}

enum ws_status config_read_experiment(const struct ws_yaml *root, struct ws_experiment **experiment, struct ws_error *error)
{
    struct ws_experiment *made = calloc(1, sizeof *made);
    const enum ws_status status = made ? read_experiment(root, made, error) : ws_yaml_no_memory(root, error);
    if (status != WS_STATUS_ok) {
        ws_experiment_free(made);
        return status;
    }
    *experiment = made;
    return WS_STATUS_ok;
}

enum ws_status ws_experiment_load(const char *file_or_name, struct ws_experiment **experiment, struct ws_error *error)
{
    *experiment = NULL;
    struct ws_yaml *root;
    WS_TRY(config_load_yaml(BUNDLED_EXPERIMENT, file_or_name, &root, error));
    const enum ws_status status = config_read_experiment(root, experiment, error);
    ws_yaml_free(root);
    return status;
}

void ws_experiment_free(struct ws_experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t n = 0; n < experiment->point_count; n++) {
        free(experiment->points[n].label);
        free(experiment->points[n].variation);
        free(experiment->points[n].overrides);
        free(experiment->points[n].baseline);
        free(experiment->points[n].frontend);
    }
    for (size_t n = 0; n < experiment->trace_count; n++) {
        free(experiment->traces[n]);
        free(experiment->trace_places[n]);
    }
    free(experiment->points);
    free(experiment->set);
    free(experiment->traces);
    free(experiment->trace_places);
    free(experiment->file);
    free(experiment->name);
    free(experiment->about);
    free(experiment->machine);
    free(experiment);
}
