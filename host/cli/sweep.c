#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/engine_options.h"
#include "cli/frontend_options.h"
#include "cli/input_options.h"
#include "cli/sweep_watch.h"
#include "warpsweep/experiment.h"
#include "warpsweep/sweep.h"

enum { KEY_PART = 0x2000, KEY_DRY_RUN, KEY_FORCE };

struct arguments {
    const char *experiment;
    struct cli_inputs inputs;
    struct ws_sweep_options options;
};

static const struct argp_option options[] = {
    {"output", 'o', "RESULTS.db", 0, "the results file, made when it is not there; default the experiment's name and .db", 1},
    {"part", KEY_PART, "I/N", 0, "job n of the sweep when n modulo N is I, to share a sweep; default 0/1, all jobs", 6},
    {"force", KEY_FORCE, NULL, 0, "run jobs again that are done", 20},
    {"dry-run", KEY_DRY_RUN, NULL, 0, "only tell points, jobs, variants, memory and time", 20},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct ws_sweep_options *const sweep = &arguments->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->inputs;
        state->child_inputs[1] = &sweep->engine;
        state->child_inputs[2] = &sweep->lockstep;
        return 0;
    case 'o':
        sweep->results = argument;
        return 0;
    case KEY_PART:
        cli_parse_share(state, "part", argument, &sweep->part, &sweep->parts);
        return 0;
    case KEY_FORCE:
        sweep->force = true;
        return 0;
    case KEY_DRY_RUN:
        sweep->dry_run = true;
        return 0;
    default:
        return cli_take_argument(key, argument, state, "experiment", &arguments->experiment);
    }
}

/* Jobs that are left by variant, memory, time. */
static void add_estimate(const struct ws_engine_options *engine, const struct ws_sweep_summary *summary, struct ws_text *out)
{
    const struct ws_sweep_estimate *const estimate = &summary->estimate;
    const long cores = engine->threads ? (long)engine->threads : sysconf(_SC_NPROCESSORS_ONLN);
    const size_t left = summary->jobs - summary->before;
    size_t count, shown = 0;
    const struct ws_variant *const variant = ws_variants(&count);
    ws_text_add(out, "variants:");
    for (size_t n = 0; n < count && n < sizeof estimate->variants / sizeof *estimate->variants; n++)
        if (estimate->variants[n] > 0)
            ws_text_add(out, "%s %s %s %s %s (%zu jobs)", shown++ > 0 ? "," : "", variant[n].pipeline, variant[n].divergence,
                        variant[n].policy, variant[n].dispatch, estimate->variants[n]);
    ws_text_add(out, "%s\nmemory: %.1f MB of traces, %.0f KB each simulation in flight at first\n", shown > 0 ? "" : " none",
                1e-6 * (double)estimate->trace_bytes, (double)estimate->simulation_bytes / 1024);
    if (estimate->unbuilt > 0)
        ws_text_add(out, "traces to build first: %zu; memory and time are without them\n", estimate->unbuilt);
    ws_text_add(out, "time: about ");
    cli_progress_duration(out, left > 0 ? estimate->core_seconds / (double)(cores > 0 ? cores : 1) : 0);
    ws_text_add(out, " on %ld cores, %s\n", cores > 0 ? cores : 1,
                estimate->measured ? "by the jobs of these traces that are done" : "by a nominal rate");
}

static void add_summary(const struct arguments *arguments, const struct ws_experiment *experiment,
                        const struct ws_sweep_summary *summary, struct ws_text *out)
{
    const struct ws_sweep_options *const sweep = &arguments->options;
    ws_text_add(out, "%s: %zu jobs (points %zu", experiment->name, summary->jobs, experiment->point_count);
    if (experiment->skipped > 0)
        ws_text_add(out, " and %zu that constraints skip", experiment->skipped);
    ws_text_add(out, ", traces %zu, shards %u", experiment->trace_count, experiment->shards);
    if (sweep->parts > 1)
        ws_text_add(out, ", part %u/%u", sweep->part, sweep->parts);
    ws_text_add(out, "), %zu of them done before\n", summary->before);
    if (sweep->dry_run) {
        if (summary->jobs > summary->before)
            add_estimate(&sweep->engine, summary, out);
        return;
    }
    if (summary->ran > 0)
        ws_text_add(out, "%zu jobs in %.1f s, %.1f M warp instructions a second, on %s: %s\n", summary->ran, summary->seconds,
                    summary->seconds > 0 ? 1e-6 * (double)summary->warp_instructions / summary->seconds : 0.0, summary->engine,
                    summary->device);
    if (summary->failed > 0)
        ws_text_add(out, "%zu jobs failed; their reasons are recorded\n", summary->failed);
    ws_text_add(out, "results: %s\n", sweep->results);
}

/* Runs the sweep and prints its summary, also of one that failed or was interrupted. */
static int sweep(const struct arguments *arguments, const struct ws_experiment *experiment)
{
    struct ws_error error;
    struct ws_sweep_summary summary = {0};
    struct ws_text out = {0};
    const enum ws_status status = ws_sweep(experiment, &arguments->options, &summary, &error);
    cli_progress_end(arguments->options.watch.context);
    const bool began = summary.jobs > 0; /* else nothing is there to sum up */
    if (began && (status == WS_STATUS_ok || status == WS_STATUS_failed || status == WS_STATUS_interrupted)) {
        add_summary(arguments, experiment, &summary, &out);
        const int printed = cli_print(&out);
        if (printed != 0)
            return printed;
    }
    return status == WS_STATUS_ok ? 0 : cli_fail(&error);
}

static const struct argp_child children[] = {
    {&cli_input_argp, 0, NULL, 0}, {&cli_engine_argp, 0, NULL, 0}, {&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_sweep_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "EXPERIMENT",
    .doc = "Runs every point of an experiment (a YAML file or a bundled name) on every shard of every trace "
           "into a results file. Jobs that the file has are not run again, so the same command resumes.",
    .children = children};

int cli_sweep(int argc, char **argv)
{
    struct arguments arguments = {.inputs = CLI_INPUTS_STANDARD,
                                  .options = {.engine = CLI_ENGINE_STANDARD, .lockstep = cli_lockstep_standard(), .parts = 1}};
    struct ws_error error;
    struct ws_experiment *experiment;
    struct ws_text standard = {0};
    struct cli_progress progress;
    argp_parse(&cli_sweep_argp, argc, argv, 0, NULL, &arguments);
    if (ws_experiment_load(arguments.experiment, &experiment, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    ws_text_add(&standard, "%s.db", experiment->name);
    if (!arguments.options.results)
        arguments.options.results = standard.failed ? "results.db" : standard.data;
    arguments.options.size = arguments.inputs.size;
    arguments.options.seed = arguments.inputs.seed;
    arguments.options.watch = cli_sweep_watch_start(&progress);
    const int exit_code = sweep(&arguments, experiment);
    ws_text_free(&standard);
    ws_experiment_free(experiment);
    return exit_code;
}
