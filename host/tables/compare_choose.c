/* Pairs points and traces of two results files. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "tables/compare.h"
#include "warpsweep/machine.h"

enum { LONGEST_VALUE = 32 };

/* The choice in one file, and how to find and keep it. */
struct choice {
    const char *option, *value; /* value: NULL for all */
    const char *column, *drop, *has, *rename, *names;
};

#define CHOICE(column, table, value)                                                                                               \
    {                                                                                                                              \
        "--" #column "-" table, value, #column, "DELETE FROM " table " WHERE " #column " <> ?1",                                   \
            "SELECT 1 FROM " table " WHERE " #column " = ?1", "UPDATE " table " SET " #column " = ?1",                             \
            "SELECT " #column " FROM " table " GROUP BY 1 ORDER BY min(" #column "_position)"                                      \
    }

/* Executes a statement about a name; *row, possibly NULL: whether it returns a row. */
static enum ws_status run_with(struct ws_results *comparison, const char *sql, const char *name, bool *row, struct ws_error *error)
{
    sqlite3_stmt *statement;
    bool answers;
    WS_TRY(ws_sql_prepare(comparison, sql, &statement, error));
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    const enum ws_status status = ws_sql_step(comparison, statement, row ? row : &answers, error);
    sqlite3_finalize(statement);
    return status;
}

/* ---- Names ---- */

/* Adds KEY=VALUE with the value in label form: l1.size=16K becomes l1.size=16384. Any other word stays. */
static void add_word(struct ws_text *text, char *word)
{
    char *const equals = strchr(word, '=');
    struct ws_machine machine = {0};
    char value[LONGEST_VALUE];
    size_t count, n = 0;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    if (equals) {
        *equals = 0;
        while (n < count && strcmp(parameters[n].key, word) != 0)
            n++;
    }
    if (equals && n < count && ws_machine_set(&machine, word, equals + 1, NULL) == WS_STATUS_ok) {
        ws_machine_get(&machine, n, value, sizeof value);
        ws_text_add(text, "%s=%s", word, value);
    } else {
        ws_text_add(text, "%s%s%s", word, equals ? "=" : "", equals ? equals + 1 : "");
    }
}

/* The label of a point whose values are in configuration form; NULL without memory. */
static char *as_label(struct ws_arena *arena, const char *name)
{
    struct ws_text text = {0};
    char *word = ws_arena_text(arena, name, strlen(name));
    while (word) {
        char *const blank = strchr(word, ' ');
        if (blank)
            *blank = 0;
        add_word(&text, word);
        if (blank)
            ws_text_add(&text, " ");
        word = blank ? blank + 1 : NULL;
    }
    char *const label = text.data && !text.failed ? ws_arena_text(arena, text.data, text.length) : NULL;
    ws_text_free(&text);
    return label;
}

static enum ws_status refuse(struct ws_results *comparison, const struct choice *choice, const char *path, struct ws_arena *arena,
                             struct ws_error *error)
{
    struct ws_text listing = {0};
    struct ws_names names = {.nearest = {.word = choice->value}};
    sqlite3_stmt *statement;
    bool row = true;
    WS_TRY(ws_sql_prepare(comparison, choice->names, &statement, error));
    enum ws_status status = ws_sql_step(comparison, statement, &row, error);
    for (; status == WS_STATUS_ok && row; status = ws_sql_step(comparison, statement, &row, error)) {
        const char *const name = ws_sql_text(statement, 0);
        char *const copy = name ? ws_arena_text(arena, name, strlen(name)) : NULL;
        if (copy)
            ws_names_offer(&names, copy);
    }
    sqlite3_finalize(statement);
    ws_text_add(&listing, "warpsweep export %s --view kernel --columns %s", path, choice->column);
    names.listing = listing.failed ? "warpsweep export" : listing.data;
    if (status == WS_STATUS_ok)
        status =
            ws_fail(error, WS_STATUS_usage, "%s: %s has no %s '%s' in the run that is compared (--run chooses another); %ss are %s",
                    choice->option, path, choice->column, choice->value, choice->column, ws_names_text(&names));
    ws_text_free(&listing);
    ws_names_free(&names);
    return status;
}

/* *name: the file's name of the choice. */
static enum ws_status find(struct ws_results *comparison, const struct choice *choice, const char *path, struct ws_arena *arena,
                           const char **name, struct ws_error *error)
{
    bool there;
    *name = choice->value;
    WS_TRY(run_with(comparison, choice->has, *name, &there, error));
    if (there)
        return WS_STATUS_ok;
    *name = as_label(arena, choice->value);
    if (!*name)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    WS_TRY(run_with(comparison, choice->has, *name, &there, error));
    return there ? WS_STATUS_ok : refuse(comparison, choice, path, arena, error);
}

/* Keeps only the choice of a file; *name is unchanged if that is everything. */
static enum ws_status keep(struct ws_results *comparison, const struct choice *choice, const char *path, struct ws_arena *arena,
                           const char **name, struct ws_error *error)
{
    if (!choice->value)
        return WS_STATUS_ok;
    WS_TRY(find(comparison, choice, path, arena, name, error));
    return run_with(comparison, choice->drop, *name, NULL, error);
}

enum ws_status ws_compare_choose(struct ws_results *comparison, const char *path_a, const char *path_b,
                                 const struct ws_compare_options *options, struct ws_error *error)
{
    const struct choice choices[][2] = {
        {CHOICE(point, "a", options->point_a), CHOICE(point, "b", options->point_b)},
        {CHOICE(trace, "a", options->trace_a), CHOICE(trace, "b", options->trace_b)},
    };
    struct ws_arena arena = {0};
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; status == WS_STATUS_ok && n < sizeof choices / sizeof *choices; n++) {
        const struct choice *const a = &choices[n][0], *const b = &choices[n][1];
        const char *name_a = NULL, *name_b = NULL;
        status = keep(comparison, a, path_a, &arena, &name_a, error);
        WS_THEN(status, keep(comparison, b, path_b, &arena, &name_b, error));
        if (status == WS_STATUS_ok && name_a && name_b)
            status = run_with(comparison, b->rename, name_a, NULL, error);
    }
    ws_arena_free(&arena);
    return status;
}
