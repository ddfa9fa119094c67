/* The writer thread of a sweep: records finished jobs in the results file in groups, while engines run. */
#pragma once

#include "results/record.h"

struct ws_sweep_writer;

/* To be freed by ws_sweep_writer_free. Until then only the writer may use the results file, except after a flush. replace is as for
 * ws_record_jobs; a claim other than 0 is renewed (results/claim.h). */
enum ws_status ws_sweep_writer_new(struct ws_results *results, bool replace, sqlite3_int64 claim, struct ws_sweep_writer **writer,
                                   struct ws_error *error);
void ws_sweep_writer_free(struct ws_sweep_writer *writer);

/* Adds a job; one call at a time. The record and its result are copied; their pointers must be valid until a flush. */
void ws_sweep_writer_add(struct ws_sweep_writer *writer, const struct ws_job_record *record);

/* Writes groups that have waited for half a second, unless the thread is busy. */
void ws_sweep_writer_tick(struct ws_sweep_writer *writer);

/* Waits until everything added is written. Returns the status of all writes so far. */
enum ws_status ws_sweep_writer_flush(struct ws_sweep_writer *writer, struct ws_error *error);

/* Whether all writes so far have succeeded. */
bool ws_sweep_writer_is_well(struct ws_sweep_writer *writer);
