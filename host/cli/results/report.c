#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/results/runs.h"
#include "warpsweep/report.h"
#include "warpsweep/results.h"

enum { KEY_RUN = 0x1000, KEY_FOLLOW };

/* Ticks per second at which interrupts are checked while waiting. */
enum { TICKS = 10 };

struct arguments {
    const char *folder, *run;
    const char **files; /* room for all arguments */
    size_t count;
    u32 follow; /* seconds; 0: once */
};

static const struct argp_option options[] = {
    {"output", 'o', "OUTDIR", 0, "folder for index.html, created if missing; required", 0},
    {"run", KEY_RUN, "N|all", 0, "show run N of each experiment, or all runs; default newest", 0},
    {"follow", KEY_FOLLOW, "SECONDS", 0,
     "follow a running sweep: check for new results every SECONDS and rewrite the page, until none is missing or interrupted; "
     "browsers reload it",
     0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'o':
        arguments->folder = argument;
        return 0;
    case KEY_RUN:
        arguments->run = argument;
        return 0;
    case KEY_FOLLOW:
        arguments->follow = (u32)cli_parse_range(state, "follow", argument, 1, UINT32_MAX / TICKS);
        return 0;
    case ARGP_KEY_ARG:
        arguments->files[arguments->count++] = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->folder)
            argp_error(state, "--output is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_report_argp = {.options = options,
                                     .parser = parse,
                                     .args_doc = "RESULTS.db... -o OUTDIR",
                                     .doc = "Write an interactive HTML report of results files: charts, table, every parameter. "
                                            "One file, without server or network."};

/* ---- Running sweeps (--follow) ---- */

static enum ws_status take_number(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    u64 *const number = context;
    (void)error;
    *number += row->values[0] ? strtoull(row->values[0], NULL, 10) : 0;
    return WS_STATUS_ok;
}

/* Adds a file's results and expected number of results. */
static enum ws_status count_results(const char *file, const char *run, u64 *done, u64 *wanted, struct ws_error *error)
{
    struct ws_results *results;
    WS_TRY(ws_results_open(file, WS_RESULTS_READ, &results, error));
    enum ws_status status = run ? ws_results_choose_run(results, run, error) : WS_STATUS_ok;
    WS_THEN(status, ws_results_query(results, "SELECT count(*) FROM result", NULL, take_number, done, error));
    WS_THEN(status, ws_results_query(
                        results,
                        "SELECT sum(shards * (SELECT count(*) FROM point WHERE point.experiment_id = selected.experiment_id) * "
                        "(SELECT count(DISTINCT position) FROM experiment_trace WHERE experiment_trace.experiment_id = "
                        "selected.experiment_id)) FROM selected",
                        NULL, take_number, wanted, error));
    ws_results_close(results, NULL);
    return status;
}

static enum ws_status write_page(const struct arguments *arguments, u32 reload, struct ws_error *error)
{
    return ws_report(arguments->files, arguments->count, arguments->run, reload, arguments->folder, error);
}

/* Rewrites the page whenever results arrive; returns once all are there, or when interrupted. */
static enum ws_status follow(const struct arguments *arguments, struct ws_error *error)
{
    u64 shown = UINT64_MAX;
    while (!cli_interrupted()) {
        u64 done = 0, wanted = 0;
        for (size_t n = 0; n < arguments->count; n++)
            WS_TRY(count_results(arguments->files[n], arguments->run, &done, &wanted, error));
        if (done >= wanted)
            return WS_STATUS_ok;
        if (done != shown) {
            WS_TRY(write_page(arguments, arguments->follow, error));
            fprintf(stderr, "%s/index.html: %" PRIu64 " of %" PRIu64 " results\n", arguments->folder, done, wanted);
        }
        shown = done;
        for (u32 tick = 0; tick < arguments->follow * TICKS && !cli_interrupted(); tick++)
            nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TICKS}, NULL);
    }
    return WS_STATUS_ok;
}

int cli_report(int argc, char **argv)
{
    struct arguments arguments = {.files = calloc((size_t)argc, sizeof(char *))};
    struct ws_error error;
    struct ws_text line = {0};
    if (!arguments.files)
        return cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    argp_parse(&cli_report_argp, argc, argv, 0, NULL, &arguments);
    for (size_t n = 0; n < arguments.count && !arguments.run; n++)
        cli_note_runs(arguments.files[n]);
    cli_catch_interrupt();
    enum ws_status status = arguments.follow ? follow(&arguments, &error) : WS_STATUS_ok;
    WS_THEN(status, write_page(&arguments, 0, &error));
    free(arguments.files);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    ws_text_add(&line, "%s/index.html\n", arguments.folder);
    return cli_print(&line);
}
