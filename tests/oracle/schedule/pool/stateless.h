/* For schedulers of a pool that remember nothing. */
#ifndef WS_TESTS_ORACLE_STATELESS_H
#define WS_TESTS_ORACLE_STATELESS_H

struct sm;

void policy_start_nothing(struct sm *sm);
void policy_finish_nothing(struct sm *sm);

#endif
