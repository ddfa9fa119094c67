/* For stateless schedulers of a pool. */
#pragma once

struct sm;

void policy_start_nothing(struct sm *sm);
void policy_finish_nothing(struct sm *sm);
