#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "warpsweep/results.h"

#define FORMATS "csv"

enum { KEY_FORMAT = 0x1000 };

static const struct argp_option options[] = {{"format", KEY_FORMAT, FORMATS, 0, "default csv", 0}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    if (key != KEY_FORMAT)
        return cli_take_argument(key, argument, state, "results file", state->input);
    cli_parse_choice(state, "format", FORMATS, argument);
    return 0;
}

const struct argp cli_export_argp = {.options = options,
                                     .parser = parse,
                                     .args_doc = "RESULTS.db",
                                     .doc = "Writes every result of a results file to standard output."};

int cli_export(int argc, char **argv)
{
    const char *file = NULL;
    struct ws_results *results;
    struct ws_error error, ignored;
    argp_parse(&cli_export_argp, argc, argv, 0, NULL, &file);
    if (ws_results_open(file, WS_RESULTS_READ, &results, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    const enum ws_status status = ws_results_export_csv(results, stdout, &error);
    ws_results_close(results, &ignored);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    return cli_print(&(struct ws_text){0});
}
