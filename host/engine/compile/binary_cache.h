/* Binaries of programs, kept in the user's cache folder. It is a convenience: what cannot be kept, or is damaged, is built again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"

/* Digest of all that a binary depends on. */
struct ws_binary_key {
    u64 low, high;
};

/* The key of several texts. */
struct ws_binary_key ws_binary_key(const char *const *texts, size_t count);

/* What a self-test said of a program. */
enum ws_self_test_result { WS_SELF_TEST_unknown, WS_SELF_TEST_passed, WS_SELF_TEST_failed };

/* Fetches what is kept with the result: a binary, or after WS_SELF_TEST_failed the reason as text. False when there is none or what
 * is there is not whole. *binary is to be freed; a zero follows it. */
bool ws_binary_fetch(struct ws_binary_key key, void **binary, size_t *length, enum ws_self_test_result *result);

/* Keeps a binary (or a reason), replacing an earlier one of this key. False when that was not possible. */
bool ws_binary_keep(struct ws_binary_key key, const void *binary, size_t length, enum ws_self_test_result result);
