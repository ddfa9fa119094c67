#include "unit/workloads/rows.h"

#include <assert.h>
#include <stdio.h>

void workload_rows_add(struct workload_rows *rows, const char *what, CMUnitTestFunction test)
{
    for (const struct ws_workload *workload = ws_workloads(); workload->name; workload++) {
        const size_t n = rows->count++;
        assert(n < sizeof rows->test / sizeof *rows->test);
        snprintf(rows->name[n], sizeof rows->name[n], "%s: %s", workload->name, what);
        rows->test[n] = (struct CMUnitTest){.name = rows->name[n], .test_func = test, .initial_state = (void *)(uintptr_t)workload};
    }
}

int workload_rows_run(const struct workload_rows *rows, const char *group)
{
    assert(rows->count > 0);
    return _cmocka_run_group_tests(group, rows->test, rows->count, NULL, NULL);
}
