/* Cache of compiled programs in the user's cache folder. Binaries that cannot be stored, or are damaged, are built again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"

/* Digest of everything that a binary depends on. */
struct ws_binary_key {
    u64 low, high;
};

/* The key of several texts. */
struct ws_binary_key ws_binary_key(const char *const *texts, size_t count);

/* Result of a program's self-test. */
enum ws_self_test_result { WS_SELF_TEST_unknown, WS_SELF_TEST_passed, WS_SELF_TEST_failed };

/* Fetches the entry of a key with its self-test result: a binary, or after WS_SELF_TEST_failed the reason as text. False without a
 * complete entry. *binary must be freed; a zero byte follows it. */
bool ws_binary_fetch(struct ws_binary_key key, void **binary, size_t *length, enum ws_self_test_result *result);

/* Stores a binary (or a reason), replacing an earlier one of this key. False on failure. */
bool ws_binary_keep(struct ws_binary_key key, const void *binary, size_t length, enum ws_self_test_result result);
