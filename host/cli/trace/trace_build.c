#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/options/frontend_options.h"
#include "cli/options/input_options.h"
#include "cli/trace/images.h"
#include "cli/trace/launches.h"

enum { KEY_LAUNCH = 0x1000, KEY_RACES, KEY_DUMP, KEY_DUMP_ALL, KEY_SASS, KEY_LIST };

struct arguments {
    const char *what, *output, *launch, *dump_all; /* what: a workload, or the first file of a program */
    struct cli_program program, dumps;             /* dumps: values "BUFFER=OUT" */
    struct cli_inputs inputs;
    bool list;
    struct ws_frontend_options frontend;
    u32 races[WS_RACES]; /* pairs of instructions by kind, if requested */
};

static const struct argp_option options[] = {
    {"output", 'o', "OUT.wst", 0, "trace to write; required", 1},
    {"launch", KEY_LAUNCH, "LAUNCH.yaml", 0, "buffers, scalars and sizes for a program", 2},
    {"dump", KEY_DUMP, "BUFFER=OUT", 0,
     "write contents of a launch file's buffer after the launches: numpy array if OUT ends in .npy, else bytes; may be repeated",
     2},
    {"dump-all", KEY_DUMP_ALL, "OUTDIR", 0,
     "write every named buffer to OUTDIR: NAME.npy, or NAME.bin if its elements have no type", 2},
    {"races", KEY_RACES, NULL, 0, "report data races; takes several times as long", 2},
    {"sass", KEY_SASS, NULL, 0, "compile FILE.ptx, FILE.cl or FILE.cu to machine code for --arch, default sm_86, and execute that",
     2},
    {"list", KEY_LIST, NULL, 0, "list kernels in FILE.cubin, a fat binary, an executable, an object or a library, and exit", 2},
    {0},
};

static void count_race(void *context, enum ws_race_kind kind, const char *text)
{
    u32 *const races = context;
    races[kind]++;
    fprintf(stderr, "warpsweep: %s\n", text);
}

static void add_races(const struct arguments *arguments, struct ws_text *out)
{
    u32 sum = 0;
    if (!arguments->frontend.race)
        return;
    for (enum ws_race_kind kind = 0; kind < WS_RACES; kind++) {
        sum += arguments->races[kind];
        if (arguments->races[kind] > 0)
            ws_text_add(out, "races by pairs of instructions: %" PRIu32 " of %s\n", arguments->races[kind], ws_race_text(kind));
    }
    if (sum == 0)
        ws_text_add(out, "races: none\n");
}

static void check(struct arguments *arguments, struct argp_state *state)
{
    const bool program = cli_is_program(arguments->what);
    if (arguments->list && !cli_is_machine(arguments->what))
        argp_error(state, "--list is for files with machine code (FILE.cubin, FILE.fatbin, an executable), not for %s",
                   arguments->what);
    if (arguments->list)
        return;
    if (!arguments->output)
        argp_error(state, "--output is needed");
    if (program && !arguments->launch)
        argp_error(state, "%s needs --launch: sizes, buffers and scalars", arguments->what);
    if (program && arguments->inputs.sized)
        argp_error(state, "--size is for bundled workloads; sizes of %s are in the launch file", arguments->what);
    if (!program && arguments->launch)
        argp_error(state, "--launch is for programs (FILE.ptx, FILE.cl, FILE.cu, FILE.cubin); %s has a launch of its own",
                   arguments->what);
    if (!program && (arguments->dumps.file_count > 0 || arguments->dump_all || arguments->program.option_count > 0 ||
                     arguments->program.arch || arguments->program.machine))
        argp_error(
            state,
            "--dump, --dump-all, --define, --include, --cl-std, --arch and --sass are for programs with a launch file, not for %s",
            arguments->what);
    if (program)
        cli_program_check(&arguments->program, state);
}

static void add_dump(struct arguments *arguments, char *dump, struct argp_state *state)
{
    const char *const equals = strchr(dump, '=');
    if (!equals || equals == dump || !equals[1])
        argp_error(state, "--dump: found '%s', allowed is BUFFER=OUT", dump);
    cli_program_add(&arguments->dumps, dump, state);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->inputs;
        state->child_inputs[1] = &arguments->frontend;
        state->child_inputs[2] = &arguments->frontend.lockstep;
        state->child_inputs[3] = &arguments->program;
        return 0;
    case 'o':
        arguments->output = argument;
        return 0;
    case KEY_LAUNCH:
        arguments->launch = argument;
        return 0;
    case KEY_RACES:
        arguments->frontend.race = count_race;
        arguments->frontend.context = arguments->races;
        return 0;
    case KEY_SASS:
        arguments->program.machine = true;
        return 0;
    case KEY_LIST:
        arguments->list = true;
        return 0;
    case KEY_DUMP_ALL:
        arguments->dump_all = argument;
        return 0;
    case KEY_DUMP:
        add_dump(arguments, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->what && !cli_is_program(arguments->what))
            return cli_take_argument(key, argument, state, "kernel", &arguments->what);
        cli_program_add(&arguments->program, argument, state);
        arguments->what = arguments->program.files[0];
        return 0;
    case ARGP_KEY_END:
        check(arguments, state);
        return 0;
    default:
        return cli_take_argument(key, argument, state, "kernel", &arguments->what);
    }
}

static enum ws_status build_workload(const struct arguments *arguments, u64 *count, struct ws_error *error)
{
    const struct ws_workload *workload;
    enum ws_size size;
    WS_TRY(cli_inputs_workload(arguments->what, &arguments->inputs, &workload, &size, error));
    if (!workload)
        return ws_workload_unknown(arguments->what, "program (FILE.ptx, FILE.cl, FILE.cu, FILE.cubin)", error);
    return ws_workload_trace(workload, size, arguments->inputs.seed, &arguments->frontend, arguments->output, count, error);
}

static enum ws_status build(struct arguments *arguments, struct cli_launches_built *built, struct ws_error *error)
{
    const struct cli_launches launches = {.program = &arguments->program,
                                          .frontend = &arguments->frontend,
                                          .launch = arguments->launch,
                                          .output = arguments->output,
                                          .seed = arguments->inputs.seed,
                                          .dumps = arguments->dumps.files,
                                          .dump_count = arguments->dumps.file_count,
                                          .dump_all = arguments->dump_all};
    *built = (struct cli_launches_built){0};
    return cli_is_program(arguments->what) ? cli_launches_build(&launches, built, error)
                                           : build_workload(arguments, &built->thread_instructions, error);
}

static const struct argp_child children[] = {{&cli_input_argp, 0, NULL, 0},
                                             {&cli_frontend_argp, 0, NULL, 0},
                                             {&cli_lockstep_argp, 0, NULL, 0},
                                             {&cli_program_argp, 0, NULL, 0},
                                             {0}};

const struct argp cli_trace_build_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "WORKLOAD[:SIZE]|FILE.ptx|FILE.cl|FILE.cu...|FILE.cubin -o OUT.wst",
    .doc = "Execute a kernel, warp by warp, and write its trace: path and addresses of every thread. Results of bundled "
           "workloads are checked against plain C. OpenCL C needs clang 14 or newer and a matching libclc; CUDA C++ needs nvcc. "
           "Machine code is read from cubins, fat binaries (.fatbin) and executables. "
           "With a list of launches in LAUNCH.yaml, OUT.wst is a folder with one trace per launch.",
    .children = children};

int cli_trace_build(int argc, char **argv)
{
    struct arguments arguments = {.inputs = CLI_INPUTS_STANDARD, .frontend = cli_frontend_standard()};
    struct ws_error error;
    struct cli_launches_built built;
    arguments.frontend.hint_races = true;
    argp_parse(&cli_trace_build_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    if (arguments.list) {
        const int code = cli_images_list(arguments.what, &arguments.frontend);
        cli_program_forget(&arguments.program);
        return code;
    }
    const enum ws_status status = build(&arguments, &built, &error);
    cli_program_forget(&arguments.program);
    cli_program_forget(&arguments.dumps);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    struct ws_text out = {0};
    ws_text_add(&out, "%s: ", arguments.output);
    if (built.folder)
        ws_text_add(&out, "%" PRIu32 " traces, ", built.traces);
    ws_text_add(&out, "%" PRIu64 " thread instructions%s\n", built.thread_instructions,
                arguments.launch && !arguments.frontend.race ? "; races not checked (--races)" : "");
    add_races(&arguments, &out);
    return cli_print(&out);
}
