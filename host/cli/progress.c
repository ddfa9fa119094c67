#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"

#define TERMINAL_INTERVAL 0.2
#define PLAIN_INTERVAL    10.0

enum { STANDARD_WIDTH = 80, WIDEST_BAR = 60 };

/* Whether stderr is a terminal whose lines can be rewritten. */
static bool is_terminal(void)
{
    const char *const kind = getenv("TERM");
    return isatty(STDERR_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

void cli_progress_start(struct cli_progress *progress)
{
    const double started = ws_seconds_now();
    *progress = (struct cli_progress){.terminal = is_terminal(), .started = started, .last = started};
}

/* "12.3 M" */
static void add_scaled(struct ws_text *text, double value)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T"};
    size_t n = 0;
    while (value >= 1000 && n + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1000;
        n++;
    }
    ws_text_add(text, n == 0 ? "%.0f%s" : "%.1f%s", value, prefixes[n]);
}

void cli_progress_duration(struct ws_text *text, double seconds)
{
    const unsigned whole = seconds < 1e9 ? (unsigned)(seconds + 0.5) : 1000000000u;
    if (whole >= 3600)
        ws_text_add(text, "%u h %u min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        ws_text_add(text, "%u min %u s", whole / 60, whole % 60);
    else
        ws_text_add(text, "%u s", whole);
}

void cli_progress_words(struct ws_text *text, const struct cli_done *done, double seconds)
{
    if (done->jobs > 1)
        ws_text_add(text, "%zu of %zu jobs, ", done->done, done->jobs);
    if (done->failed > 0)
        ws_text_add(text, "%zu failed, ", done->failed);
    add_scaled(text, (double)done->warp_instructions);
    ws_text_add(text, " warp instructions");
    if (seconds > 0) {
        ws_text_add(text, ", ");
        add_scaled(text, (double)done->warp_instructions / seconds);
        ws_text_add(text, "/s");
    }
    if (done->jobs > 1 && done->share > 0 && done->done < done->jobs) {
        ws_text_add(text, ", ");
        cli_progress_duration(text, seconds * (1 - done->share) / done->share);
        ws_text_add(text, " left");
    }
}

void cli_progress_bar(struct ws_text *text, const struct cli_done *done, size_t width)
{
    const size_t room = width > 2 ? width - 2 : 0, filled = done->jobs > 0 ? room * done->done / done->jobs : 0;
    ws_text_add(text, "[");
    for (size_t n = 0; n < room; n++)
        ws_text_add(text, "%c", n < filled ? '#' : '.');
    ws_text_add(text, "]");
}

static size_t terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : STANDARD_WIDTH;
}

/* Erases the block; the cursor returns to its start. */
static void clear(struct cli_progress *progress)
{
    for (; progress->lines > 1; progress->lines--)
        fputs("\r\033[K\033[1A", stderr);
    if (progress->lines == 1)
        fputs("\r\033[K", stderr);
    progress->lines = 0;
}

/* One write per block, to avoid partial updates. Truncates lines that the terminal would break. */
static void put_block(struct cli_progress *progress, const struct cli_done *done, const struct ws_text *words)
{
    const size_t width = terminal_width() - 1;
    struct ws_text bar = {0};
    if (done->jobs > 1)
        cli_progress_bar(&bar, done, ws_least(width, WIDEST_BAR));
    clear(progress);
    fprintf(stderr, "%s%s%.*s", bar.data && !bar.failed ? bar.data : "", bar.data && !bar.failed ? "\n" : "", (int)width,
            words->data);
    progress->lines = bar.data && !bar.failed ? 2 : 1;
    ws_text_free(&bar);
}

void cli_progress_show(struct cli_progress *progress, const struct cli_done *done)
{
    const double time = ws_seconds_now();
    if (time - progress->last < (progress->terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL))
        return;
    progress->last = time;
    struct ws_text words = {0};
    cli_progress_words(&words, done, time - progress->started);
    if (!words.failed && progress->terminal)
        put_block(progress, done, &words);
    else if (!words.failed)
        fprintf(stderr, "%s\n", words.data);
    ws_text_free(&words);
}

void cli_progress_say(struct cli_progress *progress, const char *words)
{
    const double time = ws_seconds_now();
    if (time - progress->last < (progress->terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL))
        return;
    progress->last = time;
    clear(progress);
    fprintf(stderr, progress->terminal ? "%.*s" : "%.*s\n", (int)terminal_width() - 1, words);
    progress->lines = progress->terminal ? 1 : 0;
}

void cli_progress_note(struct cli_progress *progress, const char *text)
{
    cli_progress_end(progress);
    fprintf(stderr, "%s\n", text);
    progress->started = ws_seconds_now();
}

void cli_progress_end(struct cli_progress *progress)
{
    clear(progress);
}
