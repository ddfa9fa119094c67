/* Parameters and points of a report's page. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "page/page.h"
#include "warpsweep/machine.h"

/* "core.warp_size" in the results file's form: core_warp_size. */
static void add_column(struct ws_text *text, const struct ws_parameter *parameter)
{
    const size_t group = strcspn(parameter->key, ".");
    ws_text_add(text, "%.*s_%s", (int)group, parameter->key, parameter->key + group + 1);
}

struct parameters {
    struct ws_page *page;
    struct ws_text *points; /* query for the points; receives the varying parameters */
};

/* Columns: for each parameter its number of values, and one of them. */
static enum ws_status add_parameters(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    const struct parameters *const to = context;
    struct ws_json *const json = &to->page->json;
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    (void)error;
    for (size_t n = 0; n < count; n++) {
        const char *const value = row->values[2 * n + 1];
        ws_json_object(json, NULL);
        ws_json_text(json, "key", parameters[n].key);
        ws_json_text(json, "unit", parameters[n].unit);
        ws_json_text(json, "doc", parameters[n].doc);
        if (strcmp(row->values[2 * n], "1") != 0) {
            ws_text_add(to->points, ", json_quote(");
            add_column(to->points, &parameters[n]);
            ws_text_add(to->points, ")");
        } else if (parameters[n].set) {
            ws_json_text(json, "value", value);
        } else {
            ws_json_unsigned(json, "value", strtoull(value, NULL, 10));
        }
        ws_json_end_object(json);
    }
    return WS_STATUS_ok;
}

#define POINTS " FROM selected JOIN point USING (experiment_id) JOIN machine USING (machine_id) WHERE experiment = ?1"

static enum ws_status add_both(struct ws_page *page, struct ws_text *values, struct ws_text *points, struct ws_error *error)
{
    const char *const arguments[] = {page->experiment, NULL};
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        ws_text_add(values, "%scount(DISTINCT ", n > 0 ? ", " : "SELECT ");
        add_column(values, &parameters[n]);
        ws_text_add(values, "), min(");
        add_column(values, &parameters[n]);
        ws_text_add(values, ")");
    }
    ws_text_add(values, POINTS);
    ws_text_add(
        points,
        "SELECT json_quote(point), json_quote(variation), json_quote(baseline), json_quote(frontend), json_quote(overrides)");
    if (values->failed || points->failed)
        return ws_no_memory(error);
    ws_json_array(&page->json, "parameters");
    WS_TRY(ws_results_query(page->results, values->data, arguments, add_parameters,
                            &(struct parameters){.page = page, .points = points}, error));
    ws_json_end_array(&page->json);
    ws_text_add(points, POINTS " ORDER BY position");
    if (points->failed)
        return ws_no_memory(error);
    return ws_page_rows(page, "points", points->data, error);
}

enum ws_status ws_page_points(struct ws_page *page, struct ws_error *error)
{
    struct ws_text values = {0}, points = {0};
    const enum ws_status status = add_both(page, &values, &points, error);
    ws_text_free(&values);
    ws_text_free(&points);
    return status;
}
