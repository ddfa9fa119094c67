#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/folder.h"
#include "cli/cli.h"
#include "cli/options/engine_options.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/options/machine_options.h"
#include "cli/progress.h"
#include "cli/run/lines.h"
#include "cli/run/run_set.h"
#include "cli/run/series.h"
#include "cli/run/timeline.h"
#include "warpsweep/results.h"

#define NAME(name) #name
#define FORMATS    CLI_RUN_FORMATS(NAME, "|")

enum {
    KEY_SHARD = 0x2000,
    KEY_FORMAT,
    KEY_TIMELINE,
    KEY_ENERGY,
    KEY_ALL,
    KEY_SM_SHARE,
    KEY_SERIES,
    KEY_LINES,
    KEY_SOURCE,
    KEY_INTERVALS,
    KEY_INTERVAL
};

struct arguments {
    struct cli_machine machine;
    const char *name;  /* of the trace, or of a folder of traces */
    const char *trace; /* the one that runs */
    u32 shard, shards;
    bool sm_share; /* shards: those of the machine's GPU */
    size_t format;
    size_t energy; /* as in struct cli_run */
    bool all;
    const char *timeline, *intervals; /* NULL for none */
    const char *series;               /* CYCLES[:NAME,...], NULL for none */
    u32 interval;                     /* cycles */
    struct cli_series_columns columns;
    bool lines;
    const char *source; /* of --lines; NULL for none */
    struct ws_engine_options engine;
    u32 lockstep;
    struct cli_inputs inputs;
};

/* State of a run. */
struct session {
    const struct arguments *arguments;
    struct ws_machine_file machine;
    u32 shard, shards;
    struct ws_image *image;
    u64 trace_digest;
    struct ws_image *leaders[WS_DUELING_LEADERS]; /* of the shards that this one follows, if any */
    struct ws_dueling *dueling;
    struct ws_runner *runner;
    const struct ws_engine *engine; /* the last one that ran */
    struct ws_job_result result;
    bool ran;
    enum ws_status opened; /* output files; error of opening them */
    struct ws_error error;
    struct cli_timeline timeline;
    struct cli_series series;
    struct ws_trace *kept; /* open while lines need it */
    struct cli_lines lines;
    struct cli_progress progress;
    bool follows;         /* previous runs of the command */
    struct ws_text trace; /* what reports call it */
    double *metrics;      /* of what ran */
};

static const struct argp_option options[] = {
    {"machine", 'm', "MACHINE", 0, "machine to simulate: YAML file or bundled name; required", 1},
    {"trace", 't', "TRACE", 0,
     "trace file; FOLDER/ for each trace in it; or NAME[:SIZE] of a bundled workload, which is traced once and cached; required",
     1},
    {"shard", KEY_SHARD, "I/N", 0, "simulate thread blocks of SM I of N only; default 0/1, all blocks", 6},
    {"sm-share", KEY_SM_SHARE, NULL, 0, "simulate thread blocks of one SM of the machine's GPU only: --shard 0/SMS", 6},
    {"format", KEY_FORMAT, FORMATS, 0, "output format; default text", 20},
    {"energy", KEY_ENERGY, cli_energy_choices, 0, "report energy by component, too, with these coefficients", 20},
    {"all", KEY_ALL, NULL, 0, "print counters that are zero, too (text format)", 20},
    {"timeline", KEY_TIMELINE, "OUT.json", 0,
     "write a timeline of warps, thread blocks and issue ports, for Perfetto or chrome://tracing", 20},
    {"series", KEY_SERIES, "CYCLES[:NAME,...]", 0,
     "report counters over time, too: a row of metrics, counters and gauges NAME,... (all: each one) for each interval of CYCLES; "
     "with --timeline as counter tracks, too",
     20},
    {"lines", KEY_LINES, NULL, 0,
     "report statistics by source line, too (--format json: by instruction): issues, active lanes, stalls, L1 misses, divergence",
     20},
    {"source", KEY_SOURCE, "FILE", 0, "text that line numbers refer to, for --lines; default: PTX of the trace, if it exists", 20},
    {"intervals", KEY_INTERVALS, "OUT.csv", 0, "write counters over time as CSV: the rows of --series, or all columns", 20},
    {"interval", KEY_INTERVAL, "CYCLES", 0, "cycles of an interval without --series, from 1 to 1073741824; default 1000", 20},
    {0},
};

/* Whether a trace is a folder of traces. */
static bool is_set(const char *trace)
{
    return strchr(trace, '/') && ws_is_folder(trace);
}

/* A word without an option may be the machine or the trace. */
static void refuse_word(const char *word, struct argp_state *state)
{
    size_t count;
    const struct ws_machine_row *const machines = ws_machines(&count);
    const bool file = strstr(word, ".yaml") != NULL;
    const struct ws_workload *workload;
    enum ws_size size;
    ws_workload_parse(word, &workload, &size, NULL); /* the trace reports a wrong size below */
    size_t n = 0;
    while (n < count && strcmp(machines[n].name, word) != 0)
        n++;
    const char *const option = file || n < count ? "-m" : strpbrk(word, "./") || workload ? "-t" : NULL;
    if (option)
        argp_error(state, "found '%s', allowed are options only (did you mean '%s %s'?)", word, option, word);
    argp_error(state, "found '%s', allowed are options only", word);
}

/* CYCLES[:NAME,...] */
static void parse_series(struct argp_state *state, char *text, struct arguments *arguments)
{
    struct ws_error error;
    char *const names = strchr(text, ':');
    if (names)
        *names = '\0';
    arguments->series = text;
    arguments->interval = (u32)cli_parse_range(state, "series", text, 1, CLI_INTERVAL_MOST);
    cli_series_columns_free(&arguments->columns);
    if (cli_series_choose(names ? names + 1 : NULL, &arguments->columns, &error) != WS_STATUS_ok)
        argp_error(state, "--series: %s", error.message);
}

/* Options that need or exclude each other. */
static void check(struct argp_state *state, const struct arguments *arguments)
{
    const char *const of_one = arguments->timeline    ? "timeline"
                               : arguments->intervals ? "intervals"
                               : arguments->series    ? "series"
                                                      : "lines";
    if (!arguments->machine.name || !arguments->name)
        argp_error(state, "--machine and --trace are needed");
    if (arguments->sm_share && arguments->shards > 1)
        argp_error(state, "found --sm-share and --shard, allowed is one of them");
    if ((arguments->timeline || arguments->intervals || arguments->series || arguments->lines) && is_set(arguments->name))
        argp_error(state, "--%s is of one trace, and %s is a folder", of_one, arguments->name);
    if (arguments->interval && !arguments->intervals && !arguments->series)
        argp_error(state, "--interval needs --intervals OUT.csv, the file to write");
    if (arguments->series && !arguments->intervals && cli_run_formats[arguments->format] == cli_run_print_csv)
        argp_error(state, "--series with --format csv needs --intervals OUT.csv, the file for its rows");
    if (arguments->lines && cli_run_formats[arguments->format] == cli_run_print_csv)
        argp_error(state, "found --lines and --format csv, allowed with --lines are text and json");
    if (arguments->source && !arguments->lines)
        argp_error(state, "--source needs --lines, which shows it");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->machine;
        state->child_inputs[1] = &arguments->engine;
        state->child_inputs[2] = &arguments->lockstep;
        state->child_inputs[3] = &arguments->inputs;
        return 0;
    case 'm':
        arguments->machine.name = argument;
        return 0;
    case 't':
        arguments->name = argument;
        return 0;
    case KEY_SHARD:
        cli_parse_share(state, "shard", argument, &arguments->shard, &arguments->shards);
        return 0;
    case KEY_SM_SHARE:
        arguments->sm_share = true;
        return 0;
    case KEY_FORMAT:
        arguments->format = cli_parse_choice(state, "format", FORMATS, argument);
        return 0;
    case KEY_ENERGY:
        arguments->energy = 1 + cli_parse_choice(state, "energy", cli_energy_choices, argument);
        return 0;
    case KEY_ALL:
        arguments->all = true;
        return 0;
    case KEY_TIMELINE:
        arguments->timeline = argument;
        return 0;
    case KEY_INTERVALS:
        arguments->intervals = argument;
        return 0;
    case KEY_INTERVAL:
        if (arguments->series)
            argp_error(state, "found --interval and --series, allowed is one of them");
        arguments->interval = (u32)cli_parse_range(state, "interval", argument, 1, CLI_INTERVAL_MOST);
        return 0;
    case KEY_LINES:
        arguments->lines = true;
        return 0;
    case KEY_SOURCE:
        arguments->source = argument;
        return 0;
    case KEY_SERIES:
        parse_series(state, argument, arguments);
        return 0;
    case ARGP_KEY_ARG:
        refuse_word(argument, state);
        return EINVAL;
    case ARGP_KEY_END:
        check(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Whether the shard follows others under SM dueling (docs/model/dispatch.md). */
static bool follows(const struct session *session)
{
    return session->shard >= WS_DUELING_LEADERS && ws_machine_has_dueling(&session->machine.machine);
}

static enum ws_status load_image(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    struct ws_trace *trace;
    const u32 spaces = ws_machine_spaces(&session->machine.machine);
    WS_TRY(cli_trace_open(arguments->trace, &arguments->inputs, arguments->lockstep, &trace, error));
    session->trace_digest = ws_trace_digest(trace);
    enum ws_status status = ws_image_load(trace, session->shard, session->shards, spaces, &session->image, error);
    for (u32 shard = 0; status == WS_STATUS_ok && follows(session) && shard < WS_DUELING_LEADERS; shard++)
        status = ws_image_load(trace, shard, session->shards, spaces, &session->leaders[shard], error);
    if (status == WS_STATUS_ok && arguments->lines) {
        session->kept = trace;
        return cli_lines_open(&session->lines, ws_trace_launch(trace), &session->machine.machine, arguments->source, error);
    }
    ws_trace_close(trace);
    return status;
}

static bool show_progress(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    struct session *const session = context;
    cli_progress_show(&session->progress, &(struct cli_done){.done = done, .jobs = jobs, .warp_instructions = warp_instructions});
    return session->opened == WS_STATUS_ok && !cli_interrupted();
}

static void write_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct session *const session = context;
    (void)job;
    if (session->arguments->timeline)
        cli_timeline_add(&session->timeline, event);
    if (session->arguments->lines)
        cli_lines_event(&session->lines, event);
}

static bool has_series(const struct arguments *arguments)
{
    return arguments->series || arguments->intervals;
}

static void note_gauges(void *context, size_t job, const u32 *gauges)
{
    struct session *const session = context;
    (void)job;
    cli_series_note(&session->series, gauges);
}

static void add_quantum(void *context, size_t job, u64 from, const u64 *counters)
{
    struct session *const session = context;
    (void)job;
    if (has_series(session->arguments))
        cli_series_add(&session->series, from, counters);
    if (session->arguments->lines)
        cli_lines_quantum(&session->lines, from, counters);
}

/* Cycles at whose multiples quanta end; 0: anywhere. */
static u32 interval_of(const struct session *session)
{
    const u32 lines = session->arguments->lines ? cli_lines_interval(&session->lines) : 0;
    return lines ? lines : has_series(session->arguments) ? session->arguments->interval : 0;
}

static struct cli_run finished_run(const struct arguments *arguments, const struct session *session)
{
    return (struct cli_run){.machine = &session->machine,
                            .trace = session->trace.data ? session->trace.data : arguments->trace,
                            .trace_digest = session->trace_digest,
                            .shard = session->shard,
                            .shards = session->shards,
                            .image = session->image,
                            .engine = ws_engine_name(session->engine),
                            .device = ws_engine_device(session->engine),
                            .result = &session->result,
                            .energy = arguments->energy,
                            .metrics = session->metrics,
                            .series = arguments->series ? &session->series : NULL,
                            .lines = arguments->lines ? &session->lines : NULL,
                            .series_elsewhere = arguments->intervals || arguments->timeline,
                            .all = arguments->all};
}

static enum ws_status find_leader(void *context, size_t job, u32 shard, const struct ws_image **image, struct ws_error *error)
{
    (void)job;
    (void)error;
    *image = ((struct session *)context)->leaders[shard];
    return WS_STATUS_ok;
}

static void count_track(void *timeline, const char *name, u64 cycle, double value)
{
    cli_timeline_count(timeline, name, cycle, value);
}

/* Output files written during the run. */
static enum ws_status open_outputs(struct session *session, struct ws_error *error)
{
    const struct arguments *const arguments = session->arguments;
    if (arguments->timeline)
        WS_TRY(cli_timeline_open(&session->timeline, arguments->timeline, session->shard, session->shards, error));
    if (!has_series(arguments))
        return WS_STATUS_ok;
    const enum ws_status status = cli_series_open(&session->series, &arguments->columns, arguments->interval, arguments->intervals,
                                                  &session->machine.machine, error);
    session->series.count = arguments->series && arguments->timeline ? count_track : NULL;
    session->series.context = &session->timeline;
    if (status != WS_STATUS_ok && arguments->timeline)
        cli_timeline_close(&session->timeline, NULL, NULL);
    return status;
}

/* Moves them to their paths, unless the run was aborted. */
static enum ws_status close_outputs(struct session *session, bool whole, struct ws_error *error)
{
    const struct arguments *const arguments = session->arguments;
    const struct cli_run finished = finished_run(arguments, session);
    const enum ws_status series = has_series(arguments) ? cli_series_close(&session->series, whole, error) : WS_STATUS_ok;
    struct ws_error *const first = series == WS_STATUS_ok ? error : NULL;
    const enum ws_status timeline =
        arguments->timeline ? cli_timeline_close(&session->timeline, whole ? &finished : NULL, first) : WS_STATUS_ok;
    return series == WS_STATUS_ok ? timeline : series;
}

/* Restarts the run and its output files. */
static void go_on(void *context, const size_t *jobs, size_t count, const char *failed, const char *reason)
{
    struct session *const session = context;
    (void)jobs;
    (void)count;
    session->engine = ws_runner_engine(session->runner);
    fprintf(stderr, "warpsweep: %s failed: %s; the run continues on %s\n", failed, reason, ws_engine_name(session->engine));
    close_outputs(session, false, NULL);
    cli_series_free(&session->series);
    if (session->arguments->lines)
        cli_lines_restart(&session->lines);
    session->opened = open_outputs(session, &session->error);
}

/* Says on a terminal what the run waits for. */
static void tell_compiles(void *context, const char *kernels)
{
    struct session *const session = context;
    char text[128];
    if (!kernels) {
        cli_progress_start(&session->progress); /* compile time is not part of the job's time */
        return;
    }
    snprintf(text, sizeof text, "compiling the kernels of '%s', once", kernels);
    if (session->progress.terminal)
        cli_progress_note(&session->progress, text);
}

static enum ws_status run_job(struct session *session, const struct ws_job_spec *job, struct ws_error *error)
{
    const struct arguments *const arguments = session->arguments;
    const struct ws_runner_watch watch = {.engine = {WS_STRUCT(engine_watch), .context = session, .progress = show_progress,
                                                     .event = arguments->timeline || arguments->lines ? write_event : NULL,
                                                     .quantum = has_series(arguments) || arguments->lines ? add_quantum : NULL,
                                                     .gauges = has_series(arguments) ? note_gauges : NULL,
                                                     .interval = interval_of(session), .compiles = tell_compiles},
                                          .leader = find_leader,
                                          .retries = go_on};
    WS_TRY(open_outputs(session, error));
    cli_progress_start(&session->progress);
    const enum ws_status status = ws_runner_run(session->runner, job, 1, &session->result, &watch, error);
    cli_progress_end(&session->progress);
    if (session->opened != WS_STATUS_ok)
        return ws_fail(error, session->opened, "%s", session->error.message);
    session->ran = status == WS_STATUS_ok || status == WS_STATUS_interrupted;
    const bool whole = status == WS_STATUS_ok && !ws_engine_failed(&session->result);
    if (arguments->lines)
        cli_lines_close(&session->lines);
    const enum ws_status written = close_outputs(session, whole, status == WS_STATUS_ok ? error : NULL);
    return status == WS_STATUS_ok ? written : status;
}

static enum ws_status simulate(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    struct ws_job_spec job = {.machine = &session->machine.machine, .image = session->image};
    if (ws_job_check(&job, error) != WS_STATUS_ok) {
        ws_machine_advise(job.machine, job.image, error);
        return ws_fail_in(error, "%s cannot run %s: ", session->machine.name, session->trace.data);
    }
    job.shard = session->shard;
    job.dueling = session->dueling = follows(session) ? ws_dueling_new() : NULL;
    WS_TRY(ws_runner_open(&arguments->engine, &session->runner, error));
    session->engine = ws_runner_engine(session->runner);
    return run_job(session, &job, error);
}

/* The shard to run: an SM's share with --sm-share. */
static enum ws_status share_sm(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    session->shard = arguments->shard;
    session->shards = arguments->sm_share ? session->machine.sms : arguments->shards;
    if (session->shards == 0)
        return ws_fail(error, WS_STATUS_usage,
                       "--sm-share: %s does not say how many SMs its GPU has (key 'sms'); use --shard 0/SMS",
                       session->machine.name);
    return WS_STATUS_ok;
}

static enum ws_status run(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    cli_trace_name(arguments->trace, &arguments->inputs, &session->trace);
    WS_TRY(cli_machine_load(&arguments->machine, &session->machine, error));
    if (!session->follows)
        cli_warn_unread(&session->machine);
    WS_TRY(share_sm(arguments, session, error));
    WS_TRY(load_image(arguments, session, error));
    return simulate(arguments, session, error);
}

static enum ws_status evaluate(struct session *session, struct ws_error *error)
{
    size_t count;
    ws_metrics(&count);
    session->metrics = calloc(count, sizeof *session->metrics);
    if (!session->metrics)
        return ws_no_memory(error);
    return ws_metric_values(&session->machine.machine, session->result.counters, session->metrics, error);
}

/* Runs of a folder form an array in JSON. */
static int print(const struct arguments *arguments, struct session *session, struct cli_run_set *set)
{
    struct ws_error error;
    struct ws_text out = {0};
    if (evaluate(session, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    struct cli_run finished = finished_run(arguments, session);
    finished.follows = set->runs > 0;
    if (is_set(arguments->name) && cli_run_formats[arguments->format] == cli_run_print_json)
        ws_text_add(&out, finished.follows ? "," : "[");
    if (finished.follows && cli_run_formats[arguments->format] == cli_run_print_text)
        ws_text_add(&out, "\n");
    cli_run_formats[arguments->format](&finished, &out);
    cli_run_set_add(set, &finished);
    return cli_print(&out);
}

/* Prints the result of the run, even if it failed; returns the exit code. */
static int report(const struct arguments *arguments, struct session *session, struct cli_run_set *set, enum ws_status status,
                  const struct ws_error *error)
{
    const int printed = session->ran ? print(arguments, session, set) : 0;
    if (printed != 0)
        return printed;
    if (status != WS_STATUS_ok)
        return cli_fail(error);
    if (session->result.status == WS_STATUS_ok)
        return 0;
    fprintf(stderr, "warpsweep: the run ended as %s: %s\n", ws_status_name(session->result.status),
            ws_job_reason(&session->result));
    return ws_status_exit_code(session->result.status);
}

static void end_session(struct session *session)
{
    ws_job_result_free(&session->result);
    ws_runner_close(session->runner);
    for (u32 shard = 0; shard < WS_DUELING_LEADERS; shard++)
        ws_image_free(session->leaders[shard]);
    ws_dueling_free(session->dueling);
    ws_image_free(session->image);
    ws_text_free(&session->trace);
    cli_series_free(&session->series);
    cli_lines_free(&session->lines);
    ws_trace_close(session->kept);
    free(session->metrics);
}

/* Runs one trace; returns the exit code. */
static int run_one(const struct arguments *arguments, struct cli_run_set *set)
{
    struct ws_error error;
    struct session session = {.arguments = arguments, .follows = set->runs > 0};
    const enum ws_status status = run(arguments, &session, &error);
    const int exit_code = report(arguments, &session, set, status, &error);
    end_session(&session);
    return exit_code;
}

/* Output after the runs of a folder; returns the exit code. */
static int end_set(const struct arguments *arguments, struct cli_run_set *set, int exit_code)
{
    struct ws_error error;
    struct ws_text out = {0};
    struct ws_machine_file machine;
    if (set->runs > 0 && cli_run_formats[arguments->format] == cli_run_print_json)
        ws_text_add(&out, "]\n");
    if (exit_code == 0 && cli_run_formats[arguments->format] == cli_run_print_text) {
        if (cli_machine_load(&arguments->machine, &machine, &error) != WS_STATUS_ok ||
            cli_run_set_print(set, &machine.machine, &out, &error) != WS_STATUS_ok)
            return cli_fail(&error);
    }
    const int printed = cli_print(&out);
    return exit_code ? exit_code : printed;
}

/* Runs the traces of a folder until one fails; returns the exit code. */
static int run_folder(struct arguments *arguments, struct cli_run_set *set)
{
    struct ws_error error;
    struct ws_paths traces;
    int exit_code = 0;
    if (ws_folder_list(arguments->name, ".wst", &traces, &error) != WS_STATUS_ok) {
        ws_paths_free(&traces);
        return cli_fail(&error);
    }
    for (size_t n = 0; exit_code == 0 && n < traces.count; n++) {
        arguments->trace = traces.path[n];
        exit_code = run_one(arguments, set);
    }
    ws_paths_free(&traces);
    return end_set(arguments, set, exit_code);
}

static const struct argp_child children[] = {{&cli_set_argp, 0, NULL, 0},
                                             {&cli_engine_argp, 0, NULL, 0},
                                             {&cli_lockstep_argp, 0, NULL, 0},
                                             {&cli_input_argp, 0, NULL, 0},
                                             {0}};

const struct argp cli_run_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "-m MACHINE -t TRACE",
    .doc = "Simulate one machine on one trace and print its metrics and counters. Of a folder, simulate each trace and print a "
           "table (text) or an array (JSON).",
    .children = children};

int cli_run(int argc, char **argv)
{
    struct ws_error no_room = {.status = WS_STATUS_no_memory, .message = "out of memory"};
    struct arguments arguments = {.machine.overrides = cli_override_room(argc),
                                  .shards = 1,
                                  .engine = CLI_ENGINE_STANDARD,
                                  .lockstep = cli_lockstep_standard(),
                                  .inputs = CLI_INPUTS_STANDARD};
    struct cli_run_set set = {0};
    if (!arguments.machine.overrides)
        return cli_fail(&no_room);
    argp_parse(&cli_run_argp, argc, argv, 0, NULL, &arguments);
    arguments.engine.times = true;
    arguments.trace = arguments.name;
    arguments.interval = arguments.interval ? arguments.interval : CLI_INTERVAL;
    if (arguments.intervals && !arguments.series && cli_series_choose("all", &arguments.columns, &no_room) != WS_STATUS_ok)
        return cli_fail(&no_room);
    cli_catch_interrupt();
    const int exit_code = is_set(arguments.name) ? run_folder(&arguments, &set) : run_one(&arguments, &set);
    cli_series_columns_free(&arguments.columns);
    cli_run_set_free(&set);
    free(arguments.machine.overrides);
    return exit_code;
}
