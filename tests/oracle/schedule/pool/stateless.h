/* For schedulers of a pool that remember nothing. */
#pragma once

struct sm;

void policy_start_nothing(struct sm *sm);
void policy_finish_nothing(struct sm *sm);
