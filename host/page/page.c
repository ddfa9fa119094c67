/* Reports: one HTML page with all results of a file. */
#include "page/page.h"
#include "page/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/inputs.h"
#include "base/output.h"
#include "embedded/ws_page_html.h"
#include "warpsweep/report.h"

enum { FULL = 1 << 20 };

/* Settings of a page. */
struct question {
    const char *const *files;
    size_t count;
    const char *run;
    u32 reload; /* seconds between two looks of a browser at a page that follows; 0 for a complete page */
};

void ws_page_put(FILE *out, const struct ws_text *text)
{
    static const char line_ends[] = "\xE2\x80\xA8\0\xE2\x80\xA9"; /* U+2028 and U+2029, which end lines in JavaScript */
    const char *from = text->data, *const end = from + text->length;
    for (const char *c = from; c < end; c++) {
        const bool line_end = end - c >= 3 && (memcmp(c, line_ends, 3) == 0 || memcmp(c, line_ends + 4, 3) == 0);
        if (*c != '<' && !line_end)
            continue;
        fwrite(from, 1, (size_t)(c - from), out);
        fputs(*c == '<' ? "\\u003c" : (unsigned char)c[2] == 0xA8 ? "\\u2028" : "\\u2029", out);
        c += line_end ? 2 : 0;
        from = c + 1;
    }
    fwrite(from, 1, (size_t)(end - from), out);
}

/* Writes out the text so far. */
static enum ws_status flush(struct ws_page *page, struct ws_error *error)
{
    struct ws_text *const text = page->json.text;
    if (text->failed)
        return ws_no_memory(error);
    ws_page_put(page->out, text);
    text->length = 0;
    return WS_STATUS_ok;
}

static enum ws_status add_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_page *const page = context;
    struct ws_text array = {0};
    for (size_t n = 0; n < row->count; n++) {
        const char *const value = row->values[n] ? row->values[n] : "null";
        ws_text_bytes(&array, n > 0 ? "," : "[", 1);
        ws_text_bytes(&array, value, strlen(value));
    }
    ws_text_bytes(&array, "]", 1);
    page->json.text->failed = page->json.text->failed || array.failed;
    if (!array.failed)
        ws_json_raw(&page->json, NULL, row->count == 1 ? row->values[0] : array.data);
    ws_text_free(&array);
    return page->json.text->length > FULL ? flush(page, error) : WS_STATUS_ok;
}

enum ws_status ws_page_rows(struct ws_page *page, const char *key, const char *sql, struct ws_error *error)
{
    const char *const parameters[] = {page->experiment, NULL};
    ws_json_array(&page->json, key);
    WS_TRY(ws_results_query(page->results, sql, parameters, add_row, page, error));
    ws_json_end_array(&page->json);
    return WS_STATUS_ok;
}

/* Queries that do not depend on varying parameters. */
static const struct {
    const char *key, *sql;
} sections[] = {
    {"traces", "SELECT json_array(trace, kernel, threads, blocks) FROM experiment_trace JOIN selected USING (experiment_id) "
               "JOIN trace USING (trace_id) WHERE experiment = ?1 GROUP BY position ORDER BY position"},
    {"runs", "SELECT json_object('engine', run_engine, 'device', run_device, 'version', run_version, 'jobs', count(*), "
             "'seconds', total(run_seconds), 'first', min(run_finished), 'last', max(run_finished)) FROM (SELECT DISTINCT "
             "job_digest, run_engine, run_device, run_version, run_seconds, run_finished FROM result WHERE experiment = ?1) "
             "GROUP BY run_engine, run_device, run_version ORDER BY min(run_finished)"},
    {"statuses", "SELECT json_array(status, count(*)) FROM result WHERE experiment = ?1 GROUP BY status ORDER BY status"},
    {"failures",
     "SELECT json_array(place, trace_position, shard, status, reason) FROM result JOIN " WS_PLACES " USING (point_position) "
     "WHERE experiment = ?1 AND status <> 'ok' ORDER BY place, trace_position, shard LIMIT 1000"},
};

/* Columns: experiment, its head as JSON, number of kernels. */
static enum ws_status add_experiment(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_page *const page = context;
    page->experiment = row->values[0];
    page->kernels = strtoull(row->values[2], NULL, 10);
    page->experiments++;
    ws_json_object(&page->json, NULL);
    ws_json_text(&page->json, "file", page->file);
    ws_json_raw(&page->json, "head", row->values[1]);
    for (size_t n = 0; n < sizeof sections / sizeof *sections; n++)
        WS_TRY(ws_page_rows(page, sections[n].key, sections[n].sql, error));
    WS_TRY(ws_page_points(page, error));
    WS_TRY(ws_page_kernels(page, error));
    WS_TRY(ws_page_answers(page, error));
    ws_json_end_object(&page->json);
    return WS_STATUS_ok;
}

static const char *name_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The experiments of one results file. */
static enum ws_status add_file(struct ws_page *page, const char *path, struct ws_error *error)
{
    const size_t before = page->experiments;
    page->file = name_of(path);
    WS_TRY(ws_results_query(page->results,
                            "SELECT experiment, json_object('experiment', experiment, 'about', about, 'machine', machine, "
                            "'skipped', skipped, 'shards', iif(sampled > 0, sampled, shards), 'model_version', model_version), "
                            "(SELECT count(*) FROM point WHERE point.experiment_id = experiment.experiment_id) * (SELECT "
                            "count(DISTINCT trace) FROM experiment_trace WHERE experiment_trace.experiment_id = "
                            "experiment.experiment_id) FROM selected AS experiment ORDER BY experiment_id",
                            NULL, add_experiment, page, error));
    return page->experiments > before
               ? WS_STATUS_ok
               : ws_fail(error, WS_STATUS_bad_input, "%s: has no experiment; run a sweep into it first", page->file);
}

static enum ws_status add_files(struct ws_page *page, const struct question *question, struct ws_error *error)
{
    const char *const *const files = question->files;
    ws_json_object(&page->json, NULL);
    ws_json_unsigned(&page->json, "schema", 2);
    ws_json_text(&page->json, "version", WS_VERSION);
    ws_json_array(&page->json, "experiments");
    for (size_t n = 0; n < question->count; n++) {
        if (ws_report_is_run(files[n]))
            continue;
        WS_TRY(ws_results_open(files[n], WS_RESULTS_READ, &page->results, error));
        enum ws_status status = question->run ? ws_results_choose_run(page->results, question->run, error) : WS_STATUS_ok;
        if (status == WS_STATUS_ok)
            status = add_file(page, files[n], error);
        ws_results_close(page->results, NULL);
        WS_TRY(status);
    }
    ws_json_end_array(&page->json);
    ws_json_end_object(&page->json);
    return flush(page, error);
}

/* The outputs of `run --format json`, each in an element of its own: one that is no JSON spoils nothing else. */
static enum ws_status write_runs(const struct question *question, FILE *out, struct ws_error *error)
{
    for (size_t n = 0; n < question->count; n++)
        if (ws_report_is_run(question->files[n]))
            WS_TRY(ws_page_run(question->files[n], name_of(question->files[n]), out, error));
    return WS_STATUS_ok;
}

typedef enum ws_status writer(const struct question *question, FILE *out, struct ws_error *error);

static enum ws_status write_data(const struct question *question, FILE *out, struct ws_error *error)
{
    struct ws_text text = {0};
    struct ws_page page = {.json = {.text = &text}, .out = out};
    const enum ws_status status = add_files(&page, question, error);
    ws_text_free(&text);
    return status;
}

static enum ws_status write_page(const struct question *question, FILE *out, struct ws_error *error)
{
    fwrite(ws_page_html, 1, ws_page_html_length, out);
    const enum ws_status status = write_data(question, out, error);
    fputs("</script>\n", out);
    return status == WS_STATUS_ok ? write_runs(question, out, error) : status;
}

/* The page of a running sweep: no data, but the permission to load scripts of its folder. */
static enum ws_status write_frame(const struct question *question, FILE *out, struct ws_error *error)
{
    static const char policy[] = "script-src 'unsafe-inline'";
    const char *const rest = strstr(ws_page_html, policy) + sizeof policy - 1;
    fwrite(ws_page_html, 1, (size_t)(rest - ws_page_html), out);
    fprintf(out, " 'self' file:%s{\"follow\": %u}</script>\n", rest, question->reload);
    return write_runs(question, out, error);
}

static enum ws_status write_script(const struct question *question, FILE *out, struct ws_error *error)
{
    fputs(WS_PAGE_FOLLOW_MARK "warpsweepData(", out);
    const enum ws_status status = write_data(question, out, error);
    fputs(");\n", out);
    return status;
}

static enum ws_status write_file(const struct question *question, const char *folder, const char *name, enum ws_output_kind kind,
                                 writer *write, struct ws_error *error)
{
    struct ws_output output;
    struct ws_text path = {0};
    ws_text_add(&path, "%s/%s", folder, name);
    enum ws_status status = path.failed ? ws_no_memory(error) : ws_output_open(&output, path.data, kind, error);
    if (status == WS_STATUS_ok) {
        status = write(question, output.stream, error);
        const enum ws_status closed = ws_output_close(&output, status == WS_STATUS_ok, error);
        if (question->reload)
            ws_inputs_forget(path.data); /* the file is being rewritten */
        status = status == WS_STATUS_ok ? closed : status;
    }
    ws_text_free(&path);
    return status;
}

/* Refuses a file equal to an earlier one, under any name: its points would appear twice. */
static enum ws_status try_twice(const char *const *files, size_t n, struct ws_error *error)
{
    for (size_t m = 0; m < n; m++)
        if (ws_file_is_same(files[m], files[n]))
            return ws_fail(error, WS_STATUS_usage, "%s: is given twice, first as %s. Name each results file once", files[n],
                           files[m]);
    return WS_STATUS_ok;
}

/* Checks that every file can be read, before the folder is created. */
static enum ws_status try_files(const char *const *files, size_t count, struct ws_error *error)
{
    for (size_t n = 0; n < count; n++) {
        struct ws_results *results = NULL;
        if (!ws_report_is_run(files[n]))
            WS_TRY(ws_results_open(files[n], WS_RESULTS_READ, &results, error));
        ws_results_close(results, NULL);
        WS_TRY(try_twice(files, n, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_report(const char *const *files, size_t count, const char *run, u32 reload, const char *folder,
                         struct ws_error *error)
{
    const struct question question = {files, count, run, reload};
    WS_TRY(try_files(files, count, error));
    WS_TRY(ws_folder_make(folder, error));
    if (!reload)
        return write_file(&question, folder, "index.html", WS_OUTPUT_page, write_page, error);
    WS_TRY(write_file(&question, folder, "data.js", WS_OUTPUT_follow, write_script, error));
    return write_file(&question, folder, "index.html", WS_OUTPUT_page, write_frame, error);
}
