#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "warpsweep/results.h"

struct arguments {
    const char *output;
    const char **files; /* room for all arguments */
    size_t count;
};

static const struct argp_option options[] = {
    {"output", 'o', "OUT.db", 0, "results file to add to, created if missing; required", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        arguments->files[arguments->count++] = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->output)
            argp_error(state, "--output is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int merge(const struct arguments *arguments, struct ws_merge_counts *counts)
{
    const struct ws_merge_options merge_options = {WS_STRUCT(merge_options), .go_on = cli_should_continue};
    struct ws_error error;
    struct ws_text out = {0};
    size_t kept, jobs;
    cli_catch_interrupt();
    if (ws_results_merge(arguments->output, arguments->files, arguments->count, &merge_options, counts, &kept, &jobs, &error) !=
        WS_STATUS_ok)
        return cli_fail(&error);
    for (size_t n = 0; n < arguments->count; n++)
        if (counts[n].searches > 0)
            fprintf(
                stderr,
                "warpsweep: %s: %zu run%s of searches not merged: the points are, as experiments; objectives, limits and fronts "
                "stay in that file alone\n",
                arguments->files[n], counts[n].searches, counts[n].searches == 1 ? "" : "s");
    for (size_t n = 0; n < arguments->count; n++)
        ws_text_add(&out, "%s: %zu jobs taken, %zu dropped that another file has\n", arguments->files[n], counts[n].taken,
                    counts[n].dropped);
    ws_text_add(&out, "%s: %zu jobs, %zu of them from before\n", arguments->output, jobs, kept);
    return cli_print(&out);
}

const struct argp cli_merge_argp = {.options = options,
                                    .parser = parse,
                                    .args_doc = "-o OUT.db A.db [B.db...]",
                                    .doc =
                                        "Merge experiments and jobs of results files into one, such as the parts of a sweep. Equal "
                                        "entries are merged once; on a conflict, report it and merge nothing."};

int cli_merge(int argc, char **argv)
{
    struct arguments arguments = {.files = calloc((size_t)argc, sizeof *arguments.files)};
    struct ws_merge_counts *const counts = calloc((size_t)argc, sizeof *counts);
    int exit_code;
    if (arguments.files && counts) {
        argp_parse(&cli_merge_argp, argc, argv, 0, NULL, &arguments);
        exit_code = merge(&arguments, counts);
    } else {
        exit_code = cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    }
    free(arguments.files);
    free(counts);
    return exit_code;
}
