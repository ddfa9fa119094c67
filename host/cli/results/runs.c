#include "cli/results/runs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpsweep/results.h"

typedef enum ws_status row_function(void *context, const struct ws_results_row *row, struct ws_error *error);

/* What a row says. */
enum { COLUMN_EXPERIMENT, COLUMN_RUN, COLUMN_SEVERAL };

/* Lists every experiment with its run, NULL for the newest. The following steps report an unreadable file. */
static void each_run(const char *file, const char *run, row_function *take, void *context)
{
    struct ws_results *results;
    if (ws_results_open(file, WS_RESULTS_READ, &results, NULL) != WS_STATUS_ok)
        return;
    if (!run || ws_results_choose_run(results, run, NULL) == WS_STATUS_ok)
        ws_results_query(results,
                         "SELECT experiment, run, experiment IN (SELECT earlier_of FROM experiment WHERE earlier_of NOT NULL) "
                         "FROM selected ORDER BY 1",
                         NULL, take, context, NULL);
    ws_results_close(results, NULL);
}

static bool has_several(const struct ws_results_row *row)
{
    return strcmp(row->values[COLUMN_SEVERAL], "1") == 0;
}

static enum ws_status note(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    if (has_several(row))
        fprintf(stderr,
                "warpsweep: %s: run %s of %s is shown; for the earlier ones --run N or --run all (listed by export --view run)\n",
                (const char *)context, row->values[COLUMN_RUN], row->values[COLUMN_EXPERIMENT]);
    return WS_STATUS_ok;
}

void cli_note_runs(const char *file)
{
    each_run(file, NULL, note, (void *)(uintptr_t)file);
}

static enum ws_status add_text(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    if (has_several(row))
        ws_text_add(context, ", run %s of %s", row->values[COLUMN_RUN], row->values[COLUMN_EXPERIMENT]);
    return WS_STATUS_ok;
}

void cli_add_runs(const char *file, const char *run, struct ws_text *out)
{
    each_run(file, run, add_text, out);
}

static enum ws_status add_json(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    ws_json_object(context, NULL);
    ws_json_text(context, "experiment", row->values[COLUMN_EXPERIMENT]);
    ws_json_unsigned(context, "run", strtoull(row->values[COLUMN_RUN], NULL, 10));
    ws_json_end_object(context);
    return WS_STATUS_ok;
}

void cli_add_json_runs(const char *key, const char *file, const char *run, struct ws_json *json)
{
    ws_json_array(json, key);
    each_run(file, run, add_json, json);
    ws_json_end_array(json);
}
