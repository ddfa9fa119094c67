#include "oracle/schedule/pool/stateless.h"

void policy_start_nothing(struct sm *sm)
{
    (void)sm;
}

void policy_finish_nothing(struct sm *sm)
{
    (void)sm;
}
