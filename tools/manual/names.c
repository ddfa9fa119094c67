#include <string.h>

#include "manual/manual.h"
#include "warpsweep/experiment.h"
#include "warpsweep/report.h"

static void add_machines(struct ws_text *names)
{
    size_t count;
    const struct ws_machine_row *const rows = ws_machines(&count);
    for (size_t n = 0; n < count; n++)
        ws_text_add(names, "%s ", rows[n].name);
}

static void add_workloads(struct ws_text *names)
{
    for (const struct ws_workload *row = ws_workloads(); row->name; row++)
        ws_text_add(names, "%s ", row->name);
}

/* NAME and NAME:SIZE. */
static void add_traces(struct ws_text *names)
{
    for (const struct ws_workload *row = ws_workloads(); row->name; row++) {
        ws_text_add(names, "%s ", row->name);
        for (unsigned size = 0; size < WS_SIZES; size++)
            ws_text_add(names, "%s:%s ", row->name, ws_size_name((enum ws_size)size));
    }
}

static void add_experiments(struct ws_text *names)
{
    size_t count;
    const struct ws_experiment_row *const rows = ws_experiments(&count);
    for (size_t n = 0; n < count; n++)
        ws_text_add(names, "%s ", rows[n].name);
}

/* PAPER, before the first of its figures, and PAPER/FIGURE. */
static void add_figure(void *context, const struct ws_figure *figure)
{
    struct ws_text *const names = context;
    char paper[64];
    snprintf(paper, sizeof paper, "%s/", figure->paper);
    if (names->length == 0 || !strstr(names->data, paper))
        ws_text_add(names, "%s ", figure->paper);
    ws_text_add(names, "%s/%s ", figure->paper, figure->name);
}

static void add_figures(struct ws_text *names)
{
    ws_figures(add_figure, names, NULL);
}

/* KEY=VALUE for each choice of a parameter, KEY= where a number is expected. */
static void add_settings(struct ws_text *names)
{
    size_t parameter_count, choice_count;
    const struct ws_parameter *const parameters = ws_parameters(&parameter_count);
    const struct ws_choice *const choices = ws_choices(&choice_count);
    for (size_t p = 0; p < parameter_count; p++) {
        if (!parameters[p].set)
            ws_text_add(names, "%s= ", parameters[p].key);
        for (size_t n = 0; parameters[p].set && n < choice_count; n++) {
            if (strcmp(choices[n].set, parameters[p].set) == 0)
                ws_text_add(names, "%s=%s ", parameters[p].key, choices[n].name);
        }
    }
}

/* Names stand in quotes of shells, where other characters might end them. */
static enum ws_status add_list(const char *list, void (*add)(struct ws_text *names), struct ws_text *out, struct ws_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/=- ";
    struct ws_text names = {0};
    add(&names);
    if (names.failed || names.length == 0) {
        ws_text_free(&names);
        return ws_fail(error, WS_STATUS_no_memory, "there are no %s, or no memory for them", list);
    }
    enum ws_status status = WS_STATUS_ok;
    const char odd = names.data[strspn(names.data, plain)];
    if (odd)
        status = ws_fail(error, WS_STATUS_bad_input, "a name of the %s has a '%c', which completions cannot have", list, odd);
    ws_text_add(out, "    [@%s]='%.*s'\n", list, (int)names.length - 1, names.data);
    ws_text_free(&names);
    return status;
}

enum ws_status add_names(struct ws_text *out, struct ws_error *error)
{
    WS_TRY(add_list("machines", add_machines, out, error));
    WS_TRY(add_list("workloads", add_workloads, out, error));
    WS_TRY(add_list("traces", add_traces, out, error));
    WS_TRY(add_list("experiments", add_experiments, out, error));
    WS_TRY(add_list("figures", add_figures, out, error));
    return add_list("settings", add_settings, out, error);
}
