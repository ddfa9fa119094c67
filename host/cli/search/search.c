#include <stdio.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/search/space_options.h"
#include "cli/sweep/sweep_headline.h"
#include "cli/sweep/sweep_watch.h"
#include "warpsweep/report.h"

enum { KEY_DRY_RUN = 0x2200 };

struct arguments {
    struct cli_space space;
};

static const struct argp_option options[] = {
    {"dry-run", KEY_DRY_RUN, NULL, 0, "print the size of the space, its next generation, and estimates of memory and time", 20},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->space;
        return 0;
    case KEY_DRY_RUN:
        arguments->space.options.dry_run = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_search_argp = {
    .options = options,
    .parser = parse,
    .args_doc = CLI_SPACE_ARGUMENTS,
    .doc =
        "Search the points of a space for the best ones by objectives and within limits, record every point that is simulated, "
        "print the front. SPACE is a YAML file or bundled name. Without one, options define it, and it is named after the results "
        "file. The same command resumes an interrupted search; with a larger budget it continues.",
    .children = cli_space_children};

/* Remaining work of a dry run. */
static void add_estimate(const struct ws_search_options *how, const struct ws_search_summary *summary, struct ws_text *out)
{
    const struct ws_sweep_estimate *const estimate = &summary->estimate;
    const long cores = cli_sweep_cores(&how->engine);
    ws_text_add(out, "next generation: %u points; variants:", summary->next);
    const bool any = cli_sweep_variants(estimate, out);
    ws_text_add(out, "%s\nmemory: %.1f MB of traces\n", any ? "" : " none left", 1e-6 * (double)estimate->trace_bytes);
    if (estimate->unbuilt > 0)
        ws_text_add(out, "traces to build first: %zu; memory and time are without them\n", estimate->unbuilt);
    ws_text_add(out, "time of a generation: about ");
    cli_progress_duration(out, estimate->core_seconds / (double)cores);
    ws_text_add(out, " on %ld cores\n", cores);
}

static void add_summary(const struct cli_space *arguments, const struct ws_space *space, const struct ws_search_summary *summary,
                        struct ws_text *out)
{
    ws_text_add(out, "%s: %.6g points before constraints (%u axes)", space->experiment->name, summary->size, space->axis_count);
    ws_text_add(out, ", %llu simulated in %u generations: %llu simulations\n", (unsigned long long)summary->points,
                summary->generations, (unsigned long long)summary->simulations);
    if (arguments->options.dry_run) {
        add_estimate(&arguments->options, summary, out);
        return;
    }
    if (summary->failed > 0)
        ws_text_add(out, "%llu points failed; their reasons are recorded\n", (unsigned long long)summary->failed);
    if (summary->over > 0)
        ws_text_add(out, "%llu points are beyond a limit\n", (unsigned long long)summary->over);
    if (summary->ran > 0)
        ws_text_add(out, "%llu jobs on %s: %s\n", (unsigned long long)summary->ran, summary->engine, summary->device);
    if (summary->reused > 0)
        ws_text_add(out, "%llu jobs not simulated: their results follow from those of others (run_from)\n",
                    (unsigned long long)summary->reused);
    ws_text_add(out, "%.1f s, of these %.1f s choose points\n", summary->seconds, summary->choosing);
    ws_text_add(out, "ended: %s\nresults: %s\n",
                !summary->ended                         ? "interrupted; the same command continues"
                : summary->ended[0] == 'b' /* budget */ ? "the budget is used up; a larger one continues"
                                                        : "no new point is left",
                arguments->options.results);
}

/* The front and what it rests on. */
static int answer(const struct cli_space *arguments, const struct ws_space *space)
{
    struct ws_error error;
    const enum ws_status status = ws_report_search_text(arguments->options.results, space->experiment->name, stdout, &error);
    return status == WS_STATUS_ok ? 0 : cli_fail(&error);
}

static int run(struct cli_space *arguments)
{
    struct ws_error error;
    struct ws_space *space = NULL;
    struct ws_search_summary summary = {0};
    struct cli_progress progress;
    struct ws_text out = {0};
    enum ws_status status = cli_space_load(arguments, &space, &error);
    if (status == WS_STATUS_ok) {
        arguments->options.watch = cli_sweep_watch_start(&progress);
        status = ws_search(space, &arguments->options, &summary, &error);
        cli_progress_end(&progress);
    }
    int exit_code = 0;
    if (status == WS_STATUS_ok || (status == WS_STATUS_interrupted && summary.points > 0)) {
        add_summary(arguments, space, &summary, &out);
        exit_code = cli_print(&out);
        if (exit_code == 0 && !arguments->options.dry_run)
            exit_code = answer(arguments, space);
    }
    cli_space_end(arguments, space);
    return status != WS_STATUS_ok ? cli_fail(&error) : exit_code;
}

int cli_search(int argc, char **argv)
{
    struct arguments arguments;
    if (!cli_space_begin(&arguments.space, argc)) {
        cli_space_end(&arguments.space, NULL);
        return cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    }
    argp_parse(&cli_search_argp, argc, argv, 0, NULL, &arguments);
    return run(&arguments.space);
}
