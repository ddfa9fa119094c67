#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "warpsweep/results.h"

enum { KEY_FORMAT = 0x1000 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const char *const formats[] = {"csv", NULL};
    if (key != KEY_FORMAT)
        return cli_take_argument(key, argument, state, "results file", state->input);
    cli_parse_name(state, "--format", argument, formats);
    return 0;
}

int cli_export(int argc, char **argv)
{
    static const struct argp_option options[] = {{"format", KEY_FORMAT, "FORMAT", 0, "csv; default csv", 0}, {0}};
    static const struct argp parser = {.options = options,
                                       .parser = parse,
                                       .args_doc = "RESULTS.db",
                                       .doc = "Writes every result of a results file to standard output."};
    const char *file = NULL;
    struct ws_results *results;
    struct ws_error error, ignored;
    argp_parse(&parser, argc, argv, 0, NULL, &file);
    if (ws_results_open(file, WS_RESULTS_READ, &results, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    const enum ws_status status = ws_results_export_csv(results, stdout, &error);
    ws_results_close(results, &ignored);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    return cli_print(&(struct ws_text){0});
}
