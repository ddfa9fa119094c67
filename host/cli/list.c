#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/documents/json.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "warpsweep/energy.h"
#include "warpsweep/engine.h"
#include "warpsweep/experiment.h"
#include "warpsweep/space.h"
#include "warpsweep/results.h"

enum { KEY_FORMAT = 0x1000, LONGEST_TEXT = 256 };

static const struct argp_option options[] = {{"format", KEY_FORMAT, CLI_TEXT_OR_JSON, 0, "default text", 0}, {0}};

static void list_machines(struct cli_table *table)
{
    size_t count;
    const struct ws_machine_row *const rows = ws_machines(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_text(table, rows[n].about);
    }
}

static void list_workloads(struct cli_table *table)
{
    for (const struct ws_workload *row = ws_workloads(); row->name; row++) {
        cli_table_text(table, row->name);
        cli_table_text(table, row->about);
    }
}

static void list_experiments(struct cli_table *table)
{
    size_t count;
    const struct ws_experiment_row *const rows = ws_experiments(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_text(table, rows[n].about);
    }
}

static void list_searches(struct cli_table *table)
{
    size_t count;
    const struct ws_space_row *const rows = ws_spaces(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_text(table, rows[n].about);
    }
}

/* Whether parameters of this set select a variant, so that its choices are policies. */
static bool is_policy_set(const char *set)
{
    static const char *const sets[] = {"pipeline", "divergence", "policy", "dispatch"};
    for (size_t n = 0; n < sizeof sets / sizeof *sets; n++) {
        if (strcmp(sets[n], set) == 0)
            return true;
    }
    return false;
}

static void list_policies(struct cli_table *table)
{
    size_t parameter_count, choice_count;
    const struct ws_parameter *const parameters = ws_parameters(&parameter_count);
    const struct ws_choice *const choices = ws_choices(&choice_count);
    for (size_t p = 0; p < parameter_count; p++) {
        if (!parameters[p].set || !is_policy_set(parameters[p].set))
            continue;
        for (size_t n = 0; n < choice_count; n++) {
            if (strcmp(choices[n].set, parameters[p].set) != 0)
                continue;
            cli_table_text(table, choices[n].name);
            cli_table_text(table, parameters[p].key);
            cli_table_text(table, choices[n].doc);
        }
    }
}

static void list_variants(struct cli_table *table)
{
    size_t count;
    const struct ws_variant *const rows = ws_variants(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].pipeline);
        cli_table_text(table, rows[n].divergence);
        cli_table_text(table, rows[n].policy);
        cli_table_text(table, rows[n].dispatch);
    }
}

static void list_parameters(struct cli_table *table)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    struct ws_machine standard;
    char text[LONGEST_TEXT];
    ws_machine_defaults(&standard);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].key);
        if (rows[n].set) {
            ws_machine_get(&standard, n, text, sizeof text);
            cli_table_text(table, text);
        } else {
            cli_table_number(table, rows[n].standard);
        }
        ws_parameter_allowed(&rows[n], text, sizeof text);
        cli_table_text(table, text);
        cli_table_text(table, rows[n].unit);
        cli_table_text(table, rows[n].doc);
    }
}

static void list_counters(struct cli_table *table)
{
    size_t count;
    const struct ws_counter *const rows = ws_counter_list(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_number(table, rows[n].bins);
        cli_table_text(table, rows[n].unit);
        cli_table_text(table, rows[n].doc);
    }
}

static void list_metrics(struct cli_table *table)
{
    size_t count;
    const struct ws_metric *const rows = ws_metrics(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_text(table, rows[n].unit);
        cli_table_text(table, rows[n].doc);
    }
}

static void list_gauges(struct cli_table *table)
{
    size_t count;
    const struct ws_gauge *const rows = ws_gauge_list(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_text(table, rows[n].unit);
        cli_table_text(table, rows[n].doc);
    }
}

/* Coefficients in pJ with 0 or 1 decimal. */
static void add_picojoules(struct cli_table *table, double value)
{
    cli_table_real(table, value, value < 10);
}

static void list_energy(struct cli_table *table)
{
    size_t count;
    const struct ws_energy_event *const rows = ws_energy_events(&count);
    for (size_t n = 0; n < count; n++) {
        cli_table_text(table, rows[n].name);
        cli_table_text(table, ws_energy_part_names[rows[n].part]);
        cli_table_text(table, rows[n].per);
        for (size_t profile = 0; profile < WS_ENERGY_PROFILES; profile++)
            add_picojoules(table, rows[n].picojoules[profile]);
        add_picojoules(table, rows[n].least);
        add_picojoules(table, rows[n].most);
        cli_table_text(table, rows[n].source);
    }
}

static void add_device(void *context, const char *name, const char *about)
{
    cli_table_text(context, name);
    cli_table_text(context, about);
}

static void list_devices(struct cli_table *table)
{
    ws_engine_list(add_device, table);
}

static const struct {
    const char *name;
    const char *columns[CLI_COLUMNS + 1];
    void (*fill)(struct cli_table *table);
} lists[] = {
#define LIST(name, ...) {#name, {__VA_ARGS__}, list_##name},
#include "cli/lists.def"
#undef LIST
};

/* Their names, each after a bar. */
#define LIST(name, ...) "|" #name
static const char choices[] =
#include "cli/lists.def"
    ;
static const char with_words[] =
#include "cli/lists.def"
    " [WORD...]";
#undef LIST

struct arguments {
    const char *what;
    const char **words; /* words that rows must contain; NULL-terminated, room for all arguments */
    size_t word_count;
    bool json;
    size_t list;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_FORMAT:
        arguments->json = cli_parse_json(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->what)
            arguments->words[arguments->word_count++] = argument;
        else
            arguments->what = argument;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->what)
            argp_usage(state);
        arguments->list = cli_parse_choice(state, NULL, choices + 1, arguments->what);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_json(const struct cli_table *table, const char *name, struct ws_text *out)
{
    struct ws_json json = {.text = out};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "schema", 1);
    cli_table_json(table, name, &json);
    ws_json_end_object(&json);
}

/* Reports that no row has the word, and suggests a similar name, or part of a name after its dot. */
static void note_none(size_t list, const char *word, bool first)
{
    struct cli_table all = {0};
    struct ws_nearest nearest = {.word = word};
    memcpy(all.columns, lists[list].columns, sizeof all.columns);
    lists[list].fill(&all);
    size_t columns = 0;
    while (all.columns[columns])
        columns++;
    for (size_t n = 0; n < all.count && !all.failed; n += columns) {
        const char *const name = all.cells[n].text, *const dot = strrchr(name, '.');
        ws_nearest_offer(&nearest, name);
        if (dot)
            ws_nearest_offer(&nearest, dot + 1);
    }
    fprintf(stderr, "warpsweep: list %s: no row%s has '%s'", lists[list].name, first ? "" : " with the words before it", word);
    fprintf(stderr, nearest.best && nearest.distance > 0 ? " (did you mean '%s'?)\n" : "\n", nearest.best);
    cli_table_free(&all);
}

/* Keeps the rows that contain all words. False, with a message, if there are none. */
static bool keep(const struct arguments *arguments, struct cli_table *table)
{
    for (size_t n = 0; n < arguments->word_count; n++) {
        const bool any = table->count > 0;
        cli_table_keep(table, arguments->words[n]);
        if (any && table->count == 0) {
            note_none(arguments->list, arguments->words[n], n == 0);
            return false;
        }
    }
    return true;
}

const struct argp cli_list_argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = with_words + 1,
                                   .doc =
                                       "List machines, workloads, parameters, counters and more; with WORDs only rows that contain "
                                       "all of them, in upper or lower case."};

int cli_list(int argc, char **argv)
{
    struct arguments arguments = {.words = calloc((size_t)argc + 1, sizeof *arguments.words)};
    if (!arguments.words)
        return cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    argp_parse(&cli_list_argp, argc, argv, 0, NULL, &arguments);
    struct cli_table table = {0};
    struct ws_text out = {0};
    memcpy(table.columns, lists[arguments.list].columns, sizeof table.columns);
    lists[arguments.list].fill(&table);
    const bool any = keep(&arguments, &table);
    free(arguments.words);
    if (arguments.json)
        print_json(&table, lists[arguments.list].name, &out);
    else if (any)
        cli_table_print_to_fit(&table, &out);
    cli_table_free(&table);
    return cli_print(&out);
}
