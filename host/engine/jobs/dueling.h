/* SM dueling (docs/model/dispatch.md) by quanta: quanta of jobs that lead or follow end where windows do. */
#pragma once

#include "shared/job.h"
#include "warpsweep/engine.h"

/* Sets the initial mode of shards of a machine with dispatch.spatial = dueling: kernels know only on and off. Refuses a follower
 * whose leaders have not ended. */
enum ws_status ws_dueling_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error);

/* Called before the first quantum, also when the job restarts: a follower starts with spatial use. */
void ws_dueling_begin(const struct ws_job_spec *spec, struct ws_job *job);

/* Called after each quantum: a leader records its progress; a follower selects the mode at the end of a window. Returns whether the
 * job has changed. */
bool ws_dueling_step(const struct ws_job_spec *spec, struct ws_job *job, const struct ws_head *head);
