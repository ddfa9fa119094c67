/* The packets that jobs of one call of ws_engine_run share: made when the first of them begins, freed when the last has ended. */
#pragma once

#include "warpsweep/engine.h"

struct ws_lowered;

/* Finds the jobs that can share packets. NULL for none, or without memory: all are simulated from their images. */
struct ws_lowered *ws_lowered_open(const struct ws_job_spec *jobs, size_t count, enum ws_lowering_use use);

/* The image that a job is to be simulated with: packets, or its own where there are none or memory is short. From any thread. */
const struct ws_image *ws_lowered_image(struct ws_lowered *lowered, const struct ws_job_spec *jobs, size_t job);

/* The job needs its image no longer; once, after ws_lowered_image. From any thread. */
void ws_lowered_done(struct ws_lowered *lowered, size_t job);

/* Frees all packets; NULL is allowed. */
void ws_lowered_close(struct ws_lowered *lowered);
