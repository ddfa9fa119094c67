/* SM duels (docs/model/dispatch.md), quantum by quantum: quanta of jobs that lead or follow one end where windows do. */
#pragma once

#include "shared/job.h"
#include "warpsweep/engine.h"

/* Settles what shards of a machine with dispatch.spatial = dueling begin with: the kernels know on and off alone. Refuses a
 * follower whose leaders have not ended. */
enum ws_status ws_dueling_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error);

/* Before the first quantum, also when the job runs again: a follower begins with spatial use. */
void ws_dueling_begin(const struct ws_job_spec *spec, struct ws_job *job);

/* After each quantum: a leader notes down what it has executed, a follower chooses where a window has ended. Returns whether the
 * job has changed. */
bool ws_dueling_step(const struct ws_job_spec *spec, struct ws_job *job, const struct ws_head *head);
