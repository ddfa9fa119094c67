#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void cli_catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

static bool not_interrupted(void *context)
{
    (void)context;
    return !cli_interrupted();
}

struct ws_frontend_options cli_frontend_standard(void)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.go_on = not_interrupted;
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
    else if (text->length > 0)
        fwrite(text->data, 1, text->length, stdout);
    ws_text_free(text);
    if (fflush(stdout) != 0) {
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

u64 cli_parse_number(struct argp_state *state, const char *option, const char *text, u64 most)
{
    u64 number = 0;
    if (!parse_unsigned(text, strlen(text), most, &number))
        argp_error(state, "--%s: found '%s', allowed is a whole number from 0 to %" PRIu64, option, text, most);
    return number;
}

void cli_parse_seed(struct argp_state *state, const char *text, u64 *seed)
{
    *seed = cli_parse_number(state, "seed", text, UINT64_MAX);
}

size_t cli_parse_name(struct argp_state *state, const char *option, const char *text, const char *const *names)
{
    struct ws_nearest nearest = {.word = text};
    struct ws_text list = {0};
    for (size_t n = 0; names[n]; n++) {
        if (strcmp(names[n], text) == 0) {
            ws_text_free(&list);
            return n;
        }
        ws_text_add(&list, "%s%s", n > 0 ? ", " : "", names[n]);
        ws_nearest_offer(&nearest, names[n]);
    }
    if (nearest.best)
        ws_text_add(&list, " (did you mean '%s'?)", nearest.best);
    argp_error(state, "%s: found '%s', allowed are %s", option, text, list.failed ? "others" : list.data);
    ws_text_free(&list);
    return 0;
}

void cli_parse_size(struct argp_state *state, const char *text, enum ws_size *size)
{
    const char *names[WS_SIZES + 1] = {NULL};
    for (unsigned n = 0; n < WS_SIZES; n++)
        names[n] = ws_size_name((enum ws_size)n);
    *size = (enum ws_size)cli_parse_name(state, "--size", text, names);
}
