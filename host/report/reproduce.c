#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/output.h"
#include "report/render.h"

/* A reproduction on its way. trouble is the first failure that the rest could go on without. */
struct reproduction {
    const struct ws_reproduce_options *options;
    const char *paper;
    FILE *tables;
    char *results;           /* path */
    const char *limits_of;   /* experiment whose studies these are, NULL before */
    struct ws_limits limits; /* kept, since they are shown several times */
    const struct ws_figure *gangs_of;
    struct ws_gangs gangs; /* likewise, of a figure */
    enum ws_status status;
    struct ws_error trouble;
};

typedef enum ws_status use_function(struct reproduction *work, const struct ws_shown *shown, void *context, struct ws_error *error);

static enum ws_status no_memory(struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "out of memory");
}

static void remember(struct reproduction *work, enum ws_status status, const struct ws_error *trouble)
{
    if (work->status == WS_STATUS_ok && status != WS_STATUS_ok) {
        work->status = status;
        work->trouble = *trouble;
    }
}

/* ---- Running ---- */

static enum ws_status run_figure(struct reproduction *work, const struct ws_figure *figure, struct ws_error *error)
{
    const struct ws_reproduce_options *const options = work->options;
    const struct ws_sweep_options sweep = {WS_STRUCT(sweep_options), .results = work->results, .engine = options->engine,
                                           .size = options->size,    .seed = options->seed,    .lockstep = options->lockstep,
                                           .watch = options->watch};
    struct ws_experiment *experiment;
    struct ws_sweep_summary summary;
    struct ws_error trouble;
    WS_TRY(ws_experiment_load(figure->experiment, &experiment, error));
    const enum ws_status status = ws_sweep(experiment, &sweep, &summary, &trouble);
    ws_experiment_free(experiment);
    if (status != WS_STATUS_failed)
        return status == WS_STATUS_ok ? status : ws_fail(error, status, "%s", trouble.message);
    remember(work, status, &trouble);
    return WS_STATUS_ok;
}

/* The results file does not hold studies: they are made when a figure shows them, once. */
static enum ws_status add_limits(struct reproduction *work, const struct ws_figure *figure, struct ws_measures *measures,
                                 struct ws_error *error)
{
    if (work->limits_of != figure->experiment) {
        struct ws_error trouble;
        ws_limits_free(&work->limits);
        work->limits_of = NULL;
        WS_TRY(ws_limits_run(figure, work->options, &work->limits, &trouble, error));
        work->limits_of = figure->experiment;
        remember(work, trouble.status, &trouble);
    }
    measures->limits = &work->limits;
    return WS_STATUS_ok;
}

static enum ws_status add_gangs(struct reproduction *work, const struct ws_figure *figure, struct ws_measures *measures,
                                struct ws_error *error)
{
    if (work->gangs_of != figure) {
        struct ws_error trouble;
        ws_gangs_free(&work->gangs);
        work->gangs_of = NULL;
        WS_TRY(ws_gangs_run(figure, work->options, &work->gangs, &trouble, error));
        work->gangs_of = figure;
        remember(work, trouble.status, &trouble);
    }
    measures->gangs = &work->gangs;
    return WS_STATUS_ok;
}

static enum ws_status add_studies(struct reproduction *work, const struct ws_figure *figure, struct ws_measures *measures,
                                  struct ws_error *error)
{
    if (measures->points == 0)
        return WS_STATUS_ok;
    if (figure->kind == WS_FIGURE_limit)
        return add_limits(work, figure, measures, error);
    return figure->kind == WS_FIGURE_gang_sizes ? add_gangs(work, figure, measures, error) : WS_STATUS_ok;
}

/* ---- Showing ---- */

static enum ws_status compare(struct ws_results *results, const struct ws_figure *figure, const struct ws_measures *measures,
                              struct ws_comparison *comparisons, size_t *count, struct ws_error *error)
{
    size_t targets;
    const struct ws_target *const target = ws_targets(&targets);
    *count = 0;
    for (size_t n = 0; n < targets; n++) {
        if (!ws_target_of(&target[n], figure))
            continue;
        struct ws_comparison *const row = &comparisons[(*count)++];
        row->target = &target[n];
        WS_TRY(ws_measures_target(results, figure->experiment, measures, &target[n], &row->ours, error));
    }
    return WS_STATUS_ok;
}

/* Calls use with the figure as the results file has it, unless its experiment is not there. */
static enum ws_status with_figure(struct reproduction *work, struct ws_results *results, const struct ws_figure *figure,
                                  use_function *use, void *context, struct ws_error *error)
{
    struct ws_measures measures;
    size_t targets;
    ws_targets(&targets);
    WS_TRY(ws_measures_read(results, figure->experiment, &measures, error));
    struct ws_comparison *const comparisons = calloc(targets, sizeof *comparisons);
    struct ws_shown shown = {
        .figure = figure, .measures = &measures, .comparisons = comparisons, .size = ws_size_name(work->options->size)};
    enum ws_status status = comparisons ? add_studies(work, figure, &measures, error) : no_memory(error);
    if (status == WS_STATUS_ok)
        status = compare(results, figure, &measures, comparisons, &shown.comparison_count, error);
    if (status == WS_STATUS_ok && measures.points > 0)
        status = use(work, &shown, context, error);
    free(comparisons);
    ws_measures_free(&measures);
    return status;
}

static enum ws_status print_table(struct reproduction *work, const struct ws_shown *shown, struct ws_error *error)
{
    struct ws_text text = {0};
    ws_render_table(&text, shown);
    const bool put = !text.failed && fputs(text.data, work->tables) != EOF && fflush(work->tables) == 0;
    const bool failed = text.failed;
    ws_text_free(&text);
    if (failed)
        return no_memory(error);
    return put ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_file, "cannot write the table");
}

/* gnuplot writes the pictures where they belong: they may only replace pictures, and none stays that is not whole. */
static enum ws_status for_pictures(const struct reproduction *work, const struct ws_shown *shown, bool remove,
                                   struct ws_error *error)
{
    static const struct {
        const char *suffix;
        enum ws_output_kind kind;
    } pictures[] = {{"svg", WS_OUTPUT_svg}, {"png", WS_OUTPUT_png}};
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; n < sizeof pictures / sizeof *pictures && status == WS_STATUS_ok; n++) {
        struct ws_text path = {0};
        ws_text_add(&path, "%s/%s.%s", work->options->folder, shown->figure->name, pictures[n].suffix);
        if (path.failed)
            status = no_memory(error);
        else if (!remove)
            status = ws_output_check(path.data, pictures[n].kind, 0, error);
        else
            unlink(path.data);
        ws_text_free(&path);
    }
    return status;
}

/* Writes the script and draws; a missing gnuplot is trouble only. */
static enum ws_status draw(struct reproduction *work, const struct ws_shown *shown, struct ws_error *error)
{
    const char *const folder = work->options->folder, *const name = shown->figure->name;
    struct ws_text script = {0}, path = {0};
    struct ws_error trouble;
    ws_render_script(&script, shown, folder);
    ws_text_add(&path, "%s/%s.gp", folder, name);
    enum ws_status status = script.failed || path.failed ? no_memory(error) : for_pictures(work, shown, false, error);
    if (status == WS_STATUS_ok)
        status = ws_output_write(path.data, WS_OUTPUT_figure, script.data, script.length, error);
    if (status == WS_STATUS_ok && ws_gnuplot(path.data, &trouble) != WS_STATUS_ok) {
        remember(work, trouble.status, &trouble);
        status = for_pictures(work, shown, true, error);
    } else if (status == WS_STATUS_ok) {
        fprintf(work->tables, "Pictures: %s/%s.svg %s/%s.png\n", folder, name, folder, name);
    }
    fputs("\n", work->tables);
    ws_text_free(&script);
    ws_text_free(&path);
    return status;
}

/* Says that the figure begins, if anyone listens. */
static void note(const struct reproduction *work, const struct ws_figure *figure)
{
    const struct ws_sweep_watch *const watch = &work->options->watch;
    char text[200];
    if (!watch->note)
        return;
    snprintf(text, sizeof text, "figure %s/%s", figure->paper, figure->name);
    watch->note(watch->context, text);
}

static enum ws_status show(struct reproduction *work, const struct ws_shown *shown, void *context, struct ws_error *error)
{
    (void)context;
    note(work, shown->figure);
    WS_TRY(print_table(work, shown, error));
    return draw(work, shown, error);
}

static enum ws_status add_rows(struct reproduction *work, const struct ws_shown *shown, void *context, struct ws_error *error)
{
    (void)work;
    (void)error;
    ws_render_rows(context, shown);
    return WS_STATUS_ok;
}

/* Uses the figures that what means; without it all that the results file holds of the paper. */
static enum ws_status for_figures(struct reproduction *work, struct ws_results *results, const char *what, use_function *use,
                                  void *context, struct ws_error *error)
{
    size_t count;
    const struct ws_figure *const figure = ws_figures(&count);
    for (size_t n = 0; n < count; n++)
        if (what ? ws_figure_meant(&figure[n], what) : strcmp(figure[n].paper, work->paper) == 0)
            WS_TRY(with_figure(work, results, &figure[n], use, context, error));
    return WS_STATUS_ok;
}

static enum ws_status add_section(struct reproduction *work, const struct ws_shown *shown, void *context, struct ws_error *error)
{
    (void)work;
    (void)error;
    ws_render_markdown(context, shown);
    return WS_STATUS_ok;
}

static enum ws_status write_text(struct reproduction *work, const char *name, enum ws_output_kind kind, const struct ws_text *text,
                                 struct ws_error *error)
{
    struct ws_text path = {0};
    ws_text_add(&path, "%s/%s", work->options->folder, name);
    const enum ws_status status =
        text->failed || path.failed ? no_memory(error) : ws_output_write(path.data, kind, text->data, text->length, error);
    ws_text_free(&path);
    return status;
}

static enum ws_status write_comparison(struct reproduction *work, struct ws_results *results, struct ws_error *error)
{
    struct ws_text text = {0};
    struct ws_json json = {.text = &text};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "schema", 1);
    ws_json_text(&json, "paper", work->paper);
    ws_json_array(&json, "rows");
    enum ws_status status = for_figures(work, results, NULL, add_rows, &json, error);
    ws_json_end_array(&json);
    ws_json_end_object(&json);
    if (status == WS_STATUS_ok)
        status = write_text(work, "comparison.json", WS_OUTPUT_rows, &text, error);
    ws_text_free(&text);
    return status;
}

static enum ws_status write_markdown(struct reproduction *work, const char *what, struct ws_results *results,
                                     struct ws_error *error)
{
    struct ws_text text = {0};
    ws_text_add(&text, "# %s, reproduced\n\nMade by `warpsweep reproduce %s --size %s`.\n", work->paper, what,
                ws_size_name(work->options->size));
    enum ws_status status = for_figures(work, results, NULL, add_section, &text, error);
    if (status == WS_STATUS_ok)
        status = write_text(work, "comparison.md", WS_OUTPUT_comparison, &text, error);
    ws_text_free(&text);
    return status;
}

static enum ws_status show_all(struct reproduction *work, const char *what, struct ws_error *error)
{
    struct ws_results *results;
    WS_TRY(ws_results_open(work->results, WS_RESULTS_READ, &results, error));
    enum ws_status status = for_figures(work, results, what, show, NULL, error);
    if (status == WS_STATUS_ok)
        status = write_comparison(work, results, error);
    if (status == WS_STATUS_ok)
        status = write_markdown(work, what, results, error);
    ws_results_close(results, NULL);
    return status;
}

static enum ws_status run_and_show(struct reproduction *work, const char *what, struct ws_error *error)
{
    size_t count;
    const struct ws_figure *const figure = ws_figures(&count);
    for (size_t n = 0; n < count; n++)
        if (ws_figure_meant(&figure[n], what))
            WS_TRY(run_figure(work, &figure[n], error));
    WS_TRY(show_all(work, what, error));
    return work->status == WS_STATUS_ok ? WS_STATUS_ok : ws_fail(error, work->status, "%s", work->trouble.message);
}

/* A folder that was made here and in which nothing came to be goes away again. */
static enum ws_status reproduce(struct reproduction *work, const char *what, struct ws_error *error)
{
    const char *const folder = work->options->folder;
    const bool made = access(folder, F_OK) != 0;
    WS_TRY(ws_folder_make(folder, error));
    const enum ws_status status = run_and_show(work, what, error);
    if (status != WS_STATUS_ok && made)
        rmdir(folder);
    return status;
}

enum ws_status ws_reproduce(const char *what, const struct ws_reproduce_options *options, FILE *tables, struct ws_error *error)
{
    struct ws_reproduce_options own;
    WS_TRY(WS_STRUCT_CHECK(reproduce_options, options, error));
    WS_TRY(ws_figures_check(what, error));
    own = *options;
    own.engine.struct_size = sizeof own.engine;
    struct ws_text paper = {0}, results = {0};
    ws_text_bytes(&paper, what, strcspn(what, "/"));
    if (!paper.failed)
        ws_text_add(&results, "%s/%s-%s.db", options->folder, paper.data, ws_size_name(options->size));
    struct reproduction work = {.options = &own, .paper = paper.data, .tables = tables, .results = results.data};
    const enum ws_status status = paper.failed || results.failed ? no_memory(error) : reproduce(&work, what, error);
    ws_limits_free(&work.limits);
    ws_gangs_free(&work.gangs);
    ws_text_free(&paper);
    ws_text_free(&results);
    return status;
}
