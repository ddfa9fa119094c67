/* Draws a figure's file over any results file. */
#include <limits.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/output.h"
#include "figures/shown.h"
#include "figures/studies.h"
#include "warpsweep/report.h"

/* Output kind of a suffix. */
static const struct suffix {
    const char *suffix;
    enum ws_output_kind kind;
} suffixes[] = {{"svg", WS_OUTPUT_svg},
                {"png", WS_OUTPUT_png},
                {"gp", WS_OUTPUT_figure},
                {"md", WS_OUTPUT_section},
                {"csv", WS_OUTPUT_private}};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

static enum ws_status find_suffix(const char *path, const struct suffix **suffix, struct ws_error *error)
{
    const char *const dot = strrchr(path, '.');
    for (size_t n = 0; n < SUFFIXES; n++)
        if (dot && strcmp(dot + 1, suffixes[n].suffix) == 0) {
            *suffix = &suffixes[n];
            return WS_STATUS_ok;
        }
    return ws_fail(error, WS_STATUS_usage, "%s: found no known suffix, allowed are .svg, .png, .gp, .md and .csv", path);
}

/* ---- The experiment ---- */

struct experiments {
    struct ws_text names;
    char *only;
    size_t count;
};

static enum ws_status take_name(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct experiments *const all = context;
    ws_text_add(&all->names, "%s%s", all->count > 0 ? ", " : "", row->values[0]);
    if (all->count++ == 0 && !(all->only = strdup(row->values[0])))
        return ws_no_memory(error);
    return WS_STATUS_ok;
}

/* The requested experiment, else the figure's, else the only one of the file. */
static enum ws_status choose(struct ws_results *results, const char *wanted, const char *usual, const char *path, char **chosen,
                             struct ws_error *error)
{
    struct experiments all = {0};
    bool there;
    WS_TRY(ws_results_has(results, wanted ? wanted : usual, &there, error));
    *chosen = there ? strdup(wanted ? wanted : usual) : NULL;
    if (there)
        return *chosen ? WS_STATUS_ok : ws_no_memory(error);
    enum ws_status status =
        ws_results_query(results, "SELECT experiment FROM selected ORDER BY experiment_id", NULL, take_name, &all, error);
    if (status == WS_STATUS_ok && !wanted && all.count == 1) {
        *chosen = all.only;
        all.only = NULL;
    } else if (status == WS_STATUS_ok) {
        status = ws_fail(error, WS_STATUS_usage, "%s: has no experiment '%s'; it has %s%s", path, wanted ? wanted : usual,
                         all.count > 0 ? all.names.data : "none", wanted ? "" : " (--experiment names one)");
    }
    ws_text_free(&all.names);
    free(all.only);
    return status;
}

/* ---- Writing ---- */

/* gnuplot draws from a temporary script. */
static enum ws_status draw(const struct ws_text *script, struct ws_error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/warpsweep-XXXXXX", ws_temporary_folder());
    const int file = mkstemp(path);
    if (file < 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be created: %s; set TMPDIR to a folder that can be written", path,
                       strerror(errno));
    const bool put = write(file, script->data, script->length) == (ssize_t)script->length;
    close(file);
    const enum ws_status status =
        put ? ws_gnuplot(path, error)
            : ws_fail(error, WS_STATUS_no_file, "%s: cannot be written; set TMPDIR to a folder with room", path);
    unlink(path);
    return status;
}

static enum ws_status write_picture(const struct ws_shown *shown, const char *path, const struct suffix *suffix,
                                    struct ws_error *error)
{
    struct ws_text script = {0}, base = {0};
    if (!ws_shown_draws(shown))
        return ws_fail(error, WS_STATUS_usage, "%s: the figure has no chart, allowed are .md and .csv", path);
    ws_text_bytes(&base, path, (size_t)(strrchr(path, '.') - path));
    const bool is_script = suffix->kind == WS_OUTPUT_figure;
    enum ws_status status = base.failed ? ws_no_memory(error)
                                        : ws_shown_script(&script, shown, base.data, is_script ? "svg png" : suffix->suffix, error);
    if (status == WS_STATUS_ok && script.failed)
        status = ws_no_memory(error);
    if (status == WS_STATUS_ok && is_script)
        status = ws_output_write(path, suffix->kind, script.data, script.length, error);
    else if (status == WS_STATUS_ok)
        status = ws_output_check(path, suffix->kind, 0, error);
    if (status == WS_STATUS_ok && !is_script)
        status = draw(&script, error);
    ws_text_free(&script);
    ws_text_free(&base);
    return status;
}

/* CSV files have no mark: replaces a table with the same heading only. */
static enum ws_status check_heading(const char *path, const struct ws_text *text, struct ws_error *error)
{
    const size_t length = strcspn(text->data, "\n");
    char *before;
    size_t bytes;
    if (access(path, F_OK) != 0)
        return WS_STATUS_ok;
    WS_TRY(ws_file_read(path, WS_YAML_BYTES, &before, &bytes, error));
    const bool same = bytes == 0 || (bytes > length && memcmp(before, text->data, length + 1) == 0);
    free(before);
    return same ? WS_STATUS_ok
                : ws_fail(error, WS_STATUS_bad_input,
                          "%s: exists, and is not a table with this heading. Name another file, or remove this one", path);
}

static enum ws_status write_words(const struct ws_shown *shown, const char *path, const struct suffix *suffix, FILE *out,
                                  struct ws_error *error)
{
    struct ws_text text = {0};
    enum ws_status status = WS_STATUS_ok;
    if (!suffix)
        ws_shown_text(&text, shown);
    else if (suffix->kind == WS_OUTPUT_private)
        ws_table_csv(&text, &shown->table);
    else {
        ws_text_add(&text, "Made by `warpsweep plot %s`.\n", shown->figure->name);
        status = ws_shown_markdown(&text, shown, NULL, error);
    }
    if (status == WS_STATUS_ok && text.failed)
        status = ws_no_memory(error);
    if (status == WS_STATUS_ok && suffix && suffix->kind == WS_OUTPUT_private)
        status = check_heading(path, &text, error);
    if (status == WS_STATUS_ok && suffix)
        status = ws_output_write(path, suffix->kind, text.data, text.length, error);
    else if (status == WS_STATUS_ok && (fputs(text.data, out) == EOF || fflush(out) != 0))
        status = ws_fail(error, WS_STATUS_no_file, "the table cannot be written: %s", strerror(errno));
    ws_text_free(&text);
    return status;
}

/* ---- All of it ---- */

/* Studies are not part of the results file. */
static enum ws_status prepare(void *context, const struct ws_paper_figure *figure, struct ws_results *results,
                              struct ws_error *error)
{
    struct ws_error trouble;
    (void)context;
    return ws_studies_add(figure, NULL, results, &trouble, error);
}

static enum ws_status show(const struct ws_paper_figure *figure, struct ws_results *results, const char *experiment,
                           const struct ws_plot_options *options, FILE *out, struct ws_error *error)
{
    const struct suffix *suffix = NULL;
    struct ws_shown shown;
    if (options->output)
        WS_TRY(find_suffix(options->output, &suffix, error));
    WS_TRY(ws_shown_make(results, figure, experiment, NULL, prepare, NULL, &shown, error));
    enum ws_status status = WS_STATUS_ok;
    if (shown.rows.rows == 0)
        status = ws_yaml_fail(ws_paper_get(figure, "table"), error, "the answer for experiment '%s' has no rows", experiment);
    else if (suffix && (suffix->kind == WS_OUTPUT_svg || suffix->kind == WS_OUTPUT_png || suffix->kind == WS_OUTPUT_figure))
        status = write_picture(&shown, options->output, suffix, error);
    else
        status = write_words(&shown, options->output, suffix, out, error);
    ws_shown_free(&shown);
    return status;
}

static enum ws_status plot(const struct ws_paper_figure *figure, const char *path, const struct ws_plot_options *options, FILE *out,
                           struct ws_error *error)
{
    struct ws_results *results;
    char *experiment;
    WS_TRY(ws_results_open(path, WS_RESULTS_READ, &results, error));
    enum ws_status status = choose(results, options->experiment, ws_paper_text(figure, "experiment"), path, &experiment, error);
    if (status == WS_STATUS_ok) {
        status = show(figure, results, experiment, options, out, error);
        free(experiment);
    }
    ws_results_close(results, NULL);
    return status;
}

enum ws_status ws_plot(const char *figure, const char *results, const struct ws_plot_options *options, FILE *out,
                       struct ws_error *error)
{
    WS_TRY(WS_STRUCT_CHECK(plot_options, options, error));
    if (ws_stem(figure, ".yaml") > 0) {
        struct ws_paper_figure loaded;
        WS_TRY(ws_paper_load_figure(figure, &loaded, error));
        const enum ws_status status = plot(&loaded, results, options, out, error);
        ws_paper_free((struct ws_paper *)(uintptr_t)loaded.paper);
        ws_paper_free_figure(&loaded);
        return status;
    }
    struct ws_wanted wanted;
    WS_TRY(ws_paper_want(figure, &wanted, error));
    enum ws_status status =
        wanted.figure ? WS_STATUS_ok : ws_fail(error, WS_STATUS_usage, "%s: found a paper, allowed is a figure of one", figure);
    if (status == WS_STATUS_ok)
        status = plot(ws_paper_find(wanted.paper, wanted.figure), results, options, out, error);
    ws_paper_free(wanted.paper);
    return status;
}
