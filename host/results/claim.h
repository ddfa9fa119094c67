/* Jobs that sweeps are running: keeps two sweeps into one file from running the same job. Results never depend on claims: if a live
 * claim is mistaken for a dead one, a job runs twice and is recorded once. */
#pragma once

#include <stdbool.h>

#include "results/sql.h"

enum { WS_CLAIM_SECONDS = 10 }; /* renewal interval of a claim */

/* Claims the jobs that no live sweep has claimed, in one transaction: theirs[n] is set if another one has digests[n]. *claim is to
 * be released; 0 if there was nothing to claim. *other is a claim to wait for, 0 for none. */
enum ws_status ws_claim_jobs(struct ws_results *results, const u64 *digests, bool *theirs, size_t count, sqlite3_int64 *claim,
                             sqlite3_int64 *other, struct ws_error *error);

/* Renews a claim, as a sign of life for other machines. */
enum ws_status ws_claim_renew(struct ws_results *results, sqlite3_int64 claim, struct ws_error *error);

enum ws_status ws_claim_release(struct ws_results *results, sqlite3_int64 claim, struct ws_error *error);

/* Whether a claim exists and its process is alive; *process is its number. */
enum ws_status ws_claim_lives(struct ws_results *results, sqlite3_int64 claim, bool *lives, long *process, struct ws_error *error);
