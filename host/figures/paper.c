#include "figures/paper.h"

#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "figures/paper_files.h"

static const char *const paper_keys[] = {"name", "title", "figures", "on_request", "tables", "quantities", NULL};
static const char *const figure_keys[] = {"like",   "title", "source", "over",   "experiment",
                                          "values", "study", "table",  "charts", NULL};

/* ---- Figures ---- */

/* Reads a YAML file of the paper's folder, or a single one. */
static enum ws_status load_yaml(const char *paper, const char *folder, const char *name, const char *const *keys,
                                struct ws_yaml **root, struct ws_error *error)
{
    struct ws_paper_file file;
    *root = NULL;
    WS_TRY(ws_paper_file_read(paper, folder, name, false, &file, error));
    enum ws_status status = ws_yaml_parse(file.name, file.text, file.length, root, error);
    ws_paper_file_close(&file);
    if (status == WS_STATUS_ok)
        status = ws_yaml_expect_keys(*root, keys, error);
    return status;
}

/* Reads the figure's file and the ones that it inherits from (like). */
static enum ws_status load_roots(const char *paper, const char *folder, struct ws_paper_figure *figure, struct ws_error *error)
{
    const char *next = figure->name;
    while (next) {
        struct ws_text name = {0};
        ws_text_add(&name, "%s.yaml", next);
        if (figure->roots == WS_LIKE_MOST) {
            ws_text_free(&name);
            return ws_yaml_fail(ws_yaml_get(figure->root[0], "like"), error,
                                "more than %d figures in a row are like another, or one is like itself", WS_LIKE_MOST - 1);
        }
        const enum ws_status status = name.failed
                                          ? ws_no_memory(error)
                                          : load_yaml(paper, folder, name.data, figure_keys, &figure->root[figure->roots], error);
        ws_text_free(&name);
        figure->roots += figure->root[figure->roots] != NULL;
        WS_TRY(status);
        const struct ws_yaml *const like = ws_yaml_get(figure->root[figure->roots - 1], "like");
        next = NULL;
        if (like)
            WS_TRY(ws_yaml_text(like, &next, error));
    }
    return WS_STATUS_ok;
}

/* Fails if a figure lacks a required key. */
static enum ws_status check_figure(const struct ws_paper_figure *figure, struct ws_error *error)
{
    static const char *const needed[] = {"title", "experiment", "table"};
    for (size_t n = 0; n < sizeof needed / sizeof *needed; n++)
        if (!ws_paper_get(figure, needed[n]))
            return ws_yaml_fail(figure->root[0], error, "the key '%s' is missing", needed[n]);
    return WS_STATUS_ok;
}

void ws_paper_free_figure(struct ws_paper_figure *figure)
{
    for (size_t n = 0; n < figure->roots; n++)
        ws_yaml_free(figure->root[n]);
    free(figure->name);
    *figure = (struct ws_paper_figure){0};
}

const struct ws_yaml *ws_paper_get(const struct ws_paper_figure *figure, const char *key)
{
    for (size_t n = 0; n < figure->roots; n++) {
        const struct ws_yaml *const found = ws_yaml_get(figure->root[n], key);
        if (found)
            return found;
    }
    return NULL;
}

const char *ws_paper_text(const struct ws_paper_figure *figure, const char *key)
{
    const struct ws_yaml *const node = ws_paper_get(figure, key);
    return node && node->text ? node->text : "";
}

const char *ws_paper_value(const void *context, const char *name)
{
    const struct ws_paper_figure *const figure = context;
    if (strcmp(name, "figure") == 0)
        return figure->name;
    for (size_t n = 0; n < figure->roots; n++) {
        const struct ws_yaml *const values = ws_yaml_get(figure->root[n], "values");
        const struct ws_yaml *const found = values ? ws_yaml_get(values, name) : NULL;
        if (found && found->text)
            return found->text;
    }
    return NULL;
}

enum ws_status ws_paper_experiment(const struct ws_paper_figure *figure, struct ws_text *path, struct ws_error *error)
{
    const char *const name = ws_paper_text(figure, "experiment"), *const folder = figure->paper ? figure->paper->folder : NULL;
    if (folder)
        ws_text_add(path, "%s/experiments/%s.yaml", folder, name);
    if (!folder || (!path->failed && access(path->data, F_OK) != 0)) {
        path->length = 0;
        ws_text_add(path, "%s", name);
    }
    return path->failed ? ws_no_memory(error) : WS_STATUS_ok;
}

/* ---- Papers ---- */

static enum ws_status add_figures(struct ws_paper *paper, const char *key, struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(paper->root, key);
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    struct ws_paper_figure *const more = realloc(paper->figure, (paper->figures + list->count + 1) * sizeof *more);
    if (!more)
        return ws_no_memory(error);
    paper->figure = more;
    for (const struct ws_yaml *node = list->first; node; node = node->next) {
        const char *name;
        WS_TRY(ws_yaml_text(node, &name, error));
        struct ws_paper_figure *const figure = &paper->figure[paper->figures++];
        *figure = (struct ws_paper_figure){.paper = paper, .name = strdup(name), .standard = strcmp(key, "figures") == 0};
        if (!figure->name)
            return ws_no_memory(error);
        WS_TRY(load_roots(paper->name, paper->folder, figure, error));
        WS_TRY(check_figure(figure, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status fill(struct ws_paper *paper, struct ws_error *error)
{
    const struct ws_yaml *name;
    WS_TRY(load_yaml(paper->name, paper->folder, "paper.yaml", paper_keys, &paper->root, error));
    if (paper->folder) {
        const char *text;
        WS_TRY(ws_yaml_need(paper->root, "name", &name, error));
        WS_TRY(ws_yaml_text(name, &text, error));
        if (strpbrk(text, "/\\"))
            return ws_yaml_fail(name, error, "found '%s', allowed is what can name a file: no slashes", text);
        if (!(paper->name = strdup(text)))
            return ws_no_memory(error);
    }
    WS_TRY(add_figures(paper, "figures", error));
    WS_TRY(add_figures(paper, "on_request", error));
    if (paper->figures == 0)
        return ws_yaml_fail(paper->root, error, "found no figure, allowed is at least one FIGURE.yaml in figures or on_request");
    return WS_STATUS_ok;
}

enum ws_status ws_paper_load(const char *name_or_folder, struct ws_paper **paper, struct ws_error *error)
{
    const bool bundled = ws_paper_is_bundled(name_or_folder);
    *paper = NULL;
    struct ws_paper *const loaded = calloc(1, sizeof *loaded);
    char *const copy = strdup(name_or_folder);
    if (!loaded || !copy) {
        free(loaded);
        free(copy);
        return ws_no_memory(error);
    }
    *(bundled ? &loaded->name : &loaded->folder) = copy;
    const enum ws_status status = fill(loaded, error);
    if (status == WS_STATUS_ok)
        *paper = loaded;
    else
        ws_paper_free(loaded);
    return status;
}

void ws_paper_free(struct ws_paper *paper)
{
    if (!paper)
        return;
    for (size_t n = 0; n < paper->figures; n++)
        ws_paper_free_figure(&paper->figure[n]);
    ws_yaml_free(paper->root);
    free(paper->figure);
    free(paper->name);
    free(paper->folder);
    free(paper);
}

/* ---- A figure's file ---- */

static enum ws_status load_beside(const char *folder, struct ws_paper_figure *figure, struct ws_error *error)
{
    struct ws_text path = {0};
    struct ws_paper *paper = NULL;
    ws_text_add(&path, "%s/paper.yaml", folder);
    enum ws_status status = path.failed ? ws_no_memory(error) : WS_STATUS_ok;
    if (status == WS_STATUS_ok && access(path.data, F_OK) == 0)
        status = ws_paper_load(folder, &paper, error);
    ws_text_free(&path);
    figure->paper = paper;
    if (status == WS_STATUS_ok)
        status = load_roots(NULL, folder, figure, error);
    if (status == WS_STATUS_ok)
        status = check_figure(figure, error);
    if (status != WS_STATUS_ok) {
        ws_paper_free_figure(figure);
        ws_paper_free(paper);
    }
    return status;
}

enum ws_status ws_paper_load_figure(const char *path, struct ws_paper_figure *figure, struct ws_error *error)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const size_t stem = ws_stem(name, ".yaml");
    *figure = (struct ws_paper_figure){0};
    if (stem == 0)
        return ws_fail(error, WS_STATUS_usage, "%s: found no FIGURE.yaml", path);
    if (access(path, R_OK) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", path, strerror(errno));
    char *const folder = slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
    figure->name = strndup(name, stem);
    const enum ws_status status = folder && figure->name ? load_beside(folder, figure, error) : ws_no_memory(error);
    free(folder);
    return status;
}

/* ---- Tables and views ---- */

static enum ws_status add_table(const struct ws_paper *paper, const char *name, bool optional, struct ws_results *results,
                                struct ws_error *error)
{
    struct ws_paper_file file;
    struct ws_text path = {0};
    ws_text_add(&path, "%s.csv", name);
    enum ws_status status =
        path.failed ? ws_no_memory(error) : ws_paper_file_read(paper->name, paper->folder, path.data, optional, &file, error);
    ws_text_free(&path);
    WS_TRY(status);
    if (file.text)
        status = ws_results_table(results, name, file.name, file.text, error);
    ws_paper_file_close(&file);
    return status;
}

static enum ws_status add_tables(const struct ws_paper *paper, struct ws_results *results, struct ws_error *error)
{
    const struct ws_yaml *const tables = ws_yaml_get(paper->root, "tables");
    WS_TRY(add_table(paper, "targets", true, results, error));
    if (tables)
        WS_TRY(ws_yaml_expect(tables, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *node = tables ? tables->first : NULL; node; node = node->next) {
        const char *name;
        WS_TRY(ws_yaml_text(node, &name, error));
        WS_TRY(add_table(paper, name, false, results, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_paper_derive(const struct ws_paper *paper, const char *experiment, struct ws_results *results,
                               struct ws_error *error)
{
    struct ws_paper_file views = {0};
    if (paper)
        WS_TRY(add_tables(paper, results, error));
    WS_TRY(ws_results_derive(results, experiment, error));
    if (paper)
        WS_TRY(ws_paper_file_read(paper->name, paper->folder, "views.sql", true, &views, error));
    const enum ws_status status = views.text ? ws_results_script(results, views.text, views.name, error) : WS_STATUS_ok;
    ws_paper_file_close(&views);
    return status;
}

/* ---- Notes ---- */

/* Start of the next line after text; the end for the last. */
static const char *next_line(const char *text)
{
    text += strcspn(text, "\n");
    return *text ? text + 1 : text;
}

enum ws_status ws_paper_notes(const struct ws_paper_figure *figure, const char *size, struct ws_text *text, struct ws_error *error)
{
    struct ws_paper_file notes;
    struct ws_text heading = {0};
    const size_t start = text->length;
    bool shown = false;
    if (!figure->paper)
        return WS_STATUS_ok;
    WS_TRY(ws_paper_file_read(figure->paper->name, figure->paper->folder, "notes.md", true, &notes, error));
    ws_text_add(&heading, "## %s, %s\n", figure->name, size);
    const char *line = notes.text && !heading.failed ? notes.text : "";
    const char *next;
    for (; *line; line = next) {
        next = next_line(line);
        if (strncmp(line, "## ", 3) == 0)
            shown = strncmp(line, heading.data, heading.length) == 0;
        else if (shown)
            ws_text_bytes(text, line, (size_t)(next - line));
    }
    while (text->length > start + 1 && strcmp(text->data + text->length - 2, "\n\n") == 0) /* before the next heading */
        text->data[--text->length] = 0;
    const bool failed = heading.failed;
    ws_text_free(&heading);
    ws_paper_file_close(&notes);
    return failed ? ws_no_memory(error) : WS_STATUS_ok;
}
