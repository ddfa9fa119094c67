/* Binaries of programs, kept in the user's cache folder. It is a convenience: what cannot be kept, or is damaged, is built again.
 */
#ifndef WS_ENGINE_BINARY_CACHE_H
#define WS_ENGINE_BINARY_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"

/* Digest of all that a binary depends on. */
struct ws_binary_key {
    u64 low, high;
};

/* The key of several texts. */
struct ws_binary_key ws_binary_key(const char *const *texts, size_t count);

/* Fetches a binary with whether its self-test passed. False when there is none or what is there is not whole. *binary is to be
 * freed. */
bool ws_binary_fetch(struct ws_binary_key key, void **binary, size_t *length, bool *tested);

/* Keeps a binary, replacing an earlier one of this key. False when that was not possible. */
bool ws_binary_keep(struct ws_binary_key key, const void *binary, size_t length, bool tested);

#endif
