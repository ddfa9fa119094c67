#define _GNU_SOURCE /* popen */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

enum { NOT_FOUND = 127 }; /* exit code of a shell that finds no such command */

/* Whether the text has fewer lines than the terminal of stdout; true if stdout is not a terminal. */
static bool fits(const struct ws_text *text)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return true;
    size_t lines = 0;
    for (const char *line = text->data; line && (line = strchr(line, '\n')); line++)
        lines++;
    return lines < size.ws_row;
}

bool cli_page(const struct ws_text *text)
{
    const char *const chosen = getenv("PAGER"), *const pager = chosen ? chosen : "less";
    if (!*pager || fits(text))
        return false;
    setenv("LESS", "FRX", false);
    FILE *const pipe = popen(pager, "w");
    if (!pipe)
        return false;
    /* Quitting a pager early closes the pipe, and Ctrl-C belongs to the pager. */
    void (*const on_pipe)(int) = signal(SIGPIPE, SIG_IGN), (*const on_interrupt)(int) = signal(SIGINT, SIG_IGN);
    fwrite(text->data, 1, text->length, pipe);
    const int state = pclose(pipe);
    signal(SIGPIPE, on_pipe);
    signal(SIGINT, on_interrupt);
    return !WIFEXITED(state) || WEXITSTATUS(state) != NOT_FOUND;
}
