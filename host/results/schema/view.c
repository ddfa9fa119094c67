#include "results/schema/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names/old_names.h"
#include "results/schema/schema.h"

#define ORDER "experiment, point_position, trace_position"

static const struct {
    const char *name, *order;
} views[] = {{"result", ORDER ", shard"},
             {"kernel", ORDER},
             {"speedup", ORDER},
             {"block", ORDER ", shard, block"},
             {"warp", ORDER ", shard, block, warp"},
             {"sort", ORDER ", shard, cycle, place"},
             {"run", "experiment, run"}};

enum { VIEWS = sizeof views / sizeof *views, LONGEST_NAME = 100 };

static enum ws_status unknown_view(const struct ws_results *results, const char *name, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}};
    for (size_t n = 0; n < VIEWS; n++)
        ws_names_offer(&names, views[n].name);
    ws_fail(error, WS_STATUS_usage, "%s: no view is called '%s'; views are %s", results->path, name, ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_usage;
}

enum ws_status ws_view_open(struct ws_results *results, const char *name, struct ws_view *view, struct ws_error *error)
{
    char question[LONGEST_NAME];
    *view = (struct ws_view){.results = results};
    for (size_t n = 0; n < VIEWS; n++)
        if (strcmp(views[n].name, name) == 0)
            *view = (struct ws_view){.results = results, .name = views[n].name, .order = views[n].order};
    if (!view->name)
        return unknown_view(results, name, error);
    snprintf(question, sizeof question, "SELECT * FROM %s", view->name);
    return ws_sql_prepare(results, question, &view->whole, error);
}

void ws_view_close(struct ws_view *view)
{
    sqlite3_finalize(view->whole);
    view->whole = NULL;
}

size_t ws_view_columns(const struct ws_view *view)
{
    return (size_t)sqlite3_column_count(view->whole);
}

const char *ws_view_column(const struct ws_view *view, size_t column)
{
    return sqlite3_column_name(view->whole, (int)column);
}

bool ws_view_is_computed(const struct ws_view *view, size_t column)
{
    return sqlite3_column_decltype(view->whole, (int)column) == NULL;
}

bool ws_view_is_text(const struct ws_view *view, size_t column)
{
    const char *const type = sqlite3_column_decltype(view->whole, (int)column);
    return type && strcmp(type, "TEXT") == 0;
}

bool ws_view_names(const char *name, const char *column)
{
    const size_t dot = strcspn(name, ".");
    if (strncmp(name, column, dot) != 0)
        return false;
    return name[dot] ? column[dot] == '_' && strcmp(name + dot + 1, column + dot + 1) == 0 : column[dot] == 0;
}

enum ws_status ws_view_find(const struct ws_view *view, const char *name, size_t length, size_t *column, struct ws_error *error)
{
    char word[LONGEST_NAME];
    snprintf(word, sizeof word, "%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME), name);
    const char *const current = ws_current_column(word);
    struct ws_nearest nearest = {.word = word};
    const char *grouped = NULL;
    for (*column = 0; *column < ws_view_columns(view); ++*column) {
        const char *const known = ws_view_column(view, *column);
        if (ws_view_names(current, known))
            return WS_STATUS_ok;
        ws_nearest_offer(&nearest, known);
        const char *const group_end = strchr(known, '_');
        if (!grouped && group_end && strcmp(group_end + 1, word) == 0)
            grouped = known;
    }
    const char *const meant = grouped ? grouped : nearest.best;
    if (meant)
        return ws_fail(error, WS_STATUS_usage, "%s: view %s has no column '%s' (did you mean '%s'?)", view->results->path,
                       view->name, word, meant);
    return ws_fail(error, WS_STATUS_usage,
                   "%s: view %s has no column '%s'; columns are parameters, counters and metrics ('warpsweep list'), and others in "
                   "docs/results.md",
                   view->results->path, view->name, word);
}

/* ---- Runs ---- */

static enum ws_status check_run(struct ws_results *results, const char *run, struct ws_error *error)
{
    sqlite3_int64 most;
    char question[LONGEST_NAME];
    WS_TRY(ws_sql_number(results, "SELECT ifnull(max(run), 0) FROM experiment", &most, error));
    const size_t digits = strspn(run, "0123456789");
    if (digits > 0 && digits < 10 && !run[digits]) {
        sqlite3_int64 there;
        snprintf(question, sizeof question, "SELECT EXISTS (SELECT 1 FROM experiment WHERE run = %s)", run);
        WS_TRY(ws_sql_number(results, question, &there, error));
        if (there)
            return WS_STATUS_ok;
    }
    return ws_fail(error, WS_STATUS_usage,
                   "%s: found run '%s', allowed are all and runs from 1 to %lld (export --view run lists them)", results->path, run,
                   (long long)most);
}

enum ws_status ws_results_choose_run(struct ws_results *results, const char *run, struct ws_error *error)
{
    struct ws_text script = {0};
    const bool all = strcmp(run, "all") == 0;
    if (!all)
        WS_TRY(check_run(results, run, error));
    ws_text_add(&script, "PRAGMA query_only = OFF;\n"); /* of an upgraded copy */
    ws_schema_chosen_views(&script, all ? NULL : run);
    const enum ws_status status =
        script.failed ? ws_sql_no_memory(results, error) : ws_sql_run(results, script.data, "choose a run", error);
    ws_text_free(&script);
    return status;
}
