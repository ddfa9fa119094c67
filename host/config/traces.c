#include "config/traces.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static enum ws_status out_of_memory(const struct ws_yaml *node, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", node->file);
}

enum ws_status traces_path(const struct ws_yaml *node, const char *name, char **path, struct ws_error *error)
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

/* A name with a slash or ending in .wst is a file, any other a bundled workload. */
static bool is_file(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length >= 4 && strcmp(name + length - 4, ".wst") == 0);
}

/* Appends name to the list, which takes ownership. */
static enum ws_status add(const struct ws_yaml *node, char *name, struct ws_experiment *experiment, struct ws_error *error)
{
    const size_t count = experiment->trace_count;
    for (size_t n = 0; n < count; n++) {
        if (strcmp(experiment->traces[n], name) != 0)
            continue;
        const enum ws_status status = ws_yaml_fail(node, error, "found '%s', which the list has already", name);
        free(name);
        return status;
    }
    char **const traces = realloc(experiment->traces, (count + 1) * sizeof *traces);
    if (!traces) {
        free(name);
        return out_of_memory(node, error);
    }
    experiment->traces = traces;
    experiment->traces[experiment->trace_count++] = name;
    return WS_STATUS_ok;
}

static enum ws_status add_matches(const struct ws_yaml *node, const glob_t *matches, struct ws_experiment *experiment,
                                  struct ws_error *error)
{
    for (size_t n = 0; n < matches->gl_pathc; n++) {
        char *const copy = strdup(matches->gl_pathv[n]);
        WS_TRY(copy ? add(node, copy, experiment, error) : out_of_memory(node, error));
    }
    return WS_STATUS_ok;
}

/* All files that match, in the order of their names. */
static enum ws_status add_pattern(const struct ws_yaml *node, const char *pattern, struct ws_experiment *experiment,
                                  struct ws_error *error)
{
    char *path;
    glob_t matches;
    WS_TRY(traces_path(node, pattern, &path, error));
    const int code = glob(path, 0, NULL, &matches);
    const enum ws_status status = code == 0              ? add_matches(node, &matches, experiment, error)
                                  : code == GLOB_NOSPACE ? out_of_memory(node, error)
                                                         : ws_yaml_fail(node, error, "found '%s', which no file matches", pattern);
    if (code == 0)
        globfree(&matches);
    free(path);
    return status;
}

static enum ws_status read_trace(const struct ws_yaml *node, struct ws_experiment *experiment, struct ws_error *error)
{
    const char *name;
    char *copy;
    WS_TRY(ws_yaml_text(node, &name, error));
    if (strpbrk(name, "*?["))
        return add_pattern(node, name, experiment, error);
    if (is_file(name))
        WS_TRY(traces_path(node, name, &copy, error));
    else if (!(copy = strdup(name)))
        return out_of_memory(node, error);
    return add(node, copy, experiment, error);
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
