/* Rows of the view `kernel` with only the columns that a text of SQL names: the whole view costs tens of microseconds a row. */
#include <ctype.h>
#include <string.h>

#include "results/schema/columns.h"
#include "results/schema/metrics.h"
#include "results/schema/schema.h"
#include "warpsweep/machine.h"
#include "warpsweep/results.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a text of SQL has the word. */
static bool names(const struct ws_text *sql, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = sql->data; at && (at = strstr(at, word)); at += length)
        if ((at == sql->data || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

/* The sums that metrics share, if any is named. */
static bool names_terms(const struct ws_text *sql)
{
    bool named = names(sql, "slots") || names(sql, "lanes");
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        char word[80];
        snprintf(word, sizeof word, "dynamic_%s", ws_energy_profile_names[profile]);
        named = named || names(sql, word);
        snprintf(word, sizeof word, "static_%s", ws_energy_profile_names[profile]);
        named = named || names(sql, word);
    }
    return named;
}

/* Adds what the named metrics and sums are made of to the text. */
static void close_over(struct ws_text *used, bool *terms)
{
    for (size_t n = 0; n < ws_metric_count(); n++)
        if (names(used, ws_metric_name(n)))
            ws_text_add(used, " %s", ws_metric_expression(n));
    *terms = names_terms(used);
    if (*terms)
        ws_add_metric_terms(used, "sms");
}

static void add_used_metrics(struct ws_text *text, const struct ws_text *used)
{
    for (size_t n = 0; n < ws_metric_count(); n++)
        if (names(used, ws_metric_name(n)))
            ws_text_add(text, ", %s AS %s", ws_metric_expression(n), ws_metric_name(n));
}

static void add_used_columns(struct ws_text *text, const struct ws_text *used)
{
    size_t count;
    ws_parameters(&count);
    for (size_t n = 0; n < count; n++)
        if (names(used, ws_parameter_column(n).name))
            ws_text_add(text, ", %s", ws_parameter_column(n).name);
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        if (counter->bins == 0 && names(used, counter->name))
            ws_add_accumulated_counter(text, counter, 0);
        for (u32 bin = 0; bin < counter->bins; bin++) {
            char column[80];
            snprintf(column, sizeof column, "%s_%u", counter->name, bin);
            if (names(used, column))
                ws_add_accumulated_counter(text, counter, bin);
        }
    }
}

void ws_schema_kernel_rows(struct ws_text *text, const char *sql, const char *condition)
{
    struct ws_text used = {0};
    bool terms;
    ws_text_add(&used, " %s cycles", sql);
    close_over(&used, &terms);
    ws_text_add(text, "SELECT *");
    add_used_metrics(text, &used);
    ws_text_add(text, " FROM (SELECT *");
    if (terms)
        ws_add_metric_terms(text, "sms");
    ws_text_add(
        text,
        " FROM (SELECT point_id, point.position AS point_position, experiment_trace.position AS trace_position, job.shards AS "
        "shards, " WS_SHARDS_RUN " AS sms, sum(cycles) AS sm_cycles");
    add_used_columns(text, &used);
    ws_schema_add_jobs(text, "experiment");
    ws_text_add(text,
                " WHERE status = 'ok' AND %s GROUP BY point_id, experiment_trace_id HAVING count(*) = min(sms, (SELECT "
                "blocks FROM trace WHERE trace.trace_id = job.trace_id))))",
                condition);
    text->failed = text->failed || used.failed;
    ws_text_free(&used);
}
