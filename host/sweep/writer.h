/* The one thread of a sweep that writes finished jobs into the results file, group by group, while engines go on. */
#pragma once

#include "results/record.h"

struct ws_sweep_writer;

/* To be freed by ws_sweep_writer_free. Until then the results file is the writer's, but after a flush. replace is as of
 * ws_record_jobs; the claim, if it is not 0, is renewed (results/claim.h). */
enum ws_status ws_sweep_writer_new(struct ws_results *results, bool replace, sqlite3_int64 claim, struct ws_sweep_writer **writer,
                                   struct ws_error *error);
void ws_sweep_writer_free(struct ws_sweep_writer *writer);

/* Adds a job, one call at a time. The record and its result are copied; what these point to stays until a flush. */
void ws_sweep_writer_add(struct ws_sweep_writer *writer, const struct ws_job_record *record);

/* Has what has waited for half a second written, unless the thread is busy. */
void ws_sweep_writer_tick(struct ws_sweep_writer *writer);

/* Waits until all that was added is written. The status is that of all writing so far. */
enum ws_status ws_sweep_writer_flush(struct ws_sweep_writer *writer, struct ws_error *error);

/* Whether all writing has been well so far. */
bool ws_sweep_writer_is_well(struct ws_sweep_writer *writer);
