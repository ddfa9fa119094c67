/* Concurrent sweeps into one file: each job is run by one of them; the others wait for its result (results/claim.h). */
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "results/claim.h"
#include "sweep/parts.h"

enum { POLL_NANOSECONDS = 200000000 };

/* Keeps this sweep's jobs in the list, in their order, and moves the others into sweep->later. */
static void part_jobs(struct ws_sweep_state *sweep, const bool *theirs)
{
    size_t kept = 0;
    for (size_t n = 0; n < sweep->job_count; n++)
        if (theirs[n])
            sweep->later[sweep->later_count++] = sweep->jobs[n];
        else
            sweep->jobs[kept++] = sweep->jobs[n];
    sweep->job_count = kept;
}

static enum ws_status claim(struct ws_sweep_state *sweep, struct ws_error *error)
{
    u64 *const digests = calloc(sweep->job_count + 1, sizeof *digests);
    bool *const theirs = calloc(sweep->job_count + 1, sizeof *theirs);
    free(sweep->later);
    sweep->later = calloc(sweep->job_count + 1, sizeof *sweep->later);
    sweep->later_count = 0;
    enum ws_status status = digests && theirs && sweep->later
                                ? WS_STATUS_ok
                                : ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", sweep->job_count);
    for (size_t n = 0; n < sweep->job_count && status == WS_STATUS_ok; n++)
        digests[n] = sweep->jobs[n].digest;
    WS_THEN(status, ws_claim_jobs(sweep->results, digests, theirs, sweep->job_count, &sweep->claim, &sweep->other, error));
    if (status == WS_STATUS_ok)
        part_jobs(sweep, theirs);
    free(digests);
    free(theirs);
    return status;
}

/* Jobs that other sweeps have recorded meanwhile are counted as theirs. */
static enum ws_status drop_done(struct ws_sweep_state *sweep, struct ws_error *error)
{
    struct ws_sweep_summary *const summary = sweep->summary;
    const size_t before = summary->before;
    const enum ws_status status = ws_sweep_drop_done(sweep, error);
    summary->elsewhere += summary->before - before;
    summary->before = before;
    return status;
}

/* Waits until the other sweep has ended, normally or not. */
static enum ws_status wait_for_other(struct ws_sweep_state *sweep, struct ws_error *error)
{
    static const struct timespec pause = {.tv_nsec = POLL_NANOSECONDS};
    bool lives = true, said = false;
    while (lives) {
        long process;
        WS_TRY(ws_claim_lives(sweep->results, sweep->other, &lives, &process, error));
        if (lives && !said)
            ws_sweep_note(sweep, "%zu jobs are being run by another sweep into %s (process %ld); waiting for their results",
                          sweep->later_count, sweep->options->results, process);
        said = true;
        if (!ws_sweep_goes_on(sweep))
            return ws_fail(error, WS_STATUS_interrupted, "interrupted while another sweep runs %zu jobs of this one",
                           sweep->later_count);
        if (lives)
            nanosleep(&pause, NULL);
    }
    return WS_STATUS_ok;
}

static enum ws_status run_claimed(struct ws_sweep_state *sweep, struct ws_error *error)
{
    enum ws_status status = drop_done(sweep, error);
    if (status == WS_STATUS_ok && sweep->job_count > 0)
        status = ws_sweep_run_jobs(sweep, error);
    const enum ws_status released = ws_claim_release(sweep->results, sweep->claim, status == WS_STATUS_ok ? error : NULL);
    sweep->claim = 0;
    return status == WS_STATUS_ok ? released : status;
}

enum ws_status ws_sweep_run_all(struct ws_sweep_state *sweep, struct ws_error *error)
{
    WS_TRY(claim(sweep, error));
    WS_TRY(run_claimed(sweep, error));
    while (sweep->later_count > 0) {
        WS_TRY(wait_for_other(sweep, error));
        struct ws_sweep_job *const ran = sweep->jobs;
        sweep->jobs = sweep->later;
        sweep->job_count = sweep->later_count;
        sweep->later = ran;
        sweep->later_count = 0;
        WS_TRY(drop_done(sweep, error));
        WS_TRY(claim(sweep, error));
        WS_TRY(run_claimed(sweep, error));
    }
    return WS_STATUS_ok;
}
