#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

#define TERMINAL_INTERVAL 0.2
#define PLAIN_INTERVAL    10.0

void cli_progress_start(struct cli_progress *progress)
{
    const double started = ws_seconds_now();
    *progress = (struct cli_progress){.terminal = isatty(STDERR_FILENO) != 0, .started = started, .last = started};
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

static void add_duration(struct ws_text *text, double seconds)
{
    const unsigned whole = seconds < 1e9 ? (unsigned)(seconds + 0.5) : 1000000000u;
    if (whole >= 3600)
        ws_text_add(text, "%u h %u min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        ws_text_add(text, "%u min %u s", whole / 60, whole % 60);
    else
        ws_text_add(text, "%u s", whole);
}

void cli_progress_words(struct ws_text *text, size_t done, size_t jobs, u64 warp_instructions, double seconds)
{
    if (jobs > 1)
        ws_text_add(text, "%zu of %zu jobs, ", done, jobs);
    add_scaled(text, (double)warp_instructions);
    ws_text_add(text, " warp instructions");
    if (seconds > 0) {
        ws_text_add(text, ", ");
        add_scaled(text, (double)warp_instructions / seconds);
        ws_text_add(text, "/s");
    }
    if (jobs > 1 && done > 0 && done < jobs) {
        ws_text_add(text, ", ");
        add_duration(text, seconds * (double)(jobs - done) / (double)done);
        ws_text_add(text, " left");
    }
}

static void put(struct cli_progress *progress, const char *words)
{
    fprintf(stderr, progress->terminal ? "\r\033[K%s" : "%s\n", words);
    progress->shown = progress->terminal;
}

void cli_progress_show(struct cli_progress *progress, size_t done, size_t jobs, u64 warp_instructions)
{
    const double time = ws_seconds_now();
    if (time - progress->last < (progress->terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL))
        return;
    progress->last = time;
    struct ws_text words = {0};
    cli_progress_words(&words, done, jobs, warp_instructions, time - progress->started);
    if (!words.failed)
        put(progress, words.data);
    ws_text_free(&words);
}

void cli_progress_note(struct cli_progress *progress, const char *text)
{
    cli_progress_end(progress);
    fprintf(stderr, "%s\n", text);
    progress->started = ws_seconds_now();
}

void cli_progress_end(struct cli_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
