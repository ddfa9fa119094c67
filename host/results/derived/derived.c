/* Derived views for one connection (derived.sql, docs/sql.md), and their tables. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "embedded/ws_derived_sql.h"
#include "results/schema/columns.h"
#include "results/derived/csv.h"
#include "results/sql.h"
#include "warpsweep/machine.h"

#define WRITABLE "PRAGMA query_only = OFF;\n" /* an upgraded temporary copy is not */

/* The views of records, and those they depend on, for one experiment. */
static const char *const narrowed[] = {"selected", "result", "speedup", "block", "warp", "sort"};

/* Adds the columns that an application's kernels share (parameters) or sum up (counters). */
static void add_columns(struct ws_text *script)
{
    size_t parameters;
    ws_parameters(&parameters);
    for (size_t n = 0; n < parameters; n++)
        ws_text_add(script, ", min(%s) AS %s", ws_parameter_column(n).name, ws_parameter_column(n).name);
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        const char *const function = counter->most ? "max" : "sum";
        if (counter->bins == 0)
            ws_text_add(script, ", iif(min(whole), %s(%s), NULL) AS %s", function, counter->name, counter->name);
        for (u32 bin = 0; bin < counter->bins; bin++)
            ws_text_add(script, ", iif(min(whole), sum(%s_%u), NULL) AS %s_%u", counter->name, bin, counter->name, bin);
    }
}

/* Adds histogram bins as rows. */
static void add_bins(struct ws_text *script)
{
    const char *joint = "";
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        for (u32 bin = 0; bin < counter->bins; bin++) {
            ws_text_add(
                script,
                "%sSELECT experiment, point_position, trace_position, '%s' AS histogram, %u AS bin, %s_%u AS count FROM measure",
                joint, counter->name, bin, counter->name, bin);
            joint = " UNION ALL ";
        }
    }
}

static void add_table(struct ws_text *script)
{
    ws_text_add(script, "TABLE");
}

static void add_view(struct ws_text *script)
{
    ws_text_add(script, "VIEW");
}

/* Fills in the placeholders of the script: MATERIAL selects how frequently used views are stored. */
static void add_derived(struct ws_text *script, bool material)
{
    const struct {
        const char *word;
        void (*add)(struct ws_text *script);
    } words[] = {{"MATERIAL", material ? add_table : add_view}, {"ADDED", add_columns}, {"BINNED", add_bins}};
    for (const char *at = ws_derived_sql; *at;) {
        size_t n = 0;
        while (n < sizeof words / sizeof *words && strncmp(at, words[n].word, strlen(words[n].word)) != 0)
            n++;
        if (n < sizeof words / sizeof *words) {
            words[n].add(script);
            at += strlen(words[n].word);
        } else {
            ws_text_bytes(script, at++, 1);
        }
    }
}

/* Views of the file show this experiment only; its kernels become a table. */
static void add_narrowed(struct ws_text *script, const char *experiment)
{
    char *const quoted = sqlite3_mprintf("%Q", experiment);
    script->failed = script->failed || !quoted;
    for (size_t n = 0; quoted && n < sizeof narrowed / sizeof *narrowed; n++)
        ws_text_add(script, "CREATE TEMP VIEW %s AS SELECT * FROM main.%s WHERE experiment = %s;\n", narrowed[n], narrowed[n],
                    quoted);
    if (quoted)
        ws_text_add(script,
                    "CREATE TEMP TABLE kernel AS SELECT * FROM main.kernel WHERE experiment = %s;\n"
                    "CREATE INDEX temp.kernel_place ON kernel (trace_position, point);\n",
                    quoted);
    sqlite3_free(quoted);
}

enum ws_status ws_results_derive(struct ws_results *results, const char *experiment, struct ws_error *error)
{
    struct ws_text script = {0};
    ws_text_add(&script, WRITABLE "CREATE TEMP TABLE IF NOT EXISTS applications (application TEXT, workload TEXT);\n");
    if (experiment)
        add_narrowed(&script, experiment);
    add_derived(&script, experiment != NULL);
    if (experiment)
        ws_text_add(&script, "CREATE INDEX temp.measure_place ON measure (trace_position, variation);\n");
    const enum ws_status status =
        script.failed ? ws_sql_no_memory(results, error) : ws_sql_run(results, script.data, "make views", error);
    ws_text_free(&script);
    return status;
}

enum ws_status ws_results_has(struct ws_results *results, const char *experiment, bool *has, struct ws_error *error)
{
    char *const question = sqlite3_mprintf("SELECT count(*) FROM selected WHERE experiment = %Q", experiment);
    sqlite3_int64 count = 0;
    const enum ws_status status = question ? ws_sql_number(results, question, &count, error) : ws_sql_no_memory(results, error);
    sqlite3_free(question);
    *has = count > 0;
    return status;
}

enum ws_status ws_results_script(struct ws_results *results, const char *script, const char *file, struct ws_error *error)
{
    char *message = NULL;
    if (sqlite3_exec(results->database, script, NULL, NULL, &message) == SQLITE_OK)
        return WS_STATUS_ok;
    ws_fail(error, WS_STATUS_bad_input, "%s: %s", file, message ? message : sqlite3_errmsg(results->database));
    sqlite3_free(message);
    return WS_STATUS_bad_input;
}

/* ---- Tables from CSV ---- */

static enum ws_status make_table(struct ws_results *results, const char *name, const struct ws_csv *csv, struct ws_error *error)
{
    struct ws_text sql = {0};
    for (size_t n = 0; n < csv->columns; n++) {
        char *const column = sqlite3_mprintf("\"%w\" NUMERIC", csv->cells[n]);
        ws_text_add(&sql, "%s%s", n > 0 ? ", " : "", column ? column : "");
        sqlite3_free(column);
    }
    char *const script = sqlite3_mprintf(WRITABLE "DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" (%s);", name, name,
                                         sql.failed ? "" : sql.data);
    const enum ws_status status = !script || sql.failed ? ws_no_memory(error) : ws_sql_run(results, script, "make a table", error);
    sqlite3_free(script);
    ws_text_free(&sql);
    return status;
}

static enum ws_status fill_table(struct ws_results *results, const char *name, const struct ws_csv *csv, struct ws_error *error)
{
    struct ws_text sql = {0};
    sqlite3_stmt *insert = NULL;
    ws_text_add(&sql, "INSERT INTO temp.\"%s\" VALUES (?", name);
    for (size_t n = 1; n < csv->columns; n++)
        ws_text_add(&sql, ", ?");
    ws_text_add(&sql, ")");
    enum ws_status status = sql.failed ? ws_no_memory(error) : ws_sql_prepare(results, sql.data, &insert, error);
    for (size_t row = 1; row < csv->rows && status == WS_STATUS_ok; row++) {
        for (size_t n = 0; n < csv->columns; n++)
            sqlite3_bind_text(insert, (int)n + 1, csv->cells[row * csv->columns + n], -1, SQLITE_STATIC);
        status = ws_sql_execute(results, insert, error);
    }
    sqlite3_finalize(insert);
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_results_table(struct ws_results *results, const char *name, const char *file, char *text, struct ws_error *error)
{
    struct ws_csv csv;
    WS_TRY(ws_csv_read(file, text, &csv, error));
    enum ws_status status = make_table(results, name, &csv, error);
    if (status == WS_STATUS_ok)
        status = fill_table(results, name, &csv, error);
    free(csv.cells);
    return status;
}
