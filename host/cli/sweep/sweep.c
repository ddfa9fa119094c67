#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/options/engine_options.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/options/machine_options.h"
#include "cli/sweep/slurm.h"
#include "cli/sweep/sweep_headline.h"
#include "cli/sweep/sweep_watch.h"
#include "warpsweep/experiment.h"
#include "warpsweep/sweep.h"

enum { KEY_PART = 0x2000, KEY_DRY_RUN, KEY_FORCE, KEY_NO_REUSE, KEY_SLURM, KEY_PARTS, MOST_PARTS = 1 << 20 };

struct arguments {
    const char *experiment;
    struct cli_machine machine; /* with traces and axes: an experiment without a file */
    const char **traces, **axes;
    size_t trace_count, axis_count;
    struct cli_inputs inputs;
    struct ws_sweep_options options;
    struct cli_slurm slurm;
};

static const struct argp_option options[] = {
    {"output", 'o', "OUT.db", 0, "results file, created if missing; default EXPERIMENT's name with .db", 1},
    {"machine", 'm', "MACHINE", 0, "machine to sweep, instead of EXPERIMENT", 2},
    {"trace", 't', "TRACE,...", 0,
     "trace files, FOLDER/ for all traces in one, or NAME[:SIZE] of bundled workloads; may be repeated", 2},
    {"axis", 'x', "KEY=VALUE,...", 0,
     "sweep parameter over a list (l1.size=16K,64K), a range of at most 32 legal values (l1.size=16K..256K), or a range with "
     "step (dram.row_hit=50..200+50) or factor (core.warps=8..64x2); may be repeated: every combination of values is a point",
     2},
    {"part", KEY_PART, "I/N", 0, "run every N-th job only, starting with job I, to split a sweep over hosts; default 0/1, all jobs",
     6},
    {"slurm", KEY_SLURM, NULL, 0,
     "submit to Slurm: a job array of parts, and their merge; options after -- go to sbatch. The same command again resubmits "
     "lost tasks (cluster.md)",
     7},
    {"parts", KEY_PARTS, "N", 0, "tasks of --slurm; default 16, at most one per job", 7},
    {"force", KEY_FORCE, NULL, 0, "rerun jobs that are already in the results file, too", 20},
    {"no-reuse", KEY_NO_REUSE, NULL, 0,
     "simulate jobs whose result follows from another job, too: they raise only limits that it did not reach", 20},
    {"dry-run", KEY_DRY_RUN, NULL, 0, "print points, jobs, variants, and estimates of memory and time (simulates at most 3 s)", 20},
    {0},
};

/* Whether any option replaces part of an experiment. */
static bool has_line(const struct arguments *arguments)
{
    return arguments->machine.name || arguments->machine.override_count > 0 || arguments->trace_count > 0 ||
           arguments->axis_count > 0;
}

/* Options that contradict a sweep on other hosts. */
static void check_slurm(const struct arguments *arguments, struct argp_state *state)
{
    const struct ws_sweep_options *const sweep = &arguments->options;
    if (arguments->slurm.asked && (sweep->parts > 1 || sweep->force))
        argp_error(state, "found --slurm and %s, allowed is one of them", sweep->force ? "--force" : "--part");
    if (!arguments->slurm.asked && arguments->slurm.parts > 0)
        argp_error(state, "--parts is for --slurm; a part of a sweep is --part I/N");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct ws_sweep_options *const sweep = &arguments->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->inputs;
        state->child_inputs[1] = &sweep->engine;
        state->child_inputs[2] = &sweep->lockstep;
        state->child_inputs[3] = &arguments->machine;
        return 0;
    case 'm':
        arguments->machine.name = argument;
        return 0;
    case 't':
        arguments->traces[arguments->trace_count++] = argument;
        return 0;
    case 'x':
        arguments->axes[arguments->axis_count++] = argument;
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
    case KEY_NO_REUSE:
        sweep->no_reuse = true;
        return 0;
    case KEY_SLURM:
        arguments->slurm.asked = true;
        return 0;
    case KEY_PARTS:
        arguments->slurm.parts = (u32)cli_parse_range(state, "parts", argument, 1, MOST_PARTS);
        return 0;
    case KEY_DRY_RUN:
        sweep->dry_run = true;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (!has_line(arguments))
            argp_usage(state);
        if (!arguments->machine.name || arguments->trace_count == 0)
            argp_error(state, "--machine and --trace are needed, or an experiment");
        return 0;
    default:
        if (key == ARGP_KEY_END)
            check_slurm(arguments, state);
        if (key == ARGP_KEY_END && arguments->experiment && has_line(arguments))
            argp_error(state, "found '%s', allowed is either an experiment or --machine, --trace, --axis and --set",
                       arguments->experiment);
        return cli_take_argument(key, argument, state, "experiment", &arguments->experiment);
    }
}

/* Remaining jobs by variant; memory; time. */
static void add_estimate(const struct ws_engine_options *engine, const struct ws_sweep_summary *summary, struct ws_text *out)
{
    const struct ws_sweep_estimate *const estimate = &summary->estimate;
    const long cores = cli_sweep_cores(engine);
    const size_t left = summary->jobs - summary->before;
    ws_text_add(out, "variants:");
    const bool any = cli_sweep_variants(estimate, out);
    ws_text_add(out, "%s\nmemory: %.1f MB of traces, %.0f KB each simulation in flight at first\n", any ? "" : " none",
                1e-6 * (double)estimate->trace_bytes, (double)estimate->simulation_bytes / 1024);
    if (estimate->unbuilt > 0)
        ws_text_add(out, "traces to build first: %zu; memory and time are without them\n", estimate->unbuilt);
    ws_text_add(out, "time: about ");
    cli_progress_duration(out, left > 0 ? estimate->core_seconds / (double)cores : 0);
    ws_text_add(out, " on %ld cores, ", cores);
    if (estimate->recorded < left)
        ws_text_add(out, "from short simulations of each trace%s", estimate->recorded > 0 ? " and " : "\n");
    if (estimate->recorded > 0)
        ws_text_add(out, "from recorded jobs of the same traces\n");
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
    if (summary->reused > 0)
        ws_text_add(out, "%zu jobs not simulated: their results follow from those of others (run_from)\n", summary->reused);
    if (summary->elsewhere > 0)
        ws_text_add(out, "%zu jobs run by another sweep into this file meanwhile\n", summary->elsewhere);
    if (summary->failed > 0)
        ws_text_add(out, "%zu jobs failed; their reasons are recorded\n", summary->failed);
    ws_text_add(out, "results: %s\n", sweep->results);
}

/* Warns about parameters that points set and none of them reads. */
static void warn_unread(const struct ws_experiment *experiment)
{
    size_t count;
    char text[160];
    ws_parameters(&count);
    for (size_t n = 0; n < count; n++)
        if (ws_experiment_unread(experiment, n, text, sizeof text))
            fprintf(stderr, "warpsweep: warning: %s\n", text);
}

/* Warns about a size or seed without effect: all traces are files, or names with a size. */
static void warn_inputs(const struct cli_inputs *inputs, const struct ws_experiment *experiment)
{
    bool sizes = false, seeds = false;
    for (size_t n = 0; n < experiment->trace_count; n++) {
        const bool file = strchr(experiment->traces[n], '/') || strstr(experiment->traces[n], ".wst");
        seeds = seeds || !file;
        sizes = sizes || (!file && !strchr(experiment->traces[n], ':'));
    }
    if (inputs->sized && !sizes)
        fprintf(stderr, "warpsweep: warning: --size has no effect: every trace of %s is a file or NAME:SIZE\n", experiment->name);
    if (inputs->seeded && !seeds)
        fprintf(stderr, "warpsweep: warning: --seed has no effect: every trace of %s is a file\n", experiment->name);
}

/* Runs the sweep and prints its summary, even after a failure or an interrupt. */
static int sweep(const struct arguments *arguments, const struct ws_experiment *experiment)
{
    struct ws_error error, unread;
    struct ws_sweep_summary summary = {0};
    struct ws_text out = {0};
    const enum ws_status status = ws_sweep(experiment, &arguments->options, &summary, &error);
    cli_progress_end(arguments->options.watch.context);
    const bool began = summary.jobs > 0; /* otherwise there is nothing to summarize */
    if (began && (status == WS_STATUS_ok || status == WS_STATUS_failed || status == WS_STATUS_interrupted)) {
        add_summary(arguments, experiment, &summary, &out);
        if (!arguments->options.dry_run && arguments->options.parts <= 1 && status != WS_STATUS_interrupted &&
            cli_sweep_headline(arguments->options.results, experiment, summary.run, &out, &unread) != WS_STATUS_ok)
            fprintf(stderr, "warpsweep: the best points cannot be told: %s\n", unread.message);
        const int printed = cli_print(&out);
        if (printed != 0)
            return printed;
    }
    return status == WS_STATUS_ok ? 0 : cli_fail(&error);
}

static const struct argp_child children[] = {{&cli_input_argp, 0, NULL, 0},
                                             {&cli_engine_argp, 0, NULL, 0},
                                             {&cli_lockstep_argp, 0, NULL, 0},
                                             {&cli_set_argp, 0, NULL, 0},
                                             {0}};

const struct argp cli_sweep_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "EXPERIMENT\n-m MACHINE -t TRACE,...",
    .doc =
        "Run every point of an experiment on every shard of every trace, record the results, print the best points. "
        "EXPERIMENT is a YAML file or bundled name. Without one, --machine, --trace, --axis and --set define it, and it is named "
        "after the results file. Jobs already in the results file are skipped: the same command resumes an interrupted sweep.",
    .children = children};

/* The experiment of the options, named after the results file: "sweep" without one. */
static enum ws_status read_line(const struct arguments *arguments, struct ws_experiment **experiment, struct ws_error *error)
{
    const char *const results = arguments->options.results ? arguments->options.results : "sweep.db";
    const char *const slash = strrchr(results, '/'), *const file = slash ? slash + 1 : results;
    const size_t stem = ws_stem(file, ".db");
    char *const name = strndup(file, stem > 0 ? stem : strlen(file));
    if (!name)
        return ws_no_memory(error);
    const struct ws_experiment_line line = {.name = name,
                                            .machine = arguments->machine.name,
                                            .traces = arguments->traces,
                                            .trace_count = arguments->trace_count,
                                            .settings = arguments->machine.overrides,
                                            .setting_count = arguments->machine.override_count,
                                            .axes = arguments->axes,
                                            .axis_count = arguments->axis_count};
    const enum ws_status status = ws_experiment_read_line(&line, experiment, error);
    free(name);
    return status;
}

static int run(struct arguments *arguments)
{
    struct ws_error error;
    struct ws_experiment *experiment;
    struct ws_text standard = {0};
    struct cli_progress progress;
    const enum ws_status status = arguments->experiment ? ws_experiment_load(arguments->experiment, &experiment, &error)
                                                        : read_line(arguments, &experiment, &error);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    warn_unread(experiment);
    warn_inputs(&arguments->inputs, experiment);
    ws_text_add(&standard, "%s.db", experiment->name);
    if (!arguments->options.results)
        arguments->options.results = standard.failed ? "results.db" : standard.data;
    arguments->options.size = arguments->inputs.size;
    arguments->options.seed = arguments->inputs.seed;
    if (!arguments->slurm.asked)
        arguments->options.watch = cli_sweep_watch_start(&progress);
    const int exit_code = arguments->slurm.asked ? cli_slurm_submit(&arguments->slurm, experiment, &arguments->options)
                                                 : sweep(arguments, experiment);
    ws_text_free(&standard);
    ws_experiment_free(experiment);
    return exit_code;
}

int cli_sweep(int argc, char **argv)
{
    struct arguments arguments = {
        .inputs = CLI_INPUTS_STANDARD,
        .machine.overrides = cli_override_room(argc),
        .traces = cli_override_room(argc),
        .axes = cli_override_room(argc),
        .options = {WS_STRUCT(sweep_options), .engine = CLI_ENGINE_STANDARD, .lockstep = cli_lockstep_standard(), .parts = 1}};
    int exit_code;
    argc = cli_slurm_split(&arguments.slurm, argc, argv);
    if (argc > 0 && arguments.machine.overrides && arguments.traces && arguments.axes) {
        argp_parse(&cli_sweep_argp, argc, argv, 0, NULL, &arguments);
        exit_code = run(&arguments);
    } else {
        exit_code = cli_fail(&(struct ws_error){.status = WS_STATUS_no_memory, .message = "out of memory"});
    }
    free(arguments.machine.overrides);
    free(arguments.traces);
    free(arguments.axes);
    free(arguments.slurm.words);
    return exit_code;
}
