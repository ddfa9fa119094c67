#include "config/experiment/traces.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/text.h"

enum ws_status traces_path(const struct ws_yaml *node, const char *name, char **path, struct ws_error *error)
{
    const char *const slash = node->line > 0 ? strrchr(node->file, '/') : NULL;
    const int folder = slash && *name != '/' ? (int)(slash - node->file) + 1 : 0;
    struct ws_text text = {0};
    ws_text_add(&text, "%.*s%s", folder, node->file, name);
    if (text.failed) {
        ws_text_free(&text);
        return ws_yaml_no_memory(node, error);
    }
    *path = text.data;
    return WS_STATUS_ok;
}

/* A name with a slash or ending in .wst is a file or folder, any other a bundled workload. */
static bool is_file(const char *name)
{
    return strchr(name, '/') || ws_stem(name, ".wst") > 0;
}

bool traces_append(struct ws_experiment *experiment, const char *name, const char *place)
{
    const size_t count = experiment->trace_count;
    char **const traces = realloc(experiment->traces, (count + 1) * sizeof *traces);
    if (traces)
        experiment->traces = traces;
    char **const places = realloc(experiment->trace_places, (count + 1) * sizeof *places);
    if (places)
        experiment->trace_places = places;
    if (!traces || !places)
        return false;
    traces[count] = strdup(name);
    places[count] = strdup(place);
    experiment->trace_count++;
    return traces[count] && places[count];
}

static enum ws_status add(const struct ws_yaml *node, const char *name, struct ws_experiment *experiment, struct ws_error *error)
{
    struct ws_error place;
    for (size_t n = 0; n < experiment->trace_count; n++)
        if (strcmp(experiment->traces[n], name) == 0)
            return ws_yaml_fail(node, error, "found '%s', which the list has already; remove one", name);
    ws_yaml_fail(node, &place, "%s", "");
    return traces_append(experiment, name, place.message) ? WS_STATUS_ok : ws_yaml_no_memory(node, error);
}

static enum ws_status add_matches(const struct ws_yaml *node, const glob_t *matches, struct ws_experiment *experiment,
                                  struct ws_error *error)
{
    for (size_t n = 0; n < matches->gl_pathc; n++)
        WS_TRY(add(node, matches->gl_pathv[n], experiment, error));
    return WS_STATUS_ok;
}

/* All matching files, in the order of their names. */
static enum ws_status add_pattern(const struct ws_yaml *node, const char *pattern, struct ws_experiment *experiment,
                                  struct ws_error *error)
{
    char *path;
    glob_t matches;
    WS_TRY(traces_path(node, pattern, &path, error));
    const int code = glob(path, 0, NULL, &matches);
    const enum ws_status status = code == 0              ? add_matches(node, &matches, experiment, error)
                                  : code == GLOB_NOSPACE ? ws_yaml_no_memory(node, error)
                                                         : ws_yaml_fail(node, error, "found '%s', which no file matches", pattern);
    if (code == 0)
        globfree(&matches);
    free(path);
    return status;
}

/* All traces of a folder, in the order of launches. */
static enum ws_status add_folder(const struct ws_yaml *node, const char *path, struct ws_experiment *experiment,
                                 struct ws_error *error)
{
    struct ws_paths paths;
    struct ws_error reason;
    enum ws_status status = ws_folder_list(path, ".wst", &paths, &reason);
    if (status != WS_STATUS_ok)
        status = ws_yaml_fail(node, error, "%s", reason.message);
    for (size_t n = 0; status == WS_STATUS_ok && n < paths.count; n++)
        status = add(node, paths.path[n], experiment, error);
    ws_paths_free(&paths);
    return status;
}

static enum ws_status read_trace(const struct ws_yaml *node, struct ws_experiment *experiment, struct ws_error *error)
{
    const char *name;
    char *path;
    WS_TRY(ws_yaml_text(node, &name, error));
    if (strpbrk(name, "*?["))
        return add_pattern(node, name, experiment, error);
    if (!is_file(name))
        return add(node, name, experiment, error);
    WS_TRY(traces_path(node, name, &path, error));
    const enum ws_status status = (ws_is_folder(path) ? add_folder : add)(node, path, experiment, error);
    free(path);
    return status;
}

enum ws_status traces_read(const struct ws_yaml *list, struct ws_experiment *experiment, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (!list->first)
        return ws_yaml_fail(list, error, "an experiment needs at least one trace");
    for (const struct ws_yaml *item = list->first; item; item = item->next)
        WS_TRY(read_trace(item, experiment, error));
    return WS_STATUS_ok;
}
