#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/output.h"

enum { PATIENCE = 1 }; /* seconds; some senders, timeout(1) among them, send a signal twice */

static volatile sig_atomic_t interrupted, interrupted_at;

static void end_by(int signal_number)
{
    ws_output_abandon_all();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void note_interrupt(int signal_number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!interrupted)
        interrupted_at = (sig_atomic_t)now.tv_sec;
    interrupted = 1;
    if ((sig_atomic_t)now.tv_sec - interrupted_at > PATIENCE)
        end_by(signal_number);
}

static void catch_signal(int signal_number, void (*handler)(int))
{
    struct sigaction before, action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

void cli_leave_nothing(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ};
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++)
        catch_signal(ends[n], end_by);
}

void cli_catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

bool cli_should_continue(void *context)
{
    (void)context;
    return !cli_interrupted();
}

static void note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "warpsweep: %s\n", text);
}

struct ws_frontend_options cli_frontend_standard(void)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.go_on = cli_should_continue;
    options.note = note;
    return options;
}

int cli_fail(const struct ws_error *error)
{
    fprintf(stderr, "warpsweep: %s\n", error->message);
    return ws_status_exit_code(error->status);
}

int cli_print(struct ws_text *text)
{
    const bool failed = text->failed;
    if (failed)
        fprintf(stderr, "warpsweep: out of memory\n");
    const bool whole = failed || text->length == 0 || cli_page(text) || fwrite(text->data, 1, text->length, stdout) == text->length;
    const bool written = whole && fflush(stdout) == 0;
    ws_text_free(text);
    if (!written) {
        fprintf(stderr, "warpsweep: standard output cannot be written: %s\n", strerror(errno));
        return ws_status_exit_code(WS_STATUS_no_file);
    }
    return failed ? ws_status_exit_code(WS_STATUS_no_memory) : 0;
}

static bool parse_unsigned(const char *text, size_t length, u64 most, u64 *value)
{
    if (length == 0 || strspn(text, "0123456789") < length)
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0 && *value <= most;
}

void cli_parse_share(struct argp_state *state, const char *option, const char *text, u32 *share, u32 *of)
{
    u64 first = 0, second = 0;
    const size_t length = strcspn(text, "/");
    const bool readable = text[length] == '/' && parse_unsigned(text, length, UINT32_MAX, &first) &&
                          parse_unsigned(text + length + 1, strlen(text + length + 1), UINT32_MAX, &second);
    if (!readable || first >= second)
        argp_error(state, "--%s: found '%s', allowed is I/N with I from 0 to N-1", option, text);
    *share = (u32)first;
    *of = (u32)second;
}

/* Ends the program. Omits the upper bound if it is the largest value of the type. */
static void refuse_number(struct argp_state *state, const char *option, const char *text, u64 least, u64 most, const char *more)
{
    char to[32] = "";
    const bool number = *text && !text[strspn(text, "0123456789")];
    if (number || (most != UINT32_MAX && most != UINT64_MAX))
        snprintf(to, sizeof to, " to %" PRIu64, most);
    argp_error(state, "--%s: found '%s', allowed is a whole number from %" PRIu64 "%s%s", option, text, least, to, more);
}

u64 cli_parse_range(struct argp_state *state, const char *option, const char *text, u64 least, u64 most)
{
    u64 number = 0;
    if (!parse_unsigned(text, strlen(text), most, &number) || number < least)
        refuse_number(state, option, text, least, most, "");
    return number;
}

u64 cli_parse_or_zero(struct argp_state *state, const char *option, const char *text, u64 most, const char *zero)
{
    u64 number = 0;
    char more[64];
    snprintf(more, sizeof more, ", or 0: %s", zero);
    if (!parse_unsigned(text, strlen(text), most, &number))
        refuse_number(state, option, text, 1, most, more);
    return number;
}

u64 cli_parse_number(struct argp_state *state, const char *option, const char *text, u64 most)
{
    return cli_parse_range(state, option, text, 0, most);
}

static void refuse_choice(struct argp_state *state, const char *option, const char *choices, const char *text)
{
    struct ws_names known = {.nearest = {.word = text}};
    char *const words = strdup(choices);
    char *place;
    for (char *word = words ? strtok_r(words, "|", &place) : NULL; word; word = strtok_r(NULL, "|", &place))
        ws_names_offer(&known, word);
    argp_error(state, "%s%s%sfound '%s', allowed are %s", option ? "--" : "", option ? option : "", option ? ": " : "", text,
               ws_names_text(&known));
    ws_names_free(&known);
    free(words);
}

size_t cli_parse_choice(struct argp_state *state, const char *option, const char *choices, const char *text)
{
    const size_t length = strlen(text);
    const char *word = choices;
    for (size_t index = 0;; index++) {
        const size_t word_length = strcspn(word, "|");
        if (word_length == length && strncmp(word, text, length) == 0)
            return index;
        if (!word[word_length])
            break;
        word += word_length + 1;
    }
    refuse_choice(state, option, choices, text);
    return 0;
}

bool cli_parse_json(struct argp_state *state, const char *text)
{
    return cli_parse_choice(state, "format", CLI_TEXT_OR_JSON, text) == 1;
}

error_t cli_take_argument(int key, char *argument, struct argp_state *state, const char *kind, const char **place)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (*place)
            argp_error(state, "only one %s at a time; '%s' is one too many", kind, argument);
        *place = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
