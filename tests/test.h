/* What tests have in common: cmocka, and that a test is there by standing there. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Begins a test, to be followed by its body; those of a file run in their order. TEST_WITH: between set_up and tear_down, NULL for
 * none. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)                                                                                         \
    static void name(void **);                                                                                                     \
    __attribute__((constructor)) static void add_##name(void)                                                                      \
    {                                                                                                                              \
        test_add((struct CMUnitTest){#name, name, set_up, tear_down, NULL});                                                       \
    }                                                                                                                              \
    static void name(__attribute__((unused)) void **state)

void test_add(struct CMUnitTest test);

/* Fails the test, in the words of the error, unless the call gives WS_STATUS_ok. */
#define EXPECT_OK(call, error)                                                                                                     \
    do {                                                                                                                           \
        if ((call) != WS_STATUS_ok)                                                                                                \
            fail_msg("%s", (error)->message);                                                                                      \
    } while (0)

/* Runs them all, between set_up and tear_down; returns how many failed. A program without a main does that without any; TESTS is
 * one with. */
int test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);
#define TESTS(set_up, tear_down)                                                                                                   \
    int main(void)                                                                                                                 \
    {                                                                                                                              \
        return test_run(set_up, tear_down);                                                                                        \
    }
