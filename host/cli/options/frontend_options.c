#include "cli/options/frontend_options.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"

enum {
    KEY_IF_CONVERT = 0x3000,
    KEY_NO_GUARDED_MOVES,
    KEY_REGISTERS,
    KEY_MAX_INSTRUCTIONS,
    KEY_MAX_THREAD_INSTRUCTIONS,
    KEY_LENIENT,
    KEY_PRINT,
    KEY_LOCKSTEP
};

static const struct argp_option options[] = {
    {"if-convert", KEY_IF_CONVERT, "N", 0, "predicate branches of up to N instructions a side; 0 predicates none", 10},
    {"no-guarded-moves", KEY_NO_GUARDED_MOVES, NULL, 0, "keep selp as plain instruction where it may become a guarded move", 10},
    {"registers", KEY_REGISTERS, "N", 0, "refuse kernels that need more registers per thread; 0 is no limit", 10},
    {"max-instructions", KEY_MAX_INSTRUCTIONS, "N", 0, "stop after N thread instructions; 0 is no limit", 10},
    {"max-thread-instructions", KEY_MAX_THREAD_INSTRUCTIONS, "N", 0,
     "stop when one thread has executed N, as in an endless loop; 0 is no limit", 10},
    {"lenient", KEY_LENIENT, NULL, 0, "outside of all buffers, load zeros and drop stores; warn with their count", 10},
    {"print", KEY_PRINT, NULL, 0, "print output of printf calls", 10},
    {0},
};

static void print_text(void *context, const char *text)
{
    (void)context;
    fputs(text, stdout);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ws_frontend_options *const frontend = state->input;
    switch (key) {
    case KEY_IF_CONVERT:
        frontend->if_convert = (u32)cli_parse_number(state, "if-convert", argument, UINT32_MAX);
        return 0;
    case KEY_NO_GUARDED_MOVES:
        frontend->guarded_moves = false;
        return 0;
    case KEY_REGISTERS:
        frontend->registers = (u32)cli_parse_or_zero(state, "registers", argument, UINT32_MAX, "no limit");
        return 0;
    case KEY_MAX_INSTRUCTIONS:
        frontend->most_instructions = cli_parse_or_zero(state, "max-instructions", argument, UINT64_MAX, "no limit");
        return 0;
    case KEY_MAX_THREAD_INSTRUCTIONS:
        frontend->most_thread_instructions = cli_parse_or_zero(state, "max-thread-instructions", argument, UINT64_MAX, "no limit");
        return 0;
    case KEY_LENIENT:
        frontend->lenient = true;
        return 0;
    case KEY_PRINT:
        frontend->print = print_text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Defaults in --help come from the library. */
static char *add_default(int key, const char *text, void *input)
{
    struct ws_frontend_options standard;
    struct ws_text help = {0};
    (void)input;
    ws_frontend_defaults(&standard);
    if (key == KEY_IF_CONVERT)
        ws_text_add(&help, "%s; default %" PRIu32, text, standard.if_convert);
    else if (key == KEY_NO_GUARDED_MOVES)
        ws_text_add(&help, "%s; default %s", text, standard.guarded_moves ? "guarded moves" : "that");
    else if (key == KEY_REGISTERS)
        ws_text_add(&help, "%s; default %" PRIu32, text, standard.registers);
    else if (key == KEY_MAX_INSTRUCTIONS)
        ws_text_add(&help, "%s; default %" PRIu64, text, standard.most_instructions);
    else if (key == KEY_MAX_THREAD_INSTRUCTIONS)
        ws_text_add(&help, "%s; default %" PRIu64, text, standard.most_thread_instructions);
    else if (key == KEY_LENIENT)
        ws_text_add(&help, "%s; default %s", text, standard.lenient ? "that" : "an error");
    return help.data ? help.data : (char *)(uintptr_t)text;
}

const struct argp cli_frontend_argp = {.options = options, .parser = parse, .help_filter = add_default};

/* ---- --lockstep ---- */

static const struct argp_option lockstep_options[] = {
    {"lockstep", KEY_LOCKSTEP, "N", 0, "threads that execute in lockstep while tracing; 1: one thread after another", 10},
    {0},
};

static error_t parse_lockstep(int key, char *argument, struct argp_state *state)
{
    u32 *const lockstep = state->input;
    if (key != KEY_LOCKSTEP)
        return ARGP_ERR_UNKNOWN;
    *lockstep = (u32)cli_parse_range(state, "lockstep", argument, 1, WS_MOST_LOCKSTEP);
    return 0;
}

u32 cli_lockstep_standard(void)
{
    struct ws_frontend_options standard;
    ws_frontend_defaults(&standard);
    return standard.lockstep;
}

static char *add_lockstep(int key, const char *text, void *input)
{
    struct ws_text help = {0};
    (void)input;
    if (key == KEY_LOCKSTEP)
        ws_text_add(&help, "%s; default %" PRIu32, text, cli_lockstep_standard());
    return help.data ? help.data : (char *)(uintptr_t)text;
}

const struct argp cli_lockstep_argp = {.options = lockstep_options, .parser = parse_lockstep, .help_filter = add_lockstep};
