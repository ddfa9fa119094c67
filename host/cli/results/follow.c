#include "cli/results/follow.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "warpsweep/report.h"
#include "warpsweep/results.h"

/* Ticks per second at which interrupts are checked while waiting. */
enum { TICKS = 10 };

/* Rates are over the last SAMPLES looks. Writing the data takes at most 1 / WRITE_SHARE of the time. */
enum { SAMPLES = 16, WRITE_SHARE = 10 };

/* What one look at the files finds. */
struct look {
    u64 done, wanted, sweeps;
    u64 searches;       /* that have not ended */
    const char *absent; /* a file without an experiment so far; NULL for none */
};

struct following {
    const struct cli_followed *what;
    struct look now, shown; /* shown: in the data of the page */
    struct {
        double seconds;
        u64 done;
    } samples[SAMPLES];
    size_t looks;
    u64 version;
    double next_write;
    char words[300], said[300];
};

/* ---- Looking ---- */

static enum ws_status take_number(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    u64 *const number = context;
    (void)error;
    *number += row->values[0] ? strtoull(row->values[0], NULL, 10) : 0;
    return WS_STATUS_ok;
}

/* Results of sweeps, and simulations of searches: the newest runs, whose experiments grow with each generation. */
#define NEWEST_SEARCH "search_id IN (SELECT max(search_id) FROM search GROUP BY search)"
#define SPENT         "(SELECT total(simulations) FROM search_point WHERE search_point.search_id = search.search_id)"
#define OF_A_SEARCH   "SELECT experiment_id FROM search_experiment"

static const char done_results[] =
    "SELECT count(*) FROM result WHERE experiment IN (SELECT experiment FROM selected WHERE experiment_id NOT IN (" OF_A_SEARCH
    ")) UNION ALL SELECT total(" SPENT ") FROM search WHERE " NEWEST_SEARCH;

static const char wanted_results[] =
    "SELECT sum(shards * (SELECT count(*) FROM point WHERE point.experiment_id = selected.experiment_id) * "
    "(SELECT count(DISTINCT position) FROM experiment_trace WHERE experiment_trace.experiment_id = "
    "selected.experiment_id)) FROM selected WHERE experiment_id NOT IN (" OF_A_SEARCH
    ") UNION ALL SELECT total(iif(ended IS NULL, max(" SPENT ", coalesce(budget_simulations, 0)), " SPENT
    ")) FROM search WHERE " NEWEST_SEARCH;

/* Searches that have not ended. */
static const char open_searches[] = "SELECT count(*) FROM search WHERE ended IS NULL AND " NEWEST_SEARCH;

/* A sweep renews its claim every few seconds; one that was killed leaves it. Between two generations a search has none. */
static const char running_sweeps[] =
    "SELECT count(*) FROM claim WHERE seen > strftime('%s', 'now') - 120 UNION ALL SELECT count(*) FROM job WHERE run_finished > "
    "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-30 seconds') AND EXISTS (SELECT * FROM search WHERE ended IS NULL)";

static enum ws_status count_file(struct ws_results *results, struct look *look, struct ws_error *error)
{
    WS_TRY(ws_results_query(results, done_results, NULL, take_number, &look->done, error));
    WS_TRY(ws_results_query(results, running_sweeps, NULL, take_number, &look->sweeps, error));
    WS_TRY(ws_results_query(results, open_searches, NULL, take_number, &look->searches, error));
    return ws_results_query(results, wanted_results, NULL, take_number, &look->wanted, error);
}

static enum ws_status look_at(const struct cli_followed *what, const char *file, struct look *look, struct ws_error *error)
{
    struct stat there;
    const u64 before = look->wanted;
    if (ws_report_is_run(file))
        return WS_STATUS_ok;
    if (stat(file, &there) != 0 || there.st_size == 0) {
        look->absent = file;
        return WS_STATUS_ok;
    }
    struct ws_results *results;
    WS_TRY(ws_results_open(file, WS_RESULTS_READ, &results, error));
    enum ws_status status = what->run ? ws_results_choose_run(results, what->run, error) : WS_STATUS_ok;
    WS_THEN(status, count_file(results, look, error));
    ws_results_close(results, NULL);
    if (status == WS_STATUS_ok && look->wanted == before)
        look->absent = file;
    return status;
}

static enum ws_status look_at_all(struct following *following, struct ws_error *error)
{
    following->now = (struct look){0};
    for (size_t n = 0; n < following->what->count; n++)
        WS_TRY(look_at(following->what, following->what->files[n], &following->now, error));
    const size_t at = following->looks++ % SAMPLES;
    following->samples[at].seconds = ws_seconds_now();
    following->samples[at].done = following->now.done;
    return WS_STATUS_ok;
}

/* Results per second over the last looks; NaN when none came, or no sweep runs. */
static double rate_of(const struct following *following)
{
    if (following->now.sweeps == 0)
        return NAN;
    const size_t last = (following->looks - 1) % SAMPLES, first = following->looks > SAMPLES ? following->looks % SAMPLES : 0;
    const double seconds = following->samples[last].seconds - following->samples[first].seconds;
    const u64 results = following->samples[last].done - following->samples[first].done;
    return seconds > 0 && results > 0 ? (double)results / seconds : NAN;
}

static bool is_complete(const struct look *look)
{
    return !look->absent && look->searches == 0 && look->done >= look->wanted;
}

/* ---- Saying ---- */

static void put_words(struct following *following)
{
    const struct look *const now = &following->now;
    if (now->absent)
        snprintf(following->words, sizeof following->words, "waiting for a sweep or search that writes %s", now->absent);
    else if (is_complete(now))
        snprintf(following->words, sizeof following->words, "all results are there");
    else if (cli_interrupted())
        snprintf(following->words, sizeof following->words, "no longer followed: `warpsweep report` was interrupted");
    else if (now->sweeps > 0)
        snprintf(following->words, sizeof following->words, "running");
    else
        snprintf(following->words, sizeof following->words, "no sweep is running: waiting for the same command again");
}

/* A line when results came, or when it waits for something else. */
static void say(struct following *following, const struct ws_report_progress *progress, bool news)
{
    const bool waits = following->now.absent || following->now.sweeps == 0;
    struct ws_text line = {0};
    if (!news && !(waits && strcmp(following->words, following->said) != 0))
        return;
    ws_text_add(&line, "%s/index.html: ", following->what->folder);
    if (!following->now.absent)
        ws_text_add(&line, "%" PRIu64 " of %" PRIu64 " results%s", progress->done, progress->wanted, waits ? "; " : "");
    if (!waits && progress->rate > 0) {
        ws_text_add(&line, ", %.3g/s", progress->rate);
        if (progress->left > 0) {
            ws_text_add(&line, ", ");
            cli_progress_duration(&line, progress->left);
            ws_text_add(&line, " left");
        }
    }
    fprintf(stderr, "%s%s\n", line.failed ? "" : line.data, waits ? following->words : "");
    snprintf(following->said, sizeof following->said, "%s", following->words);
    ws_text_free(&line);
}

/* ---- Writing ---- */

static u64 milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}

/* The data where they are new, and how far it is. */
static enum ws_status write_news(struct following *following, struct ws_error *error)
{
    const struct cli_followed *const what = following->what;
    const struct look *const now = &following->now;
    const bool news =
        !now->absent && (following->version == 0 || now->done != following->shown.done || now->wanted != following->shown.wanted);
    const double before = ws_seconds_now(), rate = rate_of(following);
    const bool write = news && before >= following->next_write;
    if (write) {
        WS_TRY(ws_report(what->files, what->count, what->run, what->seconds, what->folder, error));
        following->next_write = before + WRITE_SHARE * (ws_seconds_now() - before);
        following->version = milliseconds();
        following->shown = *now;
    }
    put_words(following);
    const struct ws_report_progress progress = {WS_STRUCT(report_progress),
                                                .version = following->version,
                                                .done = now->done,
                                                .wanted = now->wanted,
                                                .rate = rate,
                                                .left = now->wanted > now->done ? (double)(now->wanted - now->done) / rate : NAN,
                                                .words = following->words};
    say(following, &progress, write);
    return following->version ? ws_report_progress(what->folder, &progress, error) : WS_STATUS_ok;
}

/* The complete page, which pages that follow are then told to load. */
static enum ws_status finish(struct following *following, struct ws_error *error)
{
    const struct cli_followed *const what = following->what;
    WS_TRY(ws_report(what->files, what->count, what->run, 0, what->folder, error));
    put_words(following);
    const struct ws_report_progress progress = {WS_STRUCT(report_progress),
                                                .version = milliseconds(),
                                                .done = following->now.done,
                                                .wanted = following->now.wanted,
                                                .rate = NAN,
                                                .left = NAN,
                                                .words = following->words,
                                                .ended = true};
    return following->version ? ws_report_progress(what->folder, &progress, error) : WS_STATUS_ok;
}

enum ws_status cli_follow(const struct cli_followed *what, struct ws_error *error)
{
    struct following following = {.what = what};
    while (!cli_interrupted()) {
        WS_TRY(look_at_all(&following, error));
        if (is_complete(&following.now))
            return finish(&following, error);
        WS_TRY(write_news(&following, error));
        for (u32 tick = 0; tick < what->seconds * TICKS && !cli_interrupted(); tick++)
            nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TICKS}, NULL);
    }
    if (following.now.absent)
        return ws_fail(error, WS_STATUS_no_file, "%s: interrupted before a sweep or search wrote it; there is no page",
                       following.now.absent);
    return finish(&following, error);
}
