/* What tests have in common: cmocka, and that a test is there by standing there. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "warpsweep/status.h"

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

/* Fails the test, in the words of the error that the call has filled in, unless it gave WS_STATUS_ok. */
#define EXPECT_DONE(status, error)                                                                                                 \
    do {                                                                                                                           \
        if ((status) != WS_STATUS_ok)                                                                                              \
            fail_msg("%s", (error)->message);                                                                                      \
    } while (0)

/* These declare the error to which the call refers as &error. EXPECT_OK: it gives WS_STATUS_ok. EXPECT_ERROR: another status, with
 * this message; EXPECT_ERROR_HAS: with a message that has this part. */
#define EXPECT_OK(call)                                                                                                            \
    do {                                                                                                                           \
        struct ws_error error = {.message = ""};                                                                                   \
        EXPECT_DONE(call, &error);                                                                                                 \
    } while (0)
#define EXPECT_ERROR(call, wanted, text)                                                                                           \
    do {                                                                                                                           \
        struct ws_error error = {.message = ""};                                                                                   \
        assert_int_equal(call, wanted);                                                                                            \
        assert_string_equal(error.message, text);                                                                                  \
    } while (0)
#define EXPECT_ERROR_HAS(call, wanted, part)                                                                                       \
    do {                                                                                                                           \
        struct ws_error error = {.message = ""};                                                                                   \
        assert_int_equal(call, wanted);                                                                                            \
        if (!strstr(error.message, part))                                                                                          \
            fail_msg("'%s' lacks '%s'", error.message, part);                                                                      \
    } while (0)

/* Runs them all, between set_up and tear_down; returns how many failed. A program without a main does that without any; TESTS is
 * one with. */
int test_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);
#define TESTS(set_up, tear_down)                                                                                                   \
    int main(void)                                                                                                                 \
    {                                                                                                                              \
        return test_run(set_up, tear_down);                                                                                        \
    }
