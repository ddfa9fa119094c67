#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/engine_options.h"
#include "cli/frontend_options.h"
#include "cli/input_options.h"
#include "cli/machine_options.h"
#include "cli/progress.h"
#include "cli/run_report.h"
#include "cli/timeline.h"

#define NAME(name) #name
#define FORMATS    CLI_RUN_FORMATS(NAME, "|")

enum { KEY_SHARD = 0x2000, KEY_FORMAT, KEY_TIMELINE };

struct arguments {
    struct cli_machine machine;
    const char *trace;
    u32 shard, shards;
    size_t format;
    const char *timeline; /* NULL for none */
    struct ws_engine_options engine;
    u32 lockstep;
};

/* What a run holds while it lasts. */
struct session {
    struct ws_machine_file machine;
    struct ws_image *image;
    struct ws_engine *engine;
    struct ws_job_result result;
    bool ran;
    struct cli_timeline timeline;
    struct cli_progress progress;
};

static const struct argp_option options[] = {
    {"machine", 'm', "MACHINE", 0, "a YAML file or a bundled machine", 1},
    {"trace", 't', "TRACE", 0, "a trace file, or NAME[:SIZE] of a bundled workload, built once and kept; default size small", 1},
    {"shard", KEY_SHARD, "I/N", 0, "the blocks that SM I of N gets; default 0/1, all of them", 6},
    {"format", KEY_FORMAT, FORMATS, 0, "default text", 20},
    {"timeline", KEY_TIMELINE, "FILE.json", 0,
     "write what each warp, block and issue port did when, for Perfetto or chrome://tracing", 20},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->machine;
        state->child_inputs[1] = &arguments->engine;
        state->child_inputs[2] = &arguments->lockstep;
        return 0;
    case 'm':
        arguments->machine.name = argument;
        return 0;
    case 't':
        arguments->trace = argument;
        return 0;
    case KEY_SHARD:
        cli_parse_share(state, "shard", argument, &arguments->shard, &arguments->shards);
        return 0;
    case KEY_FORMAT:
        arguments->format = cli_parse_choice(state, "format", FORMATS, argument);
        return 0;
    case KEY_TIMELINE:
        arguments->timeline = argument;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "found '%s', allowed are options only", argument);
        return EINVAL;
    case ARGP_KEY_END:
        if (!arguments->machine.name || !arguments->trace)
            argp_error(state, "--machine and --trace are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum ws_status load_image(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    struct ws_trace *trace;
    const u32 spaces = ws_machine_spaces(&session->machine.machine);
    WS_TRY(cli_trace_open(arguments->trace, arguments->lockstep, &trace, error));
    const enum ws_status status = ws_image_load(trace, arguments->shard, arguments->shards, spaces, &session->image, error);
    ws_trace_close(trace);
    return status;
}

static bool show_progress(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    struct session *const session = context;
    cli_progress_show(&session->progress, &(struct cli_done){done, jobs, 0, warp_instructions});
    return !cli_interrupted();
}

static void write_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct session *const session = context;
    (void)job;
    cli_timeline_add(&session->timeline, event);
}

static struct cli_run finished_run(const struct arguments *arguments, const struct session *session)
{
    return (struct cli_run){.machine = &session->machine,
                            .trace = arguments->trace,
                            .shard = arguments->shard,
                            .shards = arguments->shards,
                            .image = session->image,
                            .engine = ws_engine_name(session->engine),
                            .device = ws_engine_device(session->engine),
                            .result = &session->result};
}

static enum ws_status run_engine(const struct arguments *arguments, struct session *session, const struct ws_job_spec *job,
                                 struct ws_error *error)
{
    const struct ws_engine_watch watch = {
        .context = session, .progress = show_progress, .event = arguments->timeline ? write_event : NULL};
    if (arguments->timeline)
        WS_TRY(cli_timeline_open(&session->timeline, arguments->timeline, arguments->shard, arguments->shards, error));
    cli_progress_start(&session->progress);
    const enum ws_status status = ws_engine_run(session->engine, job, 1, &session->result, &watch, error);
    cli_progress_end(&session->progress);
    session->ran = status == WS_STATUS_ok || status == WS_STATUS_interrupted;
    if (!arguments->timeline)
        return status;
    const struct cli_run finished = finished_run(arguments, session);
    const bool whole = status == WS_STATUS_ok && !ws_engine_failed(&session->result);
    const enum ws_status written =
        cli_timeline_close(&session->timeline, whole ? &finished : NULL, status == WS_STATUS_ok ? error : NULL);
    return status == WS_STATUS_ok ? written : status;
}

/* What the first engine fails, the next one runs from the beginning. */
static enum ws_status simulate(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    const struct ws_job_spec job = {.machine = &session->machine.machine, .image = session->image};
    struct ws_engine *next;
    WS_TRY(ws_job_check(&job, error));
    WS_TRY(ws_engine_open(&arguments->engine, &session->engine, error));
    const enum ws_status status = run_engine(arguments, session, &job, error);
    if (status == WS_STATUS_interrupted || !ws_engine_failed(&session->result) ||
        !ws_engine_has_next(&arguments->engine, session->engine))
        return status;
    WS_TRY(ws_engine_open_next(&arguments->engine, &next, error));
    fprintf(stderr, "warpsweep: %s failed: %s; the run goes on with %s\n", ws_engine_name(session->engine),
            ws_job_reason(&session->result), ws_engine_name(next));
    ws_job_result_free(&session->result);
    ws_engine_close(session->engine);
    session->engine = next;
    return run_engine(arguments, session, &job, error);
}

static enum ws_status run(const struct arguments *arguments, struct session *session, struct ws_error *error)
{
    WS_TRY(cli_machine_load(&arguments->machine, &session->machine, error));
    WS_TRY(load_image(arguments, session, error));
    return simulate(arguments, session, error);
}

/* Prints what came of the run, a failed one too; returns the exit code. */
static int report(const struct arguments *arguments, const struct session *session, enum ws_status status,
                  const struct ws_error *error)
{
    if (session->ran) {
        const struct cli_run finished = finished_run(arguments, session);
        struct ws_text out = {0};
        cli_run_formats[arguments->format](&finished, &out);
        const int printed = cli_print(&out);
        if (printed != 0)
            return printed;
    }
    if (status != WS_STATUS_ok)
        return cli_fail(error);
    if (session->result.status == WS_STATUS_ok)
        return 0;
    fprintf(stderr, "warpsweep: the run ended as %s: %s\n", ws_status_name(session->result.status),
            ws_job_reason(&session->result));
    return ws_status_exit_code(session->result.status);
}

static const struct argp_child children[] = {
    {&cli_set_argp, 0, NULL, 0}, {&cli_engine_argp, 0, NULL, 0}, {&cli_lockstep_argp, 0, NULL, 0}, {0}};

const struct argp cli_run_argp = {.options = options,
                                  .parser = parse,
                                  .args_doc = "-m MACHINE -t TRACE",
                                  .doc = "Simulates one machine on one trace and prints its counters.",
                                  .children = children};

int cli_run(int argc, char **argv)
{
    struct ws_error error = {.status = WS_STATUS_no_memory, .message = "out of memory"};
    struct arguments arguments = {.machine.overrides = cli_override_room(argc),
                                  .shards = 1,
                                  .engine = CLI_ENGINE_STANDARD,
                                  .lockstep = cli_lockstep_standard()};
    struct session session = {0};
    if (!arguments.machine.overrides)
        return cli_fail(&error);
    argp_parse(&cli_run_argp, argc, argv, 0, NULL, &arguments);
    arguments.engine.times = true;
    cli_catch_interrupt();
    const enum ws_status status = run(&arguments, &session, &error);
    const int exit_code = report(&arguments, &session, status, &error);
    ws_job_result_free(&session.result);
    ws_engine_close(session.engine);
    ws_image_free(session.image);
    free(arguments.machine.overrides);
    return exit_code;
}
