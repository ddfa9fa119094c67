/* Pre-decoded traces that jobs of one call of ws_engine_run share: built when the first job starts, freed when the last has
 * ended. */
#pragma once

#include "warpsweep/engine.h"

struct ws_predecoded;

/* Finds the jobs that can share a pre-decoded trace. NULL for none, or without memory: all jobs use their images. */
struct ws_predecoded *ws_predecoded_open(const struct ws_job_spec *jobs, size_t count, enum ws_predecode_use use);

/* The image to simulate for a job: pre-decoded, or the job's own if there is none or memory is short. Thread-safe. */
const struct ws_image *ws_predecoded_image(struct ws_predecoded *predecoded, const struct ws_job_spec *jobs, size_t job);

/* Releases the job's image; once, after ws_predecoded_image. Thread-safe. */
void ws_predecoded_done(struct ws_predecoded *predecoded, size_t job);

/* Frees everything; NULL is allowed. */
void ws_predecoded_close(struct ws_predecoded *predecoded);
