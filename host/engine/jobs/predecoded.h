/* The packets that jobs of one call of ws_engine_run share: made when the first of them begins, freed when the last has ended. */
#pragma once

#include "warpsweep/engine.h"

struct ws_predecoded;

/* Finds the jobs that can share packets. NULL for none, or without memory: all are simulated from their images. */
struct ws_predecoded *ws_predecoded_open(const struct ws_job_spec *jobs, size_t count, enum ws_predecode_use use);

/* The image that a job is to be simulated with: packets, or its own where there are none or memory is short. From any thread. */
const struct ws_image *ws_predecoded_image(struct ws_predecoded *predecoded, const struct ws_job_spec *jobs, size_t job);

/* The job needs its image no longer; once, after ws_predecoded_image. From any thread. */
void ws_predecoded_done(struct ws_predecoded *predecoded, size_t job);

/* Frees all packets; NULL is allowed. */
void ws_predecoded_close(struct ws_predecoded *predecoded);
