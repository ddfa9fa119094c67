/* Jobs that sweeps are running now, so that two sweeps into one file do not both run a job. Correct results never depend on claims:
 * where one is taken for that of a dead process, a job runs twice and is recorded once. */
#pragma once

#include <stdbool.h>

#include "results/sql.h"

enum { WS_CLAIM_SECONDS = 10 }; /* a claim is to be renewed this often */

/* Claims those of the jobs that no live sweep has claimed, in one transaction: theirs[n] says that another one has digests[n].
 * *claim is to be released; 0 where nothing was left to claim. *other is a claim to wait for, 0 for none. */
enum ws_status ws_claim_jobs(struct ws_results *results, const u64 *digests, bool *theirs, size_t count, sqlite3_int64 *claim,
                             sqlite3_int64 *other, struct ws_error *error);

/* Says that the sweep is still alive, for those on other machines. */
enum ws_status ws_claim_renew(struct ws_results *results, sqlite3_int64 claim, struct ws_error *error);

enum ws_status ws_claim_release(struct ws_results *results, sqlite3_int64 claim, struct ws_error *error);

/* Whether a claim is there and its process alive; *process is its number. */
enum ws_status ws_claim_lives(struct ws_results *results, sqlite3_int64 claim, bool *lives, long *process, struct ws_error *error);
