#include <stdlib.h>

#include "test.h"

enum { MOST_TESTS = 500 };

static struct CMUnitTest tests[MOST_TESTS];
static size_t count;

void test_add(struct CMUnitTest test)
{
    if (count == MOST_TESTS)
        abort();
    tests[count++] = test;
}

int test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    return _cmocka_run_group_tests("tests", tests, count, set_up, tear_down);
}

__attribute__((weak)) int main(void);
int main(void)
{
    return test_run(NULL, NULL);
}
