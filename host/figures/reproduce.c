/* Reproduces a paper: runs its experiments, draws its figures, compares its targets. */
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/output.h"
#include "figures/shown.h"
#include "figures/studies.h"
#include "warpsweep/report.h"

/* A running reproduction. trouble: the first failure that did not end it. */
struct reproduction {
    const struct ws_reproduce_options *options;
    const struct ws_paper *paper;
    const char *what, *figure; /* as given; name of the figure in it, NULL for all */
    FILE *tables;
    char *results; /* path */
    struct ws_text markdown, rows;
    struct ws_json json;
    enum ws_status status;
    struct ws_error trouble;
};

static void remember(struct reproduction *work, enum ws_status status, const struct ws_error *trouble)
{
    if (work->status == WS_STATUS_ok && status != WS_STATUS_ok) {
        work->status = status;
        work->trouble = *trouble;
    }
}

/* Whether the figure is selected, by its name or with its paper. */
static bool is_meant(const struct reproduction *work, const struct ws_paper_figure *figure)
{
    return work->figure ? strcmp(figure->name, work->figure) == 0 : figure->standard;
}

/* ---- Running ---- */

static enum ws_status load_experiment(const struct ws_paper_figure *figure, struct ws_experiment **experiment,
                                      struct ws_error *error)
{
    struct ws_text path = {0};
    enum ws_status status = ws_paper_experiment(figure, &path, error);
    if (status == WS_STATUS_ok)
        status = ws_experiment_load(path.data, experiment, error);
    ws_text_free(&path);
    return status;
}

static enum ws_status run_figure(struct reproduction *work, const struct ws_paper_figure *figure, struct ws_error *error)
{
    const struct ws_reproduce_options *const options = work->options;
    const struct ws_sweep_options sweep = {WS_STRUCT(sweep_options), .results = work->results, .engine = options->engine,
                                           .size = options->size,    .seed = options->seed,    .lockstep = options->lockstep,
                                           .watch = options->watch};
    struct ws_experiment *experiment;
    struct ws_sweep_summary summary;
    struct ws_error trouble;
    WS_TRY(load_experiment(figure, &experiment, error));
    const enum ws_status status = ws_sweep(experiment, &sweep, &summary, &trouble);
    ws_experiment_free(experiment);
    if (status != WS_STATUS_failed)
        return status == WS_STATUS_ok ? status : ws_fail(error, status, "%s", trouble.message);
    remember(work, status, &trouble);
    return WS_STATUS_ok;
}

/* ---- Showing ---- */

static enum ws_status print_table(struct reproduction *work, const struct ws_shown *shown, struct ws_error *error)
{
    struct ws_text text = {0};
    ws_shown_text(&text, shown);
    const bool put = !text.failed && fputs(text.data, work->tables) != EOF && fflush(work->tables) == 0;
    const bool failed = text.failed;
    ws_text_free(&text);
    if (failed)
        return ws_no_memory(error);
    return put ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_file, "the table cannot be written: %s", strerror(errno));
}

/* gnuplot writes pictures to their final paths: they may replace pictures only, and incomplete ones are removed. */
static enum ws_status for_pictures(const char *base, bool remove, struct ws_error *error)
{
    static const struct {
        const char *suffix;
        enum ws_output_kind kind;
    } pictures[] = {{"svg", WS_OUTPUT_svg}, {"png", WS_OUTPUT_png}};
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; n < sizeof pictures / sizeof *pictures && status == WS_STATUS_ok; n++) {
        struct ws_text path = {0};
        ws_text_add(&path, "%s.%s", base, pictures[n].suffix);
        if (path.failed)
            status = ws_no_memory(error);
        else if (!remove)
            status = ws_output_check(path.data, pictures[n].kind, 0, error);
        else
            unlink(path.data);
        ws_text_free(&path);
    }
    return status;
}

/* Writes the script BASE.gp and draws it; a missing gnuplot only counts as trouble. */
static enum ws_status draw_at(struct reproduction *work, const struct ws_shown *shown, const char *base, struct ws_error *error)
{
    struct ws_text script = {0}, path = {0};
    struct ws_error trouble;
    ws_text_add(&path, "%s.gp", base);
    enum ws_status status = ws_shown_script(&script, shown, base, "svg png", error);
    if (status == WS_STATUS_ok)
        status = script.failed || path.failed ? ws_no_memory(error) : for_pictures(base, false, error);
    if (status == WS_STATUS_ok)
        status = ws_output_write(path.data, WS_OUTPUT_figure, script.data, script.length, error);
    if (status == WS_STATUS_ok && ws_gnuplot(path.data, &trouble) != WS_STATUS_ok) {
        remember(work, trouble.status, &trouble);
        status = for_pictures(base, true, error);
    } else if (status == WS_STATUS_ok) {
        fprintf(work->tables, "Pictures: %s.svg %s.png\n", base, base);
    }
    ws_text_free(&script);
    ws_text_free(&path);
    return status;
}

static enum ws_status draw(struct reproduction *work, const struct ws_shown *shown, struct ws_error *error)
{
    struct ws_text base = {0};
    ws_text_add(&base, "%s/%s", work->options->folder, shown->figure->name);
    enum ws_status status = base.failed ? ws_no_memory(error) : WS_STATUS_ok;
    if (status == WS_STATUS_ok && ws_shown_draws(shown))
        status = draw_at(work, shown, base.data, error);
    fputs("\n", work->tables);
    ws_text_free(&base);
    return status;
}

/* Reports the start of a figure, if there is a callback. */
static void note(const struct reproduction *work, const struct ws_paper_figure *figure)
{
    const struct ws_sweep_watch *const watch = &work->options->watch;
    char text[200];
    if (!watch->note)
        return;
    snprintf(text, sizeof text, "figure %s/%s", work->paper->name, figure->name);
    watch->note(watch->context, text);
}

static enum ws_status prepare(void *context, const struct ws_paper_figure *figure, struct ws_results *results,
                              struct ws_error *error)
{
    struct reproduction *const work = context;
    struct ws_error trouble;
    WS_TRY(ws_studies_add(figure, work->options, results, &trouble, error));
    remember(work, trouble.status, &trouble);
    return WS_STATUS_ok;
}

/* Shows the figure from the results file: table and picture if selected, section and rows always. */
static enum ws_status show(struct reproduction *work, const struct ws_paper_figure *figure, const char *experiment,
                           struct ws_results *results, struct ws_error *error)
{
    const char *const size = ws_size_name(work->options->size);
    struct ws_shown shown;
    enum ws_status status = WS_STATUS_ok;
    if (is_meant(work, figure))
        note(work, figure);
    WS_TRY(ws_shown_make(results, figure, experiment, size, prepare, work, &shown, error));
    if (is_meant(work, figure))
        status = print_table(work, &shown, error);
    if (status == WS_STATUS_ok && is_meant(work, figure))
        status = draw(work, &shown, error);
    if (status == WS_STATUS_ok)
        status = ws_shown_markdown(&work->markdown, &shown, size, error);
    ws_shown_rows(&work->json, &shown);
    ws_shown_free(&shown);
    return status;
}

/* Shows the figure if its experiment is in the file. */
static enum ws_status show_if_there(struct reproduction *work, const struct ws_paper_figure *figure, struct ws_error *error)
{
    struct ws_experiment *experiment;
    struct ws_results *results;
    bool there;
    WS_TRY(load_experiment(figure, &experiment, error));
    enum ws_status status = ws_results_open(work->results, WS_RESULTS_READ, &results, error);
    if (status == WS_STATUS_ok) {
        status = ws_results_has(results, experiment->name, &there, error);
        if (status == WS_STATUS_ok && there)
            status = show(work, figure, experiment->name, results, error);
        ws_results_close(results, NULL);
    }
    ws_experiment_free(experiment);
    return status;
}

static enum ws_status write_text(struct reproduction *work, const char *name, enum ws_output_kind kind, const struct ws_text *text,
                                 struct ws_error *error)
{
    struct ws_text path = {0};
    ws_text_add(&path, "%s/%s", work->options->folder, name);
    const enum ws_status status =
        text->failed || path.failed ? ws_no_memory(error) : ws_output_write(path.data, kind, text->data, text->length, error);
    ws_text_free(&path);
    return status;
}

static enum ws_status show_all(struct reproduction *work, struct ws_error *error)
{
    ws_text_add(&work->markdown, "# %s, reproduced\n\nMade by `warpsweep reproduce %s --size %s`.\n", work->paper->name, work->what,
                ws_size_name(work->options->size));
    ws_json_object(&work->json, NULL);
    ws_json_unsigned(&work->json, "schema", 1);
    ws_json_text(&work->json, "paper", work->paper->name);
    ws_json_array(&work->json, "rows");
    for (size_t n = 0; n < work->paper->figures; n++)
        WS_TRY(show_if_there(work, &work->paper->figure[n], error));
    ws_json_end_array(&work->json);
    ws_json_end_object(&work->json);
    WS_TRY(write_text(work, "comparison.json", WS_OUTPUT_rows, &work->rows, error));
    return write_text(work, "comparison.md", WS_OUTPUT_comparison, &work->markdown, error);
}

static enum ws_status run_and_show(struct reproduction *work, struct ws_error *error)
{
    for (size_t n = 0; n < work->paper->figures; n++)
        if (is_meant(work, &work->paper->figure[n]))
            WS_TRY(run_figure(work, &work->paper->figure[n], error));
    WS_TRY(show_all(work, error));
    return work->status == WS_STATUS_ok ? WS_STATUS_ok : ws_fail(error, work->status, "%s", work->trouble.message);
}

/* Removes a folder that was created here and is empty. */
static enum ws_status reproduce(struct reproduction *work, struct ws_error *error)
{
    const char *const folder = work->options->folder;
    const bool made = access(folder, F_OK) != 0;
    WS_TRY(ws_folder_make(folder, error));
    const enum ws_status status = run_and_show(work, error);
    if (status != WS_STATUS_ok && made)
        rmdir(folder);
    return status;
}

static enum ws_status reproduce_paper(struct ws_wanted *wanted, const char *what, const struct ws_reproduce_options *options,
                                      FILE *tables, struct ws_error *error)
{
    struct ws_text results = {0};
    struct reproduction work = {
        .options = options, .paper = wanted->paper, .what = what, .figure = wanted->figure, .tables = tables};
    ws_text_add(&results, "%s/%s-%s.db", options->folder, wanted->paper->name, ws_size_name(options->size));
    work.results = results.data;
    work.json = (struct ws_json){.text = &work.rows};
    const enum ws_status status = results.failed ? ws_no_memory(error) : reproduce(&work, error);
    ws_text_free(&work.markdown);
    ws_text_free(&work.rows);
    ws_text_free(&results);
    return status;
}

enum ws_status ws_reproduce(const char *what, const struct ws_reproduce_options *options, FILE *tables, struct ws_error *error)
{
    struct ws_reproduce_options own;
    struct ws_wanted wanted;
    WS_TRY(WS_STRUCT_CHECK(reproduce_options, options, error));
    WS_TRY(ws_paper_want(what, &wanted, error));
    own = *options;
    own.engine.struct_size = sizeof own.engine;
    const enum ws_status status = reproduce_paper(&wanted, what, &own, tables, error);
    ws_paper_free(wanted.paper);
    return status;
}
